"""Print the bracket: columns of tables, eliminations, and lines to each player's next table."""

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.prints.pdf.letters import printable, width
from league.prints.pdf.sheet import FOOT, HEAD, LONG, MARGIN, MM, MUTED, SHORT, Sheet, fit_text
from league.public.pictures.bracket import MOST_LINES, Column, Side, find_missed, leads_to, nearest

TITLE, KEY = 8.0, 8.0  # height of a round's title, and of the sentences at the foot
FREE = SHORT - HEAD - TITLE - KEY - FOOT
LEAST = 6.0  # the smallest size of type, for the longest names
WIDEST, INSIDE = 66.0, 2.0  # the widest table, and the margin inside a table


class Size(NamedTuple):
    """Sizes of a page: strips across; gap between them, for lines and crosses; line height in mm and type size; gap
    between two tables.
    """

    across: int
    gap: float
    line: float
    type: float
    between: float


# Use the size with the fewest pages; on a tie, the first.
SIZES = (*(Size(across, 9, 6.2, 10, 4.5) for across in (3, 4, 5, 6)), Size(6, 8, 4.2, 8, 2.6), Size(7, 7, 5.6, 9, 4))


class Line(NamedTuple):
    """One person at a table. room: width for the name. figure: the side's points, in the line of its first person.
    gone: the side plays no further round.
    """

    id: str
    name: str
    room: float
    figure: str
    gone: bool
    high: float
    new_side: bool


@dataclass(frozen=True)
class Box:
    """A table, or the people with a bye. top: position in the strip."""

    title: str
    progress: str
    lines: Sequence[Line]
    top: float
    high: float


@dataclass(frozen=True)
class Strip:
    """One column of a page: a round, or a part of one."""

    at: int
    column: Column
    boxes: Sequence[Box]


class Ends(NamedTuple):
    """Where lines reach a person (`x`), and where the next lines start (`to_x`)."""

    strip: int
    at: int
    x: float
    to_x: float
    y: float


