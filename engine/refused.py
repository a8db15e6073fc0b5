"""The engine's refusals in one table: code, rule and a sentence for the player."""

from collections.abc import Mapping
from types import MappingProxyType

from engine import cards as codes
from engine.cards import COLOR_NAMES, COLORS, WILDS
from engine.sentences import Sentence, mark, sentence
from engine.state import COLOR, OVER, Hand

# code: (rule, sentence). `card` is the card in words, `in_play` the top card.
REFUSALS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "over": ("OUT-1", mark("This hand is over.")),
        "not-your-turn": ("PLAY-1", mark("It is not your turn.")),
        "choose-color-first": ("OPEN-5", mark("Choose a colour first.")),
        "no-color-to-choose": ("OPEN-5", mark("You can’t do that now.")),
        "answer-first": ("WD4-3", mark("Answer the card aimed at you first.")),
        "nothing-to-answer": ("WD4-3", mark("You can’t do that now.")),
        "not-held": ("PLAY-1", mark("You don’t have %(card)s.")),
        "does-not-match": (
            "PLAY-1",
            mark("%(card)s doesn’t match %(in_play)s. Match its colour, number or symbol, or play a wild card."),
        ),
        "not-the-color": (
            "PLAY-4",
            mark("%(card)s doesn’t match %(in_play)s. Play that colour or another wild card."),
        ),
        "only-the-drawn-card": ("PLAY-2", mark("Play the card you drew, or keep it.")),
        "no-bluff": (
            "WD4-2",
            mark("No bluffing at this table: you have the colour in play."),
        ),
        "must-play": ("PLAY-2", mark("If you can play, you must.")),
        "color-needed": ("PLAY-4", mark("Choose a colour for %(card)s.")),
        "color-not-wanted": ("PLAY-4", mark("Only a wild card takes a new colour.")),
        "target-needed": ("HAT-1", mark("Choose another player for %(card)s.")),
        "howler-target": ("HOW-1", mark("Choose another player for %(card)s.")),
        "target-is-next": ("HAT-2", mark("You can’t choose the player for %(card)s.")),
        "target-not-wanted": ("PLAY-1", mark("You can’t choose the player for %(card)s.")),
        "uno-too-early": ("UNO-1", mark("Call UNO with your second-last card, or right after it.")),
        "draw-first": ("PLAY-3", mark("Draw a card before you pass.")),
        "already-drawn": ("PLAY-2", mark("Play the card you drew, or keep it.")),
        "nothing-to-draw": ("PLAY-7", mark("No cards left to draw: play or pass.")),
        "cannot-challenge": ("WD4-3", mark("You can only challenge a Wild Draw Four aimed at you.")),
        "cannot-cancel": ("INV-1", mark("%(card)s doesn’t answer this card.")),
        "uno-closed": ("UNO-2", mark("You can’t call UNO now.")),
        "catch-closed": ("UNO-2", mark("That player can’t be caught now.")),
        "catch-yourself": ("UNO-2", mark("You can’t catch yourself.")),
        "no-penalty": ("PEN-1", mark("A wrong card costs nothing at this table.")),
        "no-such-seat": ("PLAY-1", mark("This table has no such seat.")),
        "unknown-action": ("PLAY-1", mark("You can’t do that now.")),
        "nothing-forces": ("LOG", mark("Nothing forces a %(kind)s here.")),
        "no-wrong-card": ("PEN-1", mark("This player has no wrong card.")),
        "undo-nothing": ("LOG", mark("There is no move %(to)s.")),
        "undo-here": ("LOG", mark("The hand is already at move %(to)s.")),
        "undo-mid-move": ("LOG", mark("Move %(to)s can’t be the last one. Choose an earlier or later move.")),
    }
)


class Refused(ValueError):
    """Raised for an action against the rules; the hand is unchanged.

    `code` is a key of `REFUSALS`. `rule` is an id of docs/rules.md: the table's, or a more specific one. `sentence` is
    translatable; `str()` is its English.
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
    """Return the rule for answering the card that is aimed at a player."""
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
