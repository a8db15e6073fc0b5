"""A knockout that forgives one loss: who meets whom, who is out when; every number of players against a plain count."""

import os
import random
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.formats import FORMATS
from league.formats.double_tree import comes_in, losers_match, matches
from league.formats.progression import DROPPED, Began, Played, Result
from league.formats.protocol import Draw
from league.formats.seating.slots import level_where
from tests.second.double_by_hand import Evening

MOST_LEAVING = min(64, int(os.environ.get("WILD_PLAYERS") or 8))
KNOCKOUT = FORMATS["knockout"]
USUAL = KNOCKOUT.complete({"hands_per_round": 3, "losses": 2})


def names(count):
    return [f"p{number}" for number in range(1, count + 1)]


def play_on(start, rounds, found, beats, values):
    """The next round, drawn and played."""
    players = (*found.still_in, *found.second_ladder)
    seeds = list(start.seeds)
    drawn = KNOCKOUT.draw(Draw(players, seeds=seeds, second_ladder=found.second_ladder, pairs=found.pairs), values)
    number = len(rounds) + 1
    at = {
        n: [Result(player, int(player == beats(*pair, number))) for player in pair] for n, pair in enumerate(drawn, 1)
    }
    second = [n for n, pair in enumerate(drawn, 1) if set(pair) <= set(found.second_ladder)]
    byes = sorted(set(players).difference(*drawn))
    return Played(number, at, True, second, byes=byes, lost=found.lost)


def evening(count, seed, *, leaves=True, upsets=0.3, absent=None):
    """Plays it in memory, from one draw to the next, and by a plain count.

    leaves: whether some do, or who does after which round. absent: (round, who), who leaves during it.
    """
    dice = random.Random(seed)
    start = Began(names(count), names(count))
    values = USUAL | {"losses": dice.choice([2, 2, 3])}
    strength = {player: dice.random() for player in start.seeds}

    def beats(one, other, number):
        if absent in ((number, one), (number, other)):
            return other if absent == (number, one) else one
        chance = random.Random(f"{seed} {number} {sorted((one, other))}").random()
        better = max((one, other), key=strength.get)
        return better if chance > upsets else min((one, other), key=strength.get)

    rounds, who_leaves = [], {}
    found = KNOCKOUT.state_of(start, [], None, values)
    while found.another_round:
        played = play_on(start, rounds, found, beats, values)
        if absent and absent[0] == played.number:  # whatever they have made before
            tables = {
                number: [one._replace(points=9) if one.entry == absent[1] else one for one in results]
                for number, results in played.tables.items()
            }
            played = replace(played, tables=tables, absent=(absent[1],))
        after = KNOCKOUT.state_of(start, [*rounds, played], None, values)
        in_play = [*after.still_in, *after.second_ladder]
        left = dice.sample(in_play, dice.choice([0, 0, 0, 1, 2])) if leaves is True and after.another_round else []
        left = left if len(in_play) > len(left) else []
        if leaves and leaves is not True:
            left = leaves.get(played.number, [])
        left = [*left, *played.absent]
        who_leaves[played.number] = left
        rounds.append(replace(played, gone=left))
        found = KNOCKOUT.state_of(start, rounds, None, values)
        assert {*after.still_in, *after.second_ladder} - set(left) == {*found.still_in, *found.second_ladder}
    by_hand = Evening(list(start.seeds), beats, who_leaves, one_final=values["losses"] == 3)
    return start, rounds, found, by_hand, values


def pairs_of(rounds):
    return [{frozenset(result.entry for result in results) for results in played.tables.values()} for played in rounds]


def assert_as_counted(count, seed, **more):
    start, rounds, found, by_hand, values = evening(count, seed, **more)
    assert pairs_of(rounds) == by_hand.rounds, (count, seed)
    assert found.winner == by_hand.champion, (count, seed)
    assert {entry: line.rank for entry, line in found.lines.items()} == by_hand.places(), (count, seed)
    drawn = matches(start, rounds, one_final=values["losses"] == 3)
    at_tables = [(match.round, match.table, frozenset(match.players)) for match in drawn if match.table is not None]
    seated = [(played.number, table, {one.entry for one in results}) for played in rounds
              for table, results in played.tables.items()]  # fmt: skip
    assert sorted(at_tables, key=str) == sorted(((n, t, frozenset(two)) for n, t, two in seated), key=str), (
        count,
        seed,
    )
    last = drawn[-1].winner
    has_left = last is not None and found.lines[last].status == DROPPED  # and the other one has won it all
    assert all(match.over for match in drawn) and (has_left or last == by_hand.champion), (count, seed)
    for number in range(1, len(rounds)):  # who sits in the next round says the same as the results
        by_results = KNOCKOUT.state_of(start, rounds[:number], None, values)
        by_seats = KNOCKOUT.state_of(start, rounds[:number], rounds[number], values)
        assert by_results.lost == by_seats.lost and by_results.lines.keys() == by_seats.lines.keys()
        assert {one: line.rank for one, line in by_results.lines.items()} == {
            one: line.rank for one, line in by_seats.lines.items()
        }


@pytest.mark.parametrize("count", range(2, 65))
def test_every_number_of_players_comes_to_the_end_that_a_plain_count_has(count):
    assert_as_counted(count, count, leaves=False)


@settings(max_examples=150)
@given(count=st.integers(2, 40), seed=st.integers(0, 10**6))
def test_whoever_leaves_strands_nobody(count, seed):
    assert_as_counted(count, seed)


@pytest.mark.parametrize("count", range(3, MOST_LEAVING + 1))
def test_whoever_leaves_at_whatever_moment_strands_nobody(count):
    """Everybody who is still in, after every round, or during it at a table."""
    _start, rounds, _found, _by_hand, _values = evening(count, count, leaves=False)
    for played, following in pairwise(rounds):
        for who in sorted(following.entries):
            assert_as_counted(count, count, leaves={played.number: [who]})
    for played in rounds:
        for who in sorted(result.entry for results in played.tables.values() for result in results):
            assert_as_counted(count, count, leaves=False, absent=(played.number, who))


@pytest.mark.parametrize(("slots", "earliest"), [(8, 3), (16, 4), (32, 5), (64, 7), (128, 8)])
def test_two_who_have_met_meet_again_as_late_as_can_be(slots, earliest):
    """The loser of the winners' final excepted."""
    top = slots.bit_length() - 1
    found = []
    for one, other in combinations(range(slots), 2):
        lost = level_where(one, other)
        for loser, winner in ((one, other), (other, one)):
            for later in range(lost + 1, top):
                here = max(comes_in(lost), comes_in(later))
                while losers_match(loser, lost, here, top) != losers_match(winner, later, here, top):
                    here += 1
                found.append(here)
    assert min(found) == earliest
