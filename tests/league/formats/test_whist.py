"""The schedules of individual pairs, checked by counting what is on the tables and nothing else."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.formats import FORMATS, NotPossible, pairs
from league.formats.pairs import RoundSeating
from league.formats.seating import whist
from league.formats.seating.balance import balance_seats

pytestmark = pytest.mark.slow

BEYOND_43 = (47, 49, 51, 53, 55, 59, 61, 65, 73, 76, 77, 81, 85, 89, 97, 101, 109, 113, 121)
ALL_SIZES = (*range(4, 44), *BEYOND_43)


@dataclass
class Tally:
    """Counted from seatings alone, for players 0 to n - 1."""

    partnered: Counter = field(default_factory=Counter)
    opposed: Counter = field(default_factory=Counter)
    seats: Counter = field(default_factory=Counter)
    byes: Counter = field(default_factory=Counter)


def tally(players: int, schedule: tuple[RoundSeating, ...]) -> Tally:
    """Also checks what every schedule must keep: full tables, everybody in one place a round, players known."""
    result = Tally()
    for seating in schedule:
        placed = [player for table in seating.tables for player in table] + list(seating.byes)
        assert sorted(placed) == list(range(players))
        assert len(seating.tables) == players // 4
        for table in seating.tables:
            assert len(table) == 4
            north, east, south, west = table
            for one, other in ((north, south), (east, west)):
                result.partnered[min(one, other), max(one, other)] += 1
            for one in (north, south):
                for other in (east, west):
                    result.opposed[min(one, other), max(one, other)] += 1
            for seat in range(4):
                result.seats[table[seat], seat] += 1
        for player in seating.byes:
            result.byes[player] += 1
    return result


def everybody_with_everybody(players: int, counts: Counter) -> Counter:
    """How many pairs of players have each count, those with 0 included."""
    return Counter(counts[pair] for pair in combinations(range(players), 2))


def seat_spread(players: int, counts: Counter) -> int:
    return max(
        max(counts[player, seat] for seat in range(4)) - min(counts[player, seat] for seat in range(4))
        for player in range(players)
    )


@pytest.mark.parametrize("players", [n for n in ALL_SIZES if n % 4 in (0, 1)])
def test_the_whole_design_partners_everybody_once_and_opposes_everybody_twice(players):
    schedule = pairs.schedule(players)
    counted = tally(players, schedule)
    every_pair = players * (players - 1) // 2
    assert len(schedule) == (players - 1 if players % 4 == 0 else players)
    assert everybody_with_everybody(players, counted.partnered) == {1: every_pair}
    assert everybody_with_everybody(players, counted.opposed) == {2: every_pair}
    assert {counted.byes[player] for player in range(players)} == {players % 4}


@pytest.mark.parametrize("players", [n for n in ALL_SIZES if n % 4 in (2, 3)])
def test_a_size_without_an_exact_design_misses_as_little_as_possible(players):
    schedule = pairs.schedule(players)
    counted = tally(players, schedule)
    every_pair = players * (players - 1) // 2
    never_partnered = players if players % 4 == 3 else players // 2
    assert len(schedule) == players
    assert everybody_with_everybody(players, counted.partnered) == {0: never_partnered, 1: every_pair - never_partnered}
    assert everybody_with_everybody(players, counted.opposed) == {
        count: times for count, times in ((1, 2 * never_partnered), (2, every_pair - 2 * never_partnered)) if times
    }
    assert {counted.byes[player] for player in range(players)} == {players % 4}


@pytest.mark.parametrize("players", ALL_SIZES)
def test_everybody_sits_in_each_seat_equally_often(players):
    counted = tally(players, pairs.schedule(players))
    spread = seat_spread(players, counted.seats)
    if players == 4:
        assert spread == 2
    else:
        # Odd numbers of games cannot be split evenly over four seats.
        assert spread == (1 if players % 4 == 0 else 0)


@pytest.mark.parametrize("players", range(4, 44))
def test_any_number_of_rounds_repeats_no_partner_and_opposes_nobody_three_times(players):
    for rounds in range(1, pairs.full_rounds(players) + 1):
        schedule = pairs.schedule(players, rounds)
        counted = tally(players, schedule)
        assert len(schedule) == rounds
        assert max(counted.partnered.values()) == 1
        assert max(counted.opposed.values()) <= 2
        assert seat_spread(players, counted.seats) <= 2


# Rounds of the near designs whose byes cannot all be within one of each other, by exhaustive search over all choices.
BYES_WITHIN_TWO = {
    6: {3},
    7: {2, 3, 4, 5},
    14: {7},
    19: {6, 7, 12, 13},
    22: {11},
    23: {7, 8, 9, 14, 15, 16},
    27: {7, 8, 9, 10, 11, 16, 17, 18, 19, 20},
    30: set(range(11, 20)),
    31: {9, 10, 11, 20, 21, 22},
    35: {11, 12, 13, 22, 23, 24},
    38: {19},
    39: {10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29},
    43: {13, 14, 15, 16, 17, 26, 27, 28, 29, 30},
}


@pytest.mark.parametrize("players", range(4, 44))
def test_fewer_rounds_have_byes_as_equal_as_the_design_allows(players):
    for rounds in range(1, pairs.full_rounds(players) + 1):
        counted = tally(players, pairs.schedule(players, rounds))
        byes = [counted.byes[player] for player in range(players)]
        allowed = 2 if rounds in BYES_WITHIN_TWO.get(players, ()) else 1
        assert max(byes) - min(byes) <= allowed, rounds


@pytest.mark.parametrize(("players", "rounds"), [(8, 3), (10, 5), (21, 4), (30, 5), (40, 1), (42, 5)])
def test_a_short_event_meets_no_opponent_twice_where_the_design_allows(players, rounds):
    counted = tally(players, pairs.schedule(players, rounds))
    assert max(counted.opposed.values()) == 1


def test_four_rounds_or_fewer_of_16_players_seat_nobody_in_one_seat_more_than_twice():
    for rounds in range(1, 5):
        counted = tally(16, pairs.schedule(16, rounds))
        assert max(counted.seats.values()) <= 2


def test_the_leaflets_events_have_their_numbers_of_hands():
    hands = FORMATS["pairs"].complete({})["hands_per_round"]
    assert pairs.full_rounds(4) * hands == 12
    assert pairs.full_rounds(8) * hands == 28
    tables = sum(len(seating.tables) for seating in pairs.schedule(8))
    assert tables * hands == 56


def test_the_deal_starts_at_seat_0_and_passes_left():
    assert [pairs.dealer_seat(hand) for hand in range(1, 7)] == [0, 1, 2, 3, 0, 1]


def test_the_same_arguments_give_the_same_schedule_without_the_cache():
    for players, rounds in ((8, None), (23, 9), (40, 12)):
        assert pairs.schedule.__wrapped__(players, rounds) == pairs.schedule.__wrapped__(players, rounds)


def test_the_schedule_of_eight_players_stays_what_was_printed():
    """A change here means that lists already hung on a wall differ from what the service shows."""
    assert [seating.tables for seating in pairs.schedule(8)[:3]] == [
        ((0, 5, 4, 3), (1, 7, 2, 6)),
        ((1, 6, 5, 4), (7, 3, 0, 2)),
        ((2, 0, 6, 5), (4, 7, 3, 1)),
    ]


def test_the_sizes_are_4_to_43_and_what_else_the_data_holds():
    assert pairs.possible_players() == ALL_SIZES
    assert str(pairs.describe_possible()) == "Individual pairs need 4 to 43 players, or certain larger numbers."


@pytest.mark.parametrize(
    ("players", "nearest"),
    [
        (-4, "4 to 43 or 47"),
        (3, "4 to 43 or 47"),
        (44, "4 to 43 or 47"),
        (48, "4 to 43, 47 or 49"),
        (120, "4 to 43, 113 or 121"),
        (122, "4 to 43 or 121"),
        (1000, "4 to 43 or 121"),
    ],
)
def test_a_number_of_players_outside_the_data_is_refused_with_the_nearest_possible(players, nearest):
    with pytest.raises(NotPossible) as refusal:
        pairs.schedule(players)
    assert str(refusal.value) == f"Individual pairs need {nearest} players, not {players}."


@pytest.mark.parametrize(("players", "rounds", "most"), [(4, 4, 3), (8, 0, 7), (8, 8, 7), (9, -1, 9), (10, 11, 10)])
def test_rounds_outside_the_design_are_refused_with_what_is_possible(players, rounds, most):
    with pytest.raises(NotPossible) as refusal:
        pairs.schedule(players, rounds)
    assert str(refusal.value) == (f"Individual pairs with {players} players have 1 to {most} rounds, not {rounds}.")


def test_properties_count_what_the_tables_show():
    """Two rounds of five players:

    round 1: 0 and 2 against 1 and 3, bye 4
    round 2: 0 and 4 against 1 and 2, bye 3
    """
    schedule = (RoundSeating(tables=((0, 1, 2, 3),), byes=(4,)), RoundSeating(tables=((0, 1, 4, 2),), byes=(3,)))
    assert pairs.properties(5, schedule) == pairs.Properties(
        players=5,
        rounds=2,
        partnered=(0, 1),
        opposed=(0, 2),
        in_each_seat=(0, 2),
        seat_spread=2,
        byes=(0, 1),
    )


@pytest.mark.parametrize("players", [8, 9, 10, 11, 40])
def test_properties_agree_with_counting_by_hand(players):
    schedule = pairs.schedule(players)
    counted = tally(players, schedule)
    found = pairs.properties(players, schedule)
    partnered = everybody_with_everybody(players, counted.partnered)
    opposed = everybody_with_everybody(players, counted.opposed)
    assert found.partnered == (min(partnered), max(partnered))
    assert found.opposed == (min(opposed), max(opposed))
    assert found.seat_spread == seat_spread(players, counted.seats)
    assert found.byes == (players % 4, players % 4)


@settings(max_examples=60)
@given(
    players=st.integers(4, 16),
    rounds=st.lists(st.integers(0, 14), min_size=1, max_size=10, unique=True),
)
def test_balancing_keeps_tables_and_partners_and_evens_opposite_seats(players, rounds):
    design = whist.develop(players)
    chosen = [design[number % len(design)] for number in rounds]
    balanced = balance_seats(chosen)

    def partnerships(tables):
        return [{frozenset((a, c)), frozenset((b, d))} for a, b, c, d in tables]

    assert [partnerships(tables) for tables in balanced] == [partnerships(tables) for tables in chosen]
    seats = Counter((player, seat) for tables in balanced for table in tables for seat, player in enumerate(table))
    for player in range(players):
        assert abs(seats[player, 0] - seats[player, 2]) <= 1
        assert abs(seats[player, 1] - seats[player, 3]) <= 1
