"""Lay out elimination rounds: columns of tables, and lines to the places they lead to.

Pure, like `bracket.py`. The style sheet stacks the tables; only lines between columns have coordinates. Heights match
`.bk` in pages.css: CSS pixels at 16 px a rem.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from league.public.pictures.bracket import Column, TableOfRound, leads_to, table_key

HEAD, ROW, BETWEEN = 36.0, 28.0, 12.0  # table head with border, row, gap between tables
GAP = 100  # nominal width for lines; stretched to fit


@dataclass(frozen=True)
class Drawn:
    """A table and its position. rows: middle of each row, from the top of the column."""

    table: TableOfRound
    top: float
    rows: tuple[float, ...]

    @property
    def height(self) -> float:
        return _height(self.table)


@dataclass(frozen=True)
class Step:
    """A column and the lines to the next one, as paths across GAP. `lit`: highlighted player; `mine`: their lines."""

    column: Column
    tables: tuple[Drawn, ...]
    lines: tuple[str, ...] = ()
    mine: tuple[str, ...] = ()
    lit: str | None = None

    @property
    def has_third(self) -> bool:
        """Return whether a match for third place follows the final."""
        return self.column.in_tree and _has_third_place(self.column)


@dataclass(frozen=True)
class Ladder:
    number: int
    height: float
    steps: tuple[Step, ...]
    in_tree: bool = False

    @property
    def part(self) -> str:
        """Return its name; empty for the first ladder."""
        return self.steps[0].column.part

    @property
    def view_box(self) -> str:
        """Return the view box of the lines between two columns."""
        return f"0 0 {GAP} {self.height:g}"


def ladders_of(columns: Iterable[Column], way_of: str | None = None) -> list[Ladder]:
    """Return a picture for each ladder of each stage. way_of: the highlighted player."""
    in_ladders = (column for column in columns if column.ladder is not None)
    by_ladder = groupby(in_ladders, key=lambda column: (column.stage, column.ladder))
    return [_ladder(list(of_ladder), way_of) for _key, of_ladder in by_ladder]


def _ladder(columns: Sequence[Column], way_of: str | None) -> Ladder:
    height = max(sum(_height(table) + BETWEEN for table in column.tables) for column in columns)
    in_tree = columns[0].in_tree
    if in_tree and _has_third_place(columns[-1]):
        height = max(height, 3 * (_height(columns[-1].tables[0]) + BETWEEN))
    stand = _stand_in_tree if in_tree else _stand
    steps = [Step(column, stand(column.tables, height), lit=way_of) for column in columns]
    for at, (here, there) in enumerate(pairwise(steps)):
        lines, mine = (_joining if in_tree else _lines)(here, there, way_of)
        steps[at] = replace(here, lines=lines, mine=mine)
    return Ladder(columns[0].ladder or 1, height, tuple(steps), in_tree)


def _height(table: TableOfRound) -> float:
    return HEAD + ROW * sum(len(side.people) for side in table.sides)  # equal for all tables of a tree


def _stand(tables: Sequence[TableOfRound], height: float) -> tuple[Drawn, ...]:
    """Space the tables evenly."""
    room = (height - sum(_height(table) + BETWEEN for table in tables)) / (len(tables) + 1)
    drawn, y = [], room + BETWEEN / 2
    for table in tables:
        count = sum(len(side.people) for side in table.sides)
        drawn.append(Drawn(table, y, tuple(y + HEAD + ROW * (row + 0.5) for row in range(count))))
        y += _height(table) + BETWEEN + room
    return tuple(drawn)


def _has_third_place(column: Column) -> bool:
    return len(column.tables) > 1 and column.tables[0].is_final


def _stand_in_tree(tables: Sequence[TableOfRound], height: float) -> tuple[Drawn, ...]:
    """Centre each table between the two before it; third place below the final."""
    shares = 1 if tables[0].is_final else len(tables)
    drawn: list[Drawn] = []
    for at, table in enumerate(tables):
        share = height / shares
        top = at * share + (share - _height(table)) / 2
        if at >= shares:
            top = drawn[0].top + drawn[0].height + BETWEEN
        count = sum(len(side.people) for side in table.sides)
        drawn.append(Drawn(table, top, tuple(top + HEAD + ROW * (row + 0.5) for row in range(count))))
    return tuple(drawn)


def _joining(here: Step, there: Step, way_of: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Join two matches, or one on the losers' side, to the next match; skip matches without players."""
    lines: list[str] = []
    mine: list[str] = []
    for at, drawn in enumerate(here.tables):
        if drawn.table.is_free and all(side.waits for side in drawn.table.sides):
            continue
        after = there.tables[leads_to(at, here.column, there.column)]
        start, end = drawn.top + drawn.height / 2, after.top + after.height / 2
        line = f"M0 {start:g}H{GAP / 2:g}V{end:g}H{GAP}"
        is_mine = all(way_of in {person for person, _y in _people(one)} for one in (drawn, after))
        (mine if is_mine else lines).append(line)
    return tuple(lines), tuple(mine)


def _lines(here: Step, there: Step, way_of: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    starts = {table_key(drawn.table.number): drawn.top + drawn.height / 2 for drawn in here.tables}
    starts |= {person: y for drawn in here.tables for person, y in _people(drawn)}
    lines: list[str] = []
    mine: list[str] = []
    for drawn in there.tables:
        for person, y in _people(drawn):
            origin = there.column.leads.get(person)
            if origin is None and there.column.sources.get(person) == here.column.number:
                origin = person
            if origin is not None and (start := starts.get(origin)) is not None:
                line = f"M0 {start:g}C{GAP / 2:g} {start:g} {GAP / 2:g} {y:g} {GAP} {y:g}"
                (mine if person == way_of else lines).append(line)
    return tuple(lines), tuple(mine)


def _people(drawn: Drawn) -> list[tuple[str, float]]:
    people = [person.id for side in drawn.table.sides for person in side.people]
    return list(zip(people, drawn.rows, strict=True))
