"""Challenge UNO as it was played: each rule by hand, then everything against a second implementation."""

import random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.scoring import score_game
from league.formats import challenge, race
from league.formats.challenge import Settings
from league.formats.race import Adjustment, Change, Departure, Hand, Step, ranks_after, state_of
from league.formats.seating import golfers
from tests.second.challenge_by_hand import RandomEvent, who_is_where

PRODUCT = SimpleNamespace(
    **vars(race), **{name: vars(challenge)[name] for name in ("next_round", "progress", "PLAYING")}
)


def hands(*rows, round_number=1):
    """Rows (table, hand at it, points by entry), in the order of recording."""
    return [
        Hand(round_number, table, number, 1000 * round_number + moment, points)
        for moment, (table, number, points) in enumerate(rows)
    ]


def race_to_100(entrants, *played, **more):
    return state_of(target=100, entrants=entrants, hands=[hand for some in played for hand in some], **more)


def places(state):
    return {entry: line.place for entry, line in state.lines.items()}


# Examples


def test_before_the_first_hand_everybody_is_in_and_nobody_has_a_place():
    state = race_to_100("abc")
    assert state.still_in == ("a", "b", "c")
    assert (state.winner, state.race, places(state)) == (None, (), {"a": None, "b": None, "c": None})
    assert {line.rank for line in state.lines.values()} == {1}


def test_who_reaches_the_target_is_out_at_once_and_the_table_plays_on():
    state = race_to_100("abcd", hands((1, 1, {"a": 0, "b": 100, "c": 99, "d": 5}), (1, 2, {"a": 7, "c": 0, "d": 5})))
    assert state.still_in == ("a", "c", "d")
    assert state.lines["b"].departure == Departure(1, 1, 1)
    assert {entry: line.total for entry, line in state.lines.items()} == {"a": 7, "b": 100, "c": 99, "d": 10}
    assert state.race[-3:] == (
        Step("a", 1, 1, 2, 7, 7, False),
        Step("c", 1, 1, 2, 0, 99, False),
        Step("d", 1, 1, 2, 5, 10, False),
    )
    assert Step("b", 1, 1, 1, 100, 100, True) in state.race


def test_those_still_in_stand_by_the_lower_total_and_before_those_who_are_out():
    state = race_to_100("abcd", hands((1, 1, {"a": 40, "b": 120, "c": 0, "d": 40})))
    assert list(state.lines) == ["c", "a", "d", "b"]
    assert [line.rank for line in state.lines.values()] == [1, 2, 2, 4]
    assert places(state) == {"c": None, "a": None, "d": None, "b": 4}


def test_out_in_the_same_hand_the_lower_total_is_better_and_equal_totals_share_the_place():
    state = race_to_100("abcde", hands((1, 1, {"a": 120, "b": 105, "c": 0, "d": 120, "e": 30})))
    assert places(state) == {"a": 4, "b": 3, "c": None, "d": 4, "e": None}


def test_places_go_by_round_then_by_the_hand_at_ones_own_table_then_by_the_lower_total():
    first = hands(
        (2, 1, {"e": 0, "f": 20, "g": 20, "h": 20}),
        (2, 2, {"e": 0, "f": 150, "g": 10, "h": 10}),  # the second hand of table 2, before the first of table 1
        (1, 1, {"a": 110, "b": 0, "c": 20, "d": 0}),
    )
    second = hands((1, 1, {"b": 0, "c": 130, "d": 5, "e": 5}), round_number=2)
    state = race_to_100("abcdefgh", first, second)
    assert [places(state)[entry] for entry in "cfa"] == [6, 7, 8]


def test_with_one_player_left_a_table_has_ended_and_what_is_still_recorded_there_counts_for_nobody():
    state = race_to_100(
        "abcdef",
        hands(
            (1, 1, {"a": 0, "b": 100, "c": 100}), (1, 2, {"a": 50, "b": 0, "c": 0}), (2, 1, {"d": 0, "e": 1, "f": 1})
        ),
    )
    assert state.for_nobody == ((1, 1, 2),)
    assert state.lines["a"].total == 0


