"""A copy of a hand goes on by itself, and as the first one would have."""

import random

import pytest

from engine.hand import apply, deal
from engine.rules import EDITIONS
from engine.shuffle import Shuffler, promise, shuffle, stream
from engine.simulation.bots import BOTS
from engine.state import DRAWN, Hand, Public, Rules
from tests.engine.played import fields_of

NAMES = ("Ana", "Benoît", "Chidi", "Đorđe", "Émilie", "Farah", "Xiaoming", "Zoë", "Ines", "João")


def dealt(seed: int, edition: str = "classic") -> Hand:
    dice = random.Random(seed)
    entropy = [dice.randbytes(16), None, dice.randbytes(3), *[b""] * 7]
    rules, names = Rules(EDITIONS[edition]), NAMES
    promised = [None if extra is None else promise(extra) for extra in entropy]
    key = {"seed": dice.randbytes(72), "entropy": entropy, "promised": promised}
    return deal(rules, names, dealer=seed % 10, **key)


def play_on(hand: Hand, dice: random.Random, most: int = 5000) -> None:
    bot = BOTS["random"](dice)
    for _ in range(most):
        if hand.over:
            return
        seat = hand.public.turn
        drawn = hand.drawn if hand.public.step == DRAWN else None
        apply(hand, bot.choose(hand.public, seat, hand.cards[seat], drawn))


def all_of(hand: Hand) -> object:
    public = [getattr(hand.public, name) for name in fields_of(Public) if name != "rules"]
    return hand.log, hand.cards, hand.pile, hand.drawn, hand.guilty, public


def test_shuffles_go_on_in_one_stream_and_a_copy_goes_on_by_itself():
    seed, entropy = bytes(range(72)), (b"a", None)
    shuffler, plain = Shuffler(seed, entropy), stream(seed, entropy)

    def by(shuffler: Shuffler) -> list[str]:
        cards = [*EDITIONS["classic"].deck]
        shuffler.shuffle(cards)
        return cards

    def of_stream() -> list[str]:
        cards = [*EDITIONS["classic"].deck]
        shuffle(cards, plain)
        return cards

    for _ in range(600):  # so many numbers that some are passed over: those that would favour an index
        assert by(shuffler) == of_stream()
    copy = shuffler.copy()
    following = [of_stream(), of_stream()]
    assert [by(shuffler), by(shuffler)] == following
    assert [by(copy), by(copy)] == following


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_a_copy_made_anywhere_in_a_hand_ends_as_the_hand_itself_through_every_reshuffle(edition):
    reshuffled = 0
    for seed in range(12):
        plain, hand = dealt(seed, edition), dealt(seed, edition)
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
