"""Read a table of people, with or without headings, from a spreadsheet, CSV or pasted range.

`find_table.py` decides whether a text is a table. Begin with `read_table`. Pure.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from engine.sentences import Sentence, mark
from league.entries.roster.days import day_comes_first, day_of, looks_like_a_day
from league.entries.roster.find_table import LOOKED_AT, MOST_COLUMNS, UNPAIRED, Table, are_names, split_cells, trimmed
from league.entries.roster.headers import (
    BIRTHDAY,
    CLUB,
    EMAIL,
    FIRST,
    IGNORE,
    LAST,
    NAME,
    NAMING,
    REPEATABLE,
    SEED,
    TEAM,
    USES,
    uses_of,
)  # fmt: skip
from league.entries.roster.markers import is_total_row, is_waiting, note_waiting
from league.entries.roster.pasted import split_address
from league.entries.roster.rows import COLUMNS, COLUMNS_ASKED, DAY_FIRST, Column, Question, Reader, is_email, shortened
from league.lib import csv as csvfile
from league.lib.names import fold, tidy

MOST_SAMPLES = 3

_NO_TEAM_COLUMN = mark(
    "A list of teams needs the columns “team” and “name”. Each line is one player, the captain first."
)
_NO_NAME_COLUMN = mark("Choose the column with the names.")
_USES_IN_WORDS = {
    NAME: mark("the name"),
    FIRST: mark("the first name"),
    LAST: mark("the last name"),
    CLUB: mark("the club"),
    EMAIL: mark("the e-mail address"),
    BIRTHDAY: mark("the birthday"),
    TEAM: mark("the team"),
    SEED: mark("the seed"),
}
# Headings that need no explanation.
_OWN_HEADINGS = {*USES, "first name", "last name", "e-mail", "email address", "player", "team name", "club name"}

Record = tuple[int, list[str] | str]
"""A record's first line number, and its cells or the error."""


def read_table(reader: Reader, table: Table) -> None:
    """Add the people of a table to the reader, with notes on its columns."""
    records = list(_records(table))
    headings = [] if table.header is None else trimmed(split_cells(table.lines[table.header], table.delimiter))
    width = max([len(headings), *(len(cells) for _line, cells in records if not isinstance(cells, str))], default=0)
    if width > MOST_COLUMNS:
        reader.error(table.begin + 1, None, mark("A list has at most %(most)d columns."), most=MOST_COLUMNS)
        return
    uses, is_guess = _uses(reader, table, headings, records, width)
    reader.columns = _columns(headings, uses, records)
    if reader.teams and TEAM not in uses:
        reader.error(table.begin + 1, None, _NO_TEAM_COLUMN)
        return
    if NAMING.isdisjoint(uses):
        reader.error((table.header if table.header is not None else table.begin) + 1, None, _NO_NAME_COLUMN)
        reader.questions.append(Question(COLUMNS_ASKED))
        return
    if is_guess:
        reader.questions.append(Question(COLUMNS_ASKED))
    _note_columns(reader, reader.columns, by_choice=bool(reader.choices.uses))
    _skip_titles(reader, table)
    people = list(_people(reader, table, records, uses, len(headings)))
    _decide_days(reader, people)
    if SEED in uses:
        people.sort(key=lambda person: _seed(person[1].get(SEED, "")))
        reader.notes.append(Sentence(mark("The players are sorted by seed.")))
    _turn_around(reader, people, uses)
    for line, cells in people:
        reader.add(line, {column: cells.get(column, "") for column in (NAME, CLUB, EMAIL, BIRTHDAY, TEAM)})
        if reader.full:
            return


def _skip_titles(reader: Reader, table: Table) -> None:
    """Report the lines above the header, such as a title or a date."""
    for at in range(table.begin, table.begin if table.header is None else table.header):
        if title := ", ".join(filter(None, split_cells(table.lines[at], table.delimiter))):
            reader.skip(title)


def _uses(
    reader: Reader, table: Table, headings: Sequence[str], records: Sequence[Record], width: int
) -> tuple[list[str], bool]:
    """Return the use of each column, and whether a person should check it."""
    chosen = list(reader.choices.uses)
    if chosen and len(chosen) == (len(headings) or width):
        once = [use for use in chosen if use not in REPEATABLE]
        if len(once) == len(set(once)):
            return chosen, False
    if table.header is not None:
        uses = uses_of(headings)
        if not reader.teams:
            uses = [IGNORE if use == TEAM else use for use in uses]
        doubtful = uses.count(NAME) > 1 and not reader.teams and not any(map(_is_numbered, headings))
        if doubtful:  # one of them is the name, but the headings don't say which
            first = uses.index(NAME)
            uses = [IGNORE if use == NAME and at != first else use for at, use in enumerate(uses)]
        return uses, doubtful or NAMING.isdisjoint(uses)
    return _guessed_uses(reader, table, records, width)


