"""One hand from the shuffle to the last card: `deal` makes it, `apply` moves it on.

`apply` takes an action and changes the hand in place, or raises `Refused` and changes nothing. What happened stands at
the end of `hand.log`, as tuples that engine/log.py writes as JSON lines. Equal seed, entropy and actions give an equal
log.
"""

from collections.abc import Callable, Sequence
from typing import Final

from engine.cards import COLORS, WILDS, holds_color
from engine.drawing import CARD_PENALTY, UNO_PENALTY, draw, draw_one, draw_until, new_pile
from engine.effects import EFFECTS, accept, challenge, finish, last_card, turn_to
from engine.legal import must_play
from engine.refused import Refused, in_words, not_held, not_now, not_wanted, wrong_card
from engine.shuffle import Shuffler, check_promises, commitment
from engine.state import ANSWER, COLOR, DRAWN, FORCES, MATCHES, OVER, TURN, Action, Hand, Public, Rules

CARDS_DEALT: Final = 7  # DEAL-4


def deal(
    rules: Rules,
    names: Sequence[str],
    *,
    dealer: int,
    seed: bytes,
    entropy: Sequence[bytes | None] | None = None,
    promised: Sequence[str | None] | None = None,
) -> Hand:
    """Shuffle, deal and turn up the first card (DEAL-4, OPEN-1 to OPEN-6).

    `names` by seat, 2 to 10 of them; `seed` 72 bytes; `entropy` by seat, at most 32 bytes each. `promised` has its
    hashes as they were published before (`engine.shuffle.promise`); a player without a commitment reveals nothing.
    Raises ValueError.
    """
    players = len(names)
    rules.check_players(players)
    if not 0 <= dealer < players:
        raise ValueError(f"There is no seat {dealer} to deal.")
    entropy = (None,) * players if entropy is None else tuple(entropy)
    if len(entropy) != players:
        raise ValueError("The entropy is a list by seat.")
    if rules.log > 1:
        promised = (None,) * players if promised is None else tuple(promised)
        check_promises(promised, entropy)
    else:
        promised = None
    shuffler = Shuffler(seed, entropy)
    pile = list(rules.edition.deck)
    shuffler.shuffle(pile)
    hand = Hand(Public(rules, tuple(names), dealer), seed, entropy, shuffler, pile)
    hand.log.append(
        (
            "start",
            rules.log,
            rules.edition.key,
            hand.public.names,
            dealer,
            rules.teams,
            rules.as_options,
            commitment(seed),
            promised,
            tuple([extra.hex() if extra is not None else None for extra in entropy]),
        )
    )
    dealt = CARDS_DEALT * players
    for seat in range(players):
        cards = pile[(seat - dealer - 1) % players : dealt : players]
        hand.log.append(("deal", seat, tuple(cards)))
        hand.cards.append(cards)
    hand.public.counts = [CARDS_DEALT] * players
    del pile[:dealt]
    pile.reverse()
    hand.pile = pile
    _turn_up(hand)
    return hand


def apply(hand: Hand, action: Action) -> None:
    """Move the hand on by one action (`_ACTIONS` says which there are). Raises `Refused`; then nothing has changed.

    Shape and types are not checked: an action from outside goes through `check_action` first.
    """
    try:
        act = _ACTIONS[action[0]]
    except KeyError:
        raise Refused("unknown-action") from None
    act(hand, action)


# The turned-up card


def _turn_up(hand: Hand) -> None:
    public = hand.public
    card = hand.pile.pop()
    while card in _RETURNED:  # OPEN-6
        hand.log.append(("turn_up", card, True))
        new_pile(hand, [*reversed(hand.pile), card])
        card = hand.pile.pop()
    hand.log.append(("turn_up", card, False))
    public.discard.append(card)
    public.pile = len(hand.pile)
    first = public.after(public.dealer)
    if card in WILDS:  # OPEN-5
        public.turn, public.step = first, COLOR
        return
    public.in_play = card
    if card[1] == "D":  # OPEN-2
        draw(hand, first, hand.rules.draw_size, "draw-card")
        turn_to(hand, public.after(first))
    elif card[1] == "R":  # OPEN-3
        public.direction = -1
        turn_to(hand, public.dealer)
    else:  # OPEN-4, OPEN-1
        turn_to(hand, public.after(first) if card[1] == "S" else first)


_RETURNED: Final = frozenset({"WD", "WL", "WI"})


def _choose_color(hand: Hand, action: Action) -> None:
    """OPEN-5."""
    _, seat, color = action
    public = hand.public
    if public.step != COLOR:
        raise Refused("over" if hand.over else "no-color-to-choose")
    if seat != public.turn:
        raise Refused("not-your-turn")
    if color not in COLORS:
        raise Refused("color-needed", card=in_words(hand, public.discard[-1]))
    hand.log.append(("color", seat, color))
    public.in_play = color
    turn_to(hand, seat)


# A turn


