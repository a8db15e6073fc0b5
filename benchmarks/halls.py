"""What a hall costs: a Challenge UNO with more and more players, from the first hand to a correction in a closed round.

    .venv/bin/python -m benchmarks.halls [--players N ...] [--beside] [--seed N] [--smoke]

In this process, on SQLite, with scores drawn by lot; CPU of the process in milliseconds. `record` is the median of the
last forty hands of round 1, `next_step` finds what the organiser's button does, `close` closes that round and draws and
publishes the next one, `standings` reads and ranks. Then half of the tables of round 2 have a hand, and one of round 1
is corrected so that somebody is out: `preview` tries the three repairs. `rounds` and `scorecard` are the export of the
rounds and a player's page, after twelve rounds that are written as rows. With --beside every hall comes a second time,
among a million hands of other events. The last line printed is one JSON object.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.pages import prepare

SIZES = (40, 200, 1000)
LAST = 40
ROUNDS = 12
DAY = date(2026, 11, 24)
POINTS = (5, 20, 30, 50, 60)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.halls", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--beside", action="store_true", help="again among a million hands of others")
    parser.add_argument("--smoke", action="store_true", help="two small halls: whether it runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wild-bench-") as folder:
        prepare(Path(folder), "", smoke=options.smoke)
        sizes = (8, 12) if options.smoke else options.players
        halls = [hall(players, options.seed) for players in sizes]
        if options.beside:
            hands = a_million_hands(options.seed, smoke=options.smoke)
            halls += [hall(players, options.seed) | {"among": hands} for players in sizes]
    tell(json.dumps({"benchmark": "halls", "seed": options.seed, "halls": halls}))


def a_million_hands(seed: int, *, smoke: bool) -> int:
    from benchmarks import growth

    season = growth.made(growth.Shape(8, 2, 4) if smoke else growth.MANY, seed)
    return growth.copy_around(season, 1 if smoke else growth.COPIES)


def hall(players: int, seed: int) -> dict[str, Any]:
    """Milliseconds by step."""
    from games.hands.repair_preview import diff_of
    from league.rounds.steps import advance, next_step, start
    from league.standings.read import read

    made, dice = challenge(players), random.Random(f"{seed} {players}")
    start(tournament=made, by=made.owner)
    first = made.rounds.get(number=1)
    records = [cpu(step)[0] for step in hands_of(first, dice)]
    found: dict[str, Any] = {"players": players, "record": round(statistics.median(records[-LAST:]), 1)}
    found["next_step"], step = cpu(lambda: next_step(made))
    found["close"], _ = cpu(lambda: advance(tournament=made, token=step.token, by=made.owner))
    made.refresh_from_db()
    found["standings"], _ = cpu(lambda: read(made).standings())
    some = list(hands_of(made.rounds.get(number=2), dice))
    for record in some[: len(some) // 8]:
        record()
    table, correction = somebody_is_out(first)
    found["preview"], diff = cpu(lambda: diff_of(made, table, correction))
    found["repairs"] = len(diff.choices)
    found |= after_twelve_rounds(players, dice)
    tell(json.dumps(found))
    return found


def after_twelve_rounds(players: int, dice: random.Random) -> dict[str, Any]:
    from django.test import Client

    from benchmarks import clubs
    from benchmarks.growth import FIRST
    from league.models import Club, Tournament
    from league.public.tables import EXPORTS, Wanted

    club = clubs.club(f"hall-{Club.objects.count()}", players)
    clubs.evening(club, list(club.members.order_by("pk")), ROUNDS, FIRST, dice, challenge=True)
    played = Tournament.objects.get(club=club)
    rounds, _ = cpu(lambda: list(EXPORTS["rounds"].rows(played, Wanted())))
    visitor, page = Client(SERVER_NAME="localhost"), f"/t/{played.slug}/players/{played.entries.all()[0].public_id}/"
    visitor.get(page)
    return {"rounds": rounds, "scorecard": cpu(lambda: visitor.get(page))[0]}


def challenge(players: int) -> Any:
    from benchmarks.factory import organiser
    from league.entries.roster.rows import RosterRow
    from league.setup.create import create_tournament

    people = [RosterRow(number, f"Player {number}") for number in range(1, players + 1)]
    return create_tournament(
        owner=organiser(), name=f"Hall of {players}", format="challenge", players=people, starts_on=DAY
    )


def hands_of(played: Any, dice: random.Random) -> list[Callable[[], Any]]:
    """What records each hand of a round, one at each table in turn."""
    from engine.paper import SeatReport
    from games.hands.record import record_hand
    from league.access.by import By

    by, steps = By(played.tournament.owner), []
    tables = [(table.pk, [seat.number for seat in table.seats.order_by("number")]) for table in played.tables.all()]
    for hand in range(1, played.stage.hands_per_round + 1):
        for table, seats in tables:
            out = dice.choice(seats)
            reports = [SeatReport(seat, points_left=dice.choice(POINTS)) for seat in seats if seat != out]
            steps.append(
                lambda table=table, hand=hand, out=out, reports=reports: record_hand(
                    table_id=table, hand=hand, went_out=out, reports=reports, by=by
                )
            )
    return steps


def somebody_is_out(played: Any) -> tuple[Any, Any]:
    """A table of the round, and a correction of its last hand by which one player has the target."""
    from engine.paper import SeatReport
    from games.hands.repairs import Correction
    from games.models import Hand

    hand = Hand.objects.living().filter(table__round=played).select_related("table__round__stage").last()
    assert hand is not None
    others = [seat.number for seat in hand.table.seats.order_by("number") if seat.number != hand.went_out]
    reports = [SeatReport(seat, points_left=1000 if seat == others[0] else 20) for seat in others]
    by = played.tournament.owner
    return hand.table, Correction(hand.pk, None, went_out=hand.went_out, reports=reports, reason="Slip", by=by)


def cpu(step: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.process_time()
    answer = step()
    return round(1000 * (time.process_time() - begin), 1), answer


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
