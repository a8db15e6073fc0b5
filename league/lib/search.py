"""Finds people by what somebody types on a phone: without accents, in any case, by any part of the name."""

import unicodedata

# These are letters of their own, so removing accents does not change them.
_PLAIN = str.maketrans(
    {"đ": "d", "ð": "d", "ø": "o", "ł": "l", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
    # Characters in names, and those that a phone types for them.
    | dict.fromkeys("’‘ʼʻ`", "'")
    | dict.fromkeys("‐‑–—", "-")
)


def fold(text: str) -> str:
    """The text in small plain letters: “Đorđe” is “dorde”, “ÉMILIE” is “emilie”, “Groß” is “gross”."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).translate(_PLAIN)


def matches(query: str, name: str) -> bool:
    """Whether every word of the query is part of the name. An empty query matches nobody."""
    words = fold(query).split()
    folded = fold(name)
    return bool(words) and all(word in folded for word in words)
