"""Swiss: who sits with whom, by points, held against all seatings there are where these are few."""

import os
import random
from collections import Counter
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.formats import FORMATS, NotPossible
from league.formats.protocol import Draw
from league.formats.seating import by_points
from league.formats.seating.golfers import count_tables, table_sizes
from league.formats.swiss import fewest_players, rounds_without_repeats, usual_rounds
from tests.league.formats.test_evening import evening_of
from tests.second.seating_by_hand import cost_of, fewest_repeats, fewest_repeats_of_pairs

SWISS = FORMATS["swiss"]
NUMBERS = range(6, int(os.environ["WILD_PLAYERS"]) + 1) if "WILD_PLAYERS" in os.environ else (6, 7, 11, 23, 50)


def names(count):
    return [f"p{number:03}" for number in range(count)]


def drawn(players, past=(), scores=None, byes=None, rounds=None, seed="s", **chosen):
    wanted = Draw(players, past, seed, scores=scores or {}, byes=byes or {}, rounds=rounds)
    return SWISS.draw(wanted, SWISS.complete(chosen))


def play(tables, scores, dice):
    """Four hands at each table: whoever wins one gets what the others hold."""
    for table in tables:
        for _hand in range(4):
            winner = dice.choice(table)
            scores[winner] = scores.get(winner, 0) + sum(dice.choice([5, 10, 20, 40]) for _loser in table[1:])


# Who sits with whom


@pytest.mark.parametrize(
    ("players", "size"), [(6, 3), (8, 4), (9, 3), (10, 5), (10, 4), (11, 4), (12, 4), (12, 3), (12, 6), (8, 2), (10, 2)]
)
def test_no_seating_at_all_repeats_fewer_meetings_than_the_one_that_is_drawn(players, size):
    dice, everybody, scores, past = random.Random(players * size), names(players), {}, []
    for _round in range(5):
        tables = drawn(everybody, past, scores, table_size=size)
        assert sorted(chain.from_iterable(tables)) == everybody
        assert cost_of(tables, past) == fewest_repeats(tables, past)
        past.append(tables)
        play(tables, scores, dice)


@pytest.mark.parametrize(("players", "rounds"), [(14, 17), (16, 15)])
def test_no_pairs_at_all_repeat_fewer_duels_than_those_that_are_drawn(players, rounds):
    """To the last round in which all can meet somebody new, and beyond."""
    dice, everybody, scores, past = random.Random(players), names(players), {}, []
    for _round in range(rounds):
        tables = drawn(everybody, past, scores, table_size=2)
        assert cost_of(tables, past) == fewest_repeats_of_pairs(everybody, past)
        past.append(tables)
        play(tables, scores, dice)


def test_where_nobody_has_met_the_order_of_the_points_is_cut_into_tables():
    everybody = names(12)
    scores = {player: 100 - number for number, player in enumerate(everybody)}
    tables = drawn(everybody, scores=scores)
    assert [sorted(table) for table in tables] == [everybody[:4], everybody[4:8], everybody[8:]]
    lowest_wins = {player: -score for player, score in scores.items()}  # as `Draw.scores` has them
    assert sorted(drawn(everybody, scores=lowest_wins)[0]) == everybody[8:]


def test_two_who_met_change_places_with_those_next_in_points():
    everybody = names(8)
    scores = {player: 80 - 10 * number for number, player in enumerate(everybody)}
    past = [[[everybody[0], everybody[1]], everybody[2:4], everybody[4:6], everybody[6:]]]
    tables = drawn(everybody, past, scores, table_size=2)
    assert {frozenset(table) for table in tables[:2]} in (
        {frozenset((everybody[0], everybody[2])), frozenset((everybody[1], everybody[3]))},
        {frozenset((everybody[0], everybody[3])), frozenset((everybody[1], everybody[2]))},
    )