def _play(hand: Hand, action: Action) -> None:
    """Play a card: on one's turn, after drawing it, or as an answer (PLAY-1, PLAY-2, INV-1, `stacking`)."""
    _, seat, card, color, target, uno = action
    public = hand.public
    step = public.step
    if seat != public.turn:
        raise not_now(hand, seat)
    cards = hand.cards[seat]
    bluff = cancel = False
    if step != TURN or card == "WD" or card not in MATCHES[public.in_play]:
        if card not in cards:
            raise not_held(hand, card)
        bluff = card == "WD" and holds_color(cards, public.color)
        cancel = step == ANSWER and card == "WI"
        if code := _why_wrong(hand, card, bluff):
            if (step != TURN and step != DRAWN) or not hand.rules.penalise_wrong_card:
                raise wrong_card(hand, code, card)
            _penalise_wrong_card(hand, seat)
            return
    remaining = len(cards) - 1
    if uno and remaining != 1:
        raise Refused("uno-too-early")
    effect = EFFECTS[card]
    if effect is not None:
        target = _check_target(hand, seat, card, color, target)
    elif color is not None or target is not None:
        raise not_wanted(hand, card, color)

    try:
        cards.remove(card)
    except ValueError:
        raise not_held(hand, card) from None

    hand.guilty = bluff
    hand.drawn = None
    public.counts[seat] = remaining
    public.discard.append(card)
    public.in_play = color or card  # PLAY-4
    public.passes = 0
    if public.uno and not (cancel and public.aimed == "WL"):  # UNO-3: cancelling a Howler is not a turn
        public.uno = ()
    if remaining == 1 and not uno:
        public.uno += (seat,)
    hand.log.append(("play", seat, card, color, target, uno, step == DRAWN, cancel))

    if not remaining:
        last_card(hand, seat, card)
    elif effect is None:
        turn_to(hand, (seat + public.direction) % public.players)
    elif cancel:
        turn_to(hand, public.after(public.asker if public.aimed == "WL" else seat))  # INV-2
    else:
        effect(hand, seat, card, target)


def _why_wrong(hand: Hand, card: str, bluff: bool) -> str:
    """Return the code of the refusal when a held card may not be played now; empty when it may."""
    public, rules = hand.public, hand.rules
    if public.step == COLOR or public.step == OVER:
        return "choose-color-first" if public.step == COLOR else "over"
    if public.step == ANSWER:
        stacked = rules.stacking and card in FORCES and FORCES[card] == FORCES.get(public.aimed)
        if not stacked and not (card == "WI" and rules.asks):
            return "cannot-cancel"
    elif card not in MATCHES[public.in_play]:
        return "does-not-match" if len(public.in_play) > 1 else "not-the-color"
    elif public.step == DRAWN and card != hand.drawn:
        return "only-the-drawn-card"
    return "no-bluff" if bluff and rules.no_bluff else ""


def _check_target(hand: Hand, seat: int, card: str, color: str | None, target: int | None) -> int | None:
    """Refuse a colour or target that is missing or superfluous. Returns the target (HAT-2 fills it in)."""
    if card in WILDS:
        if color not in COLORS:
            raise Refused("color-needed", card=in_words(hand, card))
    elif color is not None:
        raise not_wanted(hand, card, color)
    if card != "WH" and card != "WL":  # HAT-1, HOW-1
        if target is not None:
            raise not_wanted(hand, card, None)
        return None
    if card == "WH" and hand.rules.edition.hat_target == "next":  # HAT-2
        following = hand.public.after(seat)
        if target not in (None, following):
            raise Refused("target-is-next")
        return following
    if target is None and len(hand.cards[seat]) == 1:  # OUT-2: nothing will happen
        return None
    if target is None or target == seat or not 0 <= target < hand.public.players:
        raise Refused("target-needed" if card == "WH" else "howler-target", card=in_words(hand, card))
    return target


def _draw(hand: Hand, action: Action) -> None:
    """Draw the turn's card, even when a held card could be played (PLAY-2)."""
    _, seat = action
    public, rules, pile = hand.public, hand.rules, hand.pile
    if seat != public.turn or public.step != TURN:
        raise Refused("already-drawn") if seat == public.turn and public.step == DRAWN else not_now(hand, seat)
    if not pile and not public.can_draw:
        raise Refused("nothing-to-draw")
    if rules.must_play and must_play(public, hand.cards[seat], None):
        raise Refused("must-play")
    if rules.closes_on_draw:
        public.uno = ()
    if rules.draw_until_playable:
        hand.drawn = draw_until(hand, seat, "turn", lambda card: _may_play(hand, seat, card))[-1]
    else:
        hand.drawn = draw_one(hand, seat, "turn")
    public.step = DRAWN


