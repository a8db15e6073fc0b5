"""Heats through the services, from the list to the final, held against a second count that reads only exports.

`WILD_TOURNAMENTS=5000` plays so many, of up to 200 people.
"""

import os
import random

import pytest

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.hands.repairs import KEEP, repair_hand
from games.models import Hand
from league.access.viewer import Attribution
from league.day.entrants import drop_out, enter_late
from league.formats.heats import ELIMINATED, ONCE_MORE, SECOND_LADDER
from league.formats.ladder import ladder
from league.formats.progression import Played, Result
from league.lib import csv
from league.lib.errors import Refused
from league.log.audit import verify
from league.models import Entry, Round, Seat, Table, Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.adjustments import adjust
from league.rounds.steps import advance, next_step, start
from league.standings import read as ledger
from tests import cast
from tests.second import heats_by_hand, standings_by_hand

pytestmark = pytest.mark.django_db

TOURNAMENTS = int(os.environ.get("WILD_TOURNAMENTS") or 40)
MOST = 200 if TOURNAMENTS > 100 else 21
BATCH = 5


def rows_of(made, table):
    return standings_by_hand.read(csv.text(EXPORTS[table].columns(Wanted()), EXPORTS[table].rows(made, Wanted())))


def counted(made):
    """The rounds that were published, from the exports alone."""
    results, seated, beside, byes = {}, {}, {}, {}
    for row in rows_of(made, "seating"):
        if row["table"] == "bye":
            byes.setdefault(int(row["round"]), []).append(row["player_id"])
        else:
            seated.setdefault(int(row["round"]), {}).setdefault(int(row["table"]), []).append(row["player_id"])
    for row in rows_of(made, "hands"):
        points, won = results.get((int(row["round"]), row["player_id"]), (0, 0))
        won += row["went_out"] == "true"
        results[int(row["round"]), row["player_id"]] = points + int(row["score"]), won
    for row in rows_of(made, "adjustments"):
        if row["round"]:
            points, won = results.get((int(row["round"]), row["player_id"]), (0, 0))
            results[int(row["round"]), row["player_id"]] = points + int(row["points"]), won
            beside[int(row["round"]), row["player_id"]] = int(row["points"])
    left = [(row["player_id"], int(row["round"])) for row in rows_of(made, "events") if row["kind"] == "drop"]
    second = {}
    for number, table in Table.objects.filter(round__in=made.rounds.living(), ladder=2).values_list(
        "round__number", "number"
    ):
        second.setdefault(number, set()).add(table)
    return [
        Played(
            number,
            {
                table: [
                    Result(entry, *results.get((number, entry), (0, 0)), beside.get((number, entry), 0))
                    for entry in entries
                ]
                for table, entries in tables.items()
            },
            True,
            second.get(number, ()),
            gone={entry for entry, of_round in left if of_round <= number},  # all of them left between two rounds
            absent={entry for entry, of_round in left if of_round < number},
            byes=byes.get(number, ()),
        )
        for number, tables in sorted(seated.items())
    ]


def record(table, dice, hand):
    """Somebody goes out; the others hold few different points, so that many are equal."""
    seats = [seat.number for seat in table.seats.order_by("number")]
    out = dice.choice(seats)
    reports = [SeatReport(seat, points_left=dice.choice((5, 10, 10, 20))) for seat in seats if seat != out]
    record_hand(table_id=table.pk, hand=HandInput(hand, out, reports), by=Attribution(table.round.tournament.owner))


def correct(made, played, dice):
    """Another hand than was typed, in a round that is closed or not."""
    hand = dice.choice(list(Hand.objects.living().filter(table__round=played)))
    seats = [seat.number for seat in hand.table.seats.order_by("number")]
    out = dice.choice(seats)
    reports = [SeatReport(seat, points_left=dice.choice((5, 20, 50))) for seat in seats if seat != out]
    repair_hand(
        hand_id=hand.pk,
        version=None,
        hand=HandInput(hand.number, out, reports),
        reason="Score slip",
        repair=KEEP,
        by=Attribution(made.owner),
    )


def seated_in(made, number, ladder=None):
    seats = Seat.objects.filter(round__in=made.rounds.living(), round__number=number).exclude(table=None)
    if ladder:
        seats = seats.filter(table__ladder=ladder)
    return set(seats.values_list("entry__public_id", flat=True))


