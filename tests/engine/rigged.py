"""A hand in the middle of play with the cards that a test wants, and still one whole deck on the table."""

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.hand import deal
from engine.shuffle import SEED_BYTES, stream
from engine.state import TURN, Hand, Rules


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
    public.turn, public.step, public.direction = turn, TURN, direction
    hand.numbers = stream(hand.seed)
    del hand.log[1:]
    return hand
