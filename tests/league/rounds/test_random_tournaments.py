"""Random tournaments through the services, held against a second implementation that reads only their exports.

`WILD_TOURNAMENTS=5000` runs the full size, some three hours of one core; then events have up to 200 players.
"""

import os
import random
import secrets
from datetime import date

import pytest
from django.db import transaction

from engine.paper import SeatReport
from engine.rules import EDITIONS
from games.hands.correct import correct_hand, void_hand
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.hands.repairs import undo_round
from games.models import Hand
from league.access.viewer import Attribution
from league.day.entrants import come_back, drop_out, enter_late, reinstate
from league.day.substitutes import substitute
from league.day.undo import undo_event
from league.formats import FORMATS
from league.ledger.progress import PLAYING, dealt_in, tables_now
from league.lib import csv
from league.lib.errors import Conflict, Refused
from league.log.audit import verify
from league.models import Adjustment, Entry, EntryEvent, HandScore, Seat, Table, Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.adjustments import adjust, void_adjustment
from league.rounds.reseat import reseat_not_started
from league.rounds.steps import advance, next_step, start
from league.rounds.tables import close_table, swap_seats
from tests import cast
from tests.second import seating_by_hand, standings_by_hand

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

TOURNAMENTS = int(os.environ.get("WILD_TOURNAMENTS") or 50)
MOST = 200 if TOURNAMENTS > 100 else 10
BATCH = 5
FORMATS_PLAYED = ["challenge", "challenge", "pairs", "points", "swiss", "round_robin"]
MOST_SEATED_AGAIN = 9  # with more all seatings are too many to try
MOST_UNDONE = 3  # rounds of a tournament: at many tables one would be undone again and again, and never end
DECK = list(EDITIONS["classic"].deck)


def rows_of(tournament, table, as_of_round=None):
    wanted = Wanted(as_of_round)
    export = EXPORTS[table]
    return standings_by_hand.read(csv.text(export.columns(wanted), export.rows(tournament, wanted)))