def test_the_last_rounds_can_be_strictly_by_rank_whoever_has_met():
    everybody = names(8)
    scores = {player: 80 - number for number, player in enumerate(everybody)}
    past = [[everybody[:4], everybody[4:]]]
    assert sorted(drawn(everybody, past, scores, rounds=2, by_rank=1)[0]) == everybody[:4]
    assert sorted(drawn(everybody, past, scores, rounds=3, by_rank=1)[0]) != everybody[:4]


def test_short_tables_are_for_those_of_the_lowest_third_who_sat_there_least():
    everybody, past, dice = names(43), [], random.Random(3)  # ten tables of four and one of three
    scores = {player: 1000 - 10 * number for number, player in enumerate(everybody)}
    for _round in range(3):
        past.append(drawn(everybody, past, scores))
        dice.shuffle(everybody)
    short = Counter(chain.from_iterable(table for tables in past for table in tables if len(table) == 3))
    assert set(short) <= set(names(43)[29:])
    assert set(short.values()) == {1}


def test_wishes_are_kept_or_refused_with_what_is_possible():
    everybody, past = names(9), [drawn(names(9), table_size=3)]
    wanted = Draw(everybody, past, "s", fixed={"p000": 3, "p001": 1}, apart=[("p002", "p003"), ("p003", "p004")])
    tables = SWISS.draw(wanted, SWISS.complete({"table_size": 3}))
    assert "p000" in tables[2] and "p001" in tables[0]
    at = {player: number for number, table in enumerate(tables) for player in table}
    assert at["p003"] not in (at["p002"], at["p004"])
    with pytest.raises(NotPossible, match=r"This round has tables 1 to 3. Choose another table than 4"):
        SWISS.draw(Draw(everybody, fixed={"p000": 4}), SWISS.complete({"table_size": 3}))
    apart = list(combinations(everybody[:4], 2))  # four, at three tables
    with pytest.raises(NotPossible, match="Too many keep-apart rules"):
        SWISS.draw(Draw(everybody, apart=apart), SWISS.complete({"table_size": 3}))


@pytest.mark.slow
def test_where_all_who_may_move_sit_at_one_table_nothing_is_searched():
    """Two with a fixed table fill it: of four players the other two can only have the other one."""
    everybody = names(4)
    met = [[everybody[:2], everybody[2:]]]
    wanted = Draw(everybody, met, "s", scores={}, byes={}, fixed={everybody[0]: 1, everybody[1]: 1})
    assert sorted(map(sorted, SWISS.draw(wanted, SWISS.complete({"table_size": 2})))) == met[0]


