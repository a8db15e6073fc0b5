"""A hand in the middle of play with the cards that a test wants, and still one whole deck on the table."""

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.effects import turn_to
from engine.hand import deal
from engine.log import as_object
from engine.shuffle import SEED_BYTES, Shuffler
from engine.state import Hand, Rules
from tests.second.referee import Hand as RefereedHand
from tests.second.referee_cards import Stream


def rigged(
    rules: Rules,
    held: Mapping[str, Sequence[str]],
    *,
    top: str = "R7",
    color: str | None = None,
    pile: Sequence[str] = (),
    discard: Sequence[str] = (),
    rest: str = "pile",
    turn: int = 0,
    direction: int = 1,
) -> Hand:
    """A hand with these cards, in which it is a seat's turn.

    `held` is name to cards, in seat order; `color` goes with a wild on `top`; `pile` is the next card first, `discard`
    the cards under the top, oldest first. The rest of the deck lies under the `pile` or under the `discard`, or is held
    by the player that `rest` names. The log has the `start` line alone, so no replay leads here, and the stream is at
    its beginning.
    """
    names = tuple(held)
    hand = deal(rules, names, dealer=len(names) - 1, seed=bytes(SEED_BYTES))
    left = Counter(rules.edition.deck)
    left.subtract([*pile, *discard, top, *(card for cards in held.values() for card in cards)])
    if missing := sorted(card for card, copies in left.items() if copies < 0):
        raise ValueError(f"The deck has not so many of {' '.join(missing)}.")
    others = list(left.elements())
    if rest not in ("pile", "discard", *names):
        raise ValueError(f"The rest cannot be with “{rest}”.")

    public = hand.public
    hand.cards = [[*cards, *(others if rest == name else ())] for name, cards in held.items()]
    hand.pile = [*pile, *(others if rest == "pile" else ())][::-1]
    public.discard = [*(others if rest == "discard" else ()), *discard, top]
    public.counts = [len(cards) for cards in hand.cards]
    public.pile = len(hand.pile)
    public.in_play = color or top
    public.direction = direction
    public.turns = public.scarce = 0
    turn_to(hand, turn)
    hand.shuffler = Shuffler(hand.seed)
    del hand.log[1:]
    return hand


class SecondReferee(RefereedHand):
    """The independent referee from the middle of a hand on: it knows how the hand stood, and reads what happened."""

    def __init__(self, hand: Hand, stood: Hand | None) -> None:
        standing: list[dict] = []
        for n, event in enumerate(hand.log):
            if event[0] == "undo":
                standing = [line for line in standing if line["n"] <= event[1]]
            else:
                standing.append({"hand": 1, "n": n} | as_object(event))
        super().__init__(standing, {"seed": hand.seed.hex()})
        self.stood = stood

    def deal(self) -> None:
        if self.stood is None:
            super().deal()
            return
        public = self.stood.public
        self.stream = Stream(self.stood.seed)
        self.held = [list(cards) for cards in self.stood.cards]
        self.pile, self.discard = self.stood.pile[::-1], list(public.discard)
        self.color, self.direction = public.color, public.direction
        self.go(public.turn, "PLAY-1")

    def open(self) -> None:
        if self.stood is None:
            super().open()


def assert_second_referee_agrees(hand: Hand, stood: Hand | None) -> None:
    """`stood`: the hand before anybody did anything, where it was rigged."""
    second = SecondReferee(hand, stood)
    second.run()
    assert second.at == len(second.lines)
