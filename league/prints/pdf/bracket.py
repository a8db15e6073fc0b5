"""The rounds side by side on paper: columns of tables, with who was out where, and who went where from there."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.prints.pdf.letters import printable, width
from league.prints.pdf.sheet import FOOT, HEAD, LONG, MARGIN, MM, MUTED, SHORT, Sheet, fitted
from league.public.bracket import MOST_LINES, Column, Side, missed, nearest

TITLE, KEY = 8.0, 8.0  # height of a round's title, and of the sentences at the foot
FREE = SHORT - HEAD - TITLE - KEY - FOOT
LEAST = 6.0  # size of the type in which the longest names stand
WIDEST, INSIDE = 66.0, 2.0  # of a table, and beside what stands in it


class Size(NamedTuple):
    """Of a page: strips across, with a gap for lines and crosses; height of a line in mm and the size of its type; what
    is between two tables."""

    across: int
    gap: float
    line: float
    type: float
    between: float


# The one that takes the fewest pages; of several the first.
SIZES = (*(Size(across, 9, 6.2, 10, 4.5) for across in (3, 4, 5, 6)), Size(6, 8, 4.2, 8, 2.6), Size(7, 7, 5.6, 9, 4))


class Line(NamedTuple):
    """One person of a table, and the room for their name. figure: of the side, in the line of its first person."""

    id: str
    name: str
    room: float
    figure: str
    left: bool
    high: float
    new_side: bool


@dataclass(frozen=True)
class Box:
    """A table, or who sits out, at its place down the strip."""

    title: str
    said: str
    lines: Sequence[Line]
    top: float
    high: float


@dataclass(frozen=True)
class Strip:
    """What stands in one column of a page: a round, or a part of one."""

    at: int
    column: Column
    boxes: Sequence[Box]


class Ends(NamedTuple):
    """Where lines come to somebody, and where they go on from there."""

    strip: int
    at: int
    x: float
    to_x: float
    y: float


@dataclass(frozen=True)
class Bracket:
    """columns: the rounds that were published. said: stands beside the title. winner: their id, or nothing.

    target: of a Challenge UNO. partners: whether two play together.
    """

    columns: Sequence[Column]
    said: str
    winner: str = ""
    target: int | None = None
    partners: bool = True

    @property
    def pages(self) -> int:
        return len(self._laid[1])

    def draw(self, sheet: Sheet) -> None:
        size, pages = self._laid
        wide = _wide(size)
        for page in pages:
            sheet.page(_("Bracket"), self.said, landscape=True)
            self._lines(sheet, size, page)
            for number, strip in enumerate(page):
                x = MARGIN + number * (wide + size.gap)
                words = _("Round %(number)d") % {"number": strip.column.number}
                title = _("Head to head") if strip.column.is_final else words
                sheet.fit(x, HEAD - 1, wide, TITLE, title, 11, bold=True)
                for box in strip.boxes:
                    self._box(sheet, size, box, x, strip.column.is_final)
            sheet.fit(MARGIN, SHORT - FOOT - KEY + 3, LONG - 2 * MARGIN, 5, self._key, 7.5, color=MUTED)

    @property
    def _key(self) -> str:
        if self.target is None and not self.partners:
            return _("The figure is what somebody made in the round, the best first.")
        if self.target is None:
            return _(
                "The two above the rule are partners, and so are the two below it; the figure is what they made in the "
                "round."
            )
        words = [
            _("The figure is the total after the round; the lowest is the best."),
            _("A cross: eliminated at %(target)d, or dropped out.") % {"target": self.target},
        ]
        if missed(self.columns):
            words.append(_("A dashed line: in again, after rounds without a seat."))
        return " ".join(words)

    @cached_property
    def _laid(self) -> tuple[Size, list[list[Strip]]]:
        wide_enough = (size for size in SIZES if size.across >= min(len(self.columns), 6))
        return min(((size, self._flow(size)) for size in wide_enough), key=lambda laid: len(laid[1]))

    def _flow(self, size: Size) -> list[list[Strip]]:
        """The strips, page by page. A round that does not fit beside the others begins a page."""
        pages: list[list[Strip]] = [[]]
        for at, column in enumerate(self.columns):
            strips = [Strip(at, column, boxes) for boxes in _stacks(_boxes(column, size), size)]
            if pages[-1] and len(pages[-1]) + len(strips) > size.across:
                pages.append([])
            if column.is_final and pages[-1]:
                strips = [_in_the_middle(strips[0], pages[-1][-1])]
            for strip in strips:
                if len(pages[-1]) == size.across:
                    pages.append([])
                pages[-1].append(strip)
        return pages

    def _box(self, sheet: Sheet, size: Size, box: Box, x: float, is_final: bool) -> None:
        wide, y = _wide(size), HEAD + TITLE + box.top
        sheet.box(x, y, wide, box.high, 0.5 if is_final else 0.2)
        small = size.type * 0.82
        half = wide / 2 - INSIDE
        sheet.fit(x + INSIDE, y, half, size.line, box.title, small, LEAST, color=MUTED)
        sheet.fit(x + wide / 2, y, half, size.line, box.said, small, LEAST, align="R", color=MUTED)
        y += size.line
        for line in box.lines:
            if line.new_side:
                sheet.grey_line(x, y, x + wide, y)
            is_winner = line.id == self.winner
            sheet.fit(x + INSIDE, y, line.room, line.high, line.name, size.type, LEAST, bold=is_winner)
            sheet.fit(x + wide / 2, y, half, line.high, line.figure, size.type, LEAST, bold=True, align="R")
            if line.left:
                middle, arm = y + line.high / 2, size.line / 5
                for up in (-1, 1):
                    left, right = x + wide + 1, x + wide + 1 + 2 * arm
                    sheet.line(left, middle - up * arm, right, middle + up * arm, 0.5)
            y += line.high

    def _lines(self, sheet: Sheet, size: Size, page: Sequence[Strip]) -> None:
        """Who went where, unless too many did between two rounds; dashed past the rounds that somebody missed."""
        of_people: dict[str, list[Ends]] = defaultdict(list)
        for number, strip in enumerate(page):
            for person, ends in _ends(strip, size, number):
                of_people[person].append(ends)
        lanes = [_lanes(strip, size) for strip in page]
        near: dict[int, list[tuple[Ends, Ends]]] = defaultdict(list)
        for one, two in (pair for ends in of_people.values() for pair in pairwise(ends)):
            if two.at > one.at + 1:
                _past(sheet, size, one, two, lanes)
            elif two.strip == one.strip + 1:
                near[one.strip].append((one, two))
        for one, two in (pair for pairs in near.values() for pair in pairs if len(pairs) <= MOST_LINES):
            sheet.grey_line(one.to_x, one.y, two.x, two.y)


def _past(sheet: Sheet, size: Size, one: Ends, two: Ends, lanes: list[list[float]]) -> None:
    """A dashed line below the tables of the strips between; a lane that is used is taken out of `lanes`."""
    wide, x, y = _wide(size), one.to_x, one.y
    for number in range(one.strip + 1, two.strip):
        left, lane = MARGIN + number * (wide + size.gap), nearest(lanes[number], y)
        lanes[number] = [other for other in lanes[number] if other != lane]
        sheet.line(x, y, left, lane, 0.25, dash=1)
        sheet.line(left, lane, left + wide, lane, 0.25, dash=1)
        x, y = left + wide, lane
    sheet.line(x, y, two.x, two.y, 0.25, dash=1)


def _wide(size: Size) -> float:
    return min(WIDEST, (LONG - 2 * MARGIN - (size.across - 1) * size.gap) / size.across)


def _boxes(column: Column, size: Size) -> list[Box]:
    """The tables of a round, each at the top: `_stacks` puts them below one another."""
    made = [
        _table(_("Table %(number)d") % {"number": table.number}, table.said, table.sides, size)
        for table in column.tables
    ]
    if column.byes:
        made.append(_table(_("Sits out"), "", [Side((person,), None) for person in column.byes], size))
    return made


def _table(title: str, said: str, sides: Sequence[Side], size: Size) -> Box:
    partners = any(len(side.people) > 1 for side in sides)
    lines = []
    for side in sides:
        points = "" if side.points is None else str(side.points)
        for person in side.people:
            is_first = person is side.people[0]
            figure = points if is_first else ""
            taken = min(width(printable(figure), size.type * MM, bold=True) + 1.5, _wide(size) / 2) if figure else 0
            room = _wide(size) - 2 * INSIDE - taken
            new_side = partners and is_first and side is not sides[0]
            high = _high(person.name, room, size)
            lines.append(Line(person.id, person.name, room, figure, bool(side.left), high, new_side))
    return Box(title, said, lines, 0, size.line + sum(line.high for line in lines) + 1)


def _high(name: str, room: float, size: Size) -> float:
    """Of a name's line: the longest need more than one."""
    words = printable(name)
    for count in range(1, 9):
        _type, lines = fitted(words, room, count * size.line, size.type, LEAST, True)
        if not lines or not lines[-1].endswith("…"):
            break
    return count * size.line