def test_with_two_left_in_the_event_hands_recorded_afterwards_at_other_tables_count_for_nobody():
    down_to_two = [
        (1, 1, {"a": 0, "b": 100, "c": 100}),
        (2, 1, {"d": 0, "e": 100, "f": 30}),
        (2, 2, {"d": 20, "f": 80}),
    ]
    state = race_to_100("abcdef", hands(*down_to_two, (2, 3, {"d": 90, "f": 0})))
    assert (state.still_in, state.for_nobody) == (("a", "d"), ((1, 2, 3),))
    assert state.lines["d"].total == 20


def test_the_round_is_over_when_two_are_left_also_for_the_two_if_they_sit_at_another_table():
    played = hands(
        (2, 1, {"d": 0, "e": 30, "f": 100}),
        (1, 1, {"a": 100, "b": 105, "c": 130}),  # blocked; it was another hand before a correction
        (2, 2, {"d": 0, "e": 70}),
    )
    final = hands((1, 1, {"d": 100, "e": 0}), round_number=2)
    state = race_to_100("abcdef", played)
    assert (state.still_in, state.for_nobody, state.winner) == (("d", "e"), ((1, 2, 2),), None)
    assert race_to_100("abcdef", played, final).winner == "e"


def test_further_hands_of_the_two_at_the_table_where_it_came_to_two_are_theirs():
    state = race_to_100("abc", hands((1, 1, {"a": 0, "b": 30, "c": 100}), (1, 2, {"a": 0, "b": 70})))
    assert (state.winner, state.for_nobody) == ("a", ())


def test_when_it_comes_to_two_before_a_round_begins_they_play_it():
    drop = [Change("c", "drop", 2, 1)]
    state = race_to_100("abc", hands((1, 1, {"a": 0, "b": 100}), round_number=2), changes=drop)
    assert (state.winner, state.for_nobody) == ("a", ())


def test_who_returns_after_it_came_to_two_left_goes_on_with_the_round():
    played = hands((1, 1, {"a": 0, "b": 30, "c": 100, "d": 5}), (1, 2, {"a": 0, "b": 30, "d": 5}))
    there_and_back = [Change("d", "drop", 1, played[0].moment), Change("d", "return", 1, played[0].moment)]
    state = race_to_100("abcd", played, changes=there_and_back)
    assert (state.for_nobody, state.lines["d"].total) == ((), 10)


def test_the_last_two_meet_with_their_totals_and_who_wins_the_last_hand_has_won():
    first = hands((1, 1, {"a": 90, "b": 0, "c": 100}))
    final = hands((1, 1, {"a": 0, "b": 60}), (1, 2, {"a": 0, "b": 40}), round_number=2)
    state = race_to_100("abc", first, final[:1])
    assert (state.winner, state.still_in) == (None, ("a", "b"))
    state = race_to_100("abc", first, final)
    assert (state.winner, places(state)) == ("a", {"a": 1, "b": 2, "c": 3})
    assert list(state.lines) == ["a", "b", "c"]


def test_a_hand_that_leaves_one_player_in_ends_the_event():
    state = race_to_100("abc", hands((1, 1, {"a": 120, "b": 105, "c": 0})))
    assert (state.winner, places(state)) == ("c", {"c": 1, "b": 2, "a": 3})


def test_a_blocked_hand_that_leaves_nobody_in_is_won_by_the_lowest_total():
    state = race_to_100("abc", hands((1, 1, {"a": 120, "b": 105, "c": 130})))
    assert (state.winner, places(state)) == ("b", {"b": 1, "a": 2, "c": 3})


def test_equal_lowest_totals_play_on_until_a_hand_separates_them():
    played = hands(
        (1, 1, {"a": 110, "b": 105, "c": 105}),
        (1, 2, {"b": 20, "c": 20}),
        (1, 3, {"b": 20, "c": 0}),
    )
    assert race_to_100("abc", played[:1]).still_in == ("b", "c")
    assert race_to_100("abc", played[:2]).still_in == ("b", "c")
    state = race_to_100("abc", played)
    assert (state.winner, places(state)) == ("c", {"c": 1, "b": 2, "a": 3})


