"""Read a list of players, pasted or from a CSV file, into rows, and report all faulty lines at once.

There are two forms. A pasted list has one name a line (league/entries/roster/pasted.py). A CSV file
(league/entries/roster/csv_file.py) is recognised by its first line, which has a column `name`; it may have club, email
and birthday too, separated by commas, semicolons or tabs. In lists of teams (league/entries/roster/teams.py) a line is
a team, or a column `team` names it.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.sentences import Sentence, mark
from league.entries.roster.csv_file import (
    delimiter_of_header,
    header_fault,
    looks_like_a_header,
    read_csv,
    unknown_header,
)
from league.entries.roster.pasted import Pasted, read_line
from league.entries.roster.rows import TEAM, LineError, Reader, Roster
from league.lib.names import has_control_characters, tidy, without_invisible

MAX_BYTES = 1_000_000


class RosterError(ValueError):
    """The file cannot be read as text. line: the first line that cannot, if that is known."""

    def __init__(self, template: str, *, line: int | None = None) -> None:
        self.sentence = Sentence(template, {} if line is None else {"line": line})
        self.line = line
        super().__init__(str(self.sentence))


class NotUnicode(RosterError):
    """Text of an older encoding. western: the same as Windows and Excel write it in Western Europe and America."""

    def __init__(self, western: str, template: str, *, line: int | None = None) -> None:
        super().__init__(template, line=line)
        self.western = western


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark, or in UTF-16 with one.

    Raises RosterError; where the file is older text, `NotUnicode` has what it says if it is Western European.
    """
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
        line = len(_lines(before))
        older = mark(
            "Line %(line)s is not UTF-8 text. In the spreadsheet, save the file as “CSV UTF-8” and import it again."
        )
        try:
            western = data.removeprefix(codecs.BOM_UTF8).decode("cp1252")
        except UnicodeDecodeError:
            raise RosterError(older, line=line) from None
        if any(map(has_control_characters, western.split())):  # it is no text at all
            raise RosterError(older, line=line) from None
        raise NotUnicode(western, older, line=line) from None


def parse(text: str, *, teams: bool = False, once: bool = False, name_column: int | None = None) -> Roster:
    """The players in a pasted list or in the text of a CSV file. Never raises: faults are in `errors`.

    teams: each player has the name of their team; `team_roster.parse` puts the teams together. once: for a list on
    which nobody stands twice, so that a repeated name is one person. name_column: of a table whose first line has no
    `name`, the column of the names, from 0; without it such a table has `columns` to choose from.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return Roster((), (LineError(1, None, mark("The list is larger than 1 MB. Split it and import the parts.")),))
    lines = _lines(text)
    reader = Reader(teams, once)
    first = next((number for number, line in enumerate(lines, start=1) if tidy(line)), None)
    if first is not None:
        delimiter = delimiter_of_header(lines[first - 1])
        unknown = unknown_header(lines, first) if delimiter is None and not teams else None
        if delimiter is not None:
            read_csv(reader, lines, first, delimiter)
        elif unknown is not None:
            delimiter, columns = unknown
            if name_column is None or not 0 <= name_column < len(columns):
                which = LineError(first, None, header_fault(lines[first - 1], teams=False))
                return Roster((), (which,), columns=columns)
            read_csv(reader, lines, first, delimiter, name_column)
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

_EMAIL_IN_IT = re.compile(r"\S@\S")


def _read_list(reader: Reader, lines: Sequence[str]) -> None:
    seen: set[str] = set()
    read = [read_line(line) for line in lines]
    bare = Counter(pasted.name.casefold() for pasted in read)
    for number, (line, pasted) in enumerate(zip(lines, read, strict=True), start=1):
        if pasted.remark and bare[pasted.name.casefold()] > 1:  # it tells two people apart
            pasted = Pasted(f"{pasted.rest} {pasted.remark}")
        name = pasted.name
        if not name:
            if without_invisible(line).strip():
                reader.warn(number, None, mark("There is no name on this line; it is left out."))
            continue
        if reader.teams:
            _read_team(reader, number, pasted.rest)
            continue
        if "\t" in pasted.rest or ";" in pasted.rest or _EMAIL_IN_IT.search(pasted.rest):
            reader.error(
                number,
                None,
                mark(
                    "There is more than a name on this line. For clubs, e-mail addresses or birthdays, "
                    "put a first line with the columns: name,club,email,birthday"
                ),
            )
            continue
        if pasted.spoken and name.casefold() in seen:
            reader.warn(number, "name", mark("“%(name)s” wrote more than once, and is taken once."), name=name)
            continue
        if pasted.remark:
            words = {"name": name, "remark": pasted.remark}
            reader.warn(number, "name", mark("“%(remark)s” beside “%(name)s” is left out."), **words)
        if "," in name:
            reader.warn(
                number,
                "name",
                mark("“%(name)s” is taken as one name. If these are several players, give each a line."),
                name=name,
            )
        seen.add(name.casefold())
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
