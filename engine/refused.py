"""What the engine refuses, and why: one table, so that every refusal has a name, a rule and a sentence for a player."""

from collections.abc import Mapping
from types import MappingProxyType

from engine import cards as codes
from engine.cards import COLOR_NAMES, COLORS, WILDS
from engine.sentences import Sentence, mark, sentence
from engine.state import COLOR, OVER, Hand

# code: (rule, sentence). `card` is the card in words, `in_play` what lies on top.
REFUSALS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "over": ("OUT-1", mark("This hand is over.")),
        "not-your-turn": ("PLAY-1", mark("It is not your turn.")),
        "choose-color-first": ("OPEN-5", mark("The turned-up card is wild: choose the colour first.")),
        "no-color-to-choose": ("OPEN-5", mark("There is no colour to choose now.")),
        "answer-first": ("WD4-3", mark("A card is aimed at you: answer it first.")),
        "nothing-to-answer": ("WD4-3", mark("No card is aimed at you.")),
        "not-held": ("PLAY-1", mark("You do not hold %(card)s.")),
        "does-not-match": (
            "PLAY-1",
            mark("%(card)s does not fit on %(in_play)s: play the colour, number or symbol, or a wild."),
        ),
        "not-the-color": (
            "PLAY-4",
            mark("%(card)s does not fit: on %(in_play)s only that colour fits, or another wild card."),
        ),
        "only-the-drawn-card": ("PLAY-2", mark("After drawing you may play only the card that you drew, or keep it.")),
        "no-bluff": (
            "WD4-2",
            mark("At this table a Wild Draw Four may not be a bluff: you hold the colour in play."),
        ),
        "must-play": ("PLAY-2", mark("At this table who can play must play.")),
        "color-needed": ("PLAY-4", mark("Choose a colour for %(card)s.")),
        "color-not-wanted": ("PLAY-4", mark("%(card)s has its colour; only a wild card takes another.")),
        "target-needed": ("HAT-1", mark("Choose another player for %(card)s.")),
        "howler-target": ("HOW-1", mark("Choose another player for %(card)s.")),
        "target-is-next": ("HAT-2", mark("In this edition the Sorting Hat is always for the next player.")),
        "target-not-wanted": ("PLAY-1", mark("%(card)s is not aimed at a player of your choice.")),
        "uno-too-early": ("UNO-1", mark("UNO is called with the play that leaves one card.")),
        "draw-first": ("PLAY-3", mark("Draw a card before you pass.")),
        "already-drawn": ("PLAY-2", mark("You have drawn: play that card or keep it.")),
        "nothing-to-draw": ("PLAY-7", mark("There is nothing left to draw: play a card or pass.")),
        "cannot-challenge": ("WD4-3", mark("Only a Wild Draw Four can be challenged, by the player who would draw.")),
        "cannot-cancel": ("INV-1", mark("%(card)s is no answer to this card.")),
        "uno-closed": ("UNO-2", mark("It is too late, or there is no need, to call UNO.")),
        "catch-closed": ("UNO-2", mark("That player cannot be caught: UNO was called, or it is too late.")),
        "catch-yourself": ("UNO-2", mark("Another player has to catch you.")),
        "no-penalty": ("PEN-1", mark("At this table a wrong card is refused; it costs nothing.")),
        "no-such-seat": ("PLAY-1", mark("There is no such seat at this table.")),
        "unknown-action": ("PLAY-1", mark("This is not something that a player can do.")),
        "nothing-forces": ("LOG", mark("A %(kind)s stands where nothing forces one.")),
        "no-wrong-card": ("PEN-1", mark("Every card that this player holds could have been played.")),
        "undo-nothing": ("LOG", mark("There is no move %(to)s to go back to.")),
        "undo-here": ("LOG", mark("The hand stands at move %(to)s already.")),
        "undo-mid-move": ("LOG", mark("Move %(to)s is followed by what it forced; go back to before it or after it.")),
    }
)


class Refused(ValueError):
    """An action that the rules do not allow; nothing has changed.

    `code` is a key of `REFUSALS`, `rule` the id of docs/rules.md (the table's, or one that fits the case better),
    `sentence` is for translation, `str()` its English.
    """

    def __init__(self, code: str, *, rule: str | None = None, **params: object) -> None:
        self.code = code
        usual, template = REFUSALS[code]
        self.rule = rule or usual
        self.sentence = Sentence(template, params)
        super().__init__(str(self.sentence))


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
    return Refused("choose-color-first") if public.step == COLOR else Refused("answer-first", rule=_answer_rule(hand))


def wrong_card(hand: Hand, code: str, card: str) -> Refused:
    rule = _answer_rule(hand) if code == "cannot-cancel" else None
    return Refused(code, rule=rule, card=in_words(hand, card), in_play=top_in_words(hand))


def _answer_rule(hand: Hand) -> str:
    """The rule for answering the card that is aimed at somebody."""
    return "WD4-3" if hand.public.aimed == "WD" else "INV-1" if hand.rules.asks else "ACT-1"


def in_words(hand: Hand, card: str) -> Sentence:
    return hand.rules.edition.card_in_words(card) if codes.is_card(card) else sentence("“%(text)s”", text=card)


def top_in_words(hand: Hand) -> Sentence:
    public = hand.public
    top = in_words(hand, public.discard[-1])
    chosen = public.discard[-1] in WILDS and public.color  # not yet before OPEN-5
    if not chosen:
        return top
    return sentence("%(card)s (%(color)s)", card=top, color=Sentence(COLORS[chosen].lower(), context=COLOR_NAMES))
