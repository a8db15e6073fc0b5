"""Which letters the font of the prints has, how wide they are, and what becomes of a name in other letters.

The font has Latin (Vietnamese included), Greek and Cyrillic. Scripts beyond these would need fonts of many megabytes,
and shaping for some.
"""

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
FILES = {False: FONTS / "NotoSans-Regular.ttf", True: FONTS / "NotoSans-Bold.ttf"}  # by bold
UNKNOWN = "?"
UNBROKEN = "\N{NO-BREAK SPACE}"  # as French sets before a colon: no line ends there
_SPACES = re.compile(rf"[^\S{UNBROKEN}]+")


@cache
def _widths(bold: bool) -> dict[str, float]:
    """{letter: how far it moves the pen, in parts of the size of the type}."""
    # Takes longer to import than most pages take to make.
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    font = TTFont(FILES[bold], lazy=True)
    per_em, moves = font["head"].unitsPerEm, font["hmtx"]
    return {chr(code): moves[glyph][0] / per_em for code, glyph in font.getBestCmap().items()}


def width(text: str, size: float, bold: bool = False) -> float:
    """In the unit of `size`. The text must have gone through `printable`."""
    widths = _widths(bold)
    return size * sum(widths[letter] for letter in text)


@lru_cache(4096)
def printable(text: str) -> str:
    """The text in letters of the font. Symbols it lacks are left out, letters become question marks."""
    known = _widths(False)
    made = []
    for letter in unicodedata.normalize("NFC", text).replace("\N{NARROW NO-BREAK SPACE}", UNBROKEN):
        if letter in known and not unicodedata.category(letter).startswith("C"):
            made.append(letter)
        elif letter.isspace():
            made.append(" ")
        else:
            plain = unicodedata.normalize("NFKC", letter)
            if all(one in known for one in plain) and plain != letter:
                made.append(plain)
            elif _is_letter(letter):
                made.append(UNKNOWN)
    return _SPACES.sub(" ", "".join(made)).strip()


def is_legible(text: str) -> bool:
    """Whether all its letters and figures can be printed, and there are any."""
    made = printable(text)
    return bool(made) and made.count(UNKNOWN) == text.count(UNKNOWN)


def _is_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LN"
