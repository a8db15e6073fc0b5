"""The text of a name of a person, a team or a club: how it is stored, and what cannot be one."""

import re
import unicodedata

MAX_NAME = 80  # characters


def tidy(text: str) -> str:
    """A name as it is stored: NFC, without invisible characters, each run of white space as one space.

    The zero-width joiners stay inside, where Persian, Indian scripts and emoji need them.
    """
    return _EDGES.sub("", _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", without_invisible(text))))


def has_control_characters(text: str) -> bool:
    """Whether the text has control characters, halves of a character or what is none, which no name can have."""
    return any(unicodedata.category(char) in ("Cc", "Cs") or ord(char) & 0xFFFE == 0xFFFE for char in text)


def is_visible(text: str) -> bool:
    """Whether anything of the text would be seen."""
    return bool(text.strip(_BLANKS + _JOINERS + " "))


def without_invisible(text: str) -> str:
    """The text without invisible characters, except the joiners."""
    return "".join(char for char in text if unicodedata.category(char) != "Cf" or char in _JOINERS)


_JOINERS = "\u200c\u200d"
_EDGES = re.compile(rf"^[ {_JOINERS}]+|[ {_JOINERS}]+$")
# Without the separators and NEL that \s has too: those are control characters and so an error.
_WHITE_SPACE = re.compile(r"[ \t\r\n\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
# Unicode counts them as letters, but they are drawn as nothing.
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"


def without_joiners(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, _JOINERS)))
