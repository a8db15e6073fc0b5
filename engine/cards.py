"""Cards are short codes: what they are called and what they are worth.

A coloured card is a colour (`R Y G B`) and a digit, `S` (Skip), `R` (Reverse) or `D` (the draw card): `B7`, `RD`.
The wild cards are the keys of `WILDS`.
"""

from collections.abc import Iterable
from typing import Final

from engine.sentences import Sentence

COLORS: Final = {"R": "Red", "Y": "Yellow", "G": "Green", "B": "Blue"}
WILDS: Final = {
    "W": "Wild",
    "WD": "Wild Draw Four",
    "WH": "Sorting Hat",
    "WC": "Creeper",
    "WL": "Howler",
    "WI": "Invisibility",
}
_SYMBOLS = {"S": "Skip", "R": "Reverse"}
_DRAW_CARDS = {2: "Draw Two", 3: "Draw Three"}
# What translators are told about a name. In French a Wild has the leaflet's name and the usual one.
NAMES, COLOR_NAMES = "card", "color"
LEAFLET_NAMES = "card, in the edition with a French leaflet"


def _faces() -> dict[str, int]:
    """Points by card code (SCORE-1)."""
    faces = dict.fromkeys(WILDS, 50)
    for color in COLORS:
        faces |= {f"{color}{number}": number for number in range(10)}
        faces |= dict.fromkeys((f"{color}{symbol}" for symbol in "SRD"), 20)
    return faces


_POINTS: Final = _faces()
_points: Final = _POINTS.__getitem__


class UnknownCard(ValueError):
    """A text that is no card's code."""


def is_card(code: str) -> bool:
    return code in _POINTS


def points(card: str) -> int:
    """Return the points of a remaining card (SCORE-1). Raises `UnknownCard`."""
    try:
        return _POINTS[card]
    except KeyError:
        raise UnknownCard(f"“{card}” is not a card.") from None


def points_of(cards: Iterable[str]) -> int:
    """Return the sum of the cards' points (SCORE-1). Raises `UnknownCard`."""
    try:
        return sum(map(_points, cards))
    except KeyError as exc:
        raise UnknownCard(f"“{exc.args[0]}” is not a card.") from None


def holds_color(cards: Iterable[str], color: str) -> bool:
    """Return whether there is a card of the colour. Wilds have none, and no code of theirs begins with a colour."""
    return any(card[0] == color for card in cards)


def is_wild(card: str) -> bool:
    return card in WILDS


def name(card: str, draw_size: int = 2) -> str:
    """Return a card in words: "Blue 7", "Wild Draw Four"; the draw card by the edition's `draw_size`. Raises
    `UnknownCard`."""
    return str(in_words(card, draw_size))


def in_words(card: str, draw_size: int = 2, *, french_leaflet: bool = False) -> Sentence:
    """Return the same, for translation: a coloured card is one message with its colour. Raises `UnknownCard`."""
    points(card)
    if card in WILDS:
        return Sentence(WILDS[card], context=LEAFLET_NAMES if french_leaflet and card in ("W", "WD") else NAMES)
    color, face = COLORS[card[0]], card[1]
    if face.isdigit():
        return Sentence(f"{color} %(number)s", {"number": face}, context=NAMES)
    return Sentence(f"{color} {symbol_in_words(face, draw_size)}", context=NAMES)


def symbol_in_words(face: str, draw_size: int = 2) -> Sentence:
    """Return the card of every colour with this symbol (`S`, `R`, `D`): "Skip"."""
    return Sentence(_DRAW_CARDS[draw_size] if face == "D" else _SYMBOLS[face], context=NAMES)


def full_deck(specials: Iterable[str] = ()) -> tuple[str, ...]:
    """Return a deck in the order in which it lies before its first shuffle: 108 cards, then the edition's special
    cards."""
    deck: list[str] = []
    for color in COLORS:
        deck.append(f"{color}0")
        for face in "123456789SRD":
            deck += [f"{color}{face}"] * 2
    return (*deck, *["W"] * 4, *["WD"] * 4, *specials)