def test_a_blocked_hand_may_empty_a_table_while_others_are_in():
    state = race_to_100("abcdef", hands((1, 1, {"a": 100, "b": 105, "c": 130}), (2, 1, {"d": 0, "e": 9, "f": 9})))
    assert state.still_in == ("d", "e", "f")
    assert places(state)["a"] == 4


def test_points_carried_in_count_from_the_start():
    state = race_to_100("abc", hands((1, 1, {"a": 20, "b": 20, "c": 0})), adjustments=[Adjustment("a", None, 0, 80)])
    assert state.still_in == ("b", "c")


def test_a_penalty_puts_out_at_its_moment_after_the_hand_that_was_last_at_the_table():
    played = hands((1, 1, {"a": 60, "b": 0, "c": 5, "d": 5}), (1, 2, {"a": 70, "b": 0, "c": 5, "d": 5}))
    penalty = Adjustment("a", 1, played[0].moment, 40)
    state = race_to_100("abcd", played, adjustments=[penalty])
    assert state.lines["a"].departure == Departure(1, 1, 1)
    assert (state.lines["a"].total, state.lines["a"].place) == (100, 4)


def test_points_given_back_bring_nobody_in_again_but_count_in_the_total():
    state = race_to_100("abc", hands((1, 1, {"a": 100, "b": 0, "c": 5})), adjustments=[Adjustment("a", 1, 9999, -50)])
    assert (state.lines["a"].status, state.lines["a"].total) == ("out", 50)


def test_points_given_after_an_elimination_can_reorder_those_who_left_together():
    played = hands((1, 1, {"a": 110, "b": 120, "c": 0, "d": 10}))
    before = race_to_100("abcd", played)
    assert (before.lines["a"].place, before.lines["b"].place) == (3, 4)
    after = race_to_100("abcd", played, adjustments=[Adjustment("b", 1, 1099, -15)])
    assert (after.lines["b"].place, after.lines["a"].place) == (3, 4) and after.still_in == ("c", "d")


def test_who_drops_leaves_at_that_moment_and_keeps_that_place():
    played = hands((1, 1, {"a": 0, "b": 10, "c": 100, "d": 20}), (1, 2, {"a": 0, "b": 100, "d": 20}))
    state = race_to_100("abcd", played, changes=[Change("d", "drop", 1, played[1].moment)])
    assert state.lines["d"].status == "dropped"
    assert state.lines["d"].departure == Departure(1, 1, 2)
    assert (state.winner, places(state)) == ("a", {"a": 1, "d": 2, "b": 3, "c": 4})


def test_who_dropped_before_the_first_hand_of_a_round_left_before_those_who_played_it():
    second = hands((1, 1, {"a": 0, "b": 100, "d": 20}), round_number=2)
    state = race_to_100("abcd", second, changes=[Change("c", "drop", 2, 1)])
    assert state.lines["c"].departure == Departure(2, None, 0)
    assert [places(state)[entry] for entry in "bc"] == [3, 4]


def test_when_one_of_the_last_two_drops_the_other_has_won_and_cannot_drop():
    first = hands((1, 1, {"a": 90, "b": 0, "c": 100}))
    state = race_to_100("abc", first, changes=[Change("b", "drop", 2, 5000), Change("a", "drop", 2, 5001)])
    assert (state.winner, state.lines["a"].status, state.lines["b"].place) == ("a", "active", 2)


def test_who_returns_has_the_old_total_and_missed_what_was_played_meanwhile():
    first = hands((1, 1, {"a": 30, "b": 0, "c": 10}))
    meanwhile = hands((1, 1, {"b": 0, "c": 10}), round_number=2)
    changes = [Change("a", "drop", 2, 1), Change("a", "return", 3, 1)]
    assert race_to_100("abc", first, meanwhile, changes=changes[:1]).still_in == ("b", "c")
    state = race_to_100("abc", first, meanwhile, changes=changes)
    assert state.still_in == ("a", "b", "c")
    assert (state.lines["a"].total, state.lines["a"].departure) == (30, None)


def test_a_late_entry_is_not_there_before_and_starts_with_its_points():
    late = {"adjustments": [Adjustment("d", 2, 1, 40)], "changes": [Change("d", "late", 2, 2)]}
    first = hands((1, 1, {"a": 30, "b": 0, "c": 10}))
    assert "d" not in race_to_100("abcd", first, as_of_round=1, **late).lines
    state = race_to_100("abcd", first, **late)
    assert state.still_in == ("a", "b", "c", "d")
    assert state.lines["d"].total == 40


