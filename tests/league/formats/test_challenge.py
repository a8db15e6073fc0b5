"""Challenge UNO: what can be played, who sits where next, when a round is over."""

from itertools import combinations

import pytest

from league.formats import FORMATS, NotPossible
from league.formats.challenge import (
    Settings,
    TableProgress,
    check_change,
    check_players,
    late_total,
    next_round,
    progress,
)
from league.formats.race import Adjustment, Change, Hand, state_of
from league.formats.seating.golfers import count_tables


def refusal(function, *arguments, **named):
    with pytest.raises(NotPossible) as error:
        function(*arguments, **named)
    assert str(error.value) == str(error.value.sentence)
    return str(error.value)


def event(players, *hands, target=100, **more):
    """Players a, b, c ...; a hand is (round, table, number, points)."""
    entrants = [chr(ord("a") + number) for number in range(players)]
    recorded = [Hand(*hand[:3], moment, hand[3]) for moment, hand in enumerate(hands)]
    return state_of(target=target, entrants=entrants, hands=recorded, **more), recorded


# What can be played


def test_refusals_say_what_is_possible():
    assert refusal(check_players, 2) == "Challenge UNO needs 3 to 1000 players, not 2."
    assert refusal(check_players, 1001) == "Challenge UNO needs 3 to 1000 players, not 1001."
    problems = FORMATS["challenge"].problems({"table_size": 11, "target": 0, "hands_per_round": 0}, 8)
    assert {name: str(why) for name, why in problems.items()} == {
        "table_size": "Most players at a table: choose 3 to 10, not 11.",
        "target": "Eliminated at: choose 1 to 10000, not 0.",
        "hands_per_round": "Hands a round: choose 1 to 20, or leave it empty (until you close the round), not 0.",
    }
    assert "table_size" in FORMATS["challenge"].problems({"table_size": 2}, 8)


def test_two_players_begin_with_the_final_and_one_alone_is_refused():
    state, _ = event(2)
    assert next_round(Settings(table_size=4), state, seed="s") in ([["a", "b"]], [["b", "a"]])
    state, _ = event(1)
    with pytest.raises(NotPossible):
        next_round(Settings(table_size=4), state, seed="s")


def test_what_is_possible_is_not_refused():
    check_players(3)
    check_players(1000)
    assert not FORMATS["challenge"].problems({"table_size": 10, "hands_per_round": None, "target": 1}, 1000)


@pytest.mark.parametrize(
    ("players", "size", "tables"),
    [
        *((3, 4, 1), (4, 4, 1), (5, 4, 1), (6, 4, 2), (8, 4, 2), (9, 4, 3), (4, 3, 1), (5, 3, 1), (7, 3, 2)),
        *((8, 3, 2), (10, 10, 1), (11, 10, 2), (1000, 4, 250), (1000, 3, 333), (999, 10, 100), (2, 4, 1)),
    ],
)
def test_there_are_as_few_tables_as_hold_everybody_and_one_fewer_rather_than_a_table_of_two(players, size, tables):
    assert count_tables(players, size) == tables


