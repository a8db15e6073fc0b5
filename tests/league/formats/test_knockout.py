"""Knockout: the tree, who goes on, places; by hand, then every number of players against a plain count."""

import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules import LOWEST_TOTAL, WINNER_TAKES
from league.formats.knockout import Knockout
from league.formats.progression import ACTIVE, DROPPED, OUT, Began, Played, Result
from league.formats.protocol import Draw
from league.formats.seating.seeds import part
from league.formats.seating.slots import level_where, levels, slot_of, slots
from league.formats.tree import matches
from tests.second.knockout_by_hand import play

KNOCKOUT = Knockout()
USUAL = KNOCKOUT.complete({"hands_per_round": 3})


def names(count):
    return [f"p{number}" for number in range(1, count + 1)]


def began(count, **more):
    return Began(names(count), names(count), **more)


def seated(number, *tables, byes=(), third=(), over=True, gone=(), absent=()):
    """A round. tables: {entry: points}; third: that of the match for third place."""
    at = {table: [Result(*pair) for pair in points.items()] for table, points in enumerate(tables, 1)}
    second = ()
    if third:
        second = (len(at) + 1,)
        at[len(at) + 1] = [Result(*pair) for pair in third.items()]
    return Played(number, at, over, second, absent, {*gone, *absent}, byes=byes)


def state(count, *rounds, following=None, values=USUAL):
    return KNOCKOUT.state_of(began(count), rounds, following, values)


def ranks(found):
    return {entry: line.rank for entry, line in found.lines.items()}


# The tree


