"""Knockouts of people and of teams through the services, from the list to the final, held against a second count that
reads only exports.

`WILD_TOURNAMENTS=5000` plays so many, of up to 24 entries; `tests/league/formats` counts larger ones, in memory.
"""

import os
import random

import pytest

from engine.paper import SeatReport
from games.hands.judge import HandInput
from games.hands.record import record_hand
from games.hands.repairs import KEEP, repair_hand, undo_round
from games.models import Hand
from league.access.viewer import Attribution
from league.day.entrants import drop_out
from league.ledger.progress import COMPLETE, PLAYING, table_now
from league.lib import csv
from league.log.audit import verify
from league.models import Tournament
from league.public.tables import EXPORTS, Wanted
from league.rounds.steps import advance, next_step, start
from league.standings import read as ledger
from tests import cast
from tests.second import double_by_hand, standings_by_hand
from tests.second.knockout_by_hand import play

pytestmark = pytest.mark.django_db

TOURNAMENTS = int(os.environ.get("WILD_TOURNAMENTS") or 40)
MOST = 24 if TOURNAMENTS > 100 else 13
BATCH = 5


def made_of(count, *, of_teams=False, **more):
    wanted = {"format": "knockout", "players": cast.people(count)}
    if of_teams:
        wanted = {"format": "team_knockout", "players": cast.team_rows(count)}
    return cast.create(name="Cup", **(wanted | more))


def rows_of(made, table):
    return standings_by_hand.read(csv.text(EXPORTS[table].columns(Wanted()), EXPORTS[table].rows(made, Wanted())))


def record(table, hand, winner, left=10):
    """winner: who goes out, as a seat."""
    reports = [SeatReport(seat.number, points_left=left) for seat in table.seats.all() if seat.number != winner]
    record_hand(table_id=table.pk, hand=HandInput(hand, winner, reports), by=Attribution(table.round.tournament.owner))


def play_table(table, dice):
    """Until it is over; hands are worth much the same, so that some are level."""
    seats = [seat.number for seat in table.seats.order_by("number")]
    for hand in range(1, 30):
        if table_now(table).state != PLAYING:
            break
        record(table, hand, dice.choice(seats), dice.choice((5, 10, 10)))


def results_of(made):
    """From the exports: the rounds as pairs, and {(number of the round, the two at a table): who has won}. No hand
    counts after the first one with which the wanted number is played and the two are not level."""
    hands, at = {}, {}
    for row in rows_of(made, "hands"):
        of_table = hands.setdefault((int(row["round"]), row["table"]), {})
        of_table.setdefault(int(row["hand"]), {})[row["player_id"]] = int(row["score"])
    for row in rows_of(made, "seating"):
        if row["table"] != "bye":
            seated = at.setdefault((int(row["round"]), row["table"]), [])
            seated += [row["player_id"]] if row["player_id"] not in seated else []  # a team has two rows
    rounds, won = {}, {}
    for table, pair in at.items():
        points = dict.fromkeys(pair, 0)
        for number, scores in sorted(hands.get(table, {}).items()):
            for player, score in scores.items():
                points[player] += score
            if number >= made.stage.settings["hands_per_round"] and points[pair[0]] != points[pair[1]]:
                break
        rounds.setdefault(table[0], set()).add(frozenset(pair))
        won[table[0], frozenset(pair)] = max(pair, key=points.get)
    return [rounds[number] for number in sorted(rounds)], won


class Diary:
    """What happens in an evening that no result tells."""

    def __init__(self):
        self.went_on = {}  # {(number, pair): who went on when the next round was published, or None}
        self.left_after = {}  # {number of a round: who left between it and the next one}
        self.absent = set()  # who left during a duel, as (number of the round, entry)
        self.slips = [640, 320, 160, 80, 40] * 4

    def leaves_in(self, made, played, who):
        """Somebody leaves while a round is played; a free round has no duel to lose, and one that is decided stays
        so."""
        drop_out(tournament=made, entry=who, by=made.owner)
        table = played.seats.get(entry=who, member=0).table
        if table is None or table_now(table).state == COMPLETE:
            self.left_after.setdefault(played.number, []).append(who.public_id)
        else:
            self.absent.add((played.number, who.public_id))

    def winner(self, number, pair, made_most):
        there = [player for player in pair if (number, player) not in self.absent]
        return made_most if len(there) == 2 else next(iter(there), None)

    def note(self, made, *, last):
        """Who went on from the round before the one that is published now, or who won the last one."""
        rounds, won = results_of(made)
        number = len(rounds) if last else len(rounds) - 1
        for pair in rounds[number - 1] if number else ():
            self.went_on[number, pair] = self.winner(number, pair, won[number, pair])

    def beats(self, one, other, number=None):
        """In a tree in which nobody meets again the number needs not be told."""
        pair = frozenset((one, other))
        return next(who for (at, two), who in self.went_on.items() if two == pair and number in (None, at))


