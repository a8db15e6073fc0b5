"""Play hands with bots: for demo data, `manage.py play` and tests.

Results of paper tables are recorded like typed ones; at online tables bots make every move.

A seed decides everything, also the shuffles, so nothing here is fit for a real hand.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import count

from django.db import transaction
from django.utils.translation import gettext as _

from engine.hand import deal
from engine.paper import SeatReport
from engine.result import result_of
from engine.rules import EDITIONS
from engine.shuffle import SEED_BYTES
from engine.simulation.bots import BOTS
from engine.simulation.simulate import NAMES, play_out
from engine.state import DRAWN, Rules
from games.hands.judge import HandInput
from games.hands.locks import lock_table
from games.hands.record import record_hand
from games.models import Deal, Hand
from games.online.play.deals import next_deal, seal, start_if_ready
from games.online.play.moves import follow, store
from games.online.play.places import places_of
from games.online.play.replay import replay
from league.access.viewer import Attribution
from league.formats.seating.dealer import dealer_seat
from league.ledger.dealer import first_dealer, is_drawn
from league.ledger.field import draws_another
from league.ledger.progress import PLAYING, dealt_in, hands_in, race_of, table_now
from league.lib.errors import Conflict
from league.models import Round, Table, Tournament, User
from league.rounds.first_deal import decide_first_dealer
from league.rounds.steps import NextStep, advance, next_step, start

OPEN_ROUND = 4  # hands a table in a round without a number of hands


def play_a_hand(rules: Rules, *, players: int, dealer: int, rng: random.Random) -> tuple[int | None, list[SeatReport]]:
    """Play a hand. Return the seat that went out (None: blocked) and the cards left at the other seats."""
    hand = deal(rules, NAMES[:players], dealer=dealer, seed=rng.randbytes(SEED_BYTES))
    play_out(hand, [BOTS["careful"](rng) for _ in range(players)])
    went_out = result_of(hand).winner
    return went_out, [SeatReport(seat, tuple(cards)) for seat, cards in enumerate(hand.cards) if seat != went_out]


@transaction.atomic
def play_online(table: Table, rng: random.Random) -> bool:
    """Play the next hand of an online table to its end, which records it. Return whether there was one."""
    deal = next_deal(lock_table(table.pk))
    if deal is None:
        return False
    if deal.state == Deal.State.WAITING:
        seal(deal, rng.randbytes(SEED_BYTES), [place.seat for place in places_of(deal)])
        start_if_ready(deal, anyway=True)
    bot = BOTS["careful"](rng)
    played = replay(deal, [""] * len(deal.places))
    while deal.state == Deal.State.PLAYING:
        hand, public = played.hand, played.hand.public
        drawn = hand.drawn if public.step == DRAWN else None
        store(follow(deal, played, bot.choose(public, public.turn, hand.cards[public.turn], drawn), bot="careful"))
    return deal.state != Deal.State.WAITING


def fill_table(table: Table, seed: int, by: User | None, *, hands: int | None = None) -> int:
    """Record the table's empty slots, at most up to hand `hands`; return their number.

    Each slot has its own random stream, so playing in parts gives the same result as playing at once.
    """
    stage = table.round.stage
    rules = Rules(EDITIONS[stage.edition], scoring=stage.scoring, teams=stage.has_partners)
    filled = hands_in([table])[table.pk]
    if table.mode == Table.Mode.OFFLINE and not filled and is_drawn(table):
        below = random.Random(f"{seed}:{table.round.number}:{table.number}:dealer").randrange
        decide_first_dealer(table=table, seat=None, by=Attribution(by), below=below)
        table.refresh_from_db(fields=["first_deal"])
    first = first_dealer(table, begun=bool(filled))
    done = 0
    dealt: list[list[int]] = []
    for number in count(1) if hands is None else range(1, hands + 1):
        if number in filled:
            dealt.append(filled[number])
            continue
        race = race_of(table.round)
        if table_now(table, race).state != PLAYING:
            break
        seats = [seat.number for seat in dealt_in(table, number, race) if seat.number is not None]
        dealt.append(seats)
        rng = random.Random(f"{seed}:{table.round.number}:{table.number}:{number}")
        if table.mode == Table.Mode.ONLINE:
            if not play_online(table, rng):
                break
            done += 1
            continue
        dealer = seats.index(dealer_seat(dealt, first.seat if first else 0))
        went_out, reports = play_a_hand(rules, players=len(seats), dealer=dealer, rng=rng)
        went_out = None if went_out is None else seats[went_out]
        reports = [replace(report, seat=seats[report.seat]) for report in reports]
        record_hand(
            table_id=table.pk,
            hand=HandInput(number, went_out, reports),
            by=Attribution(by),
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
    close: bool = False,
) -> int:
    """Start, publish and fill `rounds` more rounds (None: all); return the number of hands.

    `close`: after the last round, close it and make the standings final. Without it, organisers do both.
    """
    start(tournament=tournament, by=by)
    tournament.refresh_from_db()
    if tournament.paused_at:
        raise Conflict("paused", _("Play is paused until the organiser resumes it."))
    total = played = 0
    while rounds is None or played < rounds:
        step = next_step(tournament)
        if step.kind == "close" and step.round is not None and (step.missing or _waits(step.round)):
            total += _fill_round(step.round, seed, by, most=None if step.missing else OPEN_ROUND)
            played += 1
            tell(f"Round {step.round.number}: {total} hands so far.")
        elif step.kind in ("draw", "cut", "publish", "close") and not _is_last(step):
            advance(tournament=tournament, token=step.token, by=by)
        else:
            break
    while close and is_played(tournament):
        advance(tournament=tournament, token=next_step(tournament).token, by=by)
        tournament.refresh_from_db()
    return total


def is_played(tournament: Tournament) -> bool:
    """Return whether only closing is left to do."""
    step = next_step(tournament)
    if step.round is not None and (step.missing or _waits(step.round)):
        return False
    return step.kind == "finish" or _is_last(step)


def _waits(played: Round) -> bool:
    """Return whether a round without a number of hands has no hand yet."""
    return played.stage.hands_per_round is None and not Hand.objects.living().filter(table__round=played).exists()


def _is_last(step: NextStep) -> bool:
    """Return whether only closing the last round is left."""
    if step.kind != "close" or step.following is not None or step.round is None:
        return False
    stage, next_stage = step.round.tournament.stage_and_next
    if next_stage is not None:
        return False
    return not draws_another(step.round.tournament, stage)


def _fill_round(played: Round, seed: int, by: User | None, most: int | None = None) -> int:
    """Fill a round; in a Challenge UNO one hand a table in turn, as in a hall.

    `most` is the number of hands a table, in a round without a number of hands.
    """
    tables = list(
        played.tables.exclude(state=Table.State.VOID)
        .select_related("round__stage", "round__tournament")
        .order_by("number")
    )
    if not played.stage.eliminates:
        return sum(fill_table(table, seed, by) for table in tables)
    total = 0
    for number in count(1):
        done = sum(fill_table(table, seed, by, hands=number) for table in tables)
        total += done
        if not done or number == most:
            return total
    return total