@dataclass(frozen=True)
class Bracket:
    """columns: published rounds. aside: words after the title. winners: ids.

    target: of a Challenge UNO. partners: pairs play together. title: if different from the default.
    """

    columns: Sequence[Column]
    aside: str
    winners: Collection[str] = ()
    target: int | None = None
    partners: bool = True
    title: str = ""

    @property
    def pages(self) -> int:
        return len(self._layout[1])

    def draw(self, sheet: Sheet) -> None:
        size, pages = self._layout
        wide = _strip_width(size)
        for page in pages:
            sheet.page(self.title or _("Bracket"), self.aside, landscape=True)
            self._lines(sheet, size, page)
            for number, strip in enumerate(page):
                x = MARGIN + number * (wide + size.gap)
                sheet.fit(x, HEAD - 1, wide, TITLE, strip.column.name, 11, bold=True)
                for box in strip.boxes:
                    self._box(sheet, size, box, x, bool(strip.column.final))
            sheet.fit(MARGIN, SHORT - FOOT - KEY + 3, LONG - 2 * MARGIN, 5, self._key, 7.5, color=MUTED)

    @property
    def _key(self) -> str:
        if self.target is None and not self.partners:
            text = _("Points in the round, best first.")
            if any(side.status for column in self.columns for table in column.tables for side in table.sides):
                text += " " + _("Cross: eliminated.")
            return text
        if self.target is None:
            return _("Partners are in the same half of a box. The number is their points in the round.")
        words = [
            _("Total after the round; the lowest is best."),
            _("Cross: eliminated at %(target)d, or withdrawn.") % {"target": self.target},
        ]
        if find_missed(self.columns):
            words.append(_("Dashed line: back after rounds without a seat."))
        return " ".join(words)

    @cached_property
    def _layout(self) -> tuple[Size, list[list[Strip]]]:
        wide_enough = (size for size in SIZES if size.across >= min(len(self.columns), 6))
        layouts = [(size, self._flow(size)) for size in wide_enough]
        return min(layouts, key=lambda layout: (len(layout[1]), not self._is_tree(layout[0])))

    def _is_tree(self, size: Size) -> bool:
        """Return whether each round of a tree fits one strip, so that each table can stand between its two feeders."""
        first = self.columns[0]
        return first.in_tree and len(_stacks(_boxes(first, size), size)) == 1 and len(self.columns) <= size.across

    def _flow(self, size: Size) -> list[list[Strip]]:
        """Return the strips by page. A round that doesn't fit the rest of a page starts a new page."""
        pages: list[list[Strip]] = [[]]
        for at, column in enumerate(self.columns):
            strips = [Strip(at, column, boxes) for boxes in _stacks(_boxes(column, size), size)]
            if pages[-1] and len(pages[-1]) + len(strips) > size.across:
                pages.append([])
            if pages[-1] and self._is_tree(size):
                strips = [_between_feeders(strips[0], pages[-1][-1])]
            if column.final and pages[-1]:
                strips = [_centre_final(strips[0], pages[-1][-1])]
            for strip in strips:
                if len(pages[-1]) == size.across:
                    pages.append([])
                pages[-1].append(strip)
        return pages

    def _box(self, sheet: Sheet, size: Size, box: Box, x: float, is_final: bool) -> None:
        wide, y = _strip_width(size), HEAD + TITLE + box.top
        sheet.box(x, y, wide, box.high, 0.5 if is_final else 0.2)
        small = size.type * 0.82
        half = wide / 2 - INSIDE
        sheet.fit(x + INSIDE, y, half, size.line, box.title, small, LEAST, color=MUTED)
        sheet.fit(x + wide / 2, y, half, size.line, box.progress, small, LEAST, align="R", color=MUTED)
        y += size.line
        for line in box.lines:
            if line.new_side:
                sheet.grey_line(x, y, x + wide, y)
            is_winner = line.id in self.winners
            sheet.fit(x + INSIDE, y, line.room, line.high, line.name, size.type, LEAST, bold=is_winner)
            sheet.fit(x + wide / 2, y, half, line.high, line.figure, size.type, LEAST, bold=True, align="R")
            if line.gone:
                middle, arm = y + line.high / 2, size.line / 5
                for up in (-1, 1):
                    left, right = x + wide + 1, x + wide + 1 + 2 * arm
                    sheet.line(left, middle - up * arm, right, middle + up * arm, 0.5)
            y += line.high

    def _lines(self, sheet: Sheet, size: Size, page: Sequence[Strip]) -> None:
        """Draw lines to each player's next table, unless two rounds have too many; dashed past missed rounds."""
        if self._is_tree(size):
            _join(sheet, size, page)
            return
        drawn: dict[tuple[int, str], Ends] = {}  # by round and person
        reached: list[tuple[Ends, Ends]] = []
        for number, strip in enumerate(page):
            for person, ends in _ends(strip, size, number):
                drawn[strip.column.number, person] = ends
                origin = strip.column.leads.get(person)
                if origin is None:
                    start = drawn.get((strip.column.sources.get(person, 0), person))
                else:
                    start = drawn.get((strip.column.number - 1, origin))
                if start is not None:
                    reached.append((start, ends))
        lanes = [_lanes(strip, size) for strip in page]
        near: dict[int, list[tuple[Ends, Ends]]] = defaultdict(list)
        for start, end in reached:
            if end.at > start.at + 1:
                _draw_past(sheet, size, start, end, lanes)
            elif end.strip == start.strip + 1:
                near[start.strip].append((start, end))
        for start, end in (pair for pairs in near.values() for pair in pairs if len(pairs) <= MOST_LINES):
            sheet.grey_line(start.to_x, start.y, end.x, end.y)


def _draw_past(sheet: Sheet, size: Size, start: Ends, end: Ends, lanes: list[list[float]]) -> None:
    """Draw a dashed line below tables of the strips between; remove used lanes from `lanes`."""
    wide, x, y = _strip_width(size), start.to_x, start.y
    for number in range(start.strip + 1, end.strip):
        left, lane = MARGIN + number * (wide + size.gap), nearest(lanes[number], y)
        lanes[number] = [other for other in lanes[number] if other != lane]
        sheet.line(x, y, left, lane, 0.25, dash=1)
        sheet.line(left, lane, left + wide, lane, 0.25, dash=1)
        x, y = left + wide, lane
    sheet.line(x, y, end.x, end.y, 0.25, dash=1)


def _strip_width(size: Size) -> float:
    return min(WIDEST, (LONG - 2 * MARGIN - (size.across - 1) * size.gap) / size.across)


def _boxes(column: Column, size: Size) -> list[Box]:
    """Return the tables of a round, all at the top; `_stacks` distributes them."""
    boxes = [_table(table.heading, table.progress, table.sides, size) for table in column.tables]
    if column.byes and not column.in_tree:
        boxes.append(_table(_("Bye"), "", [Side((person,), None) for person in column.byes], size))
    return boxes


