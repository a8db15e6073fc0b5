"""The schedules of teams, checked by counting what is on the tables and nothing else."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.formats import FORMATS, NotPossible, teams


def counted(number, schedule):
    """(meetings, times on a side, members' seats, byes); checks what every round must keep."""
    met, sides, seats, byes = Counter(), Counter(), Counter(), Counter()
    for seating in schedule:
        placed = [place for table in seating.tables for place in table] + [
            (team, member) for team in seating.byes for member in (0, 1)
        ]
        assert sorted(placed) == [(team, member) for team in range(number) for member in (0, 1)]
        assert len(seating.byes) == number % 2
        for (one, a), (other, b), (partner, c), (across, d) in seating.tables:
            assert one == partner != other == across and {a, c} == {b, d} == {0, 1}
            met[frozenset((one, other))] += 1
            sides.update([(one, 0), (other, 1)])
            seats.update([(one, a, 0), (other, b, 1), (one, c, 2), (other, d, 3)])
        byes.update(seating.byes)
    return met, sides, seats, byes


def check(number, schedule):
    """What holds for any number of rounds: sides, first deals and byes within one, for teams and for their two."""
    met, sides, seats, byes = counted(number, schedule)
    for team in range(number):
        assert abs(sides[team, 0] - sides[team, 1]) <= 1
        for seat in range(4):
            assert abs(seats[team, 0, seat] - seats[team, 1, seat]) <= 1
    out = [byes[team] for team in range(number)]
    assert max(out) - min(out) <= 1
    return met, byes


@pytest.mark.parametrize("number", [*range(2, 41), 64, 199])
def test_every_team_meets_every_other_once_a_leg(number):
    schedule = teams.plan(number)
    met, byes = check(number, schedule)
    assert len(schedule) == (number - 1 if number % 2 == 0 else number)
    assert met == dict.fromkeys(map(frozenset, combinations(range(number), 2)), 1)
    assert {byes[team] for team in range(number)} == {number % 2}


@pytest.mark.slow
@given(number=st.integers(2, 20), legs=st.integers(1, 10), part=st.floats(0, 1))
@settings(max_examples=60)
def test_any_part_of_any_legs_is_even_and_in_the_next_leg_sides_swap(number, legs, part):
    whole = min(legs * teams.leg_rounds(number), teams.MOST_ROUNDS)
    rounds = max(1, round(part * whole))
    schedule = teams.plan(number, rounds, legs)
    assert len(schedule) == rounds
    met, _byes = check(number, schedule)
    times = [met[frozenset(pair)] for pair in combinations(range(number), 2)]
    assert max(times) - min(times) <= 1 and max(times) <= legs
    leg = teams.leg_rounds(number)
    for one, again in zip(schedule, schedule[leg:], strict=False):
        assert {(table[0][0], table[1][0]) for table in one.tables} == {
            (table[1][0], table[0][0]) for table in again.tables
        }


@pytest.mark.parametrize("legs", [2, 3, 4])
def test_over_several_legs_everybody_meets_everybody_so_often(legs):
    for number in (2, 3, 6, 9):
        whole = teams.properties(number, teams.plan(number, None, legs))
        assert whole.met == (legs, legs)
        assert whole.byes == (number % 2 * legs,) * 2
        assert whole.side_spread <= legs % 2


@pytest.mark.parametrize(
    ("number", "rounds", "legs", "sentence"),
    [
        (1, None, 1, "Choose 2 to 200 teams, not 1."),
        (201, None, 1, "Choose 2 to 200 teams, not 201."),
        (6, None, 0, "All can meet 1 to 10 times, not 0."),
        (6, None, 11, "All can meet 1 to 10 times, not 11."),
        (6, 0, 1, "6 teams have 1 to 5 rounds, not 0."),
        (6, 11, 2, "6 teams have 1 to 10 rounds, not 11."),
        (120, None, 2, "A tournament has at most 200 rounds; a leg of 120 teams has 119. Choose fewer legs, or set"),
        (120, 201, 2, "120 teams have 1 to 200 rounds, not 201."),
    ],
)
def test_what_cannot_be_played_is_refused_with_what_can(number, rounds, legs, sentence):
    with pytest.raises(NotPossible, match=sentence):
        teams.plan(number, rounds, legs)


def test_settings_that_cannot_be_played_are_named_by_their_field():
    problems = FORMATS["teams"].problems
    assert problems({}, None) == {}
    wrong = {"hands_per_round": None, "rounds": 0, "cycles": 11, "bye_points": -1}
    assert problems(wrong, 6).keys() == wrong.keys()
    assert problems({}, 1).keys() == {"players"}
    assert problems({"rounds": 9}, 6).keys() == {"rounds"}
    assert problems({"cycles": 2}, 120).keys() == {"cycles"}
    assert problems({"cycles": 2, "rounds": 150}, 120) == {}


@pytest.mark.slow
@given(number=st.integers(3, 14), before=st.integers(0, 8), drops=st.integers(0, 2), seed=st.integers(0, 3))
@settings(max_examples=5)
def test_rounds_drawn_again_for_a_team_that_came_late_repeat_few_meetings(number, before, drops, seed):
    """`number` teams played, some of them leave, one comes: the others are seated anew."""
    past = teams.plan(number)[:before]
    going_on = max(2, number - drops + 1)
    known = {team: team for team in range(min(number, going_on - 1))}
    played = tuple(tuple((known.get(table[0][0]), known.get(table[1][0])) for table in one.tables) for one in past)
    rounds = max(1, teams.leg_rounds(number) - before)
    drawn = teams.to_come(going_on, rounds, played, seed=str(seed))
    met, sides, _seats, _byes = counted(going_on, drawn)
    for match in (match for one in played for match in one):
        if None not in match:
            met[frozenset(match)] += 1
        sides.update((team, side) for side, team in enumerate(match) if team is not None)
    assert max(met.values()) <= 2 + (rounds + before) // teams.leg_rounds(going_on)
    assert all(abs(sides[team, 0] - sides[team, 1]) <= 2 for team in range(going_on))


def test_a_team_that_comes_when_the_number_was_even_makes_no_meeting_twice_while_that_can_be():
    past = teams.plan(8)[:3]
    played = tuple(tuple((table[0][0], table[1][0]) for table in one.tables) for one in past)
    drawn = teams.to_come(9, 4, played, seed="late")
    assert drawn == teams.to_come.__wrapped__(9, 4, played, seed="late")
    met, _sides, _seats, byes = counted(9, drawn)
    met.update(frozenset(match) for one in played for match in one)
    assert max(met.values()) == 1
    assert max(byes.values()) == 1
