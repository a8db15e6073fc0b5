"""How well and how honestly bots play, over hands from one seed."""

from collections import Counter

import pytest

from engine.result import result_of
from engine.rules import EDITIONS
from engine.simulation.simulate import NAMES, Setting, hands
from engine.state import Rules


def _wins(bots: tuple[str, str], count: int) -> Counter[str]:
    """Return the hands won by each bot at a table of two; both deal first equally often."""
    won: Counter[str] = Counter()
    for seats in (bots, bots[::-1]):
        for hand in hands(Setting(Rules(EDITIONS["classic"]), 2, seats, "bots"), count // 2):
            winner = result_of(hand).winner_name
            if winner is not None:
                won[seats[NAMES.index(winner)]] += 1
    return won


@pytest.mark.parametrize(("better", "worse"), [("sharp", "careful"), ("careful", "easy"), ("easy", "random")])
def test_a_better_bot_wins_more_hands_of_two(better, worse):
    won = _wins((better, worse), 2000)
    assert won[better] - won[worse] > 116  # 2.6 standard deviations of 2 000 tosses of a coin


def test_an_easy_bot_forgets_uno_and_bluffs_where_a_careful_one_does_neither():
    forgot: Counter[str] = Counter()
    bluffed: Counter[str] = Counter()
    bots = ("easy", "careful", "random")
    for hand in hands(Setting(Rules(EDITIONS["classic"]), 3, bots, "manners"), 500):
        forgot.update(bots[event[1]] for event in hand.log if event[0] == "catch")
        bluffed.update(bots[event[1]] for event in hand.log if event[0] == "draw" and event[3] == "bluff")
    assert forgot["easy"] and bluffed["easy"]
    assert not forgot["careful"] and not bluffed["careful"]
