"""Groups and stages through the services, held against a second count that reads only exports.

`WILD_TOURNAMENTS=5000` plays so many, of up to 60 people.
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
from league.day.entrants import drop_out
from league.ledger.progress import PLAYING, dealt_in, hands_in, tables_now
from league.lib import csv
from league.lib.errors import Refused
from league.log.audit import verify
from league.models import Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.steps import advance, next_step, start
from league.setup.stages.stage_plan import PlannedStage
from tests import cast
from tests.second import stages_by_hand, standings_by_hand

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

TOURNAMENTS = int(os.environ.get("WILD_TOURNAMENTS") or 40)
MOST = 60 if TOURNAMENTS > 100 else 14
BATCH = 5


def rows_of(made, table, stage=None):
    wanted = Wanted(stage=stage)
    export = EXPORTS[table]
    return standings_by_hand.read(csv.text(export.columns(wanted), export.rows(made, wanted)))


def of_stage(made, table, stage=1):
    return [row for row in rows_of(made, table) if row["stage"] == str(stage)]


def play_round(played, dice):
    """Somebody goes out of each hand; the others hold few different points, so that many are equal."""
    while tables := [now.table for now in tables_now(played) if now.state == PLAYING]:
        for table in tables:
            number = len(hands_in([table])[table.pk]) + 1
            seats = [seat.number for seat in dealt_in(table, number)]
            out = dice.choice(seats)
            reports = [SeatReport(seat, points_left=dice.choice((5, 10, 10, 20))) for seat in seats if seat != out]
            record_hand(
                table_id=table.pk, hand=HandInput(number, out, reports), by=Attribution(played.tournament.owner)
            )


def correct(made, dice):
    hand = dice.choice(list(Hand.objects.living().filter(table__round__tournament=made, table__round__stage__number=1)))
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


class Evening:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.kind = self.dice.choice(["pairs", "points"])
        self.lowest = self.kind == "points" and self.dice.random() < 0.3
        then, carries = self.dice.choice(["heats", "points", "pairs", "challenge"]), 0
        for _try in range(200):
            size, groups = self.dice.randint(8, MOST), self.dice.choice([1, 1, 2, 2, 3, 4])
            takes = self.dice.randint(max(6 if then == "heats" else 4, groups), max(6, size - 2))
            others = then == "heats" and self.dice.random() < 0.5
            settings = {"hands_per_round": self.dice.randint(1, 2), "rounds": self.dice.randint(1, 3)}
            if self.kind == "points":
                settings["scoring"] = "lowest-total" if self.lowest else "winner-takes"
            after = {"hands_per_round": 1} | ({"rounds": 2} if then in ("points", "pairs") else {})
            if then in ("points", "pairs") and not self.lowest:
                carries = self.dice.choice([0, 50, 100])
            finals = self.dice.choice([1, 2, 3]) if then in ("points", "pairs") else 1
            if finals > 1:
                takes = self.dice.randint(takes, size)
            after |= {"target": 60} if then == "challenge" else {}
            stage = PlannedStage(then, takes, others, carries, finals, settings=after, by_place=finals > 1)
            try:
                named = {"name": f"Stages {seed}", "format": self.kind, "players": cast.people(size)}
                self.made = cast.create(groups=groups, then=[stage], **named, **settings)
            except Refused:
                continue
            self.groups, self.takes, self.carries, self.finals = groups, takes, carries, finals
            return
        raise AssertionError(f"nothing that can be played in {seed}")

    def play(self):
        start(tournament=self.made, by=self.made.owner)
        cut = None
        for _step in range(80):
            made = self.made = Tournament.objects.get(pk=self.made.pk)
            step = next_step(made)
            if step.kind in ("finish", "done"):
                break
            if step.kind == "close":
                play_round(step.round, self.dice)
            if step.kind == "cut" and self.dice.random() < 0.5:
                drop_out(tournament=made, entry=self.dice.choice(self.still_here()), by=made.owner)
            before = self.best() if step.kind == "cut" else None
            if before is not None and len(before) < self.takes:
                break  # too many left: the organiser would say that fewer go on
            self.advance(step)
            if before is not None:
                cut = self.hold_the_cut(before)
                if self.dice.random() < 0.3:
                    correct(made, self.dice)
                    if next_step(made).kind == "cut":
                        self.advance(next_step(made))
                    cut = self.hold_the_cut(self.best())
            if cut is not None and step.kind == "publish":
                self.hold_carried(cut, step.round.number)
                if self.dice.random() < 0.3:
                    correct(made, self.dice)
                    assert self.members() == cut  # the seats stand
        assert verify(self.made).faults == []
        if cut is not None and step.kind == "finish":
            self.hold_the_end(cut)
        return step

    def advance(self, step):
        advance(tournament=self.made, token=step.token, by=self.made.owner)

    def still_here(self):
        return list(self.made.entries.filter(status="active"))

    def best(self):
        """Who goes on by the exports."""
        made = self.made
        hands, adjustments, events = of_stage(made, "hands"), of_stage(made, "adjustments"), rows_of(made, "events")
        named = {row["player_id"]: row["group"] for row in rows_of(made, "standings", 1)}
        ordered = [{one for one in named if named[one] == group} for group in sorted(set(named.values()))]
        assert len(ordered) == self.groups
        assert not stages_by_hand.tables_mix(of_stage(made, "seating"), named)
        stand_ins = {row["player_id"] for row in rows_of(made, "standings", 1) if row["status"] == "standin"}
        ranked = [
            stages_by_hand.ranked(
                self.kind, self.lowest, {one: one in stand_ins for one in group}, hands, adjustments, events
            )
            for group in ordered
        ]
        gone = {entry.public_id for entry in made.entries.exclude(status="active")}
        seed = made.stages.get(number=2).lot_seed
        return stages_by_hand.who_goes_on(ranked, self.takes, gone, hands, seed, self.lowest)

    def members(self):
        members = self.made.stages.get(number=2).members.filter(ladder=1)
        return list(members.order_by("order").values_list("entry__public_id", flat=True))

    def hold_the_cut(self, best):
        assert self.members() == best
        if self.finals > 1:
            members = self.made.stages.get(number=2).members.order_by("order").values_list("group", flat=True)
            larger = len(best) % self.finals
            sizes = [len(best) // self.finals + (number < larger) for number in range(self.finals)]
            assert list(members) == [number for number, size in enumerate(sizes, 1) for _one in range(size)]
        groups = {row["player_id"]: row["group"] for row in rows_of(self.made, "standings", 1)}
        sizes = [list(groups.values()).count(group) for group in set(groups.values())]
        assert max(sizes) - min(sizes) <= 1
        return best

    def hold_carried(self, cut, number):
        rows = [row for row in of_stage(self.made, "adjustments", 2) if row["kind"] == "carried-on"]
        if number != self.made.stages.get(number=2).rounds_before + 1:
            return
        totals = {row["player_id"]: int(row["total"]) for row in rows_of(self.made, "standings", 1)}
        expected = {one: int(totals[one] * self.carries / 100) for one in cut}
        assert {row["player_id"]: int(row["points"]) for row in rows} == {
            one: points for one, points in expected.items() if points
        }

    def hold_the_end(self, cut):
        rows = rows_of(self.made, "standings")
        ranks = [int(row["rank"]) for row in rows if row["rank"]]
        assert ranks == sorted(ranks) and ranks[0] == 1
        if self.finals > 1:
            here = [row["group"] for row in rows if row["stage"] == "2" and row["rank"]]
            assert here == sorted(here) and ranks[here.index("B")] == here.index("B") + 1
        everybody = {row["player_id"] for row in rows if row["status"] != "standin"}
        assert everybody == set(self.made.entries.exclude(status="standin").values_list("public_id", flat=True))
        behind = {row["player_id"] for row in rows if row["stage"] == "1"}
        if self.made.stages.get(number=2).others_play:
            stayed = [row for row in rows if row["player_id"] in behind and row["status"] != "dropped"]
            assert len(stayed) < 2  # nobody plays a ladder alone
        else:
            assert behind == everybody - set(cut)
            assert all(row["player_id"] in cut for row in rows[: len(cut)])


@pytest.mark.parametrize("batch", range(0, TOURNAMENTS, BATCH))
def test_every_cut_is_that_of_a_second_count_and_every_tournament_ends(batch):
    for seed in range(batch, min(batch + BATCH, TOURNAMENTS)):
        step = Evening(seed).play()
        assert step.kind in ("finish", "cut"), seed
