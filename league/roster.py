"""A list of players, pasted or as a CSV file, into rows; every faulty line named at once.

Two forms are read. A pasted list has one name a line, with whatever numbers and bullets a chat puts before it. A CSV
file is recognised by its first line, which has a column `name`; it may have club, email and birthday too, separated by
commas, semicolons or tabs. In lists of teams (league/team_roster.py) a line is a team, or the column `team` says which.

Messages are English templates with their parameters beside them (engine.sentences), so that a page can translate them.
"""

import codecs
import csv
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.sentences import Sentence, mark
from league import csvfile
from league.roster_cells import Birthday, birthday_of, is_email

MAX_BYTES = 1_000_000
MAX_ROWS = 2000
MAX_NAME = 80

COLUMNS = ("name", "club", "email", "birthday")
TEAM = "team"  # the column that a list of teams has besides
# A first line with one of these, but without `name`, was meant as a header.
_HEADER_WORDS = {*COLUMNS, "player", "players", "player name", "full name", "first name", "last name", "surname"} | {
    *("e-mail", "mail", "email address", "birth date", "birthdate", "date of birth")
}
_UNPAIRED = mark(
    "The quotation marks of this line do not pair up. Close the open one, "
    "or write a quotation mark inside a cell twice."
)
_NO_TEAM_COLUMN = mark(
    "A list of teams needs the columns “team” and “name”; it may have club, email and birthday too. "
    "Each line is one player, the captain first."
)


@dataclass(frozen=True)
class RosterRow:
    """line: where it stands in the text, from 1. birthday: (month, day); the year is never kept.

    A team is a row with `members`, the captain first; who plays in one has its name as `team`.
    """

    line: int
    name: str
    club: str = ""
    email: str = ""
    birthday: Birthday | None = None
    team: str = ""
    members: tuple["RosterRow", ...] = ()


@dataclass(frozen=True)
class LineError:
    """What is wrong in a line, or, as a warning, odd about it. column: None where the whole line is meant."""

    line: int
    column: str | None
    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def sentence(self) -> Sentence:
        return Sentence(self.template, self.params)

    @property
    def message(self) -> str:
        return str(self.sentence)


@dataclass(frozen=True)
class Roster:
    """rows is empty as soon as there is an error: half a list is never imported."""

    rows: tuple[RosterRow, ...]
    errors: tuple[LineError, ...] = ()
    warnings: tuple[LineError, ...] = ()


class RosterError(ValueError):
    """The file cannot be read as text at all. line: the first one that cannot, where that is known."""

    def __init__(self, template: str, *, line: int | None = None) -> None:
        self.sentence = Sentence(template, {} if line is None else {"line": line})
        self.line = line
        super().__init__(str(self.sentence))


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, with or without its mark, or in UTF-16 with its mark. Raises RosterError."""
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
        # error.object has lost the mark, if there was one; a mark contains no line break.
        before = error.object[: error.start].decode("utf-8")
        raise RosterError(
            mark(
                "Line %(line)s is not UTF-8 text. In the spreadsheet, save the file as “CSV UTF-8” and import it again."
            ),
            line=len(_lines(before)),
        ) from None


def parse(text: str, *, teams: bool = False) -> Roster:
    """The players in a pasted list or in the text of a CSV file. Never raises: what is wrong stands in `errors`.

    teams: each with the name of their team; `team_roster.parse` puts the teams together.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return Roster((), (LineError(1, None, mark("The list is larger than 1 MB. Split it and import the parts.")),))
    lines = _lines(text)
    reader = _Reader(teams)
    first = next((number for number, line in enumerate(lines, start=1) if tidy(line)), None)
    if first is not None:
        delimiter = _delimiter_of_header(lines[first - 1])
        if delimiter is not None:
            _read_csv(reader, lines, first, delimiter)
        elif _looks_like_a_header(lines[first - 1]):
            no_name = mark(
                "This line looks like a header, but none of its cells is “name”. "
                "The columns are name, club, email and birthday; only name is needed."
            )
            if teams:
                no_name = _NO_TEAM_COLUMN
            reader.error(first, None, _UNPAIRED if lines[first - 1].count('"') % 2 else no_name)
        else:
            _read_list(reader, lines)
    return reader.roster()


def from_rows(players: Iterable[Mapping[str, str]], *, teams: bool = False) -> Roster:
    """The same for players that come in columns already, as over the API; their lines count from 1."""
    reader = _Reader(teams)
    for line, cells in enumerate(players, start=1):
        reader.add(line, {column: tidy(text) for column, text in cells.items()})
        if reader.full:
            break
    return reader.roster()


