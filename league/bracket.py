"""The picture of a tournament: rounds as columns of tables, and lines that show where somebody went from there.

Plain values in, coordinates out; the template only writes them down. Tables may have any number of sides and players.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

BOX, GAP = 178, 44  # width of a table, and the room for lines between two columns
TOP, HEAD, LINE, BETWEEN_SIDES, FOOT, BETWEEN_TABLES = 32, 28, 30, 10, 10, 18
MOST_LETTERS = 16
# With more players the lines of all of them are a thicket: then only the one that is asked for is drawn.
MOST_LINES = 12


@dataclass(frozen=True)
class Person:
    id: str
    name: str


@dataclass(frozen=True)
class Side:
    """Who plays together, and what they made in this round; None before their first hand."""

    people: tuple[Person, ...]
    points: int | None


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


@dataclass(frozen=True)
class Text:
    x: int
    y: int
    words: str
    strong: bool = False
    full: str = ""  # the whole name, where the words are cut


@dataclass(frozen=True)
class Box:
    """One table, or the byes of a round (`bye`). `lit` are the lines of the one whose way is shown, as (x, y)."""

    x: int
    y: int
    height: int
    number: int
    said: str
    names: tuple[Text, ...]
    points: tuple[Text, ...]
    rules: tuple[int, ...]  # y of the lines between sides
    lit: tuple[tuple[int, int], ...]
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
        boxes, where, bottom = _column(column, x, way_of)
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
    width = 2 * 2 + len(columns) * (BOX + GAP) - GAP
    return Picture(max(width, BOX), height + 2, tuple(placed), tuple(others), tuple(way))


def _column(column: Column, x: int, way_of: str | None) -> tuple[tuple[Box, ...], dict[str, int], int]:
    boxes: list[Box] = []
    where: dict[str, int] = {}
    y = TOP
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
    middles: dict[str, int] = {}
    top = y + HEAD
    for side in sides:
        if side is not sides[0]:
            rules.append(top + BETWEEN_SIDES // 2)
            top += BETWEEN_SIDES
        is_lit = any(person.id == way_of for person in side.people)
        for person in side.people:
            middle = top + LINE // 2
            middles[person.id] = middle
            mine = person.id == way_of
            if mine:
                lit.append((x + 4, top + 2))
            words = shorten(person.name)
            texts.append(Text(x + 11, middle + 5, words, mine, person.name if words != person.name else ""))
            top += LINE
        if side.points is not None:
            height = LINE * len(side.people)
            points.append(Text(x + BOX - 12, top - height // 2 + 5, str(side.points), is_lit))
    box = Box(x, y, top + FOOT - y, number, said, tuple(texts), tuple(points), tuple(rules), tuple(lit), bye)
    return box, middles


def _line(x: int, y: int, to_x: int, to_y: int) -> str:
    half = (x + to_x) // 2
    return f"M{x} {y}C{half} {y} {half} {to_y} {to_x} {to_y}"


def shorten(name: str) -> str:
    """The name, cut to what fits a line of the picture. Wide letters count twice."""
    room = MOST_LETTERS
    for index, letter in enumerate(name):
        room -= 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if room < 0:
            return name[: max(index - 1, 1)].rstrip() + "…"
    return name
