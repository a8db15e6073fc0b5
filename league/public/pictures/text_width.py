"""Estimate text widths in a picture, and shorten names to fit."""

import re
import unicodedata

# Rough widths of letters in the picture's type; FIGURE is for bold digits.
NARROW, WIDE, CAPITAL, OTHER, FIGURE = 5, 13, 10, 8, 8

_ADDITION = re.compile(r" (?:\([^()]*\)|\d{1,3})$")


def shorten(name: str, room: int) -> str:
    """Cut a name to fit a line of the picture."""
    for index, letter in enumerate(name):
        room -= _letter_width(letter)
        if room < 0:
            return name[: max(index - 1, 1)].rstrip() + "…"
    return name


def shorten_name(name: str, room: int) -> str:
    """Cut a name but keep part of the addition that makes it unique: “Jan Dv… (SV Lokstedt)”."""
    addition = _ADDITION.search(name)
    if addition is None or text_width(name) <= room:
        return shorten(name, room)
    least = room * 2 // 5  # minimum for the name itself
    head = shorten(name[: addition.start()], max(room - text_width(addition[0]), least))
    return head + shorten(addition[0], room - text_width(head))


def text_width(words: str) -> int:
    return sum(map(_letter_width, words))


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF" or letter in "mwMW":
        return WIDE
    plain = unicodedata.normalize("NFD", letter)[0]
    return NARROW if plain in "fijlrtI .,'’-" else CAPITAL if plain.isupper() else OTHER