def test_a_reinstated_player_needs_less_than_the_target():
    first = hands((1, 1, {"a": 100, "b": 0, "c": 10, "d": 0}))
    back = [Change("a", "reinstated", 2, 2)]
    assert race_to_100("abcd", first, changes=back).still_in == ("b", "c", "d")
    state = race_to_100("abcd", first, changes=back, adjustments=[Adjustment("a", 2, 1, -30)])
    assert state.still_in == ("a", "b", "c", "d")
    assert state.lines["a"].total == 70


def test_a_correction_in_a_past_round_can_bring_somebody_back_and_reopen_the_event():
    wrong = hands((1, 1, {"a": 0, "b": 150, "c": 100}))
    assert race_to_100("abc", wrong).winner == "a"
    right = [wrong[0]._replace(points={"a": 0, "b": 15, "c": 100})]
    state = race_to_100("abc", right)
    assert (state.winner, state.still_in) == (None, ("a", "b"))


def test_a_correction_in_a_past_round_can_put_somebody_out_whose_later_points_then_count_for_nobody():
    first = hands((1, 1, {"a": 0, "b": 30, "c": 10, "d": 10}))
    second = hands((1, 1, {"a": 0, "b": 30, "c": 10, "d": 10}), round_number=2)
    corrected = [first[0]._replace(points={"a": 0, "b": 103, "c": 10, "d": 10})]
    state = race_to_100("abcd", corrected, second)
    assert (state.lines["b"].total, state.lines["b"].departure) == (103, Departure(1, 1, 1))
    assert (state.lines["c"].total, state.for_nobody) == (20, ())


def test_a_hand_typed_in_late_happened_before_the_next_one_at_its_table():
    second, first = hands((1, 2, {"a": 60, "b": 0, "c": 0}), (1, 1, {"a": 60, "b": 0, "c": 0}))
    state = race_to_100("abc", [second, first])
    assert [(step.hand, step.total) for step in state.race if step.entry == "a"] == [(1, 60), (2, 120)]


def test_somebody_unknown_is_an_error():
    with pytest.raises(ValueError, match="no entrant x"):
        race_to_100("abc", adjustments=[Adjustment("x", 1, 0, 5)])
    with pytest.raises(ValueError, match="no entrant x"):
        race_to_100("abc", hands((1, 1, {"a": 0, "x": 5})))
    with pytest.raises(ValueError, match="no change"):
        race_to_100("abc", changes=[Change("a", "vanish", 1, 0)])


# Properties


@pytest.mark.slow
@given(
    table=st.lists(st.lists(st.sampled_from([0, 5, 20, 20, 50]), min_size=4, max_size=4), max_size=25),
)
def test_at_one_table_it_is_the_game_of_the_engine(table):
    game = score_game("challenge", table, players=4, target=100)
    rows = [(1, number, dict(zip("abcd", row, strict=True))) for number, row in enumerate(table, start=1)]
    state = race_to_100("abcd", hands(*rows))
    assert tuple(state.lines[entry].total for entry in "abcd") == game.totals
    assert (state.winner is not None) == game.over
    assert (
        tuple(state.lines[entry].departure and state.lines[entry].departure.hand for entry in "abcd")
        == game.out_in_hand
    )
    if game.over:
        assert tuple(state.lines[entry].place for entry in "abcd") == game.places


@pytest.fixture(autouse=True)
def short_searches(monkeypatch):
    """What is shown here does not hang on how seldom people meet."""
    monkeypatch.setattr(golfers, "ROUND_STEPS", 500)


def random_event(seed, players, size, hands_a_round, **more):
    return RandomEvent(random.Random(seed), Settings(size, hands_a_round, 100), players, PRODUCT, **more)


EVENTS = {
    "seed": st.integers(0, 2**32),
    "players": st.integers(3, 40),
    "size": st.integers(3, 10),
    "hands_a_round": st.sampled_from([None, 1, 2, 4]),
}