def tidy(text: str) -> str:
    """A name as it is kept: NFC, without invisible characters, each run of white space as one space.

    The zero-width joiners stay inside, where Persian, Indian scripts and emoji need them.
    """
    return _EDGES.sub("", _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", _without_invisible(text))))


def has_control_characters(text: str) -> bool:
    """Control characters, or halves of a character: nothing that a name could hold."""
    return any(unicodedata.category(char) in ("Cc", "Cs") for char in text)


def is_visible(text: str) -> bool:
    """Whether anything of it would be seen."""
    return bool(text.strip(_BLANKS + _JOINERS + " "))


def _without_invisible(text: str) -> str:
    return "".join(char for char in text if unicodedata.category(char) != "Cf" or char in _JOINERS)


_JOINERS = "\u200c\u200d"
_EDGES = re.compile(rf"^[ {_JOINERS}]+|[ {_JOINERS}]+$")
# Without the separators and NEL that \s has too: those are control characters, and an error.
_WHITE_SPACE = re.compile(r"[ \t\r\n\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
# Letters to Unicode, but drawn as nothing.
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"


def _lines(text: str) -> list[str]:
    """The lines as an editor numbers them, whichever way they end."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


class _Reader:
    """Collects rows, errors and warnings. full: there is enough of them, and reading stops."""

    def __init__(self, teams: bool) -> None:
        self.teams = teams
        self.rows: list[RosterRow] = []
        self.errors: list[LineError] = []
        self.warnings: list[LineError] = []
        self.full = False

    def error(self, line: int, column: str | None, template: str, **params: object) -> None:
        self.errors.append(LineError(line, column, template, params))
        self.full = self.full or len(self.errors) >= MAX_ROWS

    def warn(self, line: int, column: str | None, template: str, **params: object) -> None:
        if len(self.warnings) < MAX_ROWS:
            self.warnings.append(LineError(line, column, template, params))

    def add(self, line: int, cells: Mapping[str, str]) -> None:
        """Checks the cells of one player, already tidied, and keeps the row."""
        if len(self.rows) == MAX_ROWS:
            self.full = True
            self.error(
                line, None, mark("A list holds up to %(limit)s players. Import the rest afterwards."), limit=MAX_ROWS
            )
            return
        self._check_text(line, "name", cells["name"], needed=mark("The name is missing."))
        if self.teams:
            self._check_text(line, TEAM, cells.get(TEAM, ""), needed=mark("The team is missing."))
        self._check_text(line, "club", cells.get("club", ""))
        email = cells.get("email", "")
        if email and not is_email(email):
            self.error(line, "email", mark("This is not an e-mail address. Write ana@example.org, or leave it empty."))
        birthday = None
        if written := cells.get("birthday", ""):
            birthday = birthday_of(written)
            if birthday is None:
                self.error(
                    line,
                    "birthday",
                    mark(
                        "This is not a day we can read. Write the birthday as 1991-07-30 or 07-30, or leave it empty."
                    ),
                )
        # Kept even if faulty, so that the count of players and the duplicates are right.
        self.rows.append(RosterRow(line, cells["name"], cells.get("club", ""), email, birthday, cells.get(TEAM, "")))

    def _check_text(self, line: int, column: str, text: str, *, needed: str = "") -> None:
        if has_control_characters(text):
            self.error(
                line, column, mark("There are control characters in this cell. Type it again instead of pasting it.")
            )
        elif not is_visible(text):
            if needed:
                self.error(line, column, needed)
        elif len(text) > MAX_NAME:
            self.error(
                line,
                column,
                mark("This has %(length)s characters; up to %(limit)s fit."),
                length=len(text),
                limit=MAX_NAME,
            )

    def roster(self) -> Roster:
        if not self.rows and not self.errors:
            nobody = mark("There are no names here. Give one name a line, or a CSV file with a column “name”.")
            if self.teams:
                nobody = mark(
                    "There are no teams here. Give one team a line, as “Blue Foxes: Ana, Ben”, or a CSV file with the "
                    "columns “team” and “name”."
                )
            self.error(1, None, nobody)
        if not self.teams:
            self._warn_of_duplicates()
        self.warnings.sort(key=lambda warning: warning.line)
        return Roster(() if self.errors else tuple(self.rows), tuple(self.errors), tuple(self.warnings))

    def _warn_of_duplicates(self) -> None:
        same: dict[str, list[RosterRow]] = defaultdict(list)
        for row in self.rows:
            if row.name:
                same[_without_joiners(row.name.casefold())].append(row)
        for rows in same.values():
            if len(rows) > 1:
                self.warn(
                    rows[1].line,
                    "name",
                    mark(
                        "“%(name)s” is on the lines %(lines)s. They are kept as different players; "
                        "if it is one person, take the others out."
                    ),
                    name=rows[0].name,
                    lines=", ".join(str(row.line) for row in rows),
                )


def _without_joiners(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, _JOINERS)))


# --- a pasted list ---------------------------------------------------------------------------------------------------

# "1." "2)" "3 -" "(4)" "5:" a number and a tab, a keycap emoji, a bullet or a tick; also a bullet and a number.
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


def _read_list(reader: _Reader, lines: Sequence[str]) -> None:
    for number, line in enumerate(lines, start=1):
        # Tabs stay until the numbering is off: "1<tab>Ana" is a number and a name.
        written = _without_invisible(line).strip()
        rest = _NUMBERING.sub("", written, count=1) if _NUMBERING.match(written) else written
        rest = rest.rstrip(" \t,;")
        name = tidy(rest)
        if not name:
            if written:
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


def _read_team(reader: _Reader, number: int, line: str) -> None:
    """“Blue Foxes: Ana, Ben, Cara”"""
    team, colon, members = (tidy(part) for part in line.partition(":"))
    if not colon or not team or not members:
        reader.error(
            number, None, mark("Write the team’s name, a colon, and who plays for it: “Blue Foxes: Ana, Ben”.")
        )
        return
    for name in filter(None, map(tidy, re.split(r"[,;\t]", members))):
        reader.add(number, {"name": name, TEAM: team})


# --- a CSV file ------------------------------------------------------------------------------------------------------


def _header_cells(line: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []
    return [tidy(csvfile.unguard(cell)).casefold() for cell in cells]


def _delimiter_of_header(line: str) -> str | None:
    """The separator with which the line is a header with a column `name`, or None."""
    return next((delimiter for delimiter in ",;\t" if "name" in _header_cells(line, delimiter)), None)


def _looks_like_a_header(line: str) -> bool:
    bare = line.replace('"', "")
    return any(not _HEADER_WORDS.isdisjoint(_header_cells(bare, delimiter)) for delimiter in ",;\t")


def _read_csv(reader: _Reader, lines: Sequence[str], first: int, delimiter: str) -> None:
    header = _header_cells(lines[first - 1], delimiter)
    columns = (*COLUMNS, TEAM) if reader.teams else COLUMNS
    if reader.teams and TEAM not in header:
        reader.error(first, None, _NO_TEAM_COLUMN)
        return
    for column in dict.fromkeys(header):
        if column in columns and header.count(column) > 1:
            reader.error(first, column, mark("The column “%(name)s” is there twice. Keep one of them."), name=column)
        elif column and column not in columns and not (column == TEAM and _is_empty(lines, first, delimiter, header)):
            unused = mark(
                "The column “%(name)s” is not used. "
                "The columns are name, club, email and birthday; only name is needed."
            )
            reader.warn(first, column, unused, name=column)
    # The first of a repeated column, so that the lines below are still checked.
    places = {column: header.index(column) for column in columns if column in header}
    for line, cells in _records(lines, first, delimiter):
        if isinstance(cells, str):
            reader.error(line, None, cells)
        elif any(tidy(cell) for cell in cells[len(header) :]):
            # Nobody knows which cell is which, so nothing more is said of this line.
            reader.error(
                line,
                None,
                mark(
                    "This line has %(cells)s cells, but the header has %(columns)s columns. "
                    "Put quotation marks around a cell that contains the separator."
                ),
                cells=len(cells),
                columns=len(header),
            )
        elif any(tidy(cell) for cell in cells):
            texts = [tidy(csvfile.unguard(cell.strip(" "))) for cell in cells] + [""] * (len(header) - len(cells))
            reader.add(line, {column: texts[place] for column, place in places.items()})
        if reader.full:
            return


def _is_empty(lines: Sequence[str], first: int, delimiter: str, header: Sequence[str]) -> bool:
    """Whether nobody in a list has a team: every exported list has the column."""
    at = header.index(TEAM)
    return not any(
        not isinstance(cells, str) and tidy("".join(cells[at : at + 1]))
        for _l, cells in _records(lines, first, delimiter)
    )


def _records(lines: Sequence[str], after: int, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Each record after the line `after`: the number of its first line, and its cells or why it cannot be split.

    After one that cannot be split, reading goes on with the line after its first one, so that an open quotation mark
    does not hide the errors of the rest.
    """
    start = after
    while start < len(lines):
        at = start
        following = (lines[number] + "\n" for number in range(at, len(lines)))
        reader = csv.reader(following, delimiter=delimiter, skipinitialspace=True, strict=True)
        try:
            for cells in reader:
                yield start + 1, cells
                start = at + reader.line_num
        except csv.Error:
            if at + reader.line_num == start + 1 and len(lines[start]) > csv.field_size_limit():
                yield start + 1, mark("A cell of this line is too long to be read.")
            else:
                yield start + 1, _UNPAIRED
            start += 1
