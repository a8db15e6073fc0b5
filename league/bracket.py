"""The picture of a tournament: rounds as columns of tables, and lines that show where somebody went from there.

Plain values in, coordinates out; the template only writes them down. Tables may have any number of sides and players.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

BOX, GAP = 178, 44  # width of a table, and the room for lines between two columns
TOP, HEAD, LINE, BETWEEN_SIDES, FOOT, BETWEEN_TABLES = 32, 28, 30, 10, 10, 18
MOST_LETTERS, LETTERS_BESIDE_OUT = 16, 12
CROSS = 20  # room for the mark of who has left
# With more players the lines of all of them are a thicket: then only the one that is asked for is drawn.
MOST_LINES = 12


@dataclass(frozen=True)
class Person:
    id: str
    name: str


@dataclass(frozen=True)
class Side:
    """Who plays together, and what they made in this round; None before their first hand.

    Of a race: one player and the total; `left` is the word for who is in no further round.
    """

    people: tuple[Person, ...]
    points: int | None
    left: str = ""


@dataclass(frozen=True)
class TableOfRound:
    """`said` is where the table stands, in a word or two, or empty when that needs no word."""

    number: int
    sides: tuple[Side, ...]
    said: str = ""


@dataclass(frozen=True)
class Column:
    """A round as the bracket shows it."""

    number: int
    tables: tuple[TableOfRound, ...]
    byes: tuple[Person, ...] = ()
    draft: bool = False
    is_final: bool = False  # of a race: the last two


@dataclass(frozen=True)
class Text:
    x: int
    y: int
    words: str
    strong: bool = False
    full: str = ""  # the whole name, where the words are cut
    gone: bool = False


@dataclass(frozen=True)
class Box:
    """One table, or the byes of a round (`bye`).

    `lit` are the lines of the one whose way is shown, `crosses` stand beside who has left, each as (x, y).
    """

    x: int
    y: int
    height: int
    number: int
    said: str
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


@dataclass(frozen=True)
class Picture:
    width: int
    height: int
    columns: tuple[PlacedColumn, ...]
    lines: tuple[str, ...]
    way: tuple[str, ...]


def draw(columns: Sequence[Column], way_of: str | None = None) -> Picture:
    """Lay the rounds out from left to right. `way_of` is the id of the person whose way is lit."""
    placed = []
    at: list[dict[str, int]] = []  # for each column the y of every person
    height = TOP
    for index, column in enumerate(columns):
        x = 2 + index * (BOX + GAP)
        top = (height - _height(column)) // 2 if column.is_final else TOP
        boxes, where, bottom = _column(column, x, max(TOP, top), way_of)
        placed.append(PlacedColumn(column, x, boxes))
        at.append(where)
        height = max(height, bottom)
    lines: dict[str, list[str]] = {}
    for index, (here, there) in enumerate(pairwise(at)):
        x = 2 + index * (BOX + GAP) + BOX
        for person, y in here.items():
            if person in there:
                lines.setdefault(person, []).append(_line(x, y, x + GAP, there[person]))
    way = lines.pop(way_of, []) if way_of else []
    others = [line for drawn in lines.values() for line in drawn] if len(lines) <= MOST_LINES else []
    # Beside the last column there may be crosses too.
    width = 2 * 2 + len(columns) * (BOX + GAP) - (GAP - CROSS if _has_crosses(placed[-1:]) else GAP)
    return Picture(max(width, BOX), height + 2, tuple(placed), tuple(others), tuple(way))


def _height(column: Column) -> int:
    """Of its one table, for the final, which stands in the middle of what was before."""
    return HEAD + LINE * sum(len(side.people) for side in column.tables[0].sides) + FOOT


def _column(column: Column, x: int, y: int, way_of: str | None) -> tuple[tuple[Box, ...], dict[str, int], int]:
    boxes: list[Box] = []
    where: dict[str, int] = {}
    entries = [(table.number, table.said, table.sides, False) for table in column.tables]
    if column.byes:
        entries.append((0, "", (Side(column.byes, None),), True))
    for number, said, sides, bye in entries:
        box, middles = _box(x, y, number, said, sides, bye, way_of)
        boxes.append(box)
        where |= middles
        y += box.height + BETWEEN_TABLES
    return tuple(boxes), where, y - BETWEEN_TABLES


def _box(
    x: int, y: int, number: int, said: str, sides: Sequence[Side], bye: bool, way_of: str | None
) -> tuple[Box, dict[str, int]]:
    texts: list[Text] = []
    points: list[Text] = []
    rules: list[int] = []
    lit: list[tuple[int, int]] = []
    crosses: list[tuple[int, int]] = []
    middles: dict[str, int] = {}
    top = y + HEAD
    partners = any(len(side.people) > 1 for side in sides)
    for side in sides:
        if partners and side is not sides[0]:
            rules.append(top + BETWEEN_SIDES // 2)
            top += BETWEEN_SIDES
        is_lit = any(person.id == way_of for person in side.people)
        for person in side.people:
            middle = top + LINE // 2
            middles[person.id] = middle
            mine = person.id == way_of
            if mine:
                lit.append((x + 4, top + 2))
            words = shorten(person.name, LETTERS_BESIDE_OUT if side.left else MOST_LETTERS)
            texts.append(Text(x + 11, middle + 5, words, mine, person.name if words != person.name else ""))
            top += LINE
        if side.points is not None:
            height = LINE * len(side.people)
            words = f"{side.left} {side.points}" if side.left else str(side.points)
            points.append(Text(x + BOX - 12, top - height // 2 + 5, words, is_lit, gone=bool(side.left)))
        if side.left:
            crosses.append((x + BOX + 6, top - LINE // 2 - 5))
    box = Box(
        x, y, top + FOOT - y, number, said, tuple(texts), tuple(points), tuple(rules), tuple(lit), tuple(crosses), bye
    )  # fmt: skip
    return box, middles


def _has_crosses(placed: Sequence[PlacedColumn]) -> bool:
    return any(box.crosses for column in placed for box in column.boxes)


def _line(x: int, y: int, to_x: int, to_y: int) -> str:
    half = (x + to_x) // 2
    return f"M{x} {y}C{half} {y} {half} {to_y} {to_x} {to_y}"


def shorten(name: str, room: int = MOST_LETTERS) -> str:
    """The name, cut to what fits a line of the picture. Wide letters count twice."""
    for index, letter in enumerate(name):
        room -= 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if room < 0:
            return name[: max(index - 1, 1)].rstrip() + "…"
    return name
