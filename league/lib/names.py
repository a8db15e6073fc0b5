"""Define names of people, teams and clubs: the stored form, and forbidden texts."""

import re
import unicodedata

MAX_NAME = 80  # characters


def tidy(text: str) -> str:
    """Return a name as stored: NFC, without invisible characters, each run of white space as one space.

    Zero-width joiners stay inside, because Persian, Indian scripts and emoji need them.
    """
    return _EDGES.sub("", _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", without_invisible(text))))


def has_control_characters(text: str) -> bool:
    """Return whether the text has control characters, half characters or noncharacters, which no name may have."""
    return any(unicodedata.category(char) in ("Cc", "Cs") or ord(char) & 0xFFFE == 0xFFFE for char in text)


def is_visible(text: str) -> bool:
    """Return whether any part of the text is visible."""
    return bool(without_joiners(text).strip(_BLANKS + " "))


def without_invisible(text: str) -> str:
    """Return the text without invisible characters, except joiners and variation selectors."""
    return "".join(char for char in text if _shows(char) or char in _JOINERS)


def _shows(char: str) -> bool:
    return unicodedata.category(char) != "Cf" and char not in _INVISIBLE_MARKS


_JOINERS = "\u200c\u200d"
_INVISIBLE_MARKS = "\u034f\u17b4\u17b5"
# Variation selectors: needed by emoji and Asian scripts, but most characters have no variants.
_SELECTORS = [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
_EDGES = re.compile(rf"^[ {_JOINERS}]+|[ {_JOINERS}]+$")
# Without the separators and NEL that \s has too: those are control characters and so an error.
_WHITE_SPACE = re.compile(r"[ \t\r\n\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
# Unicode counts them as letters, but they render as nothing.
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"


def fold(text: str) -> str:
    """Fold a name for comparison: lower case without accents, one space between words, nothing invisible.

    “Đorđe” is “dorde”, “ÉMILIE” is “emilie”, “Groß” is “gross”. Equal results mean names that readers confuse.
    """
    if text.isascii():  # equal result, sixty times faster
        return " ".join(text.lower().replace("`", "'").split())
    apart = unicodedata.normalize("NFKD", without_joiners(without_invisible(text)).casefold())
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter)).translate(_PLAIN)
    return " ".join(plain.split())


def name_key(name: str) -> str:
    """Fold a name to find the same person: “Ruiz, Ana” and “Ana Ruiz” are equal."""
    return " ".join(sorted(fold(name).replace(",", " ").split()))


# Separate letters, unchanged by removing accents.
_PLAIN = str.maketrans(
    {"đ": "d", "ð": "d", "ø": "o", "ł": "l", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
    # Characters in names, and their phone keyboard replacements.
    | dict.fromkeys("’‘ʼʻ`", "'")
    | dict.fromkeys("‐‑–—", "-")
)


def looks(text: str) -> str:
    """Fold a name like `fold`, and map Cyrillic and Greek letters to similar Latin ones.

    “Вот” in Cyrillic letters is “bot”.
    """
    return fold(text).translate(_LATIN_LOOKS)


def mixes_alphabets(text: str) -> bool:
    """Return whether a word mixes two similar alphabets, such as Latin and Cyrillic."""
    letters = "".join(char for char in text if not unicodedata.category(char).startswith("M"))
    return any(len(set(map(_alphabet, word)) - {""}) > 1 for word in re.split(r"\W", letters))


def _alphabet(char: str) -> str:
    name = unicodedata.name(char, "").partition(" ")[0]
    return name if name in _ALIKE else ""


_ALIKE = ("LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE", "LISU")
# Lower-case letters; some look like a Latin letter only as capitals.
_LATIN_LOOKS = str.maketrans(
    "авекмнорстухіјѕԁԛԝһѵьαβεζηικμνορτυχ",
    "abekmhopctyxijsdqwhvbabezhikmnoptyx",
)


def without_joiners(text: str) -> str:
    """Return the text without joiners and variation selectors, for comparison."""
    return text.translate(dict.fromkeys([*map(ord, _JOINERS), *_SELECTORS]))


# Characters that browsers and mail programs read as the dot of an address.
_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61\u2024\ufe52", "."))
_ADDRESS = re.compile(r"://|\w@\w|\bwww\.", re.IGNORECASE)
_DOT_INSIDE = re.compile(r"(?<=\w)\.([^\W\d_]{2,})(?!\w)")
# Common address endings, for words with a capital such as “Prizes.Com”. Others are names: “St.John”.
_ENDING = re.compile(
    r"ai|app|art|biz|blog|cc|cloud|club|com?|de|dev|es|eu|fr|fun|gg|info|io|link|live|ly|me|mobi|net|news|online|org"
    r"|page|pro|ru|shop|site|space|store|tk|to|top|tv|uk|us|vip|web|website|win|world|xyz",
    re.IGNORECASE,
)


def _read_as_address(text: str) -> str:
    """Return the text as a mail program reads it: full-width letters and dots as plain ones, nothing invisible."""
    return without_joiners(without_invisible(unicodedata.normalize("NFKC", text).translate(_DOTS)))


def _is_ending(word: str) -> bool:
    return word in (word.lower(), word.upper()) or bool(_ENDING.fullmatch(word))


def has_link(text: str) -> bool:
    r"""Return whether mail programs would turn part of the text into a link.

    >>> has_link("Win at prizes．example"), has_link("St.John A. B. Smith")\n(True, False)
    """
    read = _read_as_address(text)
    return bool(_ADDRESS.search(read)) or any(_is_ending(found[1]) for found in _DOT_INSIDE.finditer(read))


def without_links(text: str, most: int) -> str:
    """Return the text for an e-mail: one line of at most `most` characters without links."""
    line = " ".join(text.split())
    if has_link(line):
        line = re.sub(r"(?<=\w)([.@])(?=\w)", r"\1 ", _read_as_address(line)).replace("://", ": ")
        line = re.sub(r"\b(www)\. *", r"\1 ", line, flags=re.IGNORECASE)
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