@settings(max_examples=30)
@given(players=st.integers(4, 200), size=st.integers(2, 10), seed=st.integers(0, 99), data=st.data())
def test_everybody_sits_once_at_tables_within_one_of_each_other_and_one_seed_draws_the_same(players, size, seed, data):
    everybody, scores, past, dice = names(players), {}, [], random.Random(seed)
    for _round in range(data.draw(st.integers(1, 3))):
        here = [player for player in everybody if dice.random() < 0.95 or players < 6]
        here = here[: len(here) // 2 * 2] if size == 2 else here
        tables = count_tables(len(here), size)
        arguments = {"seed": str(seed), "by_rank": dice.random() < 0.2, "steps": 1_000}
        seating = by_points.next_round(here, scores, tables, past, **arguments)
        assert sorted(chain.from_iterable(seating)) == here
        assert [len(table) for table in seating] == table_sizes(len(here), tables)
        assert seating == by_points.next_round(here, scores, tables, past, **arguments)
        past.append(seating)
        play(seating, scores, dice)


@pytest.mark.parametrize("players", NUMBERS)
def test_every_number_of_players_is_seated_and_nobody_meets_again_where_that_can_be(players):
    dice, everybody, scores, past = random.Random(players), names(players), {}, []
    for _round in range(min(3, rounds_without_repeats(players, 4))):
        tables = drawn(everybody, past, scores, table_size=4)
        assert sorted(map(len, tables)) == sorted(table_sizes(players, count_tables(players, 4)))
        assert sorted(chain.from_iterable(tables)) == everybody
        past.append(tables)
        play(tables, scores, dice)
    met = Counter(frozenset(pair) for tables in past for table in tables for pair in combinations(table, 2))
    assert players < 16 or max(met.values()) == 1


def test_a_table_says_why_it_sits_together():
    points = {"a": 40, "b": 30, "c": 20, "d": 10}
    assert SWISS.why(["a", "b"], points, []) is None
    assert str(SWISS.why(["a", "b", "late"], points, [[["a", "c"], ["b", "d"]]])) == (
        "Before this round: 0 to 40 points; no earlier meetings."
    )
    assert str(SWISS.why(["a", "b", "d"], points, [[["a", "c"], ["b", "d"]]] * 2)) == (
        "Before this round: 10 to 40 points; one pair had met."
    )
    assert str(SWISS.why(["a", "b", "c", "d"], points, [[["a", "c"], ["b", "d"]]])) == (
        "Before this round: 10 to 40 points; 2 pairs had met."
    )


# Byes


def test_an_odd_one_sits_out_a_duel_the_lowest_who_never_did():
    everybody, scores, past, byes, dice = names(7), {}, [], Counter(), random.Random(5)
    for number in range(7):
        tables = drawn(everybody, past, scores, byes, table_size=2)
        assert [len(table) for table in tables] == [2, 2, 2]
        [sits_out] = set(everybody).difference(*tables)
        never = [player for player in everybody if not byes[player]]
        assert sits_out in never
        assert number == 0 or scores.get(sits_out, 0) == min(scores.get(player, 0) for player in never)
        byes[sits_out] += 1
        past.append(tables)
        play(tables, scores, dice)
    assert set(byes.values()) == {1}


# What can be played


@pytest.mark.parametrize(
    ("players", "size", "rounds"), [(16, 4, 4), (17, 4, 5), (64, 4, 5), (8, 2, 5), (9, 2, 6), (100, 10, 4), (6, 4, 4)]
)
def test_there_are_two_rounds_more_than_tell_the_best_from_all_others(players, size, rounds):
    assert usual_rounds(players, size) == rounds
    assert SWISS.rounds(SWISS.complete({"table_size": size}), players) == rounds


def test_refusals_say_what_is_possible():
    def problem(field, players, **chosen):
        return str(SWISS.problems(chosen, players)[field])

    assert problem("players", 2) == "Swiss needs 4 to 1000 players, not 2."
    assert problem("table_size", 5) == (
        "Swiss needs at least two tables. Tables of 4 need 6 players, not 5. Choose smaller tables."
    )
    assert problem("by_rank", 16, rounds=3, by_rank=3) == (
        "Of 3 rounds, the last 0 to 2 can be strictly by rank, not 3."
    )
    assert fewest_players(2) == 4 and fewest_players(10) == 11
    assert not SWISS.problems({"table_size": 2}, 4)
    with pytest.raises(NotPossible, match="needs 4 to 1000 players, not 1"):
        drawn(names(1))


def test_more_rounds_than_can_be_without_repeats_are_said_and_not_refused():
    assert not SWISS.problems({"rounds": 9}, 12)
    assert str(SWISS.meetings(12, SWISS.complete({}))) == ("From round 2, some players meet again.")
    assert SWISS.meetings(16, SWISS.complete({})) is None
    assert rounds_without_repeats(16, 4) == 5 and rounds_without_repeats(8, 2) == 7
    assert rounds_without_repeats(9, 2) == 9  # one sits out each time


def test_the_evening_has_the_byes_and_the_rounds_of_so_many_players():
    evening = evening_of("swiss", 9, table_size=2)
    assert (evening.players, evening.tables, evening.byes, evening.rounds, evening.hands) == (9, ((4, 2),), 1, 6, 24)
    assert evening_of("swiss", 16, target=200, hands_per_round=None).about
    assert [str(part) for part in SWISS.rounds_in_words(SWISS.complete({}), "lowest-total")] == [
        "4 hands a round", "lowest total wins"
    ]  # fmt: skip
    assert [str(part) for part in SWISS.rounds_in_words(SWISS.complete({"rounds": 3}), "winner-takes")] == [
        "3 rounds of 4 hands"
    ]
