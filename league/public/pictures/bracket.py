"""Lay out a tournament: rounds as columns of tables, with a line for each player from round to round.

Takes plain values and returns coordinates for the template. Tables may have any number of sides and players.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext as _

from league.formats.bracket import Node
from league.lib.translate import label_text, names
from league.public.pictures.text_width import FIGURE, shorten_name

BOX, GAP = 178, 44  # width of a table, and the room for lines between two columns
TOP, HEAD, LINE, BETWEEN_SIDES, FOOT, BETWEEN_TABLES = 32, 28, 30, 10, 10, 18
INSIDE = 11  # the margin inside a table
CROSS = 20  # room for the mark after a player who left
LANES = (4, 9, 14)  # distances below a table at which the lines of players who missed the round pass it
# With more lines between two rounds they can't be told apart, so draw only the chosen player's line.
MOST_LINES = 12


FINAL, FREE = "final", "free"


@dataclass(frozen=True)
class Person:
    id: str
    name: str


@dataclass(frozen=True)
class Side:
    """Players on one side, and their points in this round; None before the first hand.

    In a race: one player and the total. `status`: text for an eliminated or withdrawn player. `advances`: certain to
    play the next round. `won`: won the tournament. `waits`: the player isn't known yet; the name describes the source.
    `note`: a few words after the name. `seed`: number before the name.
    """

    people: tuple[Person, ...]
    points: int | None
    status: str = ""
    advances: bool = False
    won: bool = False
    waits: bool = False
    note: str = ""
    seed: int | None = None


@dataclass(frozen=True)
class TableOfRound:
    """A table in a column. `progress`: state in a word or two, or empty.

    `state`: visible state of the table, `state_text`: its text; empty for a future table. `title`: heading if more
    than the number. `look`: FINAL, or FREE for a table without players.
    """

    number: int
    sides: tuple[Side, ...]
    progress: str = ""
    state: str = ""
    state_text: str = ""
    title: str = ""
    look: str = ""

    @property
    def heading(self) -> str:
        return self.title or _("Table %(number)d") % {"number": self.number}

    @property
    def is_final(self) -> bool:
        return self.look == FINAL

    @property
    def is_free(self) -> bool:
        return self.look == FREE


@dataclass(frozen=True)
class CutLine:
    """A player compared with players of other tables.

    mean: mean points at the player's table. share: percentage of that mean; None if the mean is 0. decides: “place”,
    “share” or “lot”, if it separates this line from the other side of the cut.
    """

    person: Person
    table: int
    place: int
    points: int
    mean: float
    share: float | None
    advances: bool
    decides: str = ""
    is_last: bool = False  # last qualifier, with a player behind


@dataclass(frozen=True)
class Column:
    """A round in the bracket, or one ladder's part of it.

    `ladder`: 1, or 2 for the second ladder; None if all players stay in. `summary`: text about the qualifiers; `cut`:
    comparison for the next-best places. `leads`: for each place at a future table, by id: the player who holds it now,
    or the source table (`table_key`). `in_tree`: each table follows two others; `level` counts from 1, and third place
    follows the final. `number` is 0 for a skipped level. `title`: for example “Semi-finals”.
    """

    number: int
    tables: tuple[TableOfRound, ...]
    byes: tuple[Person, ...] = ()
    draft: bool = False
    is_open: bool = False
    final: str = ""  # name of the last round: “Head to head”, “Final”
    to_come: bool = False  # not drawn yet
    sources: Mapping[str, int] = field(default_factory=dict)  # by person: the round they come from
    stage: int = 1
    ladder: int | None = None
    summary: str = ""
    cut: tuple[CutLine, ...] = ()
    leads: Mapping[str, str] = field(default_factory=dict)
    in_tree: bool = False
    title: str = ""
    level: int = 0
    part: str = ""  # name of the second ladder: “Second ladder”, “Losers' side”

    @property
    def key(self) -> str:
        """Return the id of the column on the page."""
        if self.in_tree:
            return f"level-{self.level}" if self.ladder == 1 else f"level-{self.ladder}-{self.level}"
        return f"round-{self.number}" if self.ladder in (None, 1) else f"round-{self.number}-{self.ladder}"

    @property
    def name(self) -> str:
        return self.title or self.final or _("Round %(number)d") % {"number": self.number}

    @property
    def heading(self) -> str:
        """Return the name, marked if it is a draft."""
        return ", ".join((self.name, _("draft"))) if self.draft else self.name

    @property
    def cut_by_lot(self) -> bool:
        return any(line.decides == "lot" for line in self.cut)

    @property
    def seated(self) -> tuple[TableOfRound, ...]:
        """Return the tables with players."""
        return tuple(table for table in self.tables if table.number)

    @property
    def people(self) -> tuple[Person, ...]:
        seated = (person for table in self.tables for side in table.sides for person in side.people)
        return (*seated, *self.byes)


class Missed(NamedTuple):
    """A person seated in column `before` and next in column `after`, with no seat between."""

    person: Person
    before: int
    after: int


@dataclass(frozen=True)
class Text:
    x: int
    y: int
    words: str
    strong: bool = False
    full: str = ""  # the whole name, if cut
    gone: bool = False


@dataclass(frozen=True)
class Box:
    """A table, or the byes of a round (`bye`). spoken: text for screen readers.

    `lit`: mark of the highlighted person; `crosses`: marks of players who left; both as (x, y).
    """

    x: int
    y: int
    height: int
    title: str
    progress: str
    spoken: str
    names: tuple[Text, ...]
    points: tuple[Text, ...]
    rules: tuple[int, ...]  # y of the lines between sides
    lit: tuple[tuple[int, int], ...]
    crosses: tuple[tuple[int, int], ...] = ()
    bye: bool = False


@dataclass(frozen=True)
class PlacedColumn:
    column: Column
    x: int
    boxes: tuple[Box, ...]

    @property
    def end(self) -> int:
        return self.x + BOX


class Ends(NamedTuple):
    """Where a line reaches a person in a column (`x`), and where the next line starts (`to_x`)."""

    x: int
    to_x: int
    y: int


@dataclass(frozen=True)
class Picture:
    """Paths of lines. `way`: the highlighted person; `past` and `way_past`: lines past missed rounds."""

    width: int
    height: int
    columns: tuple[PlacedColumn, ...]
    lines: tuple[str, ...]
    way: tuple[str, ...]
    past: tuple[str, ...]
    way_past: tuple[str, ...]

    @property
    def box(self) -> int:
        """The width of a table."""
        return BOX


def table_key(number: int) -> str:
    """Return an id for a table as the source, if the player isn't known yet."""
    return f"table-{number}"