def test_slots_are_those_of_every_printed_bracket():
    assert slots(2) == (1, 2)
    assert slots(4) == (1, 4, 2, 3)
    assert slots(6) == slots(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("players", [*range(2, 18), 31, 32, 33, 64, 100, 128])
def test_the_best_have_the_free_rounds_and_never_against_each_other(players):
    size = 2 ** levels(players)
    tree = slots(players)
    for one, other in zip(tree[::2], tree[1::2], strict=True):
        assert min(one, other) <= players
        assert (max(one, other) > players) == (min(one, other) <= size - players)


def test_the_first_round_of_six():
    drawn = KNOCKOUT.draw(Draw(names(6)), USUAL)
    assert drawn == [["p4", "p5"], ["p3", "p6"]]  # p1 and p2 sit out


def test_a_fixed_table_moves_the_match_there():
    drawn = KNOCKOUT.draw(Draw(names(6), fixed={"p6": 1}), USUAL)
    assert drawn == [["p3", "p6"], ["p4", "p5"]]


# Who goes on

SEMIS = seated(1, {"p1": 30, "p4": 10}, {"p2": 5, "p3": 20})


def test_the_winners_go_on_and_the_losers_play_for_third_place():
    found = state(4, SEMIS)
    assert found.still_in == ("p1", "p3") and found.second_ladder == ("p2", "p4") and found.another_round
    assert ranks(found) == {"p1": 1, "p3": 1, "p2": 3, "p4": 3}
    assert found.lines["p4"].by == "p1" and found.lines["p4"].for_third
    final = seated(2, {"p1": 0, "p3": 40}, third={"p4": 9, "p2": 3})
    found = state(4, SEMIS, final)
    assert found.winner == "p3" and not found.another_round
    assert ranks(found) == {"p3": 1, "p1": 2, "p4": 3, "p2": 4}
    assert found.lines["p2"].by == "p4"


def test_without_a_match_for_it_third_place_is_shared():
    values = USUAL | {"third_place": 0}
    found = state(4, SEMIS, values=values)
    assert found.second_ladder == () and found.lines["p4"].status == OUT
    assert ranks(state(4, SEMIS, seated(2, {"p1": 0, "p3": 40}), values=values)) == {"p3": 1, "p1": 2, "p2": 3, "p4": 3}


def test_players_who_share_a_place_stand_in_the_order_of_the_seeds():
    pairs = [(f"p{number}", f"p{33 - number}") for number in range(1, 17)]
    found = state(32, seated(1, *({winner: 9, loser: 1} for winner, loser in pairs)))
    assert list(found.lines) == names(32) and {found.lines[name].rank for name in names(32)[16:]} == {17}


def test_who_sits_in_the_next_round_went_on_whatever_the_hands_say_by_now():
    later = seated(2, {"p1": 0, "p2": 0}, third={"p3": 0, "p4": 0}, over=False)
    found = state(4, SEMIS, following=later)
    assert found.still_in == ("p1", "p2")
    assert found.lines["p3"].by == "p2"
    assert state(4, SEMIS, later).lines["p2"].status == ACTIVE


def test_for_who_leaves_before_the_next_round_nobody_moves_up():
    gone = seated(1, {"p1": 30, "p4": 10}, {"p2": 5, "p3": 20}, gone={"p3"})
    found = state(4, gone)
    assert found.still_in == ("p1",) and found.another_round  # for third place
    assert ranks(found) == {"p1": 1, "p3": 2, "p2": 3, "p4": 3}  # p3 has reached the final
    assert found.lines["p3"].status == DROPPED
    final = seated(2, byes=("p1",), third={"p4": 9, "p2": 3})
    assert ranks(state(4, gone, final)) == {"p1": 1, "p3": 2, "p4": 3, "p2": 4}


@pytest.mark.parametrize("over", [False, True])
def test_who_has_nobody_to_meet_in_the_final_has_won_and_keeps_that_when_they_leave(over):
    gone = seated(1, {"p1": 30, "p4": 10}, {"p2": 5, "p3": 20}, gone={"p3"})
    final = seated(2, byes=("p1",), third={"p4": 9, "p2": 3}, absent={"p1"}, over=over)
    found = state(4, gone, final)
    assert {entry: ranks(found)[entry] for entry in ("p1", "p3")} == {"p1": 1, "p3": 2}
    assert found.lines["p1"].status == DROPPED and (found.winner == "p1") is over


def test_who_left_during_a_duel_has_lost_it_and_where_both_did_nobody_comes():
    left = seated(1, {"p1": 30, "p4": 10}, {"p2": 5, "p3": 20}, absent={"p1"})
    assert state(4, left).still_in == ("p3", "p4")
    both = seated(1, {"p1": 30, "p4": 10}, {"p2": 5, "p3": 20}, absent={"p1", "p4"})
    found = state(4, both)
    assert found.winner == "p3" and not found.another_round
    assert ranks(found) == {"p3": 1, "p1": 2, "p4": 2, "p2": 2}


def test_who_left_during_the_match_for_third_place_is_fourth():
    final = seated(2, {"p1": 0, "p3": 40}, third={"p4": 9, "p2": 3}, over=False, absent={"p4"})
    found = state(4, SEMIS, final)
    assert (found.lines["p4"].status, found.lines["p2"].status) == (DROPPED, ACTIVE)
    found = state(4, SEMIS, seated(2, {"p1": 0, "p3": 40}, third={"p4": 9, "p2": 3}, absent={"p4"}))
    assert ranks(found) == {"p3": 1, "p1": 2, "p2": 3, "p4": 4}


def test_a_round_in_which_nobody_would_have_an_opponent_is_passed_over():
    first = seated(1, *({f"p{n}": 9, f"p{9 - n}": 0} for n in range(1, 5)), gone={"p4", "p3"})
    found = state(8, first)
    assert found.still_in == ("p1", "p2")
    draw = Draw(found.still_in, seeds=names(8))
    assert KNOCKOUT.draw(draw, USUAL) == [["p1", "p2"]]
    final = seated(2, {"p1": 1, "p2": 0})
    assert ranks(state(8, first, final)) == {"p1": 1, "p2": 2, "p3": 3, "p4": 3} | dict.fromkeys(names(8)[4:], 5)


def test_a_level_duel_that_was_closed_is_told_apart_by_hands_won_then_lot():
    level = Played(1, {1: [Result("p1", 20, 1), Result("p2", 20, 2)]}, True)
    assert state(2, level).winner == "p2"
    lot = Played(1, {1: [Result("p1", 20, 1), Result("p2", 20, 1)]}, True)
    assert state(2, lot).lines["p1"].by_lot


# A duel


def test_a_level_duel_goes_on_one_hand_at_a_time():
    assert KNOCKOUT.over_in({1: {"a": 5, "b": 0}, 2: {"a": 0, "b": 9}}, USUAL) is None
    level = {1: {"a": 5, "b": 0}, 2: {"a": 0, "b": 5}, 3: {"a": 0, "b": 0}}
    assert KNOCKOUT.over_in(level, USUAL) is None
    assert KNOCKOUT.over_in(level | {4: {"a": 0, "b": 0}}, USUAL) is None
    assert KNOCKOUT.over_in(level | {4: {"a": 0, "b": 2}, 5: {"a": 90, "b": 0}}, USUAL) == 4


def test_a_game_ends_at_its_target_but_not_level():
    values = KNOCKOUT.complete({"target": 50})
    assert values["hands_per_round"] is None
    assert KNOCKOUT.over_in({1: {"a": 50, "b": 50}}, values) is None
    assert KNOCKOUT.over_in({1: {"a": 50, "b": 50}, 2: {"a": 0, "b": 1}}, values) == 2


# Every number of players


def evening(count, seed):
    """Plays it in memory, from one draw to the next."""
    dice = random.Random(seed)
    seeds = names(count)
    strength = {player: dice.random() for player in seeds}
    third_place = dice.random() < 0.6
    values = USUAL | {"third_place": int(third_place)}
    who_leaves = {}
    start = Began(seeds, seeds)
    rounds, found = [], KNOCKOUT.state_of(start, [], None, values)
    while found.another_round:
        players = (*found.still_in, *found.second_ladder)
        drawn = KNOCKOUT.draw(Draw(players, seeds=seeds, second_ladder=found.second_ladder), values)
        number, third = len(rounds) + 1, set(found.second_ladder)
        at = {n: [Result(player, int(strength[player] * 10**9)) for player in pair] for n, pair in enumerate(drawn, 1)}
        second = [n for n, pair in enumerate(drawn, 1) if third and third == set(pair)]
        byes = sorted(set(players).difference(*drawn))
        played = Played(number, at, True, second, byes=byes)
        found = KNOCKOUT.state_of(start, [*rounds, played], None, values)
        in_play = [*found.still_in, *found.second_ladder]
        left = dice.sample(in_play, dice.choice([0, 0, 0, 1, 2])) if found.another_round and len(in_play) > 3 else []
        who_leaves[number] = left
        rounds.append(Played(number, at, True, second, gone=left, byes=byes))
        before = found
        found = KNOCKOUT.state_of(start, rounds, None, values)
        assert set(before.still_in) - set(left) == set(found.still_in)
    pairs = [{frozenset(result.entry for result in results) for results in played.tables.values()} for played in rounds]
    return pairs, found, play(seeds, lambda *two: max(two, key=strength.get), who_leaves, third_place)


@pytest.mark.parametrize("count", range(2, 129))
def test_every_number_of_players_comes_to_the_end_that_a_plain_count_has(count):
    pairs, found, (rounds, champion, places) = evening(count, count)
    assert pairs == rounds
    assert found.winner == champion
    assert ranks(found) == places


@settings(max_examples=60)
@given(count=st.integers(2, 40), seed=st.integers(0, 10**6))
def test_whoever_leaves_strands_nobody(count, seed):
    pairs, found, (rounds, champion, places) = evening(count, seed)
    assert (pairs, found.winner, ranks(found)) == (rounds, champion, places)


# A round that is still played: a duel that is over counts at once


def decided(played, *tables):
    """The round while it is open, with the duels at these tables over."""
    return replace(played, is_over=False, decided=tables)


def test_a_decided_final_has_a_first_and_a_second_before_the_round_is_closed():
    semis = seated(1, {"p1": 9, "p4": 1}, {"p2": 9, "p3": 1})
    last = seated(2, {"p1": 3, "p2": 7}, third={"p3": 8, "p4": 2})
    both, final, third = (decided(last, *tables) for tables in ((1, 2), (1,), (2,)))
    now = state(4, semis, both)
    assert ranks(now) == {"p2": 1, "p1": 2, "p3": 3, "p4": 4} and not any(line.tied for line in now.lines.values())
    assert now.lines["p1"].by == "p2" and now.winner is None, "the round is not closed yet"
    assert ranks(state(4, semis, final)) == {"p2": 1, "p1": 2, "p3": 3, "p4": 3}
    assert ranks(state(4, semis, third)) == {"p1": 1, "p2": 1, "p3": 3, "p4": 4}


def test_who_is_beaten_while_others_play_has_the_place_that_stays():
    quarters = seated(1, *({f"p{seed}": 5, f"p{9 - seed}": 0} for seed in (1, 2, 3, 4)))
    now = state(8, decided(quarters, 2))
    assert (now.lines["p7"].rank, now.lines["p7"].tied, now.lines["p7"].status) == (5, True, "out")
    assert now.lines["p2"].through and not now.lines["p1"].through and now.lines["p8"].rank == 1


def test_who_loses_a_semi_final_may_still_play_for_third_place():
    semis = seated(1, {"p1": 9, "p4": 1}, {"p2": 9, "p3": 1})
    line = state(4, decided(semis, 1)).lines["p4"]
    assert (line.rank, line.tied, line.status, line.for_third) == (3, True, "active", True)
    line = state(4, decided(semis, 1), values=USUAL | {"third_place": 0}).lines["p4"]
    assert (line.rank, line.tied, line.status, line.for_third) == (3, True, "out", False)


@pytest.mark.parametrize("losses", (1, 2, 3))
@settings(max_examples=40, deadline=None)
@given(count=st.integers(2, 20), seed=st.integers(0, 10**6))
def test_when_all_duels_are_over_the_places_are_those_after_the_round(losses, count, seed):
    dice, seeds = random.Random(seed), names(count)
    values, start, rounds = USUAL | {"losses": losses, "third_place": seed % 2}, Began(seeds, seeds), []
    found = KNOCKOUT.state_of(start, [], None, values)
    while found.another_round:
        players = (*found.still_in, *found.second_ladder)
        wanted = Draw(players, seeds=seeds, second_ladder=found.second_ladder, pairs=found.pairs)
        drawn = KNOCKOUT.draw(wanted, values)
        third = set(found.second_ladder) if losses == 1 else set()
        at = {n: [Result(player, dice.randrange(10**9)) for player in pair] for n, pair in enumerate(drawn, 1)}
        second = [n for n, pair in enumerate(drawn, 1) if third and third == set(pair)]
        byes = sorted(set(players).difference(*drawn))
        played = Played(len(rounds) + 1, at, True, second, byes=byes, lost=found.lost)
        some = sorted(dice.sample(sorted(at), dice.randint(0, len(at))))
        partly = KNOCKOUT.state_of(start, [*rounds, decided(played, *some)], None, values)
        wholly = KNOCKOUT.state_of(start, [*rounds, decided(played, *at)], None, values)
        rounds.append(played)
        found = KNOCKOUT.state_of(start, rounds, None, values)
        assert ranks(wholly) == ranks(found)
        for entry, line in partly.lines.items():
            if line.status == "out":
                after = found.lines[entry]
                assert (line.rank, line.tied, line.by) == (after.rank, after.tied, after.by)


# All of the tree, before and after the draw


def test_the_tree_before_the_first_round_knows_who_waits():
    tree = matches(began(6), [])
    assert [match.players for match in tree[:4]] == [("p1", None), ("p4", "p5"), ("p2", None), ("p3", "p6")]
    assert tree[0].winner == "p1" and tree[4].players == ("p1", None) and tree[4].is_known == (True, False)
    assert tree[6].is_known == (False, False)


def test_the_tree_follows_the_rounds():
    first = seated(1, {"p4": 3, "p5": 1}, {"p3": 1, "p6": 8}, byes=("p1", "p2"))
    tree = matches(began(6), [first])
    assert [match.winner for match in tree[:4]] == ["p1", "p4", "p2", "p6"]
    assert [match.players for match in tree[4:6]] == [("p1", "p4"), ("p2", "p6")]
    second = seated(2, {"p1": 0, "p4": 0}, {"p2": 0, "p6": 0}, over=False)
    tree = matches(began(6), [first, second])
    assert [(match.round, match.table, match.winner) for match in tree[4:6]] == [(2, 1, None), (2, 2, None)]


# Seeds


@pytest.mark.parametrize(
    ("groups", "of_each"), [(2, 2), (2, 4), (4, 2), (4, 4), (8, 2), (8, 4), (3, 2), (5, 3), (6, 2)]
)
def test_who_comes_from_one_group_meets_as_late_as_can_be(groups, of_each):
    count = groups * of_each
    order = names(count)  # the best of all groups, then the second of all, ...
    of_group = [set(order[group::groups]) for group in range(groups)]
    seeds = part(order, of_group, groups)
    tiers = [set(order[at : at + groups]) for at in range(0, count, groups)]
    assert [set(seeds[at : at + groups]) for at in range(0, count, groups)] == tiers
    slot = slot_of(seeds)
    block = 2 ** levels(count) // of_each  # slots for each who comes from a group
    for group in of_group:
        for one, other in combinations(sorted(group), 2):
            assert level_where(slot[one], slot[other]) >= block.bit_length()


def test_where_all_come_from_one_field_the_upper_half_stays():
    order = names(8)
    met = [{"p1", "p8"}, {"p2", "p7"}]
    seeds = part(order, met)
    assert seeds[:4] == order[:4] and seeds != order
    slot = slot_of(seeds)
    assert all(level_where(slot[one], slot[other]) == 3 for one, other in map(sorted, met))
    assert part(order, []) == order == part(order, [{"p1", "p2"}])


# What is chosen


def test_what_cannot_be_played_is_said_with_what_can():
    assert str(KNOCKOUT.wrong_number(1)) == "Knockout needs 2 to 256 players, not 1."
    refused = KNOCKOUT.problems({"hands_per_round": 3, "target": 500}, 8)
    assert "Choose exactly one" in str(refused["hands_per_round"])
    assert "choose 0 to 1" in str(KNOCKOUT.problems({"third_place": 2}, 8)["third_place"])


def test_an_evening_of_fourteen():
    found = KNOCKOUT.evening(14, USUAL, "classic", WINNER_TAKES)
    assert [(len(sizes), str(after)) for sizes, after in found.plan] == [
        (6, "Winners advance, with 2 byes"),
        (4, "Winners advance"),
        (2, "Winners advance"),
        (2, "Final and third place"),
    ]
    assert found.rounds == 4 and found.byes == 2 and found.hands == 12
    assert KNOCKOUT.evening(3, USUAL, "classic", LOWEST_TOTAL).plan[-1][0] == (2,)
