"""Read a list of players, pasted or from a CSV file, into rows, and report all faulty lines at once.

There are two forms. A pasted list has one name a line, after the numbers and bullets that chats add. A CSV file
(league/entries/roster/csv_file.py) is recognised by its first line, which has a column `name`; it may have club, email
and birthday too, separated by commas, semicolons or tabs. In lists of teams (league/entries/roster/teams.py) a line is
a team, or a column `team` names it.
"""

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence

from engine.sentences import Sentence, mark
from league.entries.roster.csv_file import delimiter_of_header, header_fault, looks_like_a_header, read_csv
from league.entries.roster.rows import TEAM, LineError, Reader, Roster
from league.lib.names import tidy, without_invisible

MAX_BYTES = 1_000_000


class RosterError(ValueError):
    """The file cannot be read as text. line: the first line that cannot, if that is known."""

    def __init__(self, template: str, *, line: int | None = None) -> None:
        self.sentence = Sentence(template, {} if line is None else {"line": line})
        self.line = line
        super().__init__(str(self.sentence))


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark, or in UTF-16 with one. Raises RosterError."""
    if len(data) > MAX_BYTES:
        raise RosterError(mark("The file is larger than 1 MB. Split it and import the parts one after the other."))
    if data.startswith(b"PK\x03\x04"):
        raise RosterError(mark("This is a spreadsheet, not a text file. Save it as “CSV UTF-8” and import that file."))
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise RosterError(
                mark("The file is damaged UTF-16 text. Save it as “CSV UTF-8” and import it again.")
            ) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # error.object lacks the byte order mark; that does not matter, since a mark contains no line break.
        before = error.object[: error.start].decode("utf-8")
        raise RosterError(
            mark(
                "Line %(line)s is not UTF-8 text. In the spreadsheet, save the file as “CSV UTF-8” and import it again."
            ),
            line=len(_lines(before)),
        ) from None


def parse(text: str, *, teams: bool = False, once: bool = False) -> Roster:
    """The players in a pasted list or in the text of a CSV file. Never raises: faults are in `errors`.

    teams: each player has the name of their team; `team_roster.parse` puts the teams together. once: for a list on
    which nobody stands twice, so that a repeated name is one person.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return Roster((), (LineError(1, None, mark("The list is larger than 1 MB. Split it and import the parts.")),))
    lines = _lines(text)
    reader = Reader(teams, once)
    first = next((number for number, line in enumerate(lines, start=1) if tidy(line)), None)
    if first is not None:
        delimiter = delimiter_of_header(lines[first - 1])
        if delimiter is not None:
            read_csv(reader, lines, first, delimiter)
        elif looks_like_a_header(lines[first - 1]):
            reader.error(first, None, header_fault(lines[first - 1], teams=teams))
        else:
            _read_list(reader, lines)
    return reader.roster()


def from_rows(players: Iterable[Mapping[str, str]], *, teams: bool = False) -> Roster:
    """The same for players that are in columns already, as from the API; their lines count from 1."""
    reader = Reader(teams)
    for line, cells in enumerate(players, start=1):
        reader.add(line, {column: tidy(text) for column, text in cells.items()})
        if reader.full:
            break
    return reader.roster()


def _lines(text: str) -> list[str]:
    """The lines as an editor numbers them, with any kind of line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


# --- a pasted list ---------------------------------------------------------------------------------------------------

# "1." "2)" "3 -" "(4)" "5:", a number and a tab, a keycap emoji, a bullet or a tick; also a bullet and a number.
_DASHES = r"\-\u2010-\u2015"
_NUMBERING = re.compile(
    rf"""(?:
        (?: [0-9]{{1,4}} \s* [.):\]] (?![0-9])
          | [0-9]{{1,4}} (?: \s+ [{_DASHES}] | \s* [{_DASHES}] \s | \t )
          | [(\[] [0-9]{{1,4}} [)\]]
          | (?: [0-9] \ufe0f? \u20e3 ){{1,4}}
          | [{_DASHES}*•·‣▪◦●○]
          | [☐☑✓✔✅] \ufe0f?
        )\s*
    ){{1,4}}""",
    re.VERBOSE,
)
_EMAIL_IN_IT = re.compile(r"\S@\S")


def _read_list(reader: Reader, lines: Sequence[str]) -> None:
    for number, line in enumerate(lines, start=1):
        # Tabs stay until the numbering is removed: "1<tab>Ana" is a number and a name.
        visible = without_invisible(line).strip()
        rest = _NUMBERING.sub("", visible, count=1) if _NUMBERING.match(visible) else visible
        rest = rest.rstrip(" \t,;")
        name = tidy(rest)
        if not name:
            if visible:
                reader.warn(number, None, mark("There is no name on this line; it is left out."))
            continue
        if reader.teams:
            _read_team(reader, number, rest)
            continue
        if "\t" in rest or ";" in rest or _EMAIL_IN_IT.search(rest):
            reader.error(
                number,
                None,
                mark(
                    "There is more than a name on this line. For clubs, e-mail addresses or birthdays, "
                    "put a first line with the columns: name,club,email,birthday"
                ),
            )
            continue
        if "," in name:
            reader.warn(
                number,
                "name",
                mark("“%(name)s” is taken as one name. If these are several players, give each a line."),
                name=name,
            )
        reader.add(number, {"name": name})
        if reader.full:
            return


def _read_team(reader: Reader, number: int, line: str) -> None:
    """“Blue Foxes: Ana, Ben, Cara”"""
    team, colon, members = (tidy(part) for part in line.partition(":"))
    if not colon or not team or not members:
        reader.error(
            number, None, mark("Write the team’s name, a colon, and who plays for it: “Blue Foxes: Ana, Ben”.")
        )
        return
    for name in filter(None, map(tidy, re.split(r"[,;\t]", members))):
        reader.add(number, {"name": name, TEAM: team})