def _table(title: str, progress: str, sides: Sequence[Side], size: Size) -> Box:
    partners = any(len(side.people) > 1 for side in sides)
    lines = []
    for side in sides:
        points = "" if side.points is None else str(side.points)
        for person in side.people:
            is_first = person is side.people[0]
            figure = points if is_first else ""
            taken = (
                min(width(printable(figure), size.type * MM, bold=True) + 1.5, _strip_width(size) / 2) if figure else 0
            )
            room = _strip_width(size) - 2 * INSIDE - taken
            new_side = partners and is_first and side is not sides[0]
            high = _line_height(person.name, room, size)
            lines.append(Line(person.id, person.name, room, figure, bool(side.status), high, new_side))
    return Box(title, progress, lines, 0, size.line + sum(line.high for line in lines) + 1)


def _line_height(name: str, room: float, size: Size) -> float:
    """Return the height of a name's line; the longest names need several lines."""
    words = printable(name)
    for count in range(1, 9):
        _type, lines = fit_text(words, room, count * size.line, size.type, LEAST, True)
        if not lines or not lines[-1].endswith("…"):
            break
    return count * size.line


def _stacks(boxes: Sequence[Box], size: Size) -> list[list[Box]]:
    """Distribute boxes over as few strips as possible, evenly."""
    stacks = _stack(boxes, size, len(boxes))
    even = _stack(boxes, size, math.ceil(len(boxes) / max(1, len(stacks))))
    return even if len(even) == len(stacks) else stacks


def _stack(boxes: Sequence[Box], size: Size, most: int) -> list[list[Box]]:
    stacks: list[list[Box]] = []
    top = 0.0
    for box in boxes:
        if not stacks or top + box.high > FREE or len(stacks[-1]) == most:
            stacks.append([])
            top = 0.0
        stacks[-1].append(Box(box.title, box.progress, box.lines, top, box.high))
        top += box.high + size.between
    return stacks


def _centre_final(final: Strip, before: Strip) -> Strip:
    """Return the strip of the final's table, at half the height of the previous strip."""
    [box] = final.boxes
    end = before.boxes[-1].top + before.boxes[-1].high
    return Strip(
        final.at, final.column, [Box(box.title, box.progress, box.lines, max(0, end - box.high) / 2, box.high)]
    )


def _between_feeders(strip: Strip, before: Strip) -> Strip:
    """Return the strip of a tree's level, each table between its feeders; third place below the final."""
    boxes: list[Box] = []
    leads = [leads_to(at, before.column, strip.column) for at in range(len(before.boxes))]
    for at, box in enumerate(strip.boxes):
        if feeders := [feeder for feeder, to in zip(before.boxes, leads, strict=True) if to == at]:
            top = (feeders[0].top + feeders[-1].top + feeders[-1].high - box.high) / 2
        else:
            top = boxes[-1].top + boxes[-1].high + (box.top - strip.boxes[at - 1].top - strip.boxes[at - 1].high)
        boxes.append(Box(box.title, box.progress, box.lines, top, box.high))
    return Strip(strip.at, strip.column, boxes)


def _join(sheet: Sheet, size: Size, page: Sequence[Strip]) -> None:
    """Draw lines from every two tables of a tree to the next."""
    wide = _strip_width(size)
    for number, (here, there) in enumerate(pairwise(page)):
        x = MARGIN + number * (wide + size.gap) + wide
        for at, box in enumerate(here.boxes):
            after = there.boxes[leads_to(at, here.column, there.column)]
            y, to_y = HEAD + TITLE + box.top + box.high / 2, HEAD + TITLE + after.top + after.high / 2
            middle = x + size.gap * 0.7
            sheet.grey_line(x, y, middle, y)
            sheet.grey_line(middle, y, middle, to_y)
            sheet.grey_line(middle, to_y, x + size.gap, to_y)


def _ends(strip: Strip, size: Size, number: int) -> list[tuple[str, Ends]]:
    wide = _strip_width(size)
    x = MARGIN + number * (wide + size.gap)
    ends = []
    for box in strip.boxes:
        y = HEAD + TITLE + box.top + size.line
        for line in box.lines:
            to_x = x + wide + (size.line * 0.6 if line.gone else 0)
            ends.append((line.id, Ends(number, strip.at, x, to_x, y + line.high / 2)))
            y += line.high
    return ends


def _lanes(strip: Strip, size: Size) -> list[float]:
    """Return the y of the lanes below each table, in which lines pass it."""
    ends = [HEAD + TITLE + box.top + box.high for box in strip.boxes]
    return [end + part * size.between / 4 for end in ends for part in (1, 2, 3)]
