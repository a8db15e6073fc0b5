"""The letters of the prints' font, their widths, and what is printed for a name in other letters.

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
UNBROKEN = "\N{NO-BREAK SPACE}"  # French has it before a colon: no line ends there
_SPACES = re.compile(rf"[^\S{UNBROKEN}]+")


@cache
def _widths(bold: bool) -> dict[str, float]:
    """{letter: its width, in parts of the size of the type}."""
    # Imported here because the import takes longer than most pages.
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    font = TTFont(FILES[bold], lazy=True)
    per_em, moves = font["head"].unitsPerEm, font["hmtx"]
    return {chr(code): moves[glyph][0] / per_em for code, glyph in font.getBestCmap().items()}


def width(text: str, size: float, bold: bool = False) -> float:
    """The width of a text, in the unit of `size`. The text must come from `printable`."""
    widths = _widths(bold)
    return size * sum(widths[letter] for letter in text)


@lru_cache(4096)
def printable(text: str) -> str:
    """The text in letters of the font. Missing symbols are left out, missing letters become question marks."""
    known = _widths(False)
    output = []
    for letter in unicodedata.normalize("NFC", text).replace("\N{NARROW NO-BREAK SPACE}", UNBROKEN):
        if letter in known and not unicodedata.category(letter).startswith("C"):
            output.append(letter)
        elif letter.isspace():
            output.append(" ")
        else:
            plain = unicodedata.normalize("NFKC", letter)
            if all(sign in known for sign in plain) and plain != letter:
                output.append(plain)
            elif _is_letter(letter):
                output.append(UNKNOWN)
    return _SPACES.sub(" ", "".join(output)).strip()


def is_legible(text: str) -> bool:
    """Whether the text has letters or figures, and all of them can be printed."""
    output = printable(text)
    return bool(output) and output.count(UNKNOWN) == text.count(UNKNOWN)


def _is_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LN"
