"""Decode the bytes of a list: UTF-8, UTF-16, or older encodings. Pure.

Older encodings are not named in a file. Each is tried, and the text most like names wins.
"""

import codecs
import unicodedata
from typing import NamedTuple

# Order of preference: Excel on Windows, MS-DOS, older Macs.
OLDER = ("cp1252", "cp850", "mac_roman")
_IN_NAMES = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŒœŠšŽžŸ")
_AROUND_NAMES = frozenset("\xa0’‘“”«»–—°·…")
MOST_DOUBT = 0.3  # highest share of unlikely characters beyond ASCII


class Text(NamedTuple):
    """text: the content. encoding: empty for Unicode, else the guessed older one."""

    text: str
    encoding: str = ""


def decode_text(data: bytes) -> Text | None:
    """Return the text of a file, or None in an unknown encoding."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
    ):  # fmt: skip
        if data.startswith(mark) and (text := _decoded(data, encoding)) is not None:
            return Text(text)
    if (text := _decoded(data, "utf-8")) is not None:
        return Text(text)
    data = data.removeprefix(codecs.BOM_UTF8)
    texts = [(text, encoding) for encoding in OLDER if (text := _decoded(data, encoding)) is not None]
    if not texts or any(unicodedata.category(char) == "Cc" and char not in "\t\r\n\f" for char in texts[0][0][:20_000]):
        return None
    text, encoding = min(texts, key=lambda one: _doubt(one[0]))
    beyond = sum(not char.isascii() for char in text)
    return Text(text, encoding) if _doubt(text) <= MOST_DOUBT * beyond else None


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _doubt(text: str) -> float:
    """Return the number of characters unlikely in names: symbols, and capitals within a word."""
    doubt = 0.0
    for at, char in enumerate(text):
        if char.isascii():
            continue
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if char in _AROUND_NAMES:
            # Quotation marks are next to a blank or an end; apostrophes may be between letters.
            doubt += 0.5 if char != "’" and before.isalpha() and after.isalpha() else 0.1
        elif (
            char not in _IN_NAMES
            or (char.isupper() and before.islower())
            or (char.islower() and before.isupper() and after.isupper())
        ):
            doubt += 1
    return doubt