def test_for_every_number_and_size_tables_have_three_to_ten_players():
    for size in range(3, 11):
        for players in range(3, 1001):
            tables = count_tables(players, size)
            assert players // tables >= 3
            assert -(-players // tables) <= 10


# The next round


def test_eight_players_sit_at_two_tables_of_four():
    state, _ = event(8)
    seated = next_round(Settings(), state, seed="s")
    assert [len(table) for table in seated] == [4, 4]
    assert sorted(entry for table in seated for entry in table) == list("abcdefgh")


def test_the_same_seed_draws_the_same_round_and_another_seed_another():
    state, _ = event(16)
    assert next_round(Settings(), state, seed="s") == next_round(Settings(), state, seed="s")
    assert next_round(Settings(), state, seed="s") != next_round(Settings(), state, seed="t")


def test_as_long_as_all_sixteen_are_in_five_rounds_repeat_no_meeting():
    state, _ = event(16)
    past = []
    for _ in range(5):
        past.append(next_round(Settings(), state, past, seed="s"))
    met = [frozenset(pair) for one in past for table in one for pair in combinations(table, 2)]
    assert len(met) == len(set(met)) == 120


def test_who_is_out_is_seated_no_more():
    state, _ = event(8, (1, 1, 1, {"a": 100, "b": 0, "c": 5, "d": 5}))
    seated = next_round(Settings(), state, [[list("abcd"), list("efgh")]], seed="s")
    assert sorted(len(table) for table in seated) == [3, 4]
    assert sorted(entry for table in seated for entry in table) == list("bcdefgh")


def test_the_last_two_sit_at_a_table_of_two():
    state, _ = event(3, (1, 1, 1, {"a": 100, "b": 0, "c": 5}))
    assert [sorted(table) for table in next_round(Settings(), state, [[list("abc")]], seed="s")] == [["b", "c"]]


def test_equal_lowest_totals_over_the_target_play_on_at_one_table():
    state, _ = event(6, (1, 1, 1, dict.fromkeys("abcdef", 110)))
    assert len(state.still_in) == 6
    assert len(next_round(Settings(table_size=3, target=100), state, [[list("abcdef")]], seed="s")) == 1


def test_after_the_event_there_is_no_further_round():
    state, _ = event(3, (1, 1, 1, {"a": 100, "b": 0, "c": 100}))
    assert refusal(next_round, Settings(), state, [[list("abc")]], seed="s").startswith("The tournament has a winner")


def test_a_fixed_table_and_people_who_must_not_meet_are_wishes_that_hold():
    state, _ = event(12)
    past = []
    for _ in range(6):
        apart = [("a", "b"), ("a", "c"), ("b", "c")]
        seated = next_round(Settings(), state, past, seed="s", fixed={"d": 3, "e": 3}, apart=apart)
        assert {"d", "e"} <= set(seated[2])
        assert all(len({"a", "b", "c"} & set(table)) == 1 for table in seated)
        past.append(seated)


def test_wishes_of_who_is_out_do_not_matter():
    state, _ = event(4, (1, 1, 1, {"a": 100, "b": 0, "c": 5, "d": 5}))
    seated = next_round(Settings(), state, [[list("abcd")]], seed="s", fixed={"a": 7}, apart=[("a", "b")])
    assert len(seated) == 1


@pytest.mark.parametrize(
    ("wishes", "why"),
    [
        ({"fixed": {"a": 4}}, "This round has tables 1 to 3. Choose another table than 4."),
        ({"fixed": {"a": 0}}, "This round has tables 1 to 3. Choose another table than 0."),
        (
            {"fixed": dict.fromkeys("abcde", 2)},
            "Table 2 has 4 seats, so 5 players can’t all sit there. Move one of them.",
        ),
        (
            {"fixed": {"a": 1, "b": 1}, "apart": [("a", "b")]},
            "Two players to keep apart are both fixed at table 1. Move one of them.",
        ),
        (
            {"apart": list(combinations("abcd", 2))},
            "Too many keep-apart rules for 3 tables. Remove one.",
        ),
    ],
)
def test_wishes_that_cannot_be_met_are_refused(wishes, why):
    state, _ = event(12)
    assert refusal(next_round, Settings(), state, seed="s", **wishes) == why


def test_at_one_table_nobody_can_be_kept_apart():
    state, _ = event(4)
    assert refusal(next_round, Settings(), state, seed="s", apart=[("a", "b")]) == (
        "This round has only one table. Remove the keep-apart rules."
    )


# When a round is over

TWO_TABLES = {1: list("abc"), 2: list("def")}


def states(*played, stopped=False, hands=2, number=1, tables=TWO_TABLES, players=6):
    state, recorded = event(players, *played)
    return progress(Settings(4, hands, 100), state, number, tables, recorded, stopped=stopped)


def test_a_table_needs_its_hands():
    here = states((1, 1, 1, {"a": 0, "b": 5, "c": 5}))
    assert here == [TableProgress(1, "playing", 1, 1), TableProgress(2, "playing", 0, 2)]
    here = states((1, 1, 1, {"a": 0, "b": 5, "c": 5}), (1, 1, 2, {"a": 0, "b": 5, "c": 5}))
    assert here[0] == TableProgress(1, "complete", 2, 0)


def test_a_table_with_one_player_left_has_ended():
    here = states((1, 1, 1, {"a": 0, "b": 100, "c": 100}))
    assert here == [TableProgress(1, "ended", 1, 0), TableProgress(2, "playing", 0, 2)]


def test_with_two_left_at_two_tables_both_have_ended():
    here = states(
        (1, 2, 1, {"d": 0, "e": 100, "f": 20}),
        (1, 1, 1, {"a": 0, "b": 20, "c": 100}),
        (1, 1, 2, {"a": 0, "b": 100}),
        (1, 2, 2, {"d": 0, "f": 80}),
        hands=4,
    )
    assert [table.state for table in here] == ["ended", "ended"]
    here = states((1, 1, 1, {"a": 0, "b": 20, "c": 20}), (1, 2, 1, dict.fromkeys("def", 100)), hands=4)
    assert [table.state for table in here] == ["playing", "ended"]


def test_hands_that_are_open_when_the_event_is_down_to_two_are_abandoned():
    here = states((1, 1, 1, dict.fromkeys("abc", 100)), (1, 2, 1, {"d": 0, "e": 20, "f": 100}), hands=4)
    assert [table.state for table in here] == ["ended", "stopped"]


def test_with_two_left_at_one_table_its_round_is_over_too_since_they_meet_in_the_next():
    here = states((1, 1, 1, {"a": 0, "b": 5, "c": 100}), tables={1: list("abc")}, players=3)
    assert here == [TableProgress(1, "stopped", 1, 0)]


def test_the_last_two_play_to_the_end_however_many_hands_a_round_has():
    down_to_two = (1, 1, 1, {"a": 0, "b": 5, "c": 100})
    final = [(2, 1, number, {"a": 0, "b": 5}) for number in range(1, 6)]
    here = states(down_to_two, *final, number=2, tables={1: ["a", "b"]}, players=3)
    assert here == [TableProgress(1, "playing", 5, None)]
    here = states(down_to_two, (2, 1, 1, {"a": 0, "b": 95}), number=2, tables={1: ["a", "b"]}, players=3)
    assert here == [TableProgress(1, "ended", 1, 0)]


def test_a_round_by_time_lasts_until_it_is_stopped():
    played = (1, 1, 1, {"a": 0, "b": 5, "c": 5})
    assert [one.state for one in states(played, hands=None)] == ["playing", "playing"]
    assert [one.missing for one in states(played, hands=None)] == [None, None]
    assert [one.state for one in states(played, hands=None, stopped=True)] == ["stopped", "stopped"]


# People who come and go


def test_a_late_entry_starts_with_the_highest_total_still_in_but_below_the_target():
    settings = Settings(target=100)
    state, _ = event(4, (1, 1, 1, {"a": 100, "b": 0, "c": 60, "d": 5}))
    assert late_total(settings, state) == 60
    state, _ = event(3, (1, 1, 1, dict.fromkeys("abc", 110)))
    assert late_total(settings, state) == 99
    state, _ = event(3)
    assert late_total(settings, state) == 0


def test_changes_that_would_have_no_effect_are_refused():
    settings = Settings(target=100)
    state, _ = event(
        5,
        (1, 1, 1, {"a": 100, "b": 0, "c": 5, "d": 5, "e": 5}),
        changes=[Change("b", "drop", 1, 50)],
    )
    check_change(settings, state, "b", "return")
    check_change(settings, state, "c", "drop")
    check_change(settings, state, "z", "late")
    assert refusal(check_change, settings, state, "b", "drop") == "This player has already withdrawn."
    assert refusal(check_change, settings, state, "a", "drop") == "This player is already eliminated."
    assert refusal(check_change, settings, state, "a", "return") == "Only withdrawn players can return."
    assert refusal(check_change, settings, state, "c", "reinstated") == "Only eliminated players can be reinstated."
    assert refusal(check_change, settings, state, "c", "late") == "This player is already in the tournament."
    assert refusal(check_change, settings, state, "z", "drop") == "This player hasn’t entered yet."
    assert refusal(check_change, settings, state, "a", "reinstated") == (
        "This player has 100 points and has reached the target of 100. Correct a hand or adjust the total first."
    )


def test_after_the_event_nobody_comes_or_goes():
    state, _ = event(3, (1, 1, 1, {"a": 100, "b": 0, "c": 100}), adjustments=[Adjustment("a", 1, 9, -50)])
    for kind in ("drop", "return", "late", "reinstated"):
        assert refusal(check_change, Settings(target=100), state, "a", kind).startswith("The tournament has a winner")
