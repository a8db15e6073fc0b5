"""What the engine refuses, and why: one table, so that every refusal has a name, a rule and a sentence for a player."""

from collections.abc import Mapping
from types import MappingProxyType

from engine import cards as codes
from engine.cards import COLORS, WILDS
from engine.state import COLOR, OVER, Hand

# code: (rule, sentence). `{card}` is the card in words, `{in_play}` what lies on top.
REFUSALS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "over": ("OUT-1", "This hand is over."),
        "not-your-turn": ("PLAY-1", "It is not your turn."),
        "choose-color-first": ("OPEN-5", "The turned-up card is wild: choose the colour first."),
        "no-color-to-choose": ("OPEN-5", "There is no colour to choose now."),
        "answer-first": ("WD4-3", "A card is aimed at you: answer it first."),
        "nothing-to-answer": ("WD4-3", "No card is aimed at you."),
        "not-held": ("PLAY-1", "You do not hold {card}."),
        "does-not-match": (
            "PLAY-1",
            "{card} does not fit on {in_play}: play the colour, number or symbol, or a wild.",
        ),
        "not-the-color": ("PLAY-4", "{card} does not fit: on {in_play} only that colour fits, or another wild card."),
        "only-the-drawn-card": ("PLAY-2", "After drawing you may play only the card that you drew, or keep it."),
        "no-bluff": (
            "WD4-2",
            "At this table a Wild Draw Four may not be a bluff: you hold the colour in play.",
        ),
        "must-play": ("PLAY-2", "At this table who can play must play."),
        "color-needed": ("PLAY-4", "Choose a colour for {card}."),
        "color-not-wanted": ("PLAY-4", "{card} has its colour; only a wild card takes another."),
        "target-needed": ("HAT-1", "Choose another player for {card}."),
        "howler-target": ("HOW-1", "Choose another player for {card}."),
        "target-is-next": ("HAT-2", "In this edition the Sorting Hat is always for the next player."),
        "target-not-wanted": ("PLAY-1", "{card} is not aimed at a player of your choice."),
        "uno-too-early": ("UNO-1", "UNO is called with the play that leaves one card."),
        "draw-first": ("PLAY-3", "Draw a card before you pass."),
        "already-drawn": ("PLAY-2", "You have drawn: play that card or keep it."),
        "nothing-to-draw": ("PLAY-7", "There is nothing left to draw: play a card or pass."),
        "cannot-challenge": ("WD4-3", "Only a Wild Draw Four can be challenged, by the player who would draw."),
        "cannot-cancel": ("INV-1", "{card} is no answer to this card."),
        "uno-closed": ("UNO-2", "It is too late, or there is no need, to call UNO."),
        "catch-closed": ("UNO-2", "That player cannot be caught: UNO was called, or it is too late."),
        "catch-yourself": ("UNO-2", "Another player has to catch you."),
        "no-penalty": ("PEN-1", "At this table a wrong card is refused; it costs nothing."),
        "no-such-seat": ("PLAY-1", "There is no such seat at this table."),
        "unknown-action": ("PLAY-1", "This is not something that a player can do."),
        "nothing-forces": ("LOG", "A {kind} stands where nothing forces one."),
        "no-wrong-card": ("PEN-1", "Every card that this player holds could have been played."),
        "undo-nothing": ("LOG", "There is no move {to} to go back to."),
        "undo-here": ("LOG", "The hand stands at move {to} already."),
        "undo-mid-move": ("LOG", "Move {to} is followed by what it forced; go back to before it or after it."),
    }
)


class Refused(ValueError):
    """An action that the rules do not allow; nothing has changed.

    `code` is a key of `REFUSALS`, `rule` the id of docs/rules.md (the table's, or one that fits the case better),
    `template` and `params` are for translations, `str()` is the sentence in English.
    """

    def __init__(self, code: str, *, rule: str | None = None, **params: object) -> None:
        self.code = code
        usual, self.template = REFUSALS[code]
        self.rule = rule or usual
        self.params = params
        super().__init__(self.template.format(**params))


def not_held(hand: Hand, card: str) -> Refused:
    return Refused("not-held", card=in_words(hand, card))


def not_wanted(hand: Hand, card: str, color: str | None) -> Refused:
    return Refused("target-not-wanted" if color is None else "color-not-wanted", card=in_words(hand, card))


def not_now(hand: Hand, seat: int) -> Refused:
    public = hand.public
    if public.step == OVER:
        return Refused("over")
    if seat != public.turn:
        return Refused("not-your-turn")
    return Refused("choose-color-first") if public.step == COLOR else Refused("answer-first", rule=_answered_by(hand))


def wrong_card(hand: Hand, code: str, card: str) -> Refused:
    rule = _answered_by(hand) if code == "cannot-cancel" else None
    return Refused(code, rule=rule, card=in_words(hand, card), in_play=top_in_words(hand))


def _answered_by(hand: Hand) -> str:
    """The rule by which the card that is aimed at somebody is answered."""
    return "WD4-3" if hand.public.aimed == "WD" else "INV-1" if hand.rules.asks else "ACT-1"


def in_words(hand: Hand, card: str) -> str:
    return hand.rules.edition.card_name(card) if codes.is_card(card) else f"“{card}”"


def top_in_words(hand: Hand) -> str:
    public = hand.public
    top = in_words(hand, public.discard[-1])
    chosen = public.discard[-1] in WILDS and public.color  # not yet before OPEN-5
    return f"{top} ({COLORS[chosen].lower()})" if chosen else top