def _is_numbered(heading: str) -> bool:
    return heading[-1:].isdigit()


def _guessed_uses(reader: Reader, table: Table, records: Sequence[Record], width: int) -> tuple[list[str], bool]:
    """Guess the uses of columns without headings from their content."""
    rows = [cells for _line, cells in records[:LOOKED_AT] if not isinstance(cells, str)]
    columns = [[tidy(row[at]) for row in rows if at < len(row) and tidy(row[at])] for at in range(width)]
    uses, free = [IGNORE] * width, []
    for at, cells in enumerate(columns):
        if _most(cells, is_email):
            uses[at] = EMAIL if EMAIL not in uses else IGNORE
        elif _most(cells, looks_like_a_day):
            uses[at] = BIRTHDAY if BIRTHDAY not in uses else IGNORE
        elif cells and not _most(cells, lambda cell: not any(map(str.isalpha, cell))):
            free.append(at)
    if not free:
        return uses, True
    if reader.teams:
        uses[free[0]] = TEAM
        for at in free[1:]:
            uses[at] = NAME
        return uses, len(free) < 3
    uses[free[0]] = NAME
    if len(free) == 1:
        return uses, False
    cells = [cell for at in free for cell in columns[at]]
    if len(free) == width > 2 and table.delimiter != "\t" and len(cells) == len(set(cells)) and are_names(cells):
        return [NAME] * width, not reader.choices.certain_only  # names on several lines
    if reader.choices.certain_only:
        reader.notes.append(
            Sentence(mark("Without headings, the first column is the name; the other columns are left out."))
        )
        return uses, False
    if len(free) == 2 and table.delimiter == "," and len(set(columns[free[1]])) == len(columns[free[1]]) > 1:
        uses[free[0]], uses[free[1]] = LAST, FIRST  # “Ruiz, Ana”
    else:
        uses[free[1]] = CLUB
    return uses, True


def _most(cells: Sequence[str], holds: Callable[[str], bool]) -> bool:
    return sum(map(holds, cells)) * 2 > len(cells)


def _columns(headings: Sequence[str], uses: Sequence[str], records: Sequence[Record]) -> tuple[Column, ...]:
    rows = [cells for _line, cells in islice(records, LOOKED_AT) if not isinstance(cells, str)]
    samples = [
        tuple(islice((shortened(tidy(row[at])) for row in rows if at < len(row) and tidy(row[at])), MOST_SAMPLES))
        for at in range(len(uses))
    ]
    named = [*map(shortened, headings), *[""] * (len(uses) - len(headings))]
    return tuple(Column(heading, use, some) for heading, use, some in zip(named, uses, samples, strict=True))


def _note_columns(reader: Reader, columns: Sequence[Column], *, by_choice: bool) -> None:
    """Note the meaning of unusual headings, and unused columns."""
    for column in columns if not by_choice else ():
        if column.heading and column.use != IGNORE and fold(column.heading) not in _OWN_HEADINGS:
            about = {"heading": column.heading, "use": Sentence(_USES_IN_WORDS[column.use])}
            reader.notes.append(Sentence(mark("“%(heading)s” is %(use)s."), about))
    unused = [column.heading for column in columns if column.use == IGNORE and column.heading and column.samples]
    if unused:
        reader.notes.append(Sentence(mark("Columns not used: %(columns)s."), {"columns": ", ".join(unused)}))


