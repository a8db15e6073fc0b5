"""Print the seating: by name, for the door, and by table, for the walls and the director."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from league.lib.translate import label_text, round_title
from league.prints.pdf.sheet import HEAD, LONG, MARGIN, MUTED, SHORT, Sheet

Row = dict[str, Any]  # of seating.csv
BYE = "bye"

FREE = LONG - HEAD - 14  # height of a page between its head and its foot
IN_ONE_COLUMN, A_COLUMN = 14, 24  # most names in a single column, and in each of two


@dataclass(frozen=True)
class Seating:
    """A round. rows: of seating.csv, tables ascending, byes last. status: a word for the head, such as “Draft”.

    of: number of rounds, None if unknown. first: by table, the seat that deals first, if known.
    """

    number: int
    of: int | None
    rows: Sequence[Row]
    status: str = ""
    first: Mapping[int, int] = field(default_factory=dict)

    @property
    def tables(self) -> dict[int, list[Row]]:
        tables: dict[int, list[Row]] = {}
        for row in self.rows:
            if row["table"] != BYE:
                tables.setdefault(row["table"], []).append(row)
        return tables

    @property
    def byes(self) -> list[str]:
        return [row["player"] for row in self.rows if row["table"] == BYE]


def sides(seats: Sequence[Row]) -> list[list[str]]:
    """Return the names of each side, in the order of their first seats."""
    groups: dict[str, list[str]] = {}
    for row in seats:
        groups.setdefault(row["partner_id"] if row["partner_id"] in groups else row["player_id"], []).append(
            row["player"]
        )
    return list(groups.values())


def teams_of(seats: Sequence[Row]) -> list[str]:
    """Return the team name of each side; empty without teams."""
    return list(dict.fromkeys(row["team"] for row in seats if row.get("team")))


def sides_in_words(seats: Sequence[Row]) -> list[str]:
    """Return “Ana + Ben”, or “Blue Foxes: Ana + Ben” for teams."""
    people = [" + ".join(side) for side in sides(seats)]
    teams = teams_of(seats)
    if len(teams) != len(people):
        return people
    return [label_text(team, side) for team, side in zip(teams, people, strict=True)]


@dataclass(frozen=True)
class ByName:
    """One round, alphabetical and large, to find a table. The seating's `rows` must be sorted by name."""

    seating: Seating

    @property
    def pages(self) -> int:
        return max(1, math.ceil(len(self.seating.rows) / (2 * A_COLUMN)))

    def draw(self, sheet: Sheet) -> None:
        rows = self.seating.rows
        columns = 1 if len(rows) <= IN_ONE_COLUMN else 2
        a_page = math.ceil(len(rows) / self.pages)
        a_column = max(1, math.ceil(a_page / columns))
        height = min(20.0, FREE / a_column)
        gap = 10.0
        width = (SHORT - 2 * MARGIN - gap * (columns - 1)) / columns
        for page in range(self.pages):
            sheet.page(_round_title(self.seating), _aside(_("By name"), self.seating))
            for at, row in enumerate(rows[page * a_page : (page + 1) * a_page]):
                x = MARGIN + (at // a_column) * (width + gap)
                _name_line(sheet, row, x, HEAD + (at % a_column) * height, width, height)


def _round_title(seating: Seating) -> str:
    return round_title(seating.number, seating.of)


def _aside(words: str, seating: Seating) -> str:
    return f"{words} · {seating.status}" if seating.status else words


def _name_line(sheet: Sheet, row: Row, x: float, y: float, width: float, height: float) -> None:
    place, size = 30.0, height * 1.7
    name = width - place - 3
    with_whom = _("with %(name)s") % {"name": row["partner"]} if row["partner"] else ""
    with_whom = ", ".join(filter(None, (row.get("team"), with_whom)))
    if with_whom:
        sheet.fit(x, y, name, height * 0.6, row["player"], size=size, least=6, bold=True)
        sheet.fit(x, y + height * 0.58, name, height * 0.36, with_whom, size=size * 0.55, least=4.5, color=MUTED)
    else:
        sheet.fit(x, y, name, height, row["player"], size=size, least=6, bold=True)
    if row["table"] == BYE:
        sheet.fit(x + width - place, y, place, height, _("has a bye"), size=size * 0.75, align="R")
    else:
        words = _("Table %(number)d") % {"number": row["table"]}
        sheet.fit(x + width - place, y, place, height, words, size=size, bold=True, align="R")
    sheet.grey_line(x, y + height, x + width, y + height)


ACROSS, MOST_DOWN, LEAST_DOWN = 2, 6, 3  # plans across and down a page, at most twelve, with large names


@dataclass(frozen=True)
class ByTable:
    """One round as tables with the people around them, as many as fit a page."""

    seating: Seating

    @property
    def pages(self) -> int:
        return max(1, math.ceil(self._places / (ACROSS * self._most_down)))

    @property
    def _most_down(self) -> int:
        """Return the most plans down a page: a list of ten names takes the room of two tables of four."""
        largest = max(map(len, self.seating.tables.values()), default=0)
        return MOST_DOWN if largest <= 4 else LEAST_DOWN if largest > 7 else 4

    @property
    def _places(self) -> int:
        """Return the number of plans; byes take the place of a table."""
        return len(self.seating.tables) + bool(self.seating.byes)

    def draw(self, sheet: Sheet) -> None:
        tables = list(self.seating.tables.items())
        down = max(LEAST_DOWN, math.ceil(self._places / self.pages / ACROSS))
        across, high = SHORT / 2 - MARGIN, FREE / down
        for at in range(max(1, self._places)):
            place = at % (ACROSS * down)
            if place == 0:
                sheet.page(_round_title(self.seating), _aside(_("By table"), self.seating))
            x, y = MARGIN + place % ACROSS * across, HEAD + place // ACROSS * high
            if at < len(tables):
                number, seats = tables[at]
                _plan(sheet, number, seats, self.seating.first.get(number), x, y, across, high)
            elif self.seating.byes:
                sheet.fit(x + 3, y + 3, across - 6, 7, _("Bye in this round"), size=11, color=MUTED)
                sheet.fit(x + 3, y + 11, across - 6, high - 14, ", ".join(self.seating.byes), 13, bold=True, top=True)


PARTNERS_HIGH = 5.0


def _plan(
    sheet: Sheet, number: int, seats: Sequence[Row], first: int | None, x: float, y: float, w: float, h: float
) -> None:
    """Draw a table of four with one at each side, partners opposite, and the pairs below; any other number as a list
    in the order of play.

    The first dealer is at the bottom; the first to play is at their left, or at the top of the list.
    """
    begins = next((at for at, row in enumerate(seats) if row["seat"] == first), 0)
    if len(seats) != 4:
        sheet.text(x + 3, y + 8, _("Table %(number)d") % {"number": number}, size=14, bold=True)
        line = (h - 13) / len(seats)
        for at, row in enumerate([*seats[begins + 1 :], *seats[: begins + 1]]):
            sheet.fit(x + 3, y + 11 + at * line, w - 6, line, _seat_words(row, first), size=12, bold=True)
        return
    teams = teams_of(seats)
    if partners := sides_in_words(seats) if teams else [" + ".join(side) for side in sides(seats) if len(side) == 2]:
        h -= PARTNERS_HIGH
        sheet.fit(x + 3, y + h, w - 6, PARTNERS_HIGH, " · ".join(partners), size=9, least=4, align="C", color=MUTED)
    side = min(26.0, h * 0.38)
    name, size = (h - side) / 2 - 3, min(16.0, h * 0.27)
    middle_x, middle_y = x + w / 2, y + h / 2
    sheet.box(middle_x - side / 2, middle_y - side / 2, side, side, 0.6)
    sheet.fit(middle_x - side / 2, middle_y - side / 2, side, side, str(number), size=side * 1.6, bold=True, align="C")
    wide = w - 16
    aside = (w - side) / 2 - 5
    bottom, left, top, right = (_seat_words(seats[(begins + step) % 4], first) for step in range(4))
    sheet.fit(x + 8, middle_y - side / 2 - 1 - name, wide, name, top, size, 6, True, "C")
    sheet.fit(middle_x + side / 2 + 3, middle_y - side / 2, aside, side, right, size, 6, True)
    sheet.fit(x + 8, middle_y + side / 2 + 1, wide, name, bottom, size, 6, True, "C")
    sheet.fit(x + 2, middle_y - side / 2, aside, side, left, size, 6, True, "R")


def _seat_words(row: Row, first: int | None) -> str:
    return _("%(name)s, deals") % {"name": row["player"]} if row["seat"] == first else str(row["player"])


LINE_HIGH, ROUND_HIGH = 6.2, 9.0


@dataclass(frozen=True)
class AllRounds:
    """Several rounds as compact lists of tables, as an overview."""

    seatings: Sequence[Seating]

    @property
    def pages(self) -> int:
        return max(1, len(self._lines_by_page()))

    def draw(self, sheet: Sheet) -> None:
        for page in self._lines_by_page() or [[]]:
            sheet.page(_("Seating"), _("All rounds"))
            y = HEAD
            for seating, lines in page:
                title = _round_title(seating) + (f" · {seating.status}" if seating.status else "")
                sheet.text(MARGIN, y + 6, title, size=11, bold=True)
                y += ROUND_HIGH
                for label, names in lines:
                    y = _table_line(sheet, y, label, names)

    def _lines_by_page(self) -> list[list[tuple[Seating, list[tuple[str, list[str]]]]]]:
        """Return rounds by page; a round longer than a page continues under a repeated title."""
        pages: list[list[tuple[Seating, list[tuple[str, list[str]]]]]] = []
        room = 0.0
        for seating in self.seatings:
            lines = _lines(seating)
            if ROUND_HIGH + len(lines) * LINE_HIGH > room:
                pages.append([])
                room = FREE
            while lines:
                fit = int((room - ROUND_HIGH) / LINE_HIGH)
                pages[-1].append((seating, lines[:fit]))
                room -= ROUND_HIGH + min(fit, len(lines)) * LINE_HIGH
                lines = lines[fit:]
                if lines:
                    pages.append([])
                    room = FREE
        return pages


def _lines(seating: Seating) -> list[tuple[str, list[str]]]:
    lines = [(str(number), sides_in_words(seats)) for number, seats in seating.tables.items()]
    return [*lines, ("–", [_("bye: %(names)s") % {"names": ", ".join(seating.byes)}])] if seating.byes else lines


def _table_line(sheet: Sheet, y: float, label: str, names: Sequence[str]) -> float:
    sheet.text(MARGIN + 4, y + 4.3, label, size=10, bold=True, align="C")
    room = (SHORT - 2 * MARGIN - 12) / len(names)
    for at, words in enumerate(names):
        sheet.fit(MARGIN + 12 + at * room, y, room - 3, LINE_HIGH, words, size=9, least=4)
    sheet.grey_line(MARGIN, y + LINE_HIGH, SHORT - MARGIN, y + LINE_HIGH)
    return y + LINE_HIGH