def differences(event, state):
    totals, playing, left, by_hand = who_is_where(100, event.entrants, event.hands, event.adjustments, event.changes)
    assert {entry: line.total for entry, line in state.lines.items()} == totals
    assert set(state.still_in) == playing
    assert {
        entry: (line.departure.round, line.departure.hand) for entry, line in state.lines.items() if line.departure
    } == left
    assert {entry: place for entry, place in places(state).items() if place} == by_hand


@pytest.mark.slow
@settings(max_examples=60)
@given(**EVENTS)
def test_every_event_ends_with_exactly_one_winner_and_agrees_with_a_second_implementation(**drawn):
    event = random_event(**drawn)
    state = event.state()
    assert state.winner is not None
    assert [entry for entry, place in places(state).items() if place == 1] == [state.winner]
    differences(event, state)


@pytest.mark.slow
@settings(max_examples=30)
@given(**EVENTS)
def test_nobody_sits_at_two_tables_and_table_sizes_are_within_one(**drawn):
    event = random_event(**drawn)
    for seated in event.past:
        everybody = [entry for table in seated for entry in table]
        assert len(everybody) == len(set(everybody))
        sizes = {len(table) for table in seated}
        assert max(sizes) - min(sizes) <= 1
        assert max(sizes) <= 10
        assert min(sizes) >= 3 or sizes == {2}


@pytest.mark.slow
@settings(max_examples=25)
@given(**EVENTS)
def test_as_of_a_round_is_the_event_as_it_was_when_that_round_was_closed(**drawn):
    event = random_event(**drawn)
    recorded = {"hands": event.hands, "adjustments": event.adjustments, "changes": event.changes}
    numbers = range(1, len(event.snapshots) + 1)
    ranks = ranks_after(numbers, target=100, entrants=event.entrants, **recorded)
    for number, then in zip(numbers, event.snapshots, strict=True):
        assert event.state(as_of_round=number) == then
        assert ranks[number] == {entry: line.rank for entry, line in then.lines.items()}


@pytest.mark.slow
@settings(max_examples=25)
@given(**EVENTS)
def test_as_of_a_round_is_what_the_hands_up_to_it_say(**drawn):
    event = random_event(**drawn, chaos=False)
    for number in range(1, len(event.past) + 1):
        so_far = [hand for hand in event.hands if hand.round <= number]
        assert event.state(as_of_round=number) == state_of(target=100, entrants=event.entrants, hands=so_far)


@pytest.mark.slow
@settings(max_examples=60)
@given(**EVENTS)
def test_corrected_hands_agree_with_a_second_implementation_in_whatever_order_records_come(**drawn):
    event = random_event(**drawn)
    dice = random.Random(drawn["seed"] + 1)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(event.hands))
        hand = event.hands[at]
        event.hands[at] = hand._replace(points=event.scores(list(hand.points)))
    state = event.state()
    differences(event, state)
    for records in (event.hands, event.adjustments, event.changes):
        dice.shuffle(records)
    assert event.state() == state


@pytest.mark.slow
@settings(max_examples=60)
@given(**EVENTS)
def test_hands_that_are_added_to_a_state_make_that_of_all_or_are_said_to_belong_before(**drawn):
    event = random_event(**drawn)
    dice = random.Random(drawn["seed"] + 1)
    of_all, played = event.state(), event.hands
    for added in (played[-dice.randint(1, 9) :], dice.sample(played, 1)):
        event.hands = [hand for hand in played if hand not in added]
        stood = event.state()
        dice.shuffle(added)
        assert stood.after(added) in (None, of_all)
        assert stood == event.state() == stood.after([]), "what hands are added to stays as it was"


def test_the_last_hand_is_added_and_one_of_an_earlier_moment_or_number_is_not():
    people = ("Ana", "Ben", "Chidi")
    first, second = hands((1, 1, {"Ana": 0, "Ben": 20, "Chidi": 30}), (1, 2, {"Ana": 10, "Ben": 0, "Chidi": 80}))
    after_first = race_to_100(people, [first])
    assert after_first.after([second]) == race_to_100(people, [first, second])
    assert after_first.after([second._replace(moment=first.moment)]) is None
    assert after_first.after([second._replace(number=first.number)]) is None