def _people(
    reader: Reader, table: Table, records: Sequence[Record], uses: Sequence[str], headings: int
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each person of the table with their line; report other lines."""
    header = [fold(cell.heading) for cell in reader.columns[:headings]]
    waiting, left_out = "", 0
    for line, cells in records:
        if isinstance(cells, str):
            reader.error(line, None, cells)
            if reader.full:
                return
            continue
        texts = [tidy(csvfile.unguard(cell.strip(" "))) for cell in cells]
        if headings == 1:
            texts = [text.strip(",; ") for text in texts]
        filled = [text for text in texts if text]
        if not filled or (header and [fold(text) for text in texts[:headings]] == header):
            continue
        if headings and any(texts[headings:]):
            # The cells are unassigned, so report no other error of this line.
            template = mark(
                "This line has %(cells)s cells, the header has %(columns)s. Quote cells that contain the separator."
            )
            reader.error(line, None, template, cells=len(cells), columns=headings)
            continue
        if is_total_row(filled):
            reader.skip(", ".join(filled))
            continue
        if len(filled) == 1 and is_waiting(filled[0]):
            waiting = filled[0]
            continue
        people = list(_named(reader, uses, texts))
        if not people:
            reader.skip(", ".join(filled))
        elif waiting and not reader.choices.with_waiting:
            left_out += len(people)
        else:
            yield from ((line, person) for person in people)
    note_waiting(reader, waiting, left_out)


def _named(reader: Reader, uses: Sequence[str], texts: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the people of one row: one, or in a team table one per column of names."""
    about: dict[str, str] = {}
    names: list[str] = []
    for use, text in zip(uses, texts, strict=False):
        if use == NAME and text:
            names.append(text)
        elif use not in (NAME, IGNORE):
            about[use] = text
    whole = " ".join(filter(None, (about.pop(FIRST, ""), about.pop(LAST, ""))))
    for name in [whole] if whole else names:
        if EMAIL in uses:
            yield {NAME: name, **about}
        else:
            bare, address = split_address(name)
            yield {NAME: bare, **about, EMAIL: address}


def _decide_days(reader: Reader, people: Sequence[tuple[int, dict[str, str]]]) -> None:
    """Decide by the whole column whether the day comes before the month; ask if unclear."""
    texts = [cells[BIRTHDAY] for _line, cells in people if cells.get(BIRTHDAY)]
    first = day_comes_first(texts)
    if first is not None and reader.day_first is None:
        reader.day_first = first
    if first is not None:
        return
    unclear = [text for text in texts if day_of(text, day_first=True) != day_of(text, day_first=False)]
    if reader.choices.certain_only:
        for line, cells in people:
            if cells.get(BIRTHDAY) in unclear:
                template = mark("“%(day)s” is ambiguous, so the birthday is left out.")
                reader.warn(line, BIRTHDAY, template, day=shortened(cells[BIRTHDAY]))
                cells[BIRTHDAY] = ""
        return
    reader.questions.append(Question(DAY_FIRST, unclear[0]))
    reader.day_first = True if reader.day_first is None else reader.day_first


def _turn_around(reader: Reader, people: Sequence[tuple[int, dict[str, str]]], uses: Sequence[str]) -> None:
    """Write “Ruiz, Ana” as “Ana Ruiz”, if every name of a column has its last name first."""
    names = [cells[NAME] for _line, cells in people]
    is_own_export = [column.heading for column in reader.columns][: len(COLUMNS)] == list(COLUMNS)
    if (
        is_own_export
        or uses.count(NAME) != 1
        or len(names) < 2
        or not all(name.count(", ") == name.count(",") == 1 for name in names)
    ):
        return
    for _line, cells in people:
        last, _comma, first = cells[NAME].partition(", ")
        cells[NAME] = f"{first} {last}"
    about: Mapping[str, object] = {"before": names[0], "after": people[0][1][NAME]}
    reader.notes.append(Sentence(mark("Last names came first: “%(before)s” is now “%(after)s”."), about))


def _seed(text: str) -> tuple[bool, int]:
    number = text.rstrip(".")
    is_number = number.isascii() and number.isdigit() and len(number) < 7
    return not is_number, int(number) if is_number else 0


def _records(table: Table) -> Iterator[Record]:
    """Yield each record below the header: its first line number, and its cells or the error.

    If a record cannot be split, reading continues on its second line, so that an open quotation mark hides no other
    errors.
    """
    lines, start = table.lines, table.begin if table.header is None else table.header + 1
    while start < len(lines):
        at = start
        following = (lines[number] + "\n" for number in range(at, len(lines)))
        reader = csv.reader(following, delimiter=table.delimiter, skipinitialspace=True, strict=True)
        try:
            for cells in reader:
                yield start + 1, cells
                start = at + reader.line_num
        except csv.Error:
            if at + reader.line_num == start + 1 and len(lines[start]) > csv.field_size_limit():
                yield start + 1, mark("A cell on this line is too long.")
            else:
                yield start + 1, UNPAIRED
            start += 1