class RandomTournament:
    """Played to its end, or for some rounds, by somebody who makes every mistake that can be mended."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.format = "teams" if seed % 10 == 9 else self.dice.choice(FORMATS_PLAYED)
        size = int(min(MOST, 3 + self.dice.expovariate(1 / (20 if MOST > 10 else 3))))
        settings = {"format": self.format, "name": f"Random {seed}", "starts_on": date(2026, 11, 24)}
        if self.format == "challenge":
            settings |= {
                "hands_per_round": self.dice.choice([1, 2, 4, None]),
                "table_size": self.dice.randint(3, 6),
                "target": self.dice.choice([60, 100]),
            }
        elif self.format == "round_robin":
            size = min(size, 40)
            settings |= {
                "hands_per_round": 1,
                "table_size": self.dice.randint(2, 6),
                "scoring": self.dice.choice(["winner-takes", "lowest-total"]),
            }
        elif self.format in ("points", "swiss"):
            least = {"points": 2, "swiss": 6}[self.format]
            size = max(least, size - 1)
            hands, target = self.dice.randint(1, 3), self.dice.choice([None, 60, 100])
            settings |= {
                **({"target": target} if target else {"hands_per_round": hands}),
                "table_size": self.dice.randint(2, 6 if self.format == "points" else 4),
                "rounds": self.dice.randint(1, 3),
                "scoring": self.dice.choice(["winner-takes", "lowest-total"]),
            }
        elif self.format == "teams":
            size = min(size, 24)  # each meets every other, up to twice: of 60 teams a minute of work, of the same kind
            settings |= {"hands_per_round": self.dice.randint(1, 2), "cycles": self.dice.randint(1, 2)}
        else:
            size = self.dice.choice([number for number in FORMATS["pairs"].possible() if number <= MOST])
            settings |= {"hands_per_round": self.dice.randint(1, 2), "rounds": self.dice.randint(1, 3)}
        self.owner = cast.organiser()
        rows = cast.team_rows(size) if self.format == "teams" else cast.people(size)
        self.made = cast.create(owner=self.owner, players=rows, **settings)
        self.upset_by = []
        self.undone = 0
        self.looked_at = set()  # rounds of Swiss
        self.as_closed = {}  # {round: standings when it was closed}; what a later mistake touched is taken out

    def play(self):
        start(tournament=self.made, by=self.owner)
        if self.format == "swiss":
            self.look_at_the_new_round()
        for _step in range(60):
            self.made = Tournament.objects.get(pk=self.made.pk)
            step = next_step(self.made)
            if step.kind in ("finish", "done", "players"):
                break
            if step.kind == "close":
                self.play_round(step.round)
            self.advance(step)
            if self.format == "swiss":
                self.look_at_the_new_round()
            if step.kind == "close" and step.round.closed_at:
                number = step.round.number
                self.as_closed[number] = rows_of(self.made, "standings", number)
        return self

    def advance(self, step):
        try:
            advance(tournament=self.made, token=step.token, by=self.owner)
        except Conflict:  # nobody is left at a table, or who came late has no seat: go on without
            without = [table.pk for table, _hands in step.missing]
            advance(tournament=self.made, token=step.token, without=without, reason="x", by=self.owner)
        if step.round is not None:
            step.round.refresh_from_db()

    def look_at_the_new_round(self):
        """Before anybody changes its seats."""
        newest = self.made.rounds.shown().order_by("number").last()
        if newest is not None and newest.is_open and newest.pk not in self.looked_at:
            self.looked_at.add(newest.pk)
            hold_the_newest_round(self.made)

    def play_round(self, played):
        for count in range(1000):
            tables = [one.table for one in tables_now(played) if one.state == PLAYING]
            until_closed = self.format == "challenge" and played.stage.hands_per_round is None
            if not tables or (until_closed and count >= 3 * len(tables) > 3):
                return
            self.record(self.dice.choice(tables))
            if self.dice.random() < 0.4:
                self.upset(played)
                played.refresh_from_db()
                if not played.is_open:  # undone
                    return

    def record(self, table):
        filled = set(Hand.objects.living().filter(table=table).values_list("number", flat=True))
        number = min(set(range(1, len(filled) + 2)) - filled)
        went_out, reports = self.report(dealt_in(table, number))
        record_hand(table_id=table.pk, hand=HandInput(number, went_out, reports), by=Attribution(self.owner))

    def report(self, seats):
        """Few different numbers, so that totals are often equal; now and then nobody goes out, all cards held."""
        numbers = [seat.number for seat in seats]
        if self.dice.random() < 0.03:
            deck = self.dice.sample(DECK, len(DECK) - 1)
            return None, [SeatReport(seat, tuple(deck[at :: len(numbers)])) for at, seat in enumerate(numbers)]
        went_out = self.dice.choice(numbers)
        points = {seat: self.dice.choice([5, 10, 20, 20, 40]) for seat in numbers}
        return went_out, [SeatReport(seat, points_left=points[seat]) for seat in numbers if seat != went_out]

    def upset(self, played):
        mistakes = [
            self.correct,
            self.correct,
            self.take_back,
            self.penalise,
            self.forgive,
            self.come_late,
            self.leave,
            self.leave,
            self.come_back,
            self.reinstate,
            self.undo,
            self.substitute,
            self.swap,
            self.close_a_table,
            self.seat_anew,
            self.undo_the_round,
        ]
        for what in self.dice.sample(mistakes, len(mistakes)):
            try:
                with transaction.atomic():
                    touched = what(played)
            except Refused:  # not possible now: the next one
                continue
            self.upset_by.append(what.__name__)
            if touched is not None:
                self.as_closed = {number: rows for number, rows in self.as_closed.items() if number < touched}
            return

    def one_of(self, rows):
        found = list(rows.order_by("pk"))
        if not found:
            raise Refused("nothing", "There is none.")
        return self.dice.choice(found)

    def correct(self, played):
        hand = self.one_of(Hand.objects.living().filter(table__round__tournament=self.made))
        went_out, reports = self.report(dealt_in(hand.table, hand.number))
        correct_hand(
            hand_id=hand.pk,
            version=None,
            hand=HandInput(hand.number, went_out, reports),
            reason="x",
            by=Attribution(self.owner),
        )
        return hand.table.round.number

    def take_back(self, played):
        hand = self.one_of(Hand.objects.living().filter(table__round=played))
        void_hand(hand_id=hand.pk, version=None, reason="x", by=Attribution(self.owner))

    def come_late(self, played):
        if self.made.entries.count() < MOST:
            name = f"Late {self.made.entries.count()}"
            members = (f"{name} A", f"{name} B") if self.format == "teams" else ()
            enter_late(tournament=self.made, name=name, members=members, by=self.owner)

    def leave(self, played):
        entry = self.one_of(Entry.objects.filter(tournament=self.made))
        drop_out(tournament=self.made, entry=entry, came=self.dice.random() < 0.8, by=self.owner)

    def come_back(self, played):
        come_back(tournament=self.made, entry=self.one_of(Entry.objects.filter(tournament=self.made)), by=self.owner)

    def reinstate(self, played):
        entry = self.one_of(Entry.objects.filter(tournament=self.made))
        adjust(tournament=self.made, entry=entry, points=-40, reason="x", round_number=played.number, by=self.owner)
        reinstate(tournament=self.made, entry=entry, reason="x", by=self.owner)

    def undo(self, played):
        event = self.one_of(EntryEvent.objects.living().filter(entry__tournament=self.made))
        undo_event(tournament=self.made, event=event, by=self.owner)
        return event.round.number if event.round else 0

    def substitute(self, played):
        entry = self.one_of(Entry.objects.filter(tournament=self.made))
        member = self.dice.randint(0, 1) if self.format == "teams" else 0
        name = self.dice.choice(["Sven", "Ingrid"])  # she is a substitute of the first team
        substitute(tournament=self.made, entry=entry, name=name, member=member, by=self.owner)

    def swap(self, played):
        one, other = (self.one_of(Entry.objects.filter(seats__round=played)) for _who in range(2))
        swap_seats(tournament=self.made, round_number=played.number, one=one, other=other, reason="x", by=self.owner)

    def close_a_table(self, played):
        table = self.one_of(played.tables.all())
        close_table(tournament=self.made, round_number=played.number, number=table.number, reason="x", by=self.owner)

    def seat_anew(self, played):
        reseat_not_started(tournament=self.made, reason="x", by=self.owner)

    def undo_the_round(self, played):
        if self.undone < MOST_UNDONE and self.dice.random() < 0.5:
            undo_round(tournament=self.made, round_number=played.number, reason="x", by=self.owner)
            self.undone += 1

    def penalise(self, played):
        entry = self.one_of(Entry.objects.filter(tournament=self.made))
        number = self.dice.choice([None, played.number, self.dice.randint(1, played.number)])
        points = self.dice.choice([10, 30, -20])
        adjust(tournament=self.made, entry=entry, points=points, reason="x", round_number=number, by=self.owner)
        return number or 0

    def forgive(self, played):
        made = self.one_of(Adjustment.objects.filter(entry__tournament=self.made, voided_at=None))
        void_adjustment(tournament=self.made, adjustment_id=made.pk, by=self.owner)
        return made.round.number if made.round else 0


def hold_against_the_second(made, as_of_round=None):
    """The export of standings says what the second implementation says."""
    hands, beside, events = (rows_of(made, table, as_of_round) for table in ("hands", "adjustments", "events"))
    shown = {row["player_id"]: row for row in rows_of(made, "standings", as_of_round)}
    entries = list(made.entries.order_by("number", "id"))
    stage = made.stages.get()
    if stage.format != "challenge":
        entrants = {
            entry.public_id: entry.status == Entry.Status.STANDIN for entry in entries if entry.public_id in shown
        }
        if stage.format == "pairs":
            expected = standings_by_hand.pairs(entrants, hands, beside, events)
        elif stage.format == "teams":
            expected = standings_by_hand.teams(entrants, hands, beside, events)
        else:
            lowest = stage.scoring == "lowest-total"
            expected = standings_by_hand.points(stage.values.get("target"), lowest, entrants, hands, beside, events)
        found = {
            player: (row["status"], int(row["rank"]) if row["rank"] else None, int(row["total"]))
            for player, row in shown.items()
        }
        assert found == expected
        return
    later = {
        row["player_id"]
        for row in rows_of(made, "events")
        if row["kind"] == "late" and as_of_round is not None and int(row["round"] or 0) > as_of_round
    }
    entrants = [entry.public_id for entry in entries if entry.public_id not in later]
    expected = standings_by_hand.challenge(stage.settings["target"], entrants, hands, beside, events)
    assert shown.keys() == expected.keys()
    for player, (still_in, total, place, left) in expected.items():
        row = shown[player]
        assert (row["status"] == "active", int(row["total"])) == (still_in, total), (player, row)
        assert place is None or int(row["rank"]) == place, (player, row, place)
        out = (int(row["out_in_round"]), int(row["out_in_hand"])) if row["out_in_round"] else None
        assert out == left, (player, row, left)
    race = rows_of(made, "race", as_of_round)
    came_again = {row["player_id"] for row in events if row["kind"] == "reinstated"}
    for player in {row["player_id"] for row in race if row["out"] == "true"} - came_again:
        assert not expected[player][0], player  # who went out with a hand, and was not reinstated, is not in
    for player, one in expected.items():
        places = {row["place"] for row in race if row["player_id"] == player}
        assert places <= {str(one[2]) if one[2] else ""}, (player, places, one)


def hold_the_seating_together(made, upset):
    """Nobody at two tables; sizes within one of each other where rounds are drawn one by one, unless seated by hand."""
    for played in made.rounds.living():
        seated = list(Seat.objects.filter(round=played).values_list("entry_id", "member"))
        assert len(seated) == len(set(seated))
        people = [
            person
            for person in Seat.objects.filter(round=played).values_list("substitute", flat=True)
            if person is not None
        ]
        assert len(people) == len(set(people))
        if not made.stages.get().has_partners and not upset:
            sizes = [
                table.seats.count() for table in Table.objects.filter(round=played).exclude(state=Table.State.VOID)
            ]
            assert max(sizes) - min(sizes) <= 1
            assert min(sizes) >= 2


def hold_the_newest_round(made):
    """Just drawn, it has tables within one of each other, and no seating at such tables would repeat fewer meetings."""
    *past, tables = seating_by_hand.rounds_of(rows_of(made, "seating")).values()
    sizes = list(map(len, tables))
    assert max(sizes) - min(sizes) <= 1
    if sum(sizes) <= MOST_SEATED_AGAIN:
        assert seating_by_hand.cost_of(tables, past) == seating_by_hand.fewest_repeats(tables, past)


@pytest.mark.parametrize("batch", range(0, TOURNAMENTS, BATCH))
def test_random_tournaments_are_ranked_as_a_second_implementation_ranks_their_exports(batch, monkeypatch):
    for seed in range(batch, min(batch + BATCH, TOURNAMENTS)):
        lots = random.Random(-1 - seed)  # so that a seed is one tournament: keys and lots too
        monkeypatch.setattr(secrets, "choice", lots.choice)
        monkeypatch.setattr(secrets, "token_hex", lambda count=16, lots=lots: lots.randbytes(count).hex())
        evening = RandomTournament(seed).play()
        made = evening.made
        hold_against_the_second(made)
        hold_the_seating_together(made, evening.upset_by)
        for number, standings in evening.as_closed.items():
            hold_against_the_second(made, number)
            assert rows_of(made, "standings", number) == standings  # as of round N is as if it had stopped there
        if made.stages.get().format in ("points", "swiss"):
            left = made.entries.filter(status=Entry.Status.ACTIVE).count()
            assert next_step(made).kind == "finish", seed
            assert left < 2 or made.rounds.living().count() == made.stages.get().settings["rounds"], seed
        if made.stages.get().format == "challenge":
            lines = rows_of(made, "standings")
            assert [row["status"] for row in lines].count("active") == 1, seed  # it ended, with one winner
        assert HandScore.objects.filter(table__round__tournament=made).exists()
        audited = verify(made)
        assert audited.faults == audited.notes == [], seed  # the log tells of every result
