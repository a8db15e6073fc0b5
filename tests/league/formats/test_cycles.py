"""Individual pairs over several cycles (TOUR-1): everybody partners everybody so many times."""

from collections import Counter

import pytest

from league.formats import FORMATS, NotPossible, pairs
from league.models import Adjustment, Round
from league.rounds.steps import next_step, start
from tests import cast

# Each test that needs the database says so: the schedule itself is pure.


@pytest.mark.parametrize("cycles", [1, 2, 3, 4, 10])
@pytest.mark.parametrize("players", [4, 5, 8, 13])
def test_everybody_partners_everybody_once_a_cycle_and_meets_twice_as_opponents(players, cycles):
    whole = pairs.properties(players, pairs.plan(players, cycles=cycles))
    assert whole.partnered == (cycles, cycles)
    assert whole.opposed == (2 * cycles, 2 * cycles)
    assert whole.rounds == cycles * pairs.full_rounds(players)


def test_four_players_have_twelve_hands_a_cycle_with_four_of_each_partner():
    hands = Counter()
    for seating in pairs.plan(4, cycles=3):
        for table in seating.tables:
            for seat, player in enumerate(table):
                hands[player, table[(seat + 2) % 4]] += FORMATS["pairs"].complete({})["hands_per_round"]
    assert set(hands.values()) == {12} and len(hands) == 12


def test_after_four_cycles_everybody_sat_in_every_seat_equally_often():
    for players in (4, 8):
        assert pairs.properties(players, pairs.plan(players, cycles=4)).seat_spread == 0


def test_the_first_cycle_is_the_schedule_and_in_the_next_another_one_deals_first():
    once = pairs.schedule(8)
    twice = pairs.plan(8, cycles=2)
    assert twice[:7] == once
    for first, second in zip(once, twice[7:], strict=True):
        for table, again in zip(first.tables, second.tables, strict=True):
            assert again == (*table[1:], table[0])


def test_the_whole_number_of_rounds_is_no_part():
    assert len(pairs.plan(4, 3, 2)) == 6


@pytest.mark.parametrize(
    ("rounds", "cycles", "sentence"),
    [
        (2, 2, "Only a whole schedule can be repeated. Leave the number of rounds empty."),
        (None, 0, "The schedule can be played 1 to 10 times, not 0."),
        (None, 11, "The schedule can be played 1 to 10 times, not 11."),
    ],
)
def test_what_is_no_number_of_cycles_is_refused(rounds, cycles, sentence):
    with pytest.raises(NotPossible, match=sentence):
        pairs.plan(4, rounds, cycles)


def test_only_the_whole_schedule_is_played_several_times():
    problems = FORMATS["pairs"].problems({"rounds": 2, "cycles": 2}, 4)
    assert str(problems["cycles"]).startswith("Only a whole schedule can be repeated")


@pytest.mark.parametrize("cycles", [0, 11])
def test_cycles_are_refused_before_anybody_is_known(cycles):
    assert (
        str(FORMATS["pairs"].problems({"cycles": cycles}, None)["cycles"])
        == f"How often the schedule is played: choose 1 to 10, not {cycles}."
    )


@pytest.mark.django_db
def test_four_players_play_two_cycles_to_the_end():
    made = cast.play(cast.tournament(4, cycles=2))
    assert made.rounds.filter(state=Round.State.CLOSED).count() == 6
    assert next_step(made).kind == "finish"
    partners = Counter()
    for played in made.rounds.all():
        by_seat = [seat.entry_id for seat in played.seats.order_by("number")]
        partners.update(frozenset(pair) for pair in (by_seat[::2], by_seat[1::2]))
    assert len(partners) == 6 and set(partners.values()) == {2}


@pytest.mark.django_db
def test_a_bye_is_worth_what_was_said_in_every_cycle():
    made = cast.tournament(5, cycles=2, bye_points=40)
    start(tournament=made, by=made.owner)
    for _round in range(10):
        cast.play_round(next_step(made).round)
        cast.go_on(made)
        if next_step(made).kind != "close":
            break
    byes = Adjustment.objects.filter(entry__tournament=made, kind=Adjustment.Kind.BYE)
    assert Counter(byes.values_list("entry", "points")) == {(entry.pk, 40): 2 for entry in made.entries.all()}
