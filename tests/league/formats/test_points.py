"""The points race: what can be played, who sits where next, when a game is over, which hands count."""

import random

import pytest

from league.formats import FORMATS, NotPossible
from league.formats.points import Game, game_of, next_round
from league.formats.seating.golfers import count_tables
from league.formats.seating.meetings import repeats
from league.standings.counted import rows_that_count
from tests.league.formats.test_evening import evening_of

POINTS = FORMATS["points"]


def refusal(function, *arguments, **named):
    with pytest.raises(NotPossible) as error:
        function(*arguments, **named)
    return str(error.value)


# What can be played


def test_refusals_say_what_is_possible():
    def problem(field, players=None, **chosen):
        return str(POINTS.problems(chosen, players)[field])

    assert problem("table_size", table_size=1) == "Most players at a table: choose 2 to 10, not 1."
    assert problem("rounds", rounds=51) == "Rounds: choose 1 to 50, not 51."
    assert problem("target", target=0) == "Points of a game: choose 1 to 10000, not 0."
    assert problem("hands_per_round", hands_per_round=0) == "Hands a round: choose 1 to 20, not 0."
    assert refusal(next_round, ["a"], 4, seed="") == "Points race needs 2 to 1000 players, not 1."


def test_a_round_is_either_so_many_hands_or_a_game_to_a_target():
    exactly_one = "Choose exactly one: Hands a round, Points of a game."
    assert str(POINTS.problems({"hands_per_round": 4, "target": 200}, 8)["hands_per_round"]) == exactly_one
    assert str(POINTS.problems({"hands_per_round": None}, 8)["hands_per_round"]) == exactly_one
    assert POINTS.complete({})["hands_per_round"] == 4
    assert POINTS.complete({"target": 200}) == {"hands_per_round": None, "target": 200, "rounds": 3, "table_size": 4}


def test_what_an_organiser_chooses_is_refused_at_its_field():
    wanted = {"rounds": 99, "table_size": 11, "target": 20_000, "cycles": 2}
    assert set(POINTS.problems(wanted, 1001)) == {"rounds", "table_size", "target", "cycles", "players"}
    assert str(POINTS.problems({"cycles": 2}, 8)["cycles"]) == (
        "Points race has no setting “cycles”. Choose from: hands, target, rounds, table_size."
    )
    assert not POINTS.problems({"hands_per_round": None, "target": 200, "table_size": 2, "rounds": None}, 2)
    assert not POINTS.problems({"rounds": 50, "table_size": 10}, None)


# Seating


@pytest.mark.parametrize(
    ("players", "size", "tables"),
    [(2, 2, 1), (3, 2, 1), (4, 2, 2), (5, 2, 2), (7, 2, 3), (2, 4, 1), (5, 4, 1), (6, 4, 2), (9, 4, 3), (11, 10, 2)],
)
def test_a_table_of_two_is_only_where_that_is_the_size_or_nobody_else_plays(players, size, tables):
    assert count_tables(players, size) == tables


def test_in_every_round_everybody_has_one_seat_and_tables_are_within_one_of_each_other():
    dice = random.Random(8)
    for _event in range(12):
        players, size = [f"p{number}" for number in range(dice.randint(2, 16))], dice.randint(2, 10)
        past = []
        for _round in range(2):
            tables = next_round(players, size, past, seed="s")
            assert sorted(player for table in tables for player in table) == sorted(players)
            sizes = [len(table) for table in tables]
            assert max(sizes) - min(sizes) <= 1
            assert min(sizes) >= min(3, size, len(players))
            past.append(tables)
            players = players[1:] if len(players) > 4 and dice.random() < 0.3 else players


@pytest.mark.parametrize(
    ("players", "size", "rounds", "searched"),
    [(8, 4, 3, 12), (12, 4, 3, 9), (16, 4, 5, 0), (11, 4, 4, 12)],  # what golfers.schedule finds for them
)
def test_drawn_round_by_round_as_few_meet_again_as_in_a_schedule_searched_as_a_whole(players, size, rounds, searched):
    everybody = [str(number) for number in range(players)]
    drawn = []
    for _round in range(rounds):
        drawn.append(next_round(everybody, size, drawn, seed="s"))
    assert repeats(drawn) <= searched


