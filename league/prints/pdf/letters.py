"""Define the letters of the prints' fonts, their widths, and replacements for unsupported names.

Noto Sans has Latin (Vietnamese included), Greek and Cyrillic, in two weights. Each other script has its own font, made
by .ci/subset_fonts.py; its text is shaped, and drawn thicker for bold.
"""

import re
import unicodedata
from collections.abc import Container, Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

FONTS = Path(__file__).parent / "fonts"
FILES = {False: FONTS / "NotoSans-Regular.ttf", True: FONTS / "NotoSans-Bold.ttf"}  # by bold
LATIN = "NotoSans"
# {Unicode range of a script: its font}
SCRIPTS = {
    range(0x0530, 0x0590): "NotoSansArmenian",
    range(0x0590, 0x0600): "NotoSansHebrew",
    range(0x0600, 0x0700): "NotoSansArabic",
    range(0x0750, 0x0780): "NotoSansArabic",
    range(0x0780, 0x07C0): "NotoSansThaana",
    range(0x0900, 0x0980): "NotoSansDevanagari",
    range(0x0980, 0x0A00): "NotoSansBengali",
    range(0x0A00, 0x0A80): "NotoSansGurmukhi",
    range(0x0A80, 0x0B00): "NotoSansGujarati",
    range(0x0B00, 0x0B80): "NotoSansOriya",
    range(0x0B80, 0x0C00): "NotoSansTamil",
    range(0x0C00, 0x0C80): "NotoSansTelugu",
    range(0x0C80, 0x0D00): "NotoSansKannada",
    range(0x0D00, 0x0D80): "NotoSansMalayalam",
    range(0x0D80, 0x0E00): "NotoSansSinhala",
    range(0x0E00, 0x0E80): "NotoSansThai",
    range(0x0E80, 0x0F00): "NotoSansLao",
    range(0x1000, 0x10A0): "NotoSansMyanmar",
    range(0x10A0, 0x1100): "NotoSansGeorgian",
    range(0x1200, 0x13A0): "NotoSansEthiopic",
    range(0x1780, 0x1800): "NotoSansKhmer",
    range(0x2E80, 0xA000): "NotoSansCJK",
    range(0xAC00, 0xD7B0): "NotoSansCJK",
    range(0xF900, 0xFB00): "NotoSansCJK",
}
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
WITHIN = f" \N{NO-BREAK SPACE}-.'{JOINERS}"  # take the font and direction of the letters around them
UNKNOWN = "?"
UNBROKEN = "\N{NO-BREAK SPACE}"  # French puts it before a colon: no line break there
_SPACES = re.compile(rf"[^\S{UNBROKEN}]+")


@cache
def file_of(font: str, bold: bool = False) -> Path:
    return FILES[bold] if font == LATIN else next(FONTS.glob(f"{font}.*"))


@cache
def _widths(font: str, bold: bool) -> dict[str, float]:
    """Return {letter: its width, in parts of the type size}."""
    # Imported here because the import takes longer than most pages.
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    opened = TTFont(file_of(font, bold), lazy=True)
    per_em, moves = opened["head"].unitsPerEm, opened["hmtx"]
    return {chr(code): moves[glyph][0] / per_em for code, glyph in opened.getBestCmap().items()}


@cache
def _shaper(font: str) -> Any:
    import uharfbuzz  # type: ignore[import-untyped]

    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(file_of(font)))))


@lru_cache(4096)
def _shaped_width(font: str, text: str) -> float:
    """Return the width of a text with joining letters, in parts of the type size."""
    import uharfbuzz

    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    shaper = _shaper(font)
    uharfbuzz.shape(shaper, buffer)
    advances: list[int] = [glyph.x_advance for glyph in buffer.glyph_positions]
    per_em: int = shaper.face.upem
    return sum(advances) / per_em


def width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text, in the unit of `size`. The text must come from `printable`."""
    widths = _widths(LATIN, bold)
    return size * sum(
        sum(widths[letter] for letter in part) if font == LATIN else _shaped_width(font, part)
        for font, part in in_fonts(text)
    )


def in_fonts(text: str) -> list[tuple[str, str]]:
    """Return the parts of a printable text with their fonts, from left to right on paper.

    A text that begins with right-to-left letters has its parts in reverse order, with mirrored brackets.
    """
    latin = _widths(LATIN, False)
    if all(letter in latin for letter in text):
        return [(LATIN, text)] if text else []
    parts = list(_parts(text, latin))
    first = next((letter for letter in text if unicodedata.bidirectional(letter) in ("L", "R", "AL")), "")
    if unicodedata.bidirectional(first or "L") == "L":
        return parts
    return [(font, _turned(piece)) for font, part in reversed(parts) for piece in _pieces(font, part)]


def _pieces(font: str, part: str) -> list[str]:
    """Split a right-to-left part: signs around its words or digits move to the other side."""
    if font != LATIN:
        return [part]
    before, words, after = _AROUND.fullmatch(part).groups()  # type: ignore[union-attr]
    return [piece for piece in (after, words, before) if piece]


def _turned(piece: str) -> str:
    """Mirror signs without words or digits, for right-to-left text."""
    return piece if _WORD.search(piece) else piece[::-1].translate(_MIRRORED)


_WORD = re.compile(r"\w")
_AROUND = re.compile(r"(\W*)(.*?)(\W*)", re.DOTALL)
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def _parts(text: str, latin: Container[str]) -> Iterator[tuple[str, str]]:
    fonts = [LATIN if letter in latin else font_for(letter) for letter in text]
    for at, letter in enumerate(text):
        before = fonts[at - 1] if at else LATIN
        if letter in WITHIN and before != LATIN:
            following = next((fonts[next_] for next_ in range(at, len(text)) if text[next_] not in WITHIN), LATIN)
            fonts[at] = before if before == following or letter in JOINERS else LATIN
    for font, letters in groupby(zip(fonts, text, strict=True), key=lambda pair: pair[0]):
        yield font, "".join(letter for _, letter in letters)


def font_for(letter: str) -> str:
    """Return the font of a script beyond Noto Sans, or ""."""
    return next((font for letters, font in SCRIPTS.items() if ord(letter) in letters), "")


def _is_known(letter: str) -> bool:
    if letter in _widths(LATIN, False):
        return True
    font = font_for(letter)
    return bool(font) and letter in _widths(font, False)


@lru_cache(4096)
def printable(text: str) -> str:
    """Return the text in letters of the fonts. Missing symbols are dropped, missing letters become question marks."""
    output: list[str] = []
    for letter in unicodedata.normalize("NFC", text).replace("\N{NARROW NO-BREAK SPACE}", UNBROKEN):
        if letter in JOINERS:
            if output and font_for(output[-1]):  # meaningful in Persian and Hindi, not in Latin
                output.append(letter)
        elif _is_known(letter) and not unicodedata.category(letter).startswith("C"):
            output.append(letter)
        elif letter.isspace():
            output.append(" ")
        else:
            plain = unicodedata.normalize("NFKC", letter)
            if all(map(_is_known, plain)) and plain != letter:
                output.extend(plain)
            elif _is_letter(letter):
                output.append(UNKNOWN)
    return _SPACES.sub(" ", "".join(output)).strip()


def is_legible(text: str) -> bool:
    """Return whether the text has letters or digits, and all of them can be printed."""
    output = printable(text)
    return bool(output) and output.count(UNKNOWN) == text.count(UNKNOWN)


def _is_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LN"
