"""Print a season's standings by division, and its honours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.prints.pdf.sheet import FOOT, HEAD, INK, LONG, MARGIN, MUTED, SHORT, Sheet

RANK, NAME, TOTAL = 12.0, 50.0, 18.0
WIDEST, NARROWEST = 14.0, 7.0  # a column of an event
HEADING, TITLES, LINE, ZONE, SENTENCE, GAP = 9.0, 7.0, 6.4, 6.0, 9.0, 5.0


class EveningCell(NamedTuple):
    """An event's points for a player. is_struck: not counted."""

    text: str
    is_struck: bool = False


@dataclass(frozen=True)
class SeasonRow:
    """zone: a heading above the row, or ""."""

    place: str
    name: str
    cells: Sequence[EveningCell]
    total: str
    zone: str = ""


@dataclass(frozen=True)
class SeasonDivision:
    """name: "" in a season without divisions."""

    name: str
    rows: Sequence[SeasonRow]


class HonoursLine(NamedTuple):
    place: str
    name: str
    total: str


class HonoursBlock(NamedTuple):
    division: str
    lines: Sequence[HonoursLine]


class _Item(NamedTuple):
    """An item of a page. kind: the method that draws it."""

    kind: str
    high: float
    text: str = ""
    row: SeasonRow | None = None


@dataclass(frozen=True)
class SeasonTablePrint:
    """events: column headings. sentences: below the tables, in small type."""

    title: str
    aside: str
    events: Sequence[str]
    total_label: str
    divisions: Sequence[SeasonDivision]
    honours: Sequence[HonoursBlock] = ()
    sentences: Sequence[str] = ()

    @property
    def pages(self) -> int:
        return len(self._pages)

    def draw(self, sheet: Sheet) -> None:
        for items in self._pages:
            sheet.page(self.title, self.aside, landscape=self._landscape)
            y = HEAD
            for item in items:
                self._draw_item(sheet, item, y)
                y += item.high

    @property
    def _landscape(self) -> bool:
        return len(self.events) * NARROWEST > SHORT - 2 * MARGIN - RANK - NAME - TOTAL

    @property
    def _wide(self) -> float:
        """Return the width of the content."""
        return (LONG if self._landscape else SHORT) - 2 * MARGIN

    @property
    def _columns(self) -> Sequence[int]:
        """Return the positions of events with a column: the last ones, if not all fit."""
        room = int((self._wide - RANK - NAME - TOTAL) / NARROWEST)
        return range(max(0, len(self.events) - room), len(self.events))

    @property
    def _column_wide(self) -> float:
        return min(WIDEST, (self._wide - RANK - NAME - TOTAL) / max(1, len(self._columns)))

    @cached_property
    def _pages(self) -> Sequence[Sequence[_Item]]:
        """Return the items by page. A continued table repeats its titles; a heading stays with its first row."""
        bottom = (SHORT if self._landscape else LONG) - FOOT
        pages: list[list[_Item]] = [[]]
        y = HEAD
        items = list(self._items())
        for at, item in enumerate(items):
            if y + _with_what_follows(items, at) > bottom and pages[-1]:
                pages.append([])
                y = HEAD
                if item.kind in ("row", "zone"):
                    pages[-1].append(_TITLES)
                    y += TITLES
                elif item.kind == "gap":
                    continue
            pages[-1].append(item)
            y += item.high
        return pages

    def _items(self) -> Iterator[_Item]:
        for division in self.divisions:
            if division.name:
                yield _Item("heading", HEADING, division.name)
            yield _TITLES
            for row in division.rows:
                if row.zone:
                    yield _Item("zone", ZONE, row.zone)
                yield _Item("row", LINE, row=row)
            yield _Item("gap", GAP)
        for sentence in self._all_sentences():
            yield _Item("sentence", SENTENCE, sentence)
        if self.honours:
            yield _Item("gap", GAP)
            yield _Item("heading", HEADING, _("Honours"))
        for block in self.honours:
            if block.division:
                yield _Item("zone", ZONE, block.division)
            for line in block.lines:
                yield _Item("honour", LINE, row=SeasonRow(line.place, line.name, (), line.total))

    def _all_sentences(self) -> Iterator[str]:
        yield from self.sentences
        if len(self._columns) < len(self.events):
            words = _("Only the last %(count)d tournaments fit here; the total counts all.")
            yield words % {"count": len(self._columns)}

    def _draw_item(self, sheet: Sheet, item: _Item, y: float) -> None:
        if item.kind == "heading":
            sheet.fit(MARGIN, y, self._wide, item.high - 1, item.text, 14, bold=True)
        elif item.kind == "zone":
            sheet.fit(MARGIN, y, self._wide, item.high, item.text, 8, color=MUTED)
        elif item.kind == "sentence":
            sheet.fit(MARGIN, y, self._wide, item.high, item.text, 8, 5, top=True, color=MUTED)
        elif item.kind == "titles":
            self._draw_titles(sheet, y)
        elif item.row is not None:
            self._draw_row(sheet, item.row, y)

    def _draw_titles(self, sheet: Sheet, y: float) -> None:
        sheet.fit(MARGIN, y, RANK, TITLES - 1, _("Rank"), 8, 5, color=MUTED)
        sheet.fit(MARGIN + RANK, y, NAME, TITLES - 1, _("Player"), 8, 5, color=MUTED)
        x = MARGIN + RANK + NAME
        for at in self._columns:
            sheet.fit(x, y, self._column_wide, TITLES - 1, self.events[at], 8, 5, align="C", color=MUTED)
            x += self._column_wide
        sheet.fit(self._right - TOTAL, y, TOTAL, TITLES - 1, self.total_label, 8, 5, align="R", color=MUTED)
        sheet.line(MARGIN, y + TITLES - 0.5, self._right, y + TITLES - 0.5, 0.4)

    @property
    def _right(self) -> float:
        columns = self._column_wide * len(self._columns)
        return MARGIN + max(RANK + NAME + columns + TOTAL, self._wide * 0.6)

    def _draw_row(self, sheet: Sheet, row: SeasonRow, y: float) -> None:
        sheet.fit(MARGIN, y, RANK - 1, LINE, row.place, 10, 5, bold=True)
        sheet.fit(MARGIN + RANK, y, NAME - 1, LINE, row.name, 10, 5, bold=True)
        x, wide = MARGIN + RANK + NAME, self._column_wide
        for at in self._columns if row.cells else ():
            cell = row.cells[at]
            sheet.fit(x, y, wide, LINE, cell.text, 9, 5, align="C", color=MUTED if cell.is_struck else INK)
            if cell.is_struck:
                sheet.line(x + wide / 2 - 2.5, y + LINE / 2, x + wide / 2 + 2.5, y + LINE / 2, 0.25)
            x += wide
        sheet.fit(self._right - TOTAL, y, TOTAL, LINE, row.total, 10, 5, bold=True, align="R")
        sheet.grey_line(MARGIN, y + LINE, self._right, y + LINE)


_TITLES = _Item("titles", TITLES)


def _with_what_follows(items: Sequence[_Item], at: int) -> float:
    """Return the height of an item with the first row below it, which stays on the same page."""
    high = items[at].high
    while items[at].kind in ("heading", "titles", "zone") and at + 1 < len(items):
        at += 1
        high += items[at].high
    return high
