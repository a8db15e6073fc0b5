"""A copy of a hand goes on by itself, and as the first one would have."""

import random

import pytest

from engine.hand import apply, deal
from engine.rules import EDITIONS
from engine.shuffle import CopyableStream, promise, stream
from engine.simulation.bots import BOTS
from engine.state import DRAWN, Hand, Rules

NAMES = ("Ana", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë", "Ines", "João")


def dealt(seed: int, edition: str = "classic", *, copyable: bool = True) -> Hand:
    dice = random.Random(seed)
    entropy = [dice.randbytes(16), None, dice.randbytes(3), *[b""] * 7]
    rules, names = Rules(EDITIONS[edition]), NAMES
    promised = [None if extra is None else promise(extra) for extra in entropy]
    key = {"seed": dice.randbytes(72), "entropy": entropy, "promised": promised}
    return deal(rules, names, dealer=seed % 10, copyable=copyable, **key)


def play_on(hand: Hand, dice: random.Random, most: int = 5000) -> None:
    bot = BOTS["random"](dice)
    for _ in range(most):
        if hand.over:
            return
        seat = hand.public.turn
        drawn = hand.drawn if hand.public.step == DRAWN else None
        apply(hand, bot.choose(hand.public, seat, hand.cards[seat], drawn))


def all_of(hand: Hand) -> object:
    public = [getattr(hand.public, name) for name in hand.public.__slots__ if name != "rules"]
    return hand.log, hand.cards, hand.pile, hand.drawn, hand.guilty, public


def test_the_numbers_that_can_be_copied_are_those_of_the_stream():
    seed, entropy = bytes(range(72)), (b"a", None)
    numbers, plain = CopyableStream(seed, entropy), stream(seed, entropy)
    assert [next(numbers) for _ in range(50)] == [next(plain) for _ in range(50)]
    copy = numbers.copy()
    following = [next(plain) for _ in range(50)]
    assert [next(numbers) for _ in range(50)] == following
    assert [next(copy) for _ in range(50)] == following


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_a_copy_made_anywhere_in_a_hand_ends_as_the_hand_itself_through_every_reshuffle(edition):
    reshuffled = 0
    for seed in range(12):
        plain, hand = dealt(seed, edition, copyable=False), dealt(seed, edition)
        play_on(plain, random.Random(seed))
        dice = random.Random(seed)
        while not hand.over:
            before = hand
            hand = before.copy()
            stood = repr(all_of(before))
            play_on(hand, dice, most=7)
            assert repr(all_of(before)) == stood, "what is copied stays as it was"
        assert all_of(hand) == all_of(plain)
        reshuffled += sum(event[0] == "reshuffle" for event in hand.log)
    assert reshuffled > 5


def test_a_hand_from_a_stream_that_cannot_be_copied_says_so():
    with pytest.raises(ValueError, match="cannot be copied"):
        dealt(1, copyable=False).copy()