def test_at_one_table_rounds_are_games_in_a_row_in_which_seats_come_round():
    everybody = list("abcd")
    past = []
    for _round in range(4):
        past.append(next_round(everybody, 4, past, seed="s"))
    assert {table[0] for [table] in past} == set(everybody)  # each deals first once


def test_wishes_are_met_or_refused():
    players = [str(number) for number in range(8)]
    for seed in "abcde":
        tables = next_round(players, 4, seed=seed, fixed={"3": 2}, apart=[("0", "1")])
        assert "3" in tables[1]
        assert not any({"0", "1"} <= set(table) for table in tables)
    assert "only one table" in refusal(next_round, players[:4], 4, seed="", apart=[("0", "1")])


# Games


def test_a_game_is_over_with_the_hand_in_which_somebody_reaches_the_target():
    hands = {1: {"a": 60, "b": 0}, 2: {"a": 0, "b": 90}, 3: {"a": 40, "b": 0}, 4: {"a": 0, "b": 50}}
    assert game_of(hands, 100) == Game({"a": 100, "b": 90}, 3)
    assert game_of(hands, 101) == Game({"a": 100, "b": 140}, 4)
    assert game_of(hands, 141) == Game({"a": 100, "b": 140}, None)
    assert game_of(hands, None).over_in is None
    assert game_of({}, 1) == Game({}, None)


def test_a_hand_that_was_corrected_upwards_ends_the_game_before_those_that_stand_after_it():
    """No row after the end of its table's game counts; tables without a target and other tables are as they were."""
    row = [None, False, 0, 0, 0]
    rows = [
        (table, number, hand, seat, player, *row, score)
        for table, number, target_round in ((7, 1, True), (8, 1, True), (9, 2, False))
        for hand, scores in enumerate(((100, 0), (0, 30)), 1)
        for seat, (player, score) in enumerate(zip("ab", scores, strict=True))
    ]
    rows[4:8] = [(8, 1, hand, seat, "cd"[seat], *row, 20) for hand in (1, 2) for seat in (0, 1)]
    to_100, hands = POINTS.complete({"target": 100}), POINTS.complete({})
    counted = rows_that_count(rows, POINTS, {1: to_100, 2: hands})
    assert [one for one in rows if one not in counted] == [one for one in rows if one[0] == 7 and one[2] == 2]
    assert rows_that_count(rows, POINTS, {1: hands, 2: hands}) == rows


def test_who_drops_and_who_takes_their_seat_have_their_own_points_in_a_game():
    hands = {1: {"a": 60, "b": 0, "c": 0}, 2: {"a": 0, "b": 0, "d": 90}}
    game = game_of(hands, 100)
    assert (game.totals, game.over_in) == ({"a": 60, "b": 0, "c": 0, "d": 90}, None)


def test_every_reached_target_ends_a_random_game_at_the_first_hand_that_reaches_it():
    dice = random.Random(3)
    for _game in range(200):
        people, target = "abcdefghij"[: dice.randint(2, 10)], dice.choice([30, 100])
        hands = {number: {who: dice.choice([0, 5, 20]) for who in people} for number in range(1, dice.randint(1, 12))}
        game = game_of(hands, target)
        sums = [{who: sum(hands[one][who] for one in range(1, upto + 1)) for who in people} for upto in hands]
        reached = [number for number, totals in enumerate(sums, 1) if max(totals.values()) >= target]
        assert game.over_in == (reached[0] if reached else None)
        if hands:
            assert game.totals == sums[(game.over_in or len(hands)) - 1]


# How long it takes


def test_an_evening_of_hands_is_counted_and_one_of_games_estimated():
    counted = evening_of("points", 11, rounds=5)
    assert (counted.rounds, counted.hands, counted.tables, counted.about) == (5, 20, ((2, 4), (1, 3)), False)
    games = evening_of("points", 8, target=200)
    assert (games.rounds, games.tables, games.about) == (3, ((2, 4),), True)
    assert 9 <= games.hands <= 30
    longer = evening_of("points", 8, target=400)
    assert longer.hands > games.hands
