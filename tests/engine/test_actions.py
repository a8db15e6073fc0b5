"""Actions that come from outside, before they reach a hand."""

import pytest

from engine.hand import apply, check_action, deal
from engine.refused import Refused
from engine.rules import EDITIONS
from engine.state import Rules
from engine.view import view_for

HAND = {"names": ("Ana", "Benoît"), "dealer": 0, "seed": bytes(72)}


@pytest.mark.parametrize(
    "action",
    [
        ["play", 0, "R1", None, None, False],
        ("play", 1, "WH", "R", 0, True),
        ["draw", 1],
        ("catch", 0, 1),
        ["color", 1, "G"],
    ],
)
def test_an_action_of_the_right_shape_is_let_through_as_a_tuple(action):
    assert check_action(action) == tuple(action)


@pytest.mark.parametrize(
    "action",
    [
        None,
        {},
        "draw",
        (),
        [[]],
        ("draw",),
        ("fold",),
        ("draw", True),
        ("draw", 1.0),
        ("draw", "1"),
        ("draw", 1, 1),
        ("catch", "x", 0),
        ("play", 0, ["R1"], None, None, False),
        ("play", 0, "WH", "R", 1.5, False),
        ("play", 0, "R1", None, None, "yes"),
        ("play", 0, "R1", None, None),
        ("color", 0, None),
    ],
)
def test_an_action_of_another_shape_is_refused(action):
    with pytest.raises(Refused) as refused:
        check_action(action)
    assert refused.value.code == "unknown-action"


def test_an_action_that_nobody_knows_changes_nothing():
    hand = deal(Rules(EDITIONS["classic"]), **HAND)
    before = list(hand.log)
    with pytest.raises(Refused, match="can’t do that now"):
        apply(hand, ("fold", 0))
    assert hand.log == before


@pytest.mark.parametrize("seat", [-1, 2, 10])
def test_a_seat_that_is_not_at_the_table_has_no_view(seat):
    with pytest.raises(ValueError, match="no seat"):
        view_for(deal(Rules(EDITIONS["classic"]), **HAND), seat)
