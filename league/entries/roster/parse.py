"""Read a list of players into rows, and report all faulty lines at once.

A list is a table, with or without headings (tables.py), or names in lines (pasted.py). In team lists (teams.py) a line
is a team, or a column `team` names it. Files become text first (files.py).
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.sentences import counted, mark
from league.entries.roster.find_table import Broken, find_table
from league.entries.roster.headers import EMAIL, NAME, TEAM, use_of
from league.entries.roster.markers import is_heading, is_total, is_waiting, note_waiting
from league.entries.roster.pasted import Pasted, is_chat, read_line, split_address
from league.entries.roster.rows import GUESS, MAX_BYTES, Choices, LineError, Reader, Roster
from league.entries.roster.tables import read_table
from league.lib.names import tidy, without_invisible


def parse(text: str, *, teams: bool = False, once: bool = False, choices: Choices = GUESS) -> Roster:
    """Return the players of a list. Never raises: faults are in `errors`.

    teams: each player has a team name; `roster.teams.parse` joins the teams. once: repeated names are one person.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return Roster((), (LineError(1, None, mark("The list is larger than 1 MB. Split it and import the parts.")),))
    lines = _lines(text)
    reader = Reader(teams, once, choices)
    try:
        table = find_table(lines, teams=teams, width=len(choices.uses))
    except Broken as broken:
        reader.error(broken.line, None, broken.template)
    else:
        if table is not None:
            read_table(reader, table)
        else:
            _read_list(reader, lines)
    return reader.roster()


def from_rows(players: Iterable[Mapping[str, str]], *, teams: bool = False) -> Roster:
    """Return the players of rows already in columns, as from the API; lines count from 1."""
    reader = Reader(teams, choices=Choices(certain_only=True))
    for line, cells in enumerate(players, start=1):
        reader.add(line, {column: tidy(text) for column, text in cells.items()})
        if reader.full:
            break
    return reader.roster()


def _lines(text: str) -> list[str]:
    """Return the lines as an editor numbers them, with any line end."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


# --- names in lines


def _read_list(reader: Reader, lines: Sequence[str]) -> None:
    if not reader.teams and (names := _names_on_lines(lines)):
        _read_names(reader, names)
        return
    seen: set[str] = set()
    waiting, left_out = "", 0
    read = [read_line(line) for line in lines]
    bare = Counter(pasted.name.casefold() for pasted in read)
    for number, (line, pasted) in enumerate(zip(lines, read, strict=True), start=1):
        if pasted.remark and bare[pasted.name.casefold()] > 1:  # the remark tells namesakes apart
            pasted = Pasted(f"{pasted.rest} {pasted.remark}")
        if not pasted.name:
            if without_invisible(line).strip():
                reader.warn(number, None, mark("There is no name on this line, so it is skipped."))
        elif is_waiting(pasted.name):
            waiting = pasted.name
        elif _is_no_person(reader, pasted.name, is_first=not reader.rows):
            reader.skip(pasted.name)
        elif waiting and not reader.choices.with_waiting:
            left_out += 1
        elif reader.teams:
            _read_team(reader, number, pasted.rest)
        else:
            _read_person(reader, number, pasted, seen)
        if reader.full:
            return
    note_waiting(reader, waiting, left_out)
    _note_addresses(reader)


def _is_no_person(reader: Reader, text: str, *, is_first: bool) -> bool:
    """Return whether a line is a total or a heading, such as “Players” above a list."""
    is_title = is_first and not reader.teams and not text[-1:].isdigit() and use_of(text) == (NAME, True)
    return is_total(text) or is_heading(text) or is_title


def _read_person(reader: Reader, number: int, pasted: Pasted, seen: set[str]) -> None:
    name, address = split_address(pasted.name)
    if not name or "\t" in pasted.rest or ";" in name or "@" in name[1:]:
        more = mark("This line has more than a name. Add a first line with the columns: name,club,email,birthday")
        reader.error(number, None, more)
        return
    if pasted.spoken and name.casefold() in seen:
        reader.warn(number, NAME, mark("“%(name)s” wrote more than once and is added once."), name=name)
        return
    if pasted.remark:
        about = {"name": name, "remark": pasted.remark}
        reader.warn(number, NAME, mark("“%(remark)s” next to “%(name)s” is left out."), **about)
    if "," in name:
        one = mark("“%(name)s” is read as one name. Put several players on separate lines.")
        reader.warn(number, NAME, one, name=name)
    seen.add(name.casefold())
    reader.add(number, {NAME: name, EMAIL: address})


def _read_team(reader: Reader, number: int, line: str) -> None:
    """Read a typed team: “Blue Foxes: Ana, Ben, Cara”."""
    team, colon, members = (tidy(part) for part in line.partition(":"))
    if not colon or not team or not members:
        reader.error(number, None, mark("Write the team’s name, a colon and its players: “Blue Foxes: Ana, Ben”."))
        return
    for member in filter(None, map(tidy, re.split(r"[,;\t]", members))):
        name, address = split_address(member)
        reader.add(number, {NAME: name, EMAIL: address, TEAM: team})


# --- several names on a line

_SEVERAL = 3  # names on a line, because “Ruiz, Ana” may be one person


def _names_on_lines(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return (line, name) if the lines hold several names each, separated by commas or semicolons."""
    filled = [(number, line) for number, line in enumerate(lines, start=1) if tidy(line)]
    if any(is_chat(line) for _number, line in filled):
        return []
    for delimiter in ";,":
        parts = [(number, _parts(line, delimiter)) for number, line in filled]
        most = max((len(names) for _number, names in parts), default=0)
        of_one_line = len(filled) == 1 and most > 1
        of_several = most >= _SEVERAL and all(len(names) > 1 for _number, names in parts)
        if of_one_line or of_several:
            return [(number, name) for number, names in parts for name in names]
    return []


def _parts(line: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True, strict=True), [])
    except csv.Error:
        return []
    return [name for cell in cells if (name := read_line(cell).name)]


def _read_names(reader: Reader, names: Sequence[tuple[int, str]]) -> None:
    for number, text in names:
        _read_person(reader, number, Pasted(text), set())
        if reader.full:
            return
    if len({number for number, _name in names}) == 1:
        reader.notes.append(counted("%(count)d name from one line.", "%(count)d names from one line.", len(names)))
    else:
        lines = len({number for number, _name in names})
        reader.notes.append(
            counted(
                "%(count)d name on %(lines)d lines.", "%(count)d names on %(lines)d lines.", len(names), lines=lines
            )
        )
    _note_addresses(reader)


def _note_addresses(reader: Reader) -> None:
    addresses = sum(bool(row.email) for row in reader.rows)
    if addresses:
        reader.notes.append(counted("%(count)d address was found.", "%(count)d addresses were found.", addresses))
