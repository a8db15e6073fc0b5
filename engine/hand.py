"""One hand from the shuffle to the last card: `deal` makes it, `apply` moves it on.

`apply` takes an action and changes the hand in place, or raises `Refused` and changes nothing. What happened stands at
the end of `hand.log`, as tuples that engine/log.py writes as JSON lines. Equal seed, entropy and actions give an equal
log.
"""

from collections.abc import Callable, Sequence
from typing import Any

from engine import cards as codes
from engine.cards import COLORS, WILDS
from engine.drawing import CARD_PENALTY, UNO_PENALTY, draw, draw_one, draw_until, new_pile
from engine.log import LOG_VERSION
from engine.refused import Refused
from engine.scoring import score_hand
from engine.shuffle import commitment, shuffle, stream
from engine.state import ANSWER, COLOR, DRAWN, MATCHES, OVER, TURN, Action, Hand, Public, Rules

CARDS_DEALT = 7  # DEAL-4
WILD_DRAW = 4  # WD4-1
LOST_CHALLENGE = 2  # WD4-5: so many more


def deal(
    rules: Rules,
    names: Sequence[str],
    *,
    dealer: int,
    seed: bytes,
    entropy: Sequence[bytes | None] | None = None,
) -> Hand:
    """Shuffle, deal and turn up the first card (DEAL-4, OPEN-1 to OPEN-6).

    `names` by seat, 2 to 10 of them; `seed` 72 bytes; `entropy` by seat, at most 32 bytes each. Raises ValueError.
    """
    players = len(names)
    rules.check_players(players)
    if not 0 <= dealer < players:
        raise ValueError(f"There is no seat {dealer} to deal.")
    entropy = (None,) * players if entropy is None else tuple(entropy)
    if len(entropy) != players:
        raise ValueError("The entropy is a list by seat.")
    numbers = stream(seed, entropy)
    pile = list(rules.edition.deck)
    shuffle(pile, numbers)
    hand = Hand(Public(rules, tuple(names), dealer), seed, entropy, numbers, pile)
    hand.log.append(
        (
            "start",
            LOG_VERSION,
            rules.edition.key,
            hand.public.names,
            dealer,
            rules.teams,
            rules.as_options,
            commitment(seed),
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
    """Move the hand on by one action (`_ACTIONS` says which there are). Raises `Refused`; then nothing has changed."""
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
    public.turn = public.after(public.dealer)
    if card in WILDS:  # OPEN-5
        public.step = COLOR
        return
    public.in_play = card
    if card[1] == "D":  # OPEN-2
        draw(hand, public.turn, hand.rules.draw_size, "draw-card")
        public.turn = public.after(public.turn)
    elif card[1] == "R":  # OPEN-3
        public.direction = -1
        public.turn = public.dealer
    elif card[1] == "S":  # OPEN-4
        public.turn = public.after(public.turn)


_RETURNED = frozenset({"WD", "WL", "WI"})


def _choose_color(hand: Hand, action: Action) -> None:
    """OPEN-5."""
    _, seat, color = action
    public = hand.public
    if public.step != COLOR:
        raise Refused("over" if hand.over else "no-color-to-choose")
    if seat != public.turn:
        raise Refused("not-your-turn")
    if color not in COLORS:
        raise Refused("color-needed", card=_in_words(hand, public.discard[-1]))
    hand.log.append(("color", seat, color))
    public.in_play = color
    public.step = TURN


# A turn


def _play(hand: Hand, action: Action) -> None:
    """Play a card: on one's turn, after drawing it, or as an answer (PLAY-1, PLAY-2, INV-1, `stacking`)."""
    _, seat, card, color, target, uno = action
    public = hand.public
    step = public.step
    if seat != public.turn:
        raise _not_now(hand, seat)
    cards = hand.cards[seat]
    bluff = cancel = False
    if step != TURN or card == "WD" or card not in MATCHES[public.in_play]:
        if card not in cards:
            raise _not_held(hand, card)
        bluff = card == "WD" and _holds_color(cards, public.color)
        cancel = step == ANSWER and card == "WI"
        if wrong := _wrong(hand, card, bluff):
            if (step != TURN and step != DRAWN) or not hand.rules.penalise_wrong_card:
                raise Refused(wrong, card=_in_words(hand, card), in_play=_top_in_words(hand))
            _penalise_wrong_card(hand, seat)
            return
    left = len(cards) - 1
    if uno and left != 1:
        raise Refused("uno-too-early")
    effect = _EFFECTS[card]
    if effect is not None:
        target = _checked(hand, seat, card, color, target)
    elif color is not None or target is not None:
        raise _not_wanted(hand, card, color)

    try:
        cards.remove(card)
    except ValueError:
        raise _not_held(hand, card) from None

    hand.guilty = bluff
    hand.drawn = None
    public.counts[seat] = left
    public.discard.append(card)
    public.in_play = color or card  # PLAY-4
    public.passes = 0
    if public.uno and not (cancel and public.aimed == "WL"):  # UNO-3: the cancel of a Howler is nobody's turn
        public.uno = ()
    if left == 1 and not uno:
        public.uno += (seat,)
    hand.log.append(("play", seat, card, color, target, uno, step == DRAWN, cancel))

    if not left:
        _last_card(hand, seat, card)
    elif effect is None:
        public.turn = (seat + public.direction) % public.players
        public.step = TURN
    elif cancel:
        _turn_to(hand, public.after(public.asker if public.aimed == "WL" else seat))  # INV-2
    else:
        effect(hand, seat, card, target)


def _wrong(hand: Hand, card: str, bluff: bool) -> str:
    """Why a card that is held may not be played now; empty when it may."""
    public, rules = hand.public, hand.rules
    if public.step == COLOR or public.step == OVER:
        return "choose-color-first" if public.step == COLOR else "over"
    if public.step == ANSWER:
        stacked = rules.stacking and card in _REASON and _REASON[card] == _REASON.get(public.aimed)
        if not stacked and not (card == "WI" and rules.asks):
            return "cannot-cancel"
    elif card not in MATCHES[public.in_play]:
        return "does-not-match"
    elif public.step == DRAWN and card != hand.drawn:
        return "only-the-drawn-card"
    return "no-bluff" if bluff and rules.no_bluff else ""


def _checked(hand: Hand, seat: int, card: str, color: str | None, target: int | None) -> int | None:
    """Refuse a colour or target that is missing or not wanted; returns the target (HAT-2 fills it in)."""
    if card in WILDS:
        if color not in COLORS:
            raise Refused("color-needed", card=_in_words(hand, card))
    elif color is not None:
        raise _not_wanted(hand, card, color)
    if card != "WH" and card != "WL":  # HAT-1, HOW-1
        if target is not None:
            raise _not_wanted(hand, card, None)
        return None
    if card == "WH" and hand.rules.edition.hat_target == "next":  # HAT-2
        following = hand.public.after(seat)
        if target not in (None, following):
            raise Refused("target-is-next")
        return following
    if target is None and len(hand.cards[seat]) == 1:  # OUT-2: nothing will happen
        return None
    if target is None or target == seat or not 0 <= target < hand.public.players:
        raise Refused("target-needed", card=_in_words(hand, card))
    return target


def _draw(hand: Hand, action: Action) -> None:
    """Draw the turn's card, also when a card could be played (PLAY-2)."""
    _, seat = action
    public, rules, pile = hand.public, hand.rules, hand.pile
    if seat != public.turn or public.step != TURN:
        raise Refused("already-drawn") if seat == public.turn and public.step == DRAWN else _not_now(hand, seat)
    if not pile and not public.can_draw:
        raise Refused("nothing-to-draw")
    if rules.must_play and not MATCHES[public.in_play].isdisjoint(hand.cards[seat]):
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
    if seat != public.turn or (public.step != DRAWN and public.step != TURN):
        raise _not_now(hand, seat)
    if public.step == TURN:
        if public.can_draw:
            raise Refused("draw-first")
        if hand.rules.must_play and not MATCHES[public.in_play].isdisjoint(hand.cards[seat]):
            raise Refused("must-play")
        public.passes += 1
    elif hand.rules.must_play and hand.drawn is not None and _may_play(hand, seat, hand.drawn):
        raise Refused("must-play")
    public.uno = ()
    hand.drawn = None
    hand.log.append(("pass", seat))
    if public.passes == public.players:
        _finish(hand, None)
    else:
        public.turn = (seat + public.direction) % public.players
        public.step = TURN


def _wrong_card(hand: Hand, action: Action) -> None:
    """PEN-1 with real cards: somebody noticed the wrong card, which went back unnamed."""
    _, seat = action
    public = hand.public
    if seat != public.turn or (public.step != TURN and public.step != DRAWN):
        raise _not_now(hand, seat)
    if not hand.rules.penalise_wrong_card:
        raise Refused("no-penalty")
    if public.step == TURN and all(_may_play(hand, seat, card) for card in hand.cards[seat]):
        raise Refused("no-wrong-card")
    _penalise_wrong_card(hand, seat)


def _penalise_wrong_card(hand: Hand, seat: int) -> None:
    """PEN-1: the card goes back, two more, and play goes on; a turn has begun (UNO-3)."""
    hand.drawn = None
    hand.public.uno = ()
    hand.public.passes = 0
    hand.log.append(("penalty", seat, "wrong-card"))
    draw(hand, seat, CARD_PENALTY, "penalty")
    _turn_to(hand, hand.public.after(seat))


def _may_play(hand: Hand, seat: int, card: str) -> bool:
    """Whether a card fits and is not a bluff that the table forbids (PLAY-1, `no_bluff`)."""
    in_play = hand.public.in_play
    if card not in MATCHES[in_play]:
        return False
    return not (card == "WD" and hand.rules.no_bluff and _holds_color(hand.cards[seat], in_play[0]))


def _holds_color(cards: Sequence[str], color: str) -> bool:
    """WD4-2: only the colour in play counts; no wild's code begins with a colour."""
    return any(card[0] == color for card in cards)


def _turn_to(hand: Hand, seat: int) -> None:
    public = hand.public
    public.turn = seat
    public.step = TURN
    public.stake = 0


# What the cards do


def _plain(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """ACT-4, CRP-3, INV-3."""
    _turn_to(hand, hand.public.after(seat))


def _draw_card(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """ACT-1, TWO-3."""
    public = hand.public
    size = hand.rules.draw_size
    if hand.rules.asks or hand.rules.stacking:
        _aim(hand, seat, card, public.after(seat), public.stake + size)
    else:
        draw(hand, public.after(seat), size, "draw-card")
        _turn_to(hand, public.after(seat, 2))


def _wild_draw_four(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """WD4-1, TWO-3."""
    _aim(hand, seat, card, hand.public.after(seat), hand.public.stake + WILD_DRAW)


def _skip(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """ACT-3, TWO-2."""
    if hand.rules.asks:
        _aim(hand, seat, card, hand.public.after(seat))
    else:
        _turn_to(hand, hand.public.after(seat, 2))


def _reverse(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """ACT-2, TWO-1."""
    public = hand.public
    if public.players == 2:
        _skip(hand, seat, card, target)
    else:
        public.direction = -public.direction
        _turn_to(hand, public.after(seat))


def _sorting_hat(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """HAT-1 to HAT-4."""
    assert target is not None
    draw_until(hand, target, "sorting-hat", hand.rules.gryffindor.__contains__)
    _turn_to(hand, hand.public.after(seat))


def _howler(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """HOW-1."""
    assert target is not None
    if hand.rules.asks:
        _aim(hand, seat, card, target)
    else:
        _read_out(hand, seat, target)


def _read_out(hand: Hand, seat: int, target: int) -> None:
    hand.log.append(("show", target, "all", tuple(sorted(hand.cards[target])), "howler"))
    _turn_to(hand, hand.public.after(seat))


_Effect = Callable[[Hand, int, str, int | None], None]
# Wild, Creeper and Invisibility have only their colour (ACT-4, CRP-3, INV-3); a number does nothing.
_FACES: dict[str, _Effect | None] = dict.fromkeys("0123456789") | {"D": _draw_card, "S": _skip, "R": _reverse}
_EFFECTS: dict[str, _Effect | None] = {
    **{color + face: effect for color in COLORS for face, effect in _FACES.items()},
    **dict.fromkeys(("W", "WC", "WI"), _plain),
    **{"WD": _wild_draw_four, "WH": _sorting_hat, "WL": _howler},
}


# Answers


def _aim(hand: Hand, seat: int, card: str, target: int, stake: int = 0) -> None:
    public = hand.public
    public.aimed = card
    public.asker = seat
    public.stake = stake
    public.turn = target
    public.step = ANSWER


def _accept(hand: Hand, action: Action) -> None:
    """Take what is aimed at the seat (WD4-1, INV-4)."""
    _, seat = action
    public = hand.public
    if seat != public.turn or public.step != ANSWER:
        raise Refused("over" if hand.over else "nothing-to-answer")
    card = public.aimed
    if card == "WD" or hand.rules.asks:
        hand.log.append(("accept", seat))
    if card == "WL":
        _read_out(hand, public.asker, seat)
        return
    if public.stake:
        draw(hand, seat, public.stake, _REASON[card])
    _turn_to(hand, public.after(seat))


_REASON = {"WD": "wild-draw-four"} | {color + "D": "draw-card" for color in COLORS}


def _challenge(hand: Hand, action: Action) -> None:
    """WD4-3 to WD4-5."""
    _, seat = action
    public = hand.public
    if seat != public.turn or public.step != ANSWER or public.aimed != "WD":
        raise Refused("over" if hand.over else "cannot-challenge")
    challenged = public.asker
    hand.log.append(("challenge", seat, hand.guilty))
    hand.log.append(("show", challenged, seat, tuple(sorted(hand.cards[challenged])), "challenge"))
    if hand.guilty:
        draw(hand, challenged, public.stake, "bluff")
        _turn_to(hand, seat)
    else:
        draw(hand, seat, public.stake + LOST_CHALLENGE, "challenge-lost")
        _turn_to(hand, public.after(seat))


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
    """UNO-2: any other player catches who has not called."""
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


def _suggested(hand: Hand, action: Action) -> None:
    """PEN-2, imposed by a director: the seat suggested a play to another."""
    _, seat = action
    if hand.over or hand.public.step == COLOR:
        raise Refused("over" if hand.over else "choose-color-first")
    if not 0 <= seat < hand.public.players:
        raise Refused("no-such-seat")
    hand.log.append(("penalty", seat, "suggestion"))
    draw(hand, seat, CARD_PENALTY, "penalty")


# The end


def _last_card(hand: Hand, seat: int, card: str) -> None:
    """OUT-1, OUT-2: a last draw card is still drawn; nothing else happens and nobody is asked."""
    public = hand.public
    if card in _REASON:
        stake = public.stake + (WILD_DRAW if card == "WD" else hand.rules.draw_size)
        draw(hand, public.after(seat), stake, _REASON[card])
    _finish(hand, seat)


def _finish(hand: Hand, winner: int | None) -> None:
    """OUT-1, TEAM-2, or PLAY-7 with no winner; scored by SCORE-1 to SCORE-6."""
    public, rules = hand.public, hand.rules
    points = tuple(map(codes.points_of, hand.cards))
    scores = score_hand(rules.scoring, points, winner, rules.teams).scores
    public.step = OVER
    public.turn = -1
    public.uno = ()
    hand.log.append(("end", winner, points, scores, hand.seed.hex(), hand.deck))


# Words for refusals


def _not_held(hand: Hand, card: str) -> Refused:
    return Refused("not-held", card=_in_words(hand, card))


def _not_wanted(hand: Hand, card: str, color: str | None) -> Refused:
    return Refused("target-not-wanted" if color is None else "color-not-wanted", card=_in_words(hand, card))


def _not_now(hand: Hand, seat: int) -> Refused:
    public = hand.public
    if public.step == OVER:
        return Refused("over")
    if seat != public.turn:
        return Refused("not-your-turn")
    return Refused("choose-color-first" if public.step == COLOR else "answer-first")


def _in_words(hand: Hand, card: Any) -> str:
    return hand.rules.edition.card_name(card) if isinstance(card, str) and codes.is_card(card) else f"“{card}”"


def _top_in_words(hand: Hand) -> str:
    public = hand.public
    top = _in_words(hand, public.discard[-1])
    chosen = public.discard[-1] in WILDS and public.color  # not yet before OPEN-5
    return f"{top} ({COLORS[chosen].lower()})" if chosen else top


_ACTIONS: dict[str, Callable[[Hand, Action], None]] = {
    "color": _choose_color,  # seat, color
    "play": _play,  # seat, card, color or None, target or None, uno
    "draw": _draw,  # seat
    "pass": _pass,  # seat
    "accept": _accept,  # seat
    "challenge": _challenge,  # seat
    "uno": _call_uno,  # seat
    "catch": _catch,  # by, seat
    "wrong-card": _wrong_card,  # seat
    "suggestion": _suggested,  # seat; a director's
}