def _pass(hand: Hand, action: Action) -> None:
    """Keep the drawn card (PLAY-3), or pass with nothing to draw (PLAY-7)."""
    _, seat = action
    public = hand.public
    drawn = public.step == DRAWN
    if seat != public.turn or not (drawn or public.step == TURN):
        raise not_now(hand, seat)
    if not drawn and public.can_draw:
        raise Refused("draw-first")
    if hand.rules.must_play and must_play(public, hand.cards[seat], hand.drawn):
        raise Refused("must-play")
    if not drawn:
        public.passes += 1
    public.uno = ()
    hand.drawn = None
    hand.log.append(("pass", seat))
    if public.passes == public.players:
        finish(hand, None)
    else:
        turn_to(hand, (seat + public.direction) % public.players)


def _wrong_card(hand: Hand, action: Action) -> None:
    """Penalise a wrong card played with real cards and taken back unnamed (PEN-1)."""
    _, seat = action
    public = hand.public
    if seat != public.turn or (public.step != TURN and public.step != DRAWN):
        raise not_now(hand, seat)
    if not hand.rules.penalise_wrong_card:
        raise Refused("no-penalty")
    if public.step == TURN and all(_may_play(hand, seat, card) for card in hand.cards[seat]):
        raise Refused("no-wrong-card")
    _penalise_wrong_card(hand, seat)


def _penalise_wrong_card(hand: Hand, seat: int) -> None:
    """PEN-1: the card goes back, the player draws two and play goes on. A turn has begun (UNO-3)."""
    hand.drawn = None
    hand.public.uno = ()
    hand.public.passes = 0
    hand.log.append(("penalty", seat, "wrong-card"))
    draw(hand, seat, CARD_PENALTY, "penalty")
    turn_to(hand, hand.public.after(seat))


def _may_play(hand: Hand, seat: int, card: str) -> bool:
    """Return whether a card fits and is not a bluff that the table forbids (PLAY-1, `no_bluff`)."""
    in_play = hand.public.in_play
    if card not in MATCHES[in_play]:
        return False
    return not (card == "WD" and hand.rules.no_bluff and holds_color(hand.cards[seat], in_play[0]))


# UNO


def _call_uno(hand: Hand, action: Action) -> None:
    """UNO-1, UNO-4: a call after the play."""
    _, seat = action
    public = hand.public
    if seat not in public.uno or hand.over:
        raise Refused("over" if hand.over else "uno-closed")
    public.uno = tuple(other for other in public.uno if other != seat)
    hand.log.append(("uno", seat))


def _catch(hand: Hand, action: Action) -> None:
    """UNO-2: any other player catches a seat that has not called."""
    _, by, seat = action
    public = hand.public
    if seat not in public.uno or hand.over:
        raise Refused("over" if hand.over else "catch-closed")
    if by == seat:
        raise Refused("catch-yourself")
    if not 0 <= by < public.players:
        raise Refused("no-such-seat")
    public.uno = tuple(other for other in public.uno if other != seat)
    hand.log.append(("catch", seat, by))
    draw(hand, seat, UNO_PENALTY, "uno")


def _penalise_suggestion(hand: Hand, action: Action) -> None:
    """PEN-2, imposed by a director: the seat suggested a play to another one."""
    _, seat = action
    if hand.over or hand.public.step == COLOR:
        raise Refused("over" if hand.over else "choose-color-first")
    if not 0 <= seat < hand.public.players:
        raise Refused("no-such-seat")
    hand.log.append(("penalty", seat, "suggestion"))
    draw(hand, seat, CARD_PENALTY, "penalty")


_ACTIONS: Final[dict[str, Callable[[Hand, Action], None]]] = {
    "color": _choose_color,  # seat, color
    "play": _play,  # seat, card, color or None, target or None, uno
    "draw": _draw,  # seat
    "pass": _pass,  # seat
    "accept": accept,  # seat
    "challenge": challenge,  # seat
    "uno": _call_uno,  # seat
    "catch": _catch,  # by, seat
    "wrong-card": _wrong_card,  # seat
    "suggestion": _penalise_suggestion,  # seat; a director's
}


def check_action(action: object) -> Action:
    """Check shape and types of an action from outside against `_SHAPES`. Raises `Refused("unknown-action")`."""
    if isinstance(action, list | tuple) and action and isinstance(action[0], str) and action[0] in _SHAPES:
        shape = _SHAPES[action[0]]
        parts = action[1:]
        if len(parts) == len(shape) and all(type(part) in types for part, types in zip(parts, shape, strict=True)):
            return tuple(action)
    raise Refused("unknown-action")


_Types = tuple[type, ...]
_SEAT: _Types = (int,)  # and not bool, which is an int to isinstance
_SHAPES: dict[str, tuple[_Types, ...]] = {
    "color": (_SEAT, (str,)),
    "play": (_SEAT, (str,), (str, type(None)), (int, type(None)), (bool,)),
    "catch": (_SEAT, _SEAT),
} | dict.fromkeys(("draw", "pass", "accept", "challenge", "uno", "wrong-card", "suggestion"), (_SEAT,))
