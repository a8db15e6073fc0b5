"""Decide whether a text is a table of people or a list of names. Pure."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.sentences import mark
from league.entries.roster.days import looks_like_a_day
from league.entries.roster.headers import NAME, NAMING, TEAM, use_of
from league.entries.roster.markers import is_total
from league.entries.roster.pasted import is_chat, is_typed_team, read_line, split_address
from league.lib import csv as csvfile
from league.lib.names import fold, tidy

DELIMITERS = ";\t,"
LAST_HEADER = 10  # the header is one of the first filled rows
MOST_COLUMNS = 200
LOOKED_AT = 200  # lines used to guess columns without headings
_SEP = re.compile(r"\ufeff?\"?sep=(?P<mark>.)\"?", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,6}\.?")
UNPAIRED = mark("A quotation mark is missing on this line. Close it, or double a quotation mark inside a cell.")


@dataclass(frozen=True)
class Table:
    """A text that is a table. header: index of the header line, or None. begin: of the first line."""

    lines: Sequence[str]
    delimiter: str
    begin: int
    header: int | None


class Broken(ValueError):
    """An unreadable header. line: from 1."""

    def __init__(self, line: int, template: str) -> None:
        super().__init__(template)
        self.line = line
        self.template = template


def find_table(lines: Sequence[str], *, teams: bool, width: int = 0) -> Table | None:
    """Return the table of a text; None if it is a list. Raises `Broken`.

    width: the number of columns with chosen uses, if any.
    """
    filled = [at for at, line in enumerate(lines) if tidy(line)]
    if not filled:
        return None
    separator = _SEP.fullmatch(lines[filled[0]].strip())
    if separator:
        filled = filled[1:]
    begin = filled[0] if filled else len(lines)
    delimiters = separator["mark"] if separator else DELIMITERS
    if any(is_chat(lines[at]) for at in filled[:LAST_HEADER]):
        return None
    if found := _find_header([(at, lines[at]) for at in filled[:LAST_HEADER]], delimiters):
        at, delimiter = found
        if delimiter not in lines[at]:  # one column: its names may have commas
            delimiter = next((mark for mark in DELIMITERS[:2] if any(mark in lines[row] for row in filled)), "\t")
        return Table(lines, delimiter, begin, at)
    if separator:
        return Table(lines, separator["mark"], begin, None)
    if teams and sum(is_typed_team(lines[at]) for at in filled) * 2 > len(filled):
        return None
    looked_at = [lines[at] for at in filled[:LOOKED_AT]]
    delimiter = next((mark for mark in DELIMITERS if _is_regular(looked_at, mark, teams, width)), "")
    return Table(lines, delimiter, begin, None) if delimiter else None


def _find_header(lines: Sequence[tuple[int, str]], delimiters: str) -> tuple[int, str] | None:
    """Return the index of the header line and its delimiter."""
    for at, line in lines:
        split = {delimiter: split_cells(line, delimiter) for delimiter in delimiters}
        known = {delimiter: _known_headings(cells) for delimiter, cells in split.items()}
        delimiter = max(known, key=lambda one: known[one])
        if known[delimiter]:
            return at, delimiter
        if line.count('"') % 2 and any(
            _known_headings(split_cells(line.replace('"', ""), mark)) for mark in delimiters
        ):
            raise Broken(at + 1, UNPAIRED)
    return None


def _known_headings(cells: Sequence[str]) -> int:
    """Return the number of headings among the cells; 0 if the line is no header."""
    filled = [cell for cell in cells if cell]
    if any("@" in cell or looks_like_a_day(cell) or _NUMBER.fullmatch(cell) for cell in filled):
        return 0
    if len(cells) == 1:
        return int([fold(cell) for cell in filled] == [NAME])  # other words may be the list's title
    known = [use_of(cell) for cell in filled]
    if len(known) > 1 and {use for use, _exact in known} == {NAME}:
        return 0  # “Player 1, Player 2”: places on a list, not columns
    recognised = sum(bool(use) for use, _exact in known)
    names_people = any(exact and (use in NAMING or use == TEAM) for use, exact in known)
    return recognised if names_people or (recognised > 1 and any(exact for _use, exact in known)) else 0


def split_cells(line: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []
    return [tidy(csvfile.unguard(cell)) for cell in cells]


def _is_regular(lines: Sequence[str], delimiter: str, teams: bool, width: int) -> bool:
    """Return whether lines without headings are rows of a table, and no list of names."""
    rows = [trimmed(split_cells(line, delimiter)) for line in lines]
    rows = [row for row in rows if row and not is_total(" ".join(row))]
    if not rows or min(map(len, rows)) < 2 or max(map(len, rows)) > MOST_COLUMNS:
        return False
    if teams or delimiter == "\t" or width == max(map(len, rows)):
        return True
    if len(rows) == 1 and all(any(map(str.isalpha, split_address(read_line(cell).name)[0])) for cell in rows[0]):
        return False  # names on one line
    return len(set(map(len, rows))) == 1 or not all(map(are_names, rows))


def are_names(cells: Sequence[str]) -> bool:
    """Return whether all cells look like names: without digits, perhaps with an address."""
    names = [split_address(read_line(cell).name)[0] for cell in cells]
    return all(name and not any(map(str.isdigit, name)) for name in names)


def trimmed(cells: list[str]) -> list[str]:
    while cells and not cells[-1]:
        cells.pop()
    return cells