def evening(seed):
    """Plays one to its end; after each closed round who goes on is who should."""
    dice = random.Random(seed)
    size = dice.randint(6, MOST)
    settings = {"hands_per_round": dice.randint(1, 2), "table_size": dice.randint(4, 6)}
    if ladder(size, settings["table_size"], repechage=True) and dice.random() < 0.3:
        settings["after_round_1"] = ONCE_MORE
    else:
        settings["after_round_1"] = dice.choice([ELIMINATED, SECOND_LADDER])
        settings["byes"] = dice.choice([0, 1])
    settings["scoring"] = dice.choice(["winner-takes", "lowest-total"])
    lowest = settings["scoring"] == "lowest-total"
    made = cast.create(name=f"Heats {seed}", format="heats", players=cast.people(size), **settings)
    start(tournament=made, by=made.owner)
    for _step in range(60):
        made = Tournament.objects.get(pk=made.pk)
        step = next_step(made)
        if step.kind in ("finish", "done"):
            break
        if step.kind == "close":
            for table in step.round.tables.order_by("number"):
                for hand in range(1, settings["hands_per_round"] + 1):
                    record(table, dice, hand)
            if dice.random() < 0.3:
                who = dice.choice(list(made.entries.filter(seats__round=step.round, seats__table__number__gt=0)))
                adjust(
                    tournament=made, entry=who, points=-10, reason="Late", round_number=step.round.number, by=made.owner
                )
        if step.kind == "publish" and (before := made.rounds.filter(number=step.round.number - 1).first()):
            if dice.random() < 0.3:
                correct(made, before, dice)
            if dice.random() < 0.3:
                drop_out(tournament=made, entry=dice.choice(list(made.entries.filter(status="active"))), by=made.owner)
            assert_the_best_go_on(made, before, step.round.number, lowest)
        if (now := next_step(made)).token == step.token:
            advance(tournament=made, token=now.token, by=made.owner)
        if step.kind == "publish" and step.round.number > 1 and dice.random() < 0.2:
            there = seated_in(made, step.round.number)
            correct(made, made.rounds.get(number=step.round.number - 1), dice)
            assert seated_in(made, step.round.number) == there
    assert step.kind == "finish"
    advance(tournament=made, token=step.token, by=made.owner)
    made.refresh_from_db()
    assert made.is_final
    entrants = list(made.entries.order_by("number").values_list("public_id", flat=True))
    places, _out = heats_by_hand.places_with_second(entrants, counted(made), made.stage.lot_seed, lowest)
    exported = {row["player_id"]: int(row["rank"]) for row in rows_of(made, "standings")}
    assert exported == places
    assert verify(made).faults == []


def assert_the_best_go_on(made, before, number, lowest):
    draft = seated_in(made, number, ladder=1)
    [last] = [played for played in counted(made) if played.number == before.number]
    state = ledger.read(made).progression.state
    if state.final is None:
        first, lot = last.of_ladder(second=False), made.stage.lot_seed
        best = heats_by_hand.who_goes_on(first, state.rungs[-1].advancing, lot, lowest)
        waiting = []
        if made.stage.settings["after_round_1"] == ONCE_MORE and number == 2:
            waiting = heats_by_hand.who_waits(first, state.rungs[0].best, made.stage.table_size, lot, lowest)
        assert draft == set(best).difference(waiting)
        assert not (made.stage.settings["byes"] and any(rung.lucky for rung in state.rungs[:1]))
        tables = Round.objects.get(tournament=made, number=number).tables.filter(ladder=1)
        sizes = [table.seats.count() for table in tables]
        assert max(sizes) - min(sizes) <= 1
        assert max(sizes) <= made.stage.table_size or (waiting and sizes == [5])  # where somebody has left
    else:
        assert draft == set()
    if made.stage.settings["after_round_1"] == SECOND_LADDER and number == 2:
        playing = set(made.entries.exclude(status=Entry.Status.DROPPED).values_list("public_id", flat=True))
        assert len(playing - draft - seated_in(made, 2, ladder=2)) <= 1  # nobody plays alone


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(0, TOURNAMENTS, BATCH))
def test_every_evening_ends_with_the_places_that_a_second_count_has(batch):
    for seed in range(batch, min(batch + BATCH, TOURNAMENTS)):
        evening(seed)


def test_nobody_comes_in_after_the_start():
    made = cast.create(name="Heats", format="heats", players=cast.people(8))
    start(tournament=made, by=made.owner)
    with pytest.raises(Refused, match="Results decide who advances"):
        enter_late(tournament=made, name="Gül", by=made.owner)
    assert made.entries.count() == 8