def leads_to(at: int, here: Column, there: Column) -> int:
    """Return the index of the next table in a tree: two lead to one; on the losers' side one leads to one."""
    matches = 1 if there.tables[0].is_final else len(there.tables)  # third place follows the final
    return at * matches // len(here.tables)


def with_sources(columns: Iterable[Column], nodes: Sequence[Node]) -> list[Column]:
    """Return the columns with the source round of each player."""
    sources: dict[int, dict[str, int]] = defaultdict(dict)
    for node in nodes:
        sources[node.round] |= {entry: source.round for entry, source in node.sources.items()}
    return [replace(column, sources=sources[column.number]) for column in columns]


def find_missed(columns: Sequence[Column]) -> list[Missed]:
    """Return players who return after rounds without a seat, ordered by the column of their return."""
    at = {column.number: index for index, column in enumerate(columns)}
    return [
        Missed(person, before, after)
        for after, column in enumerate(columns)
        for person in column.people
        if (before := at.get(column.sources.get(person.id, column.number))) is not None and before < after - 1
    ]


def draw(columns: Sequence[Column], way_of: str | None = None) -> Picture:
    """Lay out rounds from left to right. `way_of`: id of the highlighted player."""
    placed = []
    ends_by_column: list[dict[str, Ends]] = []  # for each column, by person
    height = bottom = TOP
    for index, column in enumerate(columns):
        x = 2 + index * (BOX + GAP)
        top = (bottom - _final_height(column)) // 2 if column.final else TOP
        boxes, where, bottom = _column(column, x, max(TOP, top), way_of)
        placed.append(PlacedColumn(column, x, boxes))
        ends_by_column.append(where)
        height = max(height, bottom)
    lines: list[str] = []
    way: list[str] = []
    for at, (before, after) in enumerate(pairwise(ends_by_column)):
        here, there = columns[at], columns[at + 1]
        between = {
            person: _line(start.to_x, start.y, end.x, end.y)
            for person, start in before.items()
            if (end := after.get(person)) and there.sources.get(person) == here.number
        }
        if line := between.pop(way_of or "", None):
            way.append(line)
        lines += between.values() if len(between) <= MOST_LINES else ()
    past, lowest = _lines_past(columns, placed, ends_by_column)
    way_past = past.pop(way_of or "", [])
    # The last column may have crosses after it.
    width = 2 * 2 + len(columns) * (BOX + GAP) - (GAP - CROSS if _has_crosses(placed[-1:]) else GAP)
    return Picture(
        max(width, BOX),
        max(height, lowest) + 2,
        tuple(placed),
        tuple(lines),
        tuple(way),
        tuple(line for paths in past.values() for line in paths if len(past) <= MOST_LINES),
        tuple(way_past),
    )


