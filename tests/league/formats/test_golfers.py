"""Tables without partners, checked by counting who sits with whom and nothing else."""

from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.formats.seating import golfers
from league.formats.seating.designs import perfect_rounds
from league.formats.seating.dice import Dice
from league.formats.seating.golfers import next_round, schedule, table_sizes
from league.formats.seating.meetings import meetings_before, repeats


def meetings(players, rounds, tables):
    """How often each two met; also checks what every schedule must keep."""
    met = Counter()
    for one in rounds:
        assert sorted(player for table in one for player in table) == list(range(players))
        assert [len(table) for table in one] == table_sizes(players, tables)
        for table in one:
            met.update(frozenset(pair) for pair in combinations(table, 2))
    return met


def seat_spread(players, rounds):
    sat = Counter((player, seat) for one in rounds for table in one for seat, player in enumerate(table))
    seats = range(max(len(table) for table in rounds[0]))
    return max(
        max(sat[player, seat] for seat in seats) - min(sat[player, seat] for seat in seats) for player in range(players)
    )


@pytest.mark.parametrize("size", range(3, 11))
def test_the_formulas_repeat_no_meeting(size):
    for players in [*range(3, 50), 64, 81, 100, 121, 127]:
        tables = -(-players // size)
        rounds = [sorted(one, key=len, reverse=True) for one in islice(perfect_rounds(players, tables), 12)]
        assert rounds
        met = meetings(players, rounds, tables)
        assert len(rounds) == 1 or max(met.values()) == 1


@pytest.mark.parametrize(
    ("players", "size", "rounds"),
    [(9, 3, 4), (16, 4, 5), (25, 5, 6), (49, 7, 8), (64, 8, 9), (64, 4, 21), (40, 4, 13), (24, 4, 7), (32, 4, 9)],
)
def test_the_formulas_give_as_many_rounds_as_there_can_be_for_these_sizes(players, size, rounds):
    assert len(list(perfect_rounds(players, players // size))) == rounds
    # One round more would need more people to meet than there are, but for 32 players, where 10 are known.
    assert (players - 1) // (size - 1) == rounds or players == 32


@pytest.mark.parametrize(
    ("players", "size", "rounds"),
    [(16, 4, 5), (20, 4, 5), (24, 4, 6), (32, 4, 8), (40, 4, 8), (64, 4, 8), (100, 5, 6), (9, 3, 4), (15, 4, 4)],
)
def test_a_schedule_repeats_no_meeting_where_that_is_known_to_be_possible(players, size, rounds):
    found = schedule(players, -(-players // size), rounds, seed="s")
    assert len(found) == rounds
    assert max(meetings(players, found, -(-players // size)).values()) == 1
    assert repeats(found) == 0


def test_eight_players_meet_as_equally_as_six_rounds_allow():
    # 72 meetings over 28 pairs of players: 12 pairs twice and 16 three times is the most equal.
    found = schedule(8, 2, 6, seed="s", steps=4_000)
    assert Counter(meetings(8, found, 2).values()) == {2: 12, 3: 16}
    assert repeats(found) == 12 + 16 * 3


def test_a_schedule_of_all_rounds_is_no_worse_than_one_made_round_by_round(monkeypatch):
    monkeypatch.setattr(golfers, "ROUND_STEPS", 2_000)
    past = []
    for _ in range(5):
        past.append(next_round(range(18), 3, past, seed="s"))
    found = schedule(18, 3, 5, seed="s", steps=20_000)
    meetings(18, found, 3)
    assert repeats(found) <= repeats(past)


def test_repeats_are_pairs_of_rounds_in_which_two_players_met():
    assert repeats([[[0, 1, 2], [3, 4, 5]]]) == 0
    assert repeats([[[0, 1, 2], [3, 4, 5]], [[2, 0, 3], [1, 4, 5]]]) == 2
    assert repeats([[[0, 1, 2]]] * 3) == 9


@pytest.mark.parametrize(("players", "tables", "rounds"), [(16, 4, 4), (20, 5, 4), (64, 16, 8), (100, 20, 5)])
def test_seats_come_out_nearly_even(players, tables, rounds):
    found = schedule(players, tables, rounds, seed="s")
    assert seat_spread(players, found) <= 2
    drawn_by_lot = [[sorted(table, key=lambda player: player * 7 % 11) for table in one] for one in found]
    assert seat_spread(players, drawn_by_lot) > 2


def every_seating(players, size):
    """All ways to seat players at tables of a size."""
    if not players:
        yield []
        return
    for others in combinations(players[1:], size - 1):
        table = (players[0], *others)
        for rest in every_seating([player for player in players if player not in table], size):
            yield [table, *rest]


def met_again(tables, past):
    """How often those at the tables have met, and how many of them in the round just before."""
    just_before = {frozenset(pair) for table in past[-1] for pair in combinations(table, 2)}
    pairs = [frozenset(pair) for table in tables for pair in combinations(table, 2)]
    return meetings_before(tables, past), sum(pair in just_before for pair in pairs)


@pytest.mark.parametrize(("players", "tables"), [(6, 2), (8, 2), (9, 3)])
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_of_equally_good_draws_one_is_taken_that_repeats_few_meetings_of_the_round_before(players, tables, seed):
    past = [next_round(range(players), tables, seed=seed)]
    for _ in range(6):
        seated = next_round(range(players), tables, past, seed=seed)
        best = min(met_again(drawn, past) for drawn in every_seating(list(range(players)), players // tables))
        assert met_again(seated, past) == best
        past.append(seated)


def test_the_tables_that_are_one_short_come_round_to_everybody():
    past = []
    for _ in range(8):
        past.append(next_round(range(11), 3, past, seed="s"))  # 4, 4, 3: 24 times short for 11 players
    short = Counter(player for one in past for table in one if len(table) == 3 for player in table)
    assert Counter(short.values()) == {2: 9, 3: 2}


def test_a_thousand_players_repeat_no_meeting_in_five_rounds():
    past = []
    for _ in range(5):
        past.append(next_round(range(1000), 250, past, seed="s"))
    assert repeats(past) == 0


def test_sixteen_left_of_thirty_two_after_three_rounds_still_meet_nobody_again():
    past = []
    for _ in range(3):
        past.append(next_round(range(32), 8, past, seed="s"))
    seated = next_round(range(0, 32, 2), 4, past, seed="s")
    met = {frozenset(pair) for one in past for table in one for pair in combinations(table, 2)}
    assert not any(frozenset(pair) in met for table in seated for pair in combinations(table, 2))


def test_numbers_from_a_seed_are_the_same_on_every_machine():
    dice = Dice("seed")
    assert [dice.below(1000) for _ in range(5)] == [217, 381, 253, 695, 260]
    assert sorted(Dice("x").shuffled(range(9))) == list(range(9))


@pytest.mark.slow
@settings(max_examples=40)
@given(
    seed=st.text(max_size=5),
    players=st.integers(3, 60),
    size=st.integers(3, 10),
    rounds=st.integers(1, 4),
    data=st.data(),
)
def test_every_round_seats_everybody_once_at_balanced_tables_and_keeps_wishes(seed, players, size, rounds, data):
    tables = -(-players // size)
    past = []
    for _ in range(rounds):
        fixed = (
            {} if tables < 3 else {0: data.draw(st.integers(0, tables - 1)), 1: data.draw(st.integers(0, tables - 1))}
        )
        apart = [] if tables < 3 else [(2, 3), (3, 4)]
        one = next_round(range(players), tables, past, seed=seed, fixed=fixed, apart=apart, steps=2_000)
        assert one == next_round(range(players), tables, past, seed=seed, fixed=fixed, apart=apart, steps=2_000)
        past.append(one)
        at = {player: number for number, table in enumerate(one) for player in table}
        assert all(at[player] == table for player, table in fixed.items())
        assert all(at[a] != at[b] for a, b in apart)
    meetings(players, past, tables)
