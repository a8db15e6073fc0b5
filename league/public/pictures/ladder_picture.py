"""The picture of rounds from which only some go on: columns of tables, and lines to the places that they lead to.

Pure, as `bracket.py` beside it. The tables are markup, which the style sheet sets one below the other; only the lines
between two columns have coordinates, so heights here are those of `.bk` in pages.css: in CSS pixels where a rem is 16.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from league.public.pictures.bracket import Column, TableOfRound, leads_to, table_key

HEAD, ROW, BETWEEN = 36.0, 28.0, 12.0  # of a table: its head with the border, a row; and what lies between two tables
GAP = 100  # the width of the room for lines, which are stretched to what there is


@dataclass(frozen=True)
class Drawn:
    """A table, with its place in the column. rows: the middle of each, from the top of the column."""

    table: TableOfRound
    top: float
    rows: tuple[float, ...]

    @property
    def height(self) -> float:
        return _height(self.table)


@dataclass(frozen=True)
class Step:
    """A column, and the lines to the next one: paths across GAP. `lit`: who was asked for; their lines are `mine`."""

    column: Column
    tables: tuple[Drawn, ...]
    lines: tuple[str, ...] = ()
    mine: tuple[str, ...] = ()
    lit: str | None = None

    @property
    def has_third(self) -> bool:
        """Whether a match for third place stands below the final."""
        return self.column.in_tree and _has_third_place(self.column)


@dataclass(frozen=True)
class Ladder:
    number: int
    height: float
    steps: tuple[Step, ...]
    in_tree: bool = False

    @property
    def part(self) -> str:
        """What it is called; empty of the first."""
        return self.steps[0].column.part

    @property
    def view_box(self) -> str:
        """Of the lines between two of its columns."""
        return f"0 0 {GAP} {self.height:g}"


def ladders_of(columns: Iterable[Column], way_of: str | None = None) -> list[Ladder]:
    """A picture for each ladder of each stage, of the columns that are in one. way_of: whose way is lit."""
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
    return HEAD + ROW * sum(len(side.people) for side in table.sides)  # in a tree the same for all


def _stand(tables: Sequence[TableOfRound], height: float) -> tuple[Drawn, ...]:
    """The tables with even room above, between and below them."""
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
    """Each in the middle of its share of the height, so between the two before it; third place below the final."""
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
    """From each two matches, or on the losers' side from one, to the one after them; not from where nobody comes."""
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