def _lines_past(
    columns: Sequence[Column], placed: Sequence[PlacedColumn], ends_by_column: Sequence[dict[str, Ends]]
) -> tuple[dict[str, list[str]], int]:
    """Return lines past missed rounds, drawn below the nearest table, and their lowest y."""
    lines: dict[str, list[str]] = defaultdict(list)
    taken: set[tuple[int, int]] = set()
    for person, before, after in find_missed(columns):
        start, end = ends_by_column[before][person.id], ends_by_column[after][person.id]
        x, y = start.to_x, start.y
        path = ""
        for index in range(before + 1, after):
            passed = placed[index]
            lanes = [box.y + box.height + lane for box in passed.boxes for lane in LANES]
            lane = nearest([lane for lane in lanes if (index, lane) not in taken] or lanes, y)
            taken.add((index, lane))
            path += f"{_line(x, y, passed.x, lane)}H{passed.end}"
            x, y = passed.end, lane
        lines[person.id].append(path + _line(x, y, end.x, end.y))
    return lines, max((lane for _index, lane in taken), default=0)


Where = TypeVar("Where", int, float)


def nearest(places: Sequence[Where], to: Where) -> Where:
    return min(places, key=lambda place: abs(place - to), default=to)


def _final_height(column: Column) -> int:
    """Return the height of the final's table, placed at half the height of the round before."""
    return HEAD + LINE * sum(len(side.people) for side in column.tables[0].sides) + FOOT


def _column(column: Column, x: int, y: int, way_of: str | None) -> tuple[tuple[Box, ...], dict[str, Ends], int]:
    boxes: list[Box] = []
    where: dict[str, Ends] = {}
    entries = [(table.number, table.progress, table.sides, False) for table in column.tables]
    if column.byes:
        entries.append((0, "", (Side(column.byes, None),), True))
    for number, progress, sides, bye in entries:
        box, ends = _box(x, y, number, progress, sides, bye, way_of)
        boxes.append(box)
        where |= ends
        y += box.height + BETWEEN_TABLES
    return tuple(boxes), where, y - BETWEEN_TABLES


def _box(
    x: int, y: int, number: int, progress: str, sides: Sequence[Side], bye: bool, way_of: str | None
) -> tuple[Box, dict[str, Ends]]:
    texts: list[Text] = []
    points: list[Text] = []
    rules: list[int] = []
    lit: list[tuple[int, int]] = []
    crosses: list[tuple[int, int]] = []
    ends: dict[str, Ends] = {}
    top = y + HEAD
    partners = any(len(side.people) > 1 for side in sides)
    for side in sides:
        if partners and side is not sides[0]:
            rules.append(top + BETWEEN_SIDES // 2)
            top += BETWEEN_SIDES
        is_lit = any(person.id == way_of for person in side.people)
        figure = "" if side.points is None else str(side.points)
        for person in side.people:
            middle = top + LINE // 2
            ends[person.id] = Ends(x, x + BOX + (CROSS if side.status else 0), middle)
            mine = person.id == way_of
            if mine:
                lit.append((x + 4, top + 2))
            words = shorten_name(person.name, BOX - 2 * INSIDE - FIGURE * (len(figure) + 1))
            texts.append(Text(x + INSIDE, middle + 5, words, mine, person.name if words != person.name else ""))
            top += LINE
        if figure:
            height = LINE * len(side.people)
            points.append(Text(x + BOX - 12, top - height // 2 + 5, figure, is_lit, gone=bool(side.status)))
        if side.status:
            crosses.append((x + BOX + 6, top - LINE // 2 - 5))
    title = _("Bye") if bye else _("Table %(number)d") % {"number": number}
    box = Box(
        x, y, top + FOOT - y, title, progress, _spoken(title, progress, sides), tuple(texts), tuple(points),
        tuple(rules), tuple(lit), tuple(crosses), bye,
    )  # fmt: skip
    return box, ends


def _spoken(title: str, progress: str, sides: Sequence[Side]) -> str:
    """Return text such as “Table 1: Ana and Zoë, 30; Ben and Chidi, 278”."""
    spoken_sides = [", ".join(filter(None, (_people(side), _points(side), side.status))) for side in sides]
    return label_text(", ".join(filter(None, (title, progress))), "; ".join(spoken_sides))


def _people(side: Side) -> str:
    return names(person.name for person in side.people)


def _points(side: Side) -> str:
    return "" if side.points is None else str(side.points)


def _has_crosses(placed: Sequence[PlacedColumn]) -> bool:
    return any(box.crosses for column in placed for box in column.boxes)


def _line(x: int, y: int, to_x: int, to_y: int) -> str:
    half = (x + to_x) // 2
    return f"M{x} {y}C{half} {y} {half} {to_y} {to_x} {to_y}"