def _stacks(boxes: Sequence[Box], size: Size) -> list[list[Box]]:
    """As few strips as hold them, about as many in each."""
    stacks = _stacked(boxes, size, len(boxes))
    even = _stacked(boxes, size, math.ceil(len(boxes) / max(1, len(stacks))))
    return even if len(even) == len(stacks) else stacks


def _stacked(boxes: Sequence[Box], size: Size, most: int) -> list[list[Box]]:
    stacks: list[list[Box]] = []
    top = 0.0
    for box in boxes:
        if not stacks or top + box.high > FREE or len(stacks[-1]) == most:
            stacks.append([])
            top = 0.0
        stacks[-1].append(Box(box.title, box.said, box.lines, top, box.high))
        top += box.high + size.between
    return stacks


def _in_the_middle(final: Strip, before: Strip) -> Strip:
    """The one table of the last two, in the middle of what was before."""
    [box] = final.boxes
    end = before.boxes[-1].top + before.boxes[-1].high
    return Strip(final.at, final.column, [Box(box.title, box.said, box.lines, max(0, end - box.high) / 2, box.high)])


def _ends(strip: Strip, size: Size, number: int) -> list[tuple[str, Ends]]:
    wide = _wide(size)
    x = MARGIN + number * (wide + size.gap)
    found = []
    for box in strip.boxes:
        y = HEAD + TITLE + box.top + size.line
        for line in box.lines:
            to_x = x + wide + (size.line * 0.6 if line.left else 0)
            found.append((line.id, Ends(number, strip.at, x, to_x, y + line.high / 2)))
            y += line.high
    return found


def _lanes(strip: Strip, size: Size) -> list[float]:
    """Below each table, where lines go past it."""
    ends = [HEAD + TITLE + box.top + box.high for box in strip.boxes]
    return [end + part * size.between / 4 for end in ends for part in (1, 2, 3)]
