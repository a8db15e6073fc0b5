"""Plausible paper results, for demo data, `manage.py play` and benchmarks. Seeded, and never used for a real hand."""

import random
from collections.abc import Callable

from engine.paper import SeatReport
from engine.rules import EDITIONS
from games.models import Hand
from games.services import record_hand
from league.models import HandScore, Round, Table, Tournament, User
from league.services import advance, next_step, start

MOST_CARDS = 9


def deal_a_result(rng: random.Random, deck: tuple[str, ...], players: int) -> tuple[int, list[SeatReport]]:
    """(who went out, the cards left by the others): a few cards each, rarely many, all from one deck."""
    pack = list(deck)
    rng.shuffle(pack)
    went_out = rng.randrange(players)
    reports = []
    for seat in range(players):
        if seat == went_out:
            continue
        count = min(MOST_CARDS, 1 + int(rng.expovariate(0.4)))
        reports.append(SeatReport(seat, cards=tuple(pack.pop() for _ in range(count))))
    return went_out, reports


def fill_table(table: Table, seed: int, by: User | None, *, hands: int | None = None) -> int:
    """Record the table's empty slots (at most up to hand `hands`); returns how many.

    Every slot has a stream of its own, so that an evening played in parts is the same as one played at once.
    """
    stage = table.round.stage
    filled = set(Hand.objects.living().filter(table=table).values_list("number", flat=True))
    done = 0
    for number in range(1, (hands or stage.hands_per_round) + 1):
        if number in filled:
            continue
        rng = random.Random(f"{seed}:{table.round.number}:{table.number}:{number}")
        went_out, reports = deal_a_result(rng, EDITIONS[stage.edition].deck, table.seats.count())
        record_hand(
            table_id=table.pk, hand=number, went_out=went_out, reports=reports, by=by, source=HandScore.Source.ORGANISER
        )
        done += 1
    return done


def play(
    tournament: Tournament,
    *,
    seed: int,
    rounds: int | None = None,
    by: User | None = None,
    tell: Callable[[str], None] = print,
) -> int:
    """Start, publish and fill `rounds` more rounds (None: all that are left); returns the number of hands.

    Never closes the tournament.
    """
    start(tournament=tournament, by=by)
    total = played = 0
    while rounds is None or played < rounds:
        step = next_step(tournament)
        if step.kind == "close" and step.round is not None and step.missing:
            total += _fill_round(step.round, seed, by)
            played += 1
            tell(f"Round {step.round.number}: {total} hands so far.")
        elif step.kind in ("publish", "close") and step.following is not None:
            advance(tournament=tournament, token=step.token, by=by)
        else:
            break
    return total


def _fill_round(played: Round, seed: int, by: User | None) -> int:
    return sum(fill_table(table, seed, by) for table in played.tables.select_related("round__stage").order_by("number"))
