"""What a seat may do now, worked out from what it may know: for pages that raise playable cards, bots and tests."""

from collections.abc import Iterator, Sequence

from engine.cards import COLORS, WILDS, holds_color
from engine.state import ANSWER, COLOR, DRAWN, FORCES, MATCHES, OVER, TURN, Action, Hand, Public


def playable(public: Public, cards: Sequence[str], drawn: str | None) -> list[str]:
    """Return the held cards that may be played now by the seat whose turn it is, each once and sorted.

    A Wild Draw Four that would be a bluff is among them, unless the table forbids bluffs (WD4-2, `no_bluff`).
    """
    rules = public.rules
    if public.step == ANSWER:
        aimed = public.aimed
        fitting = {"WI"} if rules.asks else set()
        if rules.stacking and aimed in FORCES:
            fitting |= {card for card, reason in FORCES.items() if reason == FORCES[aimed]}
    elif public.step in (TURN, DRAWN):
        fitting = set(MATCHES[public.in_play])
    else:
        return []
    if rules.no_bluff and holds_color(cards, public.color):
        fitting.discard("WD")
    choices = set(cards) if public.step != DRAWN or drawn is None else {drawn}
    return sorted(choices & fitting)


def must_play(public: Public, cards: Sequence[str], drawn: str | None) -> bool:
    """Return whether the option `must_play` leaves the seat nothing but to play a card.

    Answers are exempt, and no player has to bluff (WD4-2).
    """
    if not public.rules.must_play or public.step == ANSWER:
        return False
    return forced(playable(public, cards, drawn), cards, public.color)


def forced(fitting: Sequence[str], cards: Sequence[str], color: str) -> bool:
    """Return whether `must_play` forces one of the fitting cards: any but a Wild Draw Four that would be a bluff."""
    return bool(fitting) and (fitting != ["WD"] or not holds_color(cards, color))


def legal(hand: Hand, seat: int) -> list[Action]:
    """Every action that `apply` would accept from the seat now, as `legal_actions` lists them."""
    drawn = hand.drawn if seat == hand.public.turn else None
    return legal_actions(hand.public, seat, hand.cards[seat], drawn)


def legal_actions(public: Public, seat: int, cards: Sequence[str], drawn: str | None) -> list[Action]:
    """Every action that `apply` would accept from the seat, calls and catches too.

    Left out are a wrong card (PEN-1), a director's penalty, and the target of HAT-2, which `apply` fills in.
    """
    if public.step == OVER:
        return []
    actions: list[Action] = [("uno", seat)] if seat in public.uno else []
    actions += [("catch", seat, other) for other in public.uno if other != seat]
    if seat != public.turn:
        return actions
    if public.step == COLOR:
        return [*actions, *(("color", seat, color) for color in COLORS)]
    for card in playable(public, cards, drawn):
        actions += _plays(public, seat, card, len(cards) - 1)
    if public.step == ANSWER:
        actions.append(("accept", seat))
        if public.aimed == "WD":
            actions.append(("challenge", seat))
    elif not must_play(public, cards, drawn):
        drawing = public.step == TURN and public.can_draw
        actions.append(("draw", seat) if drawing else ("pass", seat))
    return actions


def _plays(public: Public, seat: int, card: str, remaining: int) -> Iterator[Action]:
    targets: list[int | None] = [None]
    if card in ("WH", "WL") and not (card == "WH" and public.rules.edition.hat_target == "next"):
        other_seats: list[int | None] = [other for other in range(public.players) if other != seat]
        targets = other_seats if remaining else [None, *other_seats]
    for color in COLORS if card in WILDS else (None,):
        for target in targets:
            yield ("play", seat, card, color, target, False)
            if remaining == 1:
                yield ("play", seat, card, color, target, True)
