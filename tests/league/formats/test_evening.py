"""How long an evening takes: known for pairs, estimated for a challenge."""

import pytest

from league.formats import FORMATS
from league.formats.estimate import Evening, estimate, minutes_a_hand


def evening_of(key, players, **settings):
    plays = FORMATS[key]
    assert not plays.problems(settings, players)
    return plays.evening(players, plays.complete(settings), "classic", plays.scorings[0])


def test_of_pairs_everything_is_counted():
    assert evening_of("pairs", 9) == Evening(players=9, tables=((2, 4),), rounds=9, hands=32, minutes=216, byes=1)
    assert evening_of("pairs", 4, cycles=3).hands == 36


def test_the_tables_of_a_challenge_are_as_even_as_can_be():
    def tables(players, size):
        return evening_of("challenge", players, table_size=size).tables

    assert tables(8, 4) == ((2, 4),)
    assert tables(7, 3) == ((1, 4), (1, 3))
    assert tables(7, 10) == ((1, 7),)


# What careful bots took, in whole events: python3 -m engine's bots, classic deck, tables of four, four hands a round.
@pytest.mark.parametrize(
    ("players", "rounds", "hands", "minutes"), [(8, 7.4, 27.4, 155), (24, 8.6, 32.5, 183), (60, 9.7, 35, 201)]
)
def test_a_challenge_lasts_about_as_long_as_one_of_bots(players, rounds, hands, minutes):
    assert estimate(players, 4, 4, 500, 35) == pytest.approx((rounds, hands, minutes), rel=0.1)


def test_the_same_challenge_has_the_same_estimate_and_a_lower_target_a_shorter_one():
    estimate.cache_clear()
    first = estimate(24, 4, 4, 500, 35)
    estimate.cache_clear()
    assert estimate(24, 4, 4, 500, 35) == first
    assert estimate(24, 4, 4, 250, 35).minutes < first.minutes
    assert estimate(24, 4, 4, 500, 46).minutes < first.minutes


@pytest.mark.parametrize("players", [3, 4, 11, 1000])
@pytest.mark.parametrize("target", [1, 10_000])
def test_every_challenge_comes_to_an_end(players, target):
    length = estimate(players, 10, 20, target, 35)
    assert length.rounds >= 1 and length.hands >= length.rounds and length.minutes >= minutes_a_hand(2)


def test_rounds_that_last_until_they_are_closed_are_not_counted():
    evening = evening_of("challenge", 8, hands_per_round=None)
    assert evening.open_rounds and evening.about and evening.minutes > 60
