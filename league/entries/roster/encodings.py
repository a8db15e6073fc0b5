"""Turn the bytes of a list into text: UTF-8, UTF-16, or what older programs wrote. Pure.

An older encoding names itself nowhere. Each one is tried, and the text that looks most like names is taken.
"""

import codecs
import unicodedata
from typing import NamedTuple

# In this order where two fit equally well: Excel on Windows, programs of MS-DOS, older Macs.
OLDER = ("cp1252", "cp850", "mac_roman")
_IN_NAMES = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŒœŠšŽžŸ")
_AROUND_NAMES = frozenset("\xa0’‘“”«»–—°·…")
MOST_DOUBT = 0.3  # of its characters beyond ASCII, how many of a text may look wrong


class Text(NamedTuple):
    """text: what the file says. encoding: "" for Unicode; else the older one that was guessed."""

    text: str
    encoding: str = ""


def decode_text(data: bytes) -> Text | None:
    """Return the text of a file, or None if it is no text in any encoding that is known here."""
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
    """Return how many characters look wrong in names: signs, and capitals within a word of small letters."""
    doubt = 0.0
    for at, char in enumerate(text):
        if char.isascii():
            continue
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if char in _AROUND_NAMES:
            # Quotation marks stand next to a blank or an end, not between two letters; an apostrophe may.
            doubt += 0.5 if char != "’" and before.isalpha() and after.isalpha() else 0.1
        elif (
            char not in _IN_NAMES
            or (char.isupper() and before.islower())
            or (char.islower() and before.isupper() and after.isupper())
        ):
            doubt += 1
    return doubt
