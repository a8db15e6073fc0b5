"""Days on which people come, leave and come again as a die says: every round can be played, to the end."""

import random

import pytest

from league.day.entrants import come_back, drop_out, enter_late
from league.day.substitutes import end_substitute, substitute
from league.day.undo import undo_event
from league.lib.errors import Refused
from league.log.audit import verify
from league.models import Entry, EntryEvent, Round, Seat, Table, Tournament
from league.rounds.steps import next_step
from league.standings import read as ledger
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ACTIONS = 4  # a round


def something_happens(made: Tournament, dice: random.Random) -> str:
    """One action, which may be refused; a refusal changes nothing."""
    by = {"tournament": made, "by": made.owner}
    entries = list(made.entries.exclude(status=Entry.Status.STANDIN))
    entry = dice.choice(entries)
    events = list(EntryEvent.objects.living().filter(entry__tournament=made))
    kind = dice.choice(("late", "drop", "return", "undo", "substitute", "end"))
    try:
        if kind == "late" and len(entries) < 14:
            enter_late(**by, name=f"Late {len(entries)}")
        elif kind == "drop" and sum(one.status == Entry.Status.ACTIVE for one in entries) > 4:
            drop_out(**by, entry=entry)
        elif kind == "return":
            come_back(**by, entry=entry)
        elif kind == "undo" and events:
            undo_event(**by, event=dice.choice(events))
        elif kind == "substitute":
            substitute(**by, entry=entry, name="Hana")
        elif kind == "end":
            end_substitute(**by, entry=entry)
    except Refused:
        return ""
    return kind


def check(made: Tournament, size: int | None) -> None:
    """Nobody sits twice, tables are full, who has dropped out has no seat to come, everybody active has one."""
    for one in made.rounds.living():
        seated = list(Seat.objects.filter(round=one).values_list("entry", flat=True))
        assert len(seated) == len(set(seated))
        if size is not None:
            assert all(table.seats.count() == size for table in Table.objects.filter(round=one))
    for draft in made.rounds.filter(state=Round.State.DRAFT):
        seats = Seat.objects.filter(round=draft)
        assert not seats.filter(entry__status=Entry.Status.DROPPED).exists()
        assert seats.filter(entry__status=Entry.Status.ACTIVE).count() == made.entries.filter(status="active").count()


@pytest.mark.parametrize("seed", [1])
def test_a_day_of_pairs_on_which_anything_happens_is_played_to_the_end(seed: int) -> None:
    dice = random.Random(seed)
    made = cast.tournament(dice.choice((7, 8, 9)), rounds=6, hands_per_round=1, bye_points=10)
    cast.play(made, rounds=1)
    happened = []
    while (step := next_step(made)).kind != "finish":
        for _time in range(ACTIONS):
            happened.append(something_happens(made, dice))
            check(made, 4)
        for one in made.rounds.filter(pk=step.round.pk if step.round else 0):
            for table in one.tables.filter(scores=None):
                cast.record(table, 1)
        cast.go_on(made)
        check(made, 4)
    lines = ledger.read(made).standings()
    assert {line.rank for line in lines if line.entrant.status == "standin"} <= {None}
    ranked = [line.entrant.status for line in lines if line.rank is not None]
    assert ranked == sorted(ranked)  # active before dropped
    assert len(set(happened)) > 3
    audited = verify(made)
    assert audited.faults == audited.notes == []


@pytest.mark.parametrize("seed", [4])
def test_a_challenge_on_which_anything_happens_has_one_winner(seed: int) -> None:
    dice = random.Random(seed)
    made = cast.challenge(9, hands_per_round=2, target=300)
    for _round in range(30):
        cast.play_challenge(made, rounds=1, seed=seed)
        if ledger.read(made).race.state.winner:  # type: ignore[union-attr]
            break
        for _time in range(ACTIONS):
            something_happens(made, dice)
            check(made, None)
    race = ledger.read(made).race
    assert race is not None
    assert race.state.winner
    assert next(line.rank for line in ledger.read(made).standings()) == 1
    assert verify(made).faults == []