def evening(seed):
    """Plays one to its end, with slips that are mended before and after the next round is published, people who leave,
    and rounds that are undone."""
    dice, diary = random.Random(seed), Diary()
    third_place = dice.randint(0, 1)
    losses = dice.choice([1, 1, 2, 2, 3])
    hands = dice.randint(1, 2)
    settings = {"third_place": third_place, "hands_per_round": hands, "losses": losses}
    made = made_of(dice.randint(2, MOST), of_teams=dice.random() < 0.25, **settings)
    start(tournament=made, by=made.owner)
    seeds = list(made.stage.members.order_by("order").values_list("entry__public_id", flat=True))
    for _step in range(60):
        made = Tournament.objects.get(pk=made.pk)
        step = next_step(made)
        if step.kind in ("finish", "done"):
            break
        if step.kind == "close":
            play_round(made, step.round, dice, diary)
        if step.kind == "publish" and step.round.number > 1:
            before_the_next_round(made, step.round.number - 1, dice, diary)
        if next_step(made).token != step.token:
            continue  # a slip in the final was mended, so that no second one is needed; or somebody left
        advance(tournament=made, token=step.token, by=made.owner)
        if step.kind == "publish":
            diary.note(made, last=False)
            after_it_is_published(made, step.round.number, dice, diary)
    assert step.kind == "finish"
    advance(tournament=made, token=step.token, by=made.owner)
    made.refresh_from_db()
    assert made.is_final
    diary.note(made, last=True)
    if losses == 1:
        plain, _champion, places = play(seeds, diary.beats, diary.left_after, third_place, diary.absent)
    else:
        for number, who in diary.absent:
            diary.left_after.setdefault(number, []).append(who)
        counted = double_by_hand.Evening(seeds, diary.beats, diary.left_after, one_final=losses == 3)
        plain, places = counted.rounds, counted.places()
    assert results_of(made)[0] == plain
    assert {row["player_id"]: int(row["rank"]) for row in rows_of(made, "standings")} == places
    assert verify(made).faults == []


def play_round(made, played, dice, diary):
    def somebody_leaves():
        seats = played.seats.filter(entry__status="active", member=0).order_by("pk")
        if seats and dice.random() < 0.15:
            diary.leaves_in(made, played, dice.choice(list(seats)).entry)

    somebody_leaves()
    for table in played.tables.order_by("number"):
        play_table(table, dice)
    somebody_leaves()


def before_the_next_round(made, number, dice, diary):
    if dice.random() < 0.3:
        mend(made, made.rounds.living().get(number=number), dice, diary.slips.pop())
    state = ledger.read(made).progression.state
    in_play = [*state.still_in, *state.second_ladder]
    if dice.random() < 0.4 and len(in_play) > 3:
        who = made.entries.get(public_id=dice.choice(in_play))
        drop_out(tournament=made, entry=who, by=made.owner)
        diary.left_after.setdefault(number, []).append(who.public_id)


def after_it_is_published(made, number, dice, diary):
    if number > 1 and dice.random() < 0.2:
        there = results_of(made)[0][-1]
        winners = [who for (at, _pair), who in diary.went_on.items() if at == number - 1]
        sits = made.rounds.living().get(number=number).seats.filter(entry__public_id__in=filter(None, winners))
        sits = sits.values("entry")
        mend(made, made.rounds.living().get(number=number - 1), dice, diary.slips.pop(), sits)
        assert results_of(made)[0][-1] == there
    if number > 1 and dice.random() < 0.15:
        undo_round(tournament=made, round_number=number, reason="Wrong hall", by=made.owner)


def mend(made, played, dice, points, seated_later=None):
    """Another hand than was typed, in a round that is closed; points: more than all others, so nobody is level.

    seated_later: who has won and gone on to the next round, if it is published. Where nobody of a table has, the
    results of now say who has won, as before it was published; those tables are left alone then.
    """
    hands = Hand.objects.living().filter(table__round=played).order_by("pk")
    if seated_later is not None:
        hands = hands.filter(table__seats__entry__in=seated_later).distinct()
    hands = list(hands)
    if not hands:
        return
    hand = dice.choice(hands)
    seats = [seat.number for seat in hand.table.seats.order_by("number")]
    out = dice.choice(seats)
    reports = [SeatReport(seat, points_left=points // (len(seats) - 1)) for seat in seats if seat != out]
    repair_hand(
        hand_id=hand.pk,
        version=None,
        hand=HandInput(hand.number, out, reports),
        reason="Score slip",
        repair=KEEP,
        by=Attribution(made.owner),
    )


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(0, TOURNAMENTS, BATCH))
def test_every_evening_ends_with_the_places_that_a_second_count_has(batch):
    for seed in range(batch, min(batch + BATCH, TOURNAMENTS)):
        evening(seed)
