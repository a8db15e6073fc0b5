"""Moves cards from the draw pile to a player: reshuffles, Creepers, and draws that these cut in parts."""

from collections.abc import Callable
from typing import Final

from engine.state import Hand

CREEPER_EXTRA: Final = 3  # CRP-1
UNO_PENALTY: Final = 2  # UNO-2
CARD_PENALTY: Final = 2  # PEN-1, PEN-2


def draw(hand: Hand, seat: int, count: int, reason: str) -> None:
    """Draw `count` cards, or what there is (PLAY-7), and log them."""
    pile = hand.pile
    got = pile[: -count - 1 : -1]
    if len(got) < count or "WC" in got:
        draw_until(hand, seat, reason, None, count)
        return
    del pile[-count:]
    _receive(hand, seat, got, reason)


def draw_one(hand: Hand, seat: int, reason: str) -> str:
    """Draw one card, of which there must be one, and log it. Returns it, without a Creeper's extra cards."""
    pile = hand.pile
    if not pile or pile[-1] == "WC":
        return draw_until(hand, seat, reason, None, 1)[0]
    card = pile.pop()
    hand.cards[seat].append(card)
    public = hand.public
    public.counts[seat] += 1
    public.pile -= 1
    hand.log.append(("draw", seat, (card,), reason))
    return card


def draw_until(
    hand: Hand, seat: int, reason: str, enough: Callable[[str], bool] | None, most: int | None = None
) -> list[str]:
    """Draw until a card is `enough`, `most` are drawn or nothing is left; a Creeper interrupts (CRP-1, PLAY-6, PLAY-7).

    Returns the cards without a Creeper's extra cards.
    """
    drawn: list[str] = []
    part: list[str] = []  # drawn and not yet logged
    while most is None or len(drawn) < most:
        if not hand.pile:
            _receive(hand, seat, part, reason)
            part = []
            if not _reshuffle(hand):
                break
        card = hand.pile.pop()
        drawn.append(card)
        part.append(card)
        if card == "WC" and reason != "creeper":  # CRP-2: among the extra cards it is not shown
            _receive(hand, seat, part, reason)
            part = []
            hand.log.append(("show", seat, "all", ("WC",), "creeper"))
            draw_until(hand, seat, "creeper", None, CREEPER_EXTRA)
        if enough is not None and enough(card):
            break
    _receive(hand, seat, part, reason)
    return drawn


def _receive(hand: Hand, seat: int, cards: list[str], reason: str) -> None:
    if cards:
        hand.cards[seat] += cards
        hand.public.counts[seat] += len(cards)
        hand.public.pile = len(hand.pile)
        hand.log.append(("draw", seat, tuple(cards), reason))


def _reshuffle(hand: Hand) -> bool:
    """PLAY-6: the discard pile but its top becomes the draw pile. False when there is nothing to shuffle (PLAY-7)."""
    discard = hand.public.discard
    if len(discard) < 2:
        return False
    cards = discard[:-1]
    del discard[:-1]
    new_pile(hand, cards)
    return True


def new_pile(hand: Hand, cards: list[str]) -> None:
    """Shuffle these cards into the draw pile and log it, the next card first."""
    hand.shuffler.shuffle(cards)
    hand.log.append(("reshuffle", tuple(cards)))
    cards.reverse()
    hand.pile = cards
    hand.public.pile = len(cards)
