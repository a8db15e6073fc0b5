"""Read a list of players in a CSV file into rows. Its first line tells it from a pasted list."""

import csv
from collections.abc import Iterator, Sequence

from engine.sentences import mark
from league.entries.roster.rows import COLUMNS, TEAM, Reader
from league.lib import csv as csvfile
from league.lib.names import tidy

# A first line with one of these words, but without `name`, was meant as a header.
_HEADER_WORDS = {
    *(*COLUMNS, "player", "players", "player name", "full name", "first name", "last name", "surname", "participant"),
    *("e-mail", "mail", "email address", "birth date", "birthdate", "date of birth"),
    *(
        "nom",
        "prénom",
        "prenom",
        "joueur",
        "joueuse",
        "nombre",
        "apellido",
        "apellidos",
        "jugador",
        "jugadora",
        "correo",
    ),
    *("vorname", "nachname", "spieler", "teilnehmer", "verein", "nome", "cognome", "giocatore", "naam", "navn", "namn"),
    *(
        "ville",
        "équipe",
        "courriel",
        "participante",
        "participants",
        "ciudad",
        "equipo",
        "stadt",
        "ort",
        "speler",
        "spelare",
    ),
}
_UNPAIRED = mark(
    "The quotation marks of this line do not pair up. Close the open one, "
    "or write a quotation mark inside a cell twice."
)
_NO_TEAM_COLUMN = mark(
    "A list of teams needs the columns “team” and “name”; it may have club, email and birthday too. "
    "Each line is one player, the captain first."
)


def _header_cells(line: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []
    return [tidy(csvfile.unguard(cell)).casefold() for cell in cells]


def delimiter_of_header(line: str) -> str | None:
    """The separator with which the line is a header that has a column `name`, or None."""
    return next((delimiter for delimiter in ",;\t" if "name" in _header_cells(line, delimiter)), None)


def looks_like_a_header(line: str) -> bool:
    bare = line.replace('"', "")
    return any(not _HEADER_WORDS.isdisjoint(_header_cells(bare, delimiter)) for delimiter in ",;\t")


def unknown_header(lines: Sequence[str], first: int) -> tuple[str, tuple[str, ...]] | None:
    """The separator and the cells of a first line that is a header without `name`; None if it is none.

    One of its cells is a word that headers have, in one of some languages: else it may be somebody on the list.
    """
    line = lines[first - 1]
    if line.count('"') % 2:
        return None
    for delimiter in ";\t,":
        try:
            cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
        except csv.Error:
            return None
        shown = tuple(tidy(csvfile.unguard(cell)) for cell in cells)
        known = not _HEADER_WORDS.isdisjoint(cell.casefold() for cell in shown)
        if len(shown) > 1 and known and not any("@" in cell for cell in shown):
            rest = [row for row in lines[first:] if tidy(row)]
            if rest and all(delimiter in row for row in rest):
                return delimiter, shown
    return None


def header_fault(line: str, *, teams: bool) -> str:
    """What is wrong with a line that was meant as a header."""
    if line.count('"') % 2:
        return _UNPAIRED
    if teams:
        return _NO_TEAM_COLUMN
    return mark(
        "This line looks like a header, but none of its cells is “name”. "
        "The columns are name, club, email and birthday; only name is needed."
    )


def read_csv(reader: Reader, lines: Sequence[str], first: int, delimiter: str, name_column: int | None = None) -> None:
    """name_column: where the names are, from 0, if the header does not say it."""
    header = _header_cells(lines[first - 1], delimiter)
    if name_column is not None:
        header[name_column] = "name"
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
    # Use the first of a repeated column, so that the lines below are still checked.
    places = {column: header.index(column) for column in columns if column in header}
    for line, cells in _records(lines, first, delimiter):
        if isinstance(cells, str):
            reader.error(line, None, cells)
        elif any(tidy(cell) for cell in cells[len(header) :]):
            # It is unknown which cell is which, so this line gets no other error.
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
    """Whether nobody in the list has a team: every exported list has the column, even without teams."""
    at = header.index(TEAM)
    return not any(
        not isinstance(cells, str) and tidy("".join(cells[at : at + 1]))
        for _l, cells in _records(lines, first, delimiter)
    )


def _records(lines: Sequence[str], after: int, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Each record after the line `after`: the number of its first line, and its cells or the reason why it has none.

    If a record cannot be split, reading goes on with its second line, so that an open quotation mark does not hide the
    errors of the rest.
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
