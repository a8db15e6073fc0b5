"""What cards do when they are played, how they are answered, and how a hand ends."""

from collections.abc import Callable
from typing import Final

from engine.cards import COLORS, points_of
from engine.drawing import draw, draw_until
from engine.refused import Refused
from engine.scoring import score_hand
from engine.state import ANSWER, FORCES, OVER, SCARCE, TURN, Action, Hand

WILD_DRAW: Final = 4  # WD4-1
LOST_CHALLENGE: Final = 2  # cards on top (WD4-5)


def turn_to(hand: Hand, seat: int) -> None:
    """Begin a seat's turn, or end the hand instead when it is blocked (PLAY-8)."""
    public = hand.public
    if (len(hand.pile) <= SCARCE or public.scarce or public.turns == public.most_turns) and _is_blocked(hand):
        finish(hand, None)
        return
    public.turns += 1
    public.turn = seat
    public.step = TURN
    public.stake = 0


def _is_blocked(hand: Hand) -> bool:
    """Count the turns in a row with few free cards, and return whether PLAY-8 now ends the hand."""
    public = hand.public
    public.scarce = public.scarce + 1 if len(hand.pile) + len(public.discard) <= SCARCE else 0
    return public.scarce == public.most_scarce or public.turns == public.most_turns


# The cards


def _plain(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """ACT-4, CRP-3, INV-3."""
    turn_to(hand, hand.public.after(seat))


def _draw_card(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """ACT-1, TWO-3."""
    public = hand.public
    size = hand.rules.draw_size
    if hand.rules.asks or hand.rules.stacking:
        _aim(hand, seat, card, public.after(seat), public.stake + size)
    else:
        draw(hand, public.after(seat), size, "draw-card")
        turn_to(hand, public.after(seat, 2))


def _wild_draw_four(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """WD4-1, TWO-3."""
    _aim(hand, seat, card, hand.public.after(seat), hand.public.stake + WILD_DRAW)


def _skip(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """ACT-3, TWO-2."""
    if hand.rules.asks:
        _aim(hand, seat, card, hand.public.after(seat))
    else:
        turn_to(hand, hand.public.after(seat, 2))


def _reverse(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """ACT-2, TWO-1."""
    public = hand.public
    if public.players == 2:
        _skip(hand, seat, card, target)
    else:
        public.direction = -public.direction
        turn_to(hand, public.after(seat))


def _sorting_hat(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """HAT-1 to HAT-4."""
    assert target is not None
    draw_until(hand, target, "sorting-hat", hand.rules.gryffindor.__contains__)
    turn_to(hand, hand.public.after(seat))


def _howler(hand: Hand, seat: int, card: str, target: int | None) -> None:
    """HOW-1."""
    assert target is not None
    if hand.rules.asks:
        _aim(hand, seat, card, target)
    else:
        _read_out(hand, seat, target)


def _read_out(hand: Hand, seat: int, target: int) -> None:
    hand.log.append(("show", target, "all", tuple(sorted(hand.cards[target])), "howler"))
    turn_to(hand, hand.public.after(seat))


Effect = Callable[[Hand, int, str, int | None], None]
# Wild, Creeper and Invisibility only set a colour (ACT-4, CRP-3, INV-3); a number does nothing.
_FACES: dict[str, Effect | None] = dict.fromkeys("0123456789") | {"D": _draw_card, "S": _skip, "R": _reverse}
EFFECTS: Final[dict[str, Effect | None]] = {
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


def accept(hand: Hand, action: Action) -> None:
    """Take what is aimed at the seat (WD4-1, INV-4, HOW-1; ACT-1 with `stacking`)."""
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
        draw(hand, seat, public.stake, FORCES[card])
    turn_to(hand, public.after(seat))


def challenge(hand: Hand, action: Action) -> None:
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
        turn_to(hand, seat)
    else:
        draw(hand, seat, public.stake + LOST_CHALLENGE, "challenge-lost")
        turn_to(hand, public.after(seat))


# The end


def last_card(hand: Hand, seat: int, card: str) -> None:
    """End the hand (OUT-1, OUT-2). A last draw card still takes effect; no one answers it."""
    public = hand.public
    if card in FORCES:
        stake = public.stake + (WILD_DRAW if card == "WD" else hand.rules.draw_size)
        draw(hand, public.after(seat), stake, FORCES[card])
    finish(hand, seat)


def finish(hand: Hand, winner: int | None) -> None:
    """OUT-1, TEAM-2, or PLAY-7 and PLAY-8 with no winner; scored by SCORE-1 to SCORE-6."""
    public, rules = hand.public, hand.rules
    points = tuple(map(points_of, hand.cards))
    scores = score_hand(rules.scoring, points, winner, rules.teams).scores
    public.step = OVER
    public.turn = -1
    public.uno = ()
    public.stake = 0
    hand.log.append(("end", winner, points, scores, hand.seed.hex(), hand.deck))
