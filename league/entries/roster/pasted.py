"""Remove the surroundings of a pasted name: numbers, bullets, chat stamps, emoji, remarks. Pure."""

import re
from typing import NamedTuple

from league.entries.roster.rows import is_email
from league.lib.names import tidy, without_invisible

# "1." "2)" "3 -" "(4)" "5:", a number and a tab, a keycap emoji, a bullet or a tick; also a bullet and a number.
_DASHES = r"\-\u2010-\u2015"
_NUMBERING = re.compile(
    rf"""(?:
        (?: [0-9]{{1,4}} \s* [.):\]] (?![0-9])
          | [0-9]{{1,4}} (?: \s+ [{_DASHES}] | \s* [{_DASHES}] \s | \t )
          | [(\[] [0-9]{{1,4}} [)\]]
          | (?: [0-9] \ufe0f? \u20e3 ){{1,4}}
          | [{_DASHES}*•·‣▪◦●○]
          | \[[ xX✓✔]\]
          | [☐☑✓✔✅] \ufe0f?
        )\s*
    ){{1,4}}""",
    re.VERBOSE,
)
# "[19:02] ", "[24.11.26, 19:02:11] ", "24/11/2026, 19:02 - ", and "19:02 " before a name and its colon.
_DAY = r"[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{2,4},?\s+"
_TIME = r"[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?:\s?[AaPp]\.?\s?[Mm]\.?)?"
_STAMP = re.compile(
    rf"\[(?:{_DAY})?{_TIME}\]\s* | {_DAY}{_TIME}\s+[{_DASHES}]\s+ | [0-9]{{1,2}}:[0-9]{{2}}\s+(?=\S[^:]*:\s)",
    re.VERBOSE,
)
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u20e3]"  # includes flags and skin tones
)
_REMARK = re.compile(r"[(\[]([^()\[\]]*)[)\]]\s*$")
SHORT_MARK = 3  # letters that may tell namesakes apart
MOST_READ = 500  # characters of a line; longer lines are no names and stay as they are


class Pasted(NamedTuple):
    """A line, read. rest: other content of the name's cell and separators. remark: the removed brackets.

    spoken: the name is the author of a chat line.
    """

    rest: str
    remark: str = ""
    spoken: bool = False

    @property
    def name(self) -> str:
        return tidy(self.rest)


def read_line(line: str) -> Pasted:
    """Read a line of a pasted list."""
    # Remove the numbering before tabs: "1<tab>Ana" is a number and a name.
    visible = without_invisible(line).strip()
    if len(visible) > MOST_READ:
        return Pasted(visible)
    if stamp := _STAMP.match(visible):
        content = visible[stamp.end() :]
        who, colon, _text = content.partition(":")
        return Pasted(_plain(who if colon else content), spoken=bool(colon))
    rest = _NUMBERING.sub("", visible, count=1) if _NUMBERING.match(visible) else visible
    plain = _plain(rest)
    bracket = _REMARK.search(plain)
    if bracket and _is_remark(bracket[1]) and tidy(plain[: bracket.start()]):
        return Pasted(plain[: bracket.start()], bracket[0].strip())
    return Pasted(plain)


def _plain(text: str) -> str:
    """Return the text without emoji and trailing separators."""
    return _EMOJI.sub(" ", text).rstrip(" \t,;")


def _is_remark(text: str) -> bool:
    """Return whether brackets hold a remark, “late!”, and no distinction such as “2”, “jr” or “Café Ludo”."""
    return sum(char.isalpha() for char in text) > SHORT_MARK and text == text.lower() and "@" not in text


_IN_BRACKETS = re.compile(r"(?P<name>.*?)\s*[<(\[]\s*(?:mailto:)?(?P<address>[^\s<>()\[\]]+@[^\s<>()\[\]]+)\s*[>)\]]")
_AT_THE_END = re.compile(r"(?P<name>.*?)[\s,;:]+(?P<address>[^\s<>,;]+@[^\s<>,;]+)")
_AT_THE_START = re.compile(r"(?P<address>[^\s<>,;]+@[^\s<>,;]+)[\s,;:]+(?P<name>.*)")


def split_address(text: str) -> tuple[str, str]:
    """Return name and address of `Ana Ruiz <ana@example.org>`, brackets optional; "" without an address.

    The result is tidied. A text longer than MOST_READ characters is returned as a name.
    """
    if "@" not in text or len(text) > MOST_READ:
        return text, ""
    for form in (_IN_BRACKETS, _AT_THE_END, _AT_THE_START):
        match = form.fullmatch(text)
        if match and is_email(match["address"]):
            return tidy(match["name"].strip("\"'“” ,;")), match["address"]
    return ("", text) if is_email(text) else (text, "")


def is_chat(line: str) -> bool:
    """Return whether a line begins with a chat stamp, whose commas separate nothing."""
    visible = without_invisible(line).strip()
    return len(visible) <= MOST_READ and bool(_STAMP.match(visible))


def is_typed_team(line: str) -> bool:
    """Return whether a line is a typed team: “Blue Foxes: Ana, Ben”."""
    name, colon, _people = line.partition(":")
    return bool(colon) and not re.search(r"[,;\t]", name)
