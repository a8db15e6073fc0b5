"""Print standings, the crosstable of meetings and results, and the sheet to add up totals by hand."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from league.lib.translate import figure, rank_in_words
from league.prints.pdf.sheet import HEAD, LONG, MARGIN, MUTED, SHORT, Align, Sheet

Row = dict[str, Any]

TITLES = 9.0  # height of the line of column titles
BELOW = 14.0
AMENDMENT = 8.0


def _number(value: int | None) -> str:
    return "" if value is None else figure(value).replace("-", "−")


def _even_share(lines: int, most: int) -> int:
    """Return the lines per page, balanced: if 40 fit, 43 lines become 22 and 21."""
    return math.ceil(lines / max(1, math.ceil(lines / most))) or 1


def place(row: Row) -> str:
    """Return the rank; “3=” if shared."""
    return rank_in_words(row["rank"], tied=row["tied"])


def _tie_break(at: int) -> Callable[[Row], str]:
    return lambda row: _number(row.get(f"tb{at}"))


@dataclass(frozen=True)
class _Column:
    title: str
    width: float
    cell: Callable[[Row], str]
    bold: bool = False
    align: Align = "R"
    decided: str = ""  # underlined in lines decided by this tie-break


@dataclass(frozen=True)
class Standings:
    """rows: of standings.csv. tie_breaks: (code, name) of the used columns tb1 to tb5.

    statuses: a word for each status except active. aside: words after the title. order: a sentence on the ranking
    rules. notes: by player_id, words in place of the status. amendments: sentences about rules changed after the
    start. decided: by code, words for a tie-break without a column.
    """

    rows: Sequence[Row]
    tie_breaks: Sequence[tuple[str, str]]
    statuses: Mapping[str, str]
    title: str
    aside: str
    order: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    amendments: Sequence[str] = ()
    decided: Mapping[str, str] = field(default_factory=dict)

    @property
    def pages(self) -> int:
        return max(1, math.ceil(len(self.rows) / self._a_page))

    def draw(self, sheet: Sheet) -> None:
        columns = self._columns()
        high = self._line_high
        for page in range(self.pages):
            sheet.page(self.title, self.aside, landscape=self._landscape)
            _titles(sheet, columns, HEAD)
            page_rows = self.rows[page * self._a_page : (page + 1) * self._a_page]
            for at, row in enumerate(page_rows):
                _line(sheet, columns, row, HEAD + TITLES + at * high, high)
            if page == self.pages - 1 and self.order:
                end = HEAD + TITLES + len(page_rows) * high
                sheet.fit(MARGIN, end + 2, sheet.width - 2 * MARGIN, 8, self.order, 8, top=True, color=MUTED)
                for at, sentence in enumerate(self.amendments):
                    y = end + 11 + at * AMENDMENT
                    sheet.fit(MARGIN, y, sheet.width - 2 * MARGIN, AMENDMENT, sentence, 8, top=True, color=MUTED)

    @property
    def _landscape(self) -> bool:
        return bool(sum(column.width for column in self._fixed_columns()) > SHORT - 2 * MARGIN - 48)

    @property
    def _room(self) -> float:
        below = BELOW + 10 + AMENDMENT * len(self.amendments)
        return (SHORT if self._landscape else LONG) - HEAD - TITLES - below

    @property
    def _line_high(self) -> float:
        return max(5.2, min(9.0, self._room / max(1, len(self.rows))))

    @property
    def _a_page(self) -> int:
        return _even_share(len(self.rows), int(self._room / self._line_high + 0.001))

    def _fixed_columns(self) -> list[_Column]:
        """Return all columns except the name."""
        columns = [_Column(_("Rank"), 12, place, bold=True, align="L")]
        if any(row["club"] for row in self.rows):
            columns.append(_Column(_("Club"), 30, lambda row: row["club"] or "", align="L"))
        columns.append(_Column(_("Hands"), 12, lambda row: _number(row["hands_played"])))
        for at, (code, name) in enumerate(self.tie_breaks, 1):
            columns.append(_Column(name, 16, _tie_break(at), decided=code))
        if any(row["adjustments"] for row in self.rows):
            columns.append(_Column(_("Adjusted"), 16, lambda row: _number(row["adjustments"])))
        return [*columns, _Column(_("Total"), 16, lambda row: _number(row["total"]), bold=True)]

    def _columns(self) -> list[_Column]:
        fixed = self._fixed_columns()
        room = (LONG if self._landscape else SHORT) - 2 * MARGIN - sum(column.width for column in fixed)
        return [fixed[0], _Column(_("Player"), room, self._name, bold=True, align="L"), *fixed[1:]]

    def _name(self, row: Row) -> str:
        notes = [self.notes.get(row["player_id"]) or self.statuses.get(row["status"], "")]
        if not self.notes.get(row["player_id"]) and row["decided_by"] not in [code for code, _n in self.tie_breaks]:
            notes.append(self.decided.get(row["decided_by"], ""))
        remarks = ", ".join(filter(None, notes))
        return f"{row['player']} ({remarks})" if remarks else row["player"]


def _titles(sheet: Sheet, columns: Sequence[_Column], y: float) -> None:
    x = MARGIN
    for column in columns:
        sheet.fit(x + 1, y, column.width - 2, TITLES - 1, column.title, 8, 5, align=column.align, color=MUTED)
        x += column.width
    sheet.line(MARGIN, y + TITLES - 0.5, x, y + TITLES - 0.5, 0.4)


def _line(sheet: Sheet, columns: Sequence[_Column], row: Row, y: float, high: float) -> None:
    x = MARGIN
    for column in columns:
        decided = bool(column.decided) and row["decided_by"] == column.decided
        words = column.cell(row)
        sheet.fit(x + 1, y, column.width - 2, high, words, 10, 4.5, column.bold or decided, column.align)
        if decided and words:
            sheet.line(x + column.width - 10, y + high - 0.9, x + column.width - 1, y + high - 0.9, 0.4)
        x += column.width
    sheet.grey_line(MARGIN, y + high, x, y + high)


ROUNDS_ACROSS = 12
NUMBER, NAME, TOTAL = 9.0, 48.0, 17.0


@dataclass(frozen=True)
class Crosstable:
    """Points of all players in each round, with partners and opponents.

    lines: rows of standings.csv. rounds: their numbers. rows: of rounds.csv.
    """

    lines: Sequence[Row]
    rounds: Sequence[int]
    rows: Sequence[Row]
    partners: bool = True

    @property
    def pages(self) -> int:
        return max(1, len(self._windows)) * max(1, math.ceil(len(self.lines) / self._a_page))

    def draw(self, sheet: Sheet) -> None:
        numbers = {line["player_id"]: at for at, line in enumerate(self.lines, 1)}
        cells = self._cells(numbers)
        for first in range(0, max(1, len(self.lines)), self._a_page):
            for window in self._windows or [[]]:
                self._page(sheet, window, first, cells)

    @property
    def _windows(self) -> list[Sequence[int]]:
        runs = math.ceil(len(self.rounds) / ROUNDS_ACROSS)
        each = math.ceil(len(self.rounds) / runs) if runs else 1
        return [self.rounds[start : start + each] for start in range(0, len(self.rounds), each)]

    @property
    def _line_high(self) -> float:
        return max(6.3, min(11.0, (SHORT - HEAD - TITLES - BELOW - 8) / max(1, len(self.lines))))

    @property
    def _a_page(self) -> int:
        return _even_share(len(self.lines), int((SHORT - HEAD - TITLES - BELOW - 8) / self._line_high + 0.001))

    def _cells(self, numbers: Mapping[str, int]) -> dict[tuple[str, int], tuple[str, str]]:
        """Return {(player_id, round): (points, others at the table)}. Stand-ins before a cut have no number."""
        together: dict[tuple[int, Any], list[Row]] = {}
        for row in self.rows:
            together.setdefault((row["round"], row["table"]), []).append(row)
        cells = {}
        for row in self.rows:
            points = _number(row["total"]) if row["hands_played"] or row["adjustments"] else ""
            if row["table"] == "bye":
                cells[row["player_id"], row["round"]] = (points, _("has a bye"))
                continue
            mates = [other["player_id"] for other in together[row["round"], row["table"]]]
            others = [mate for mate in mates if mate not in (row["player_id"], row["partner_id"])]
            against = [str(numbers.get(mate, "–")) for mate in others]
            partner = f"+{numbers.get(row['partner_id'], '–')}  " if row["partner_id"] else ""
            names = f"{partner}– {' '.join(against)}" if self.partners else " ".join(against)
            cells[row["player_id"], row["round"]] = (points, names)
        return cells

    def _page(
        self, sheet: Sheet, window: Sequence[int], first: int, cells: Mapping[tuple[str, int], tuple[str, str]]
    ) -> None:
        sheet.page(_("Results by player"), landscape=True)
        room = LONG - 2 * MARGIN - NUMBER - NAME - TOTAL
        wide = room / max(1, len(window), min(ROUNDS_ACROSS, 7))
        high = self._line_high
        left = MARGIN + NUMBER + NAME
        for at, number in enumerate(window):
            words = _("Round %(number)d") % {"number": number}
            sheet.fit(left + at * wide + 1, HEAD, wide - 2, TITLES - 1, words, 8, 5, align="C", color=MUTED)
        right = left + len(window) * wide
        sheet.fit(right, HEAD, TOTAL, TITLES - 1, _("Total"), 8, 5, align="R", color=MUTED)
        sheet.line(MARGIN, HEAD + TITLES - 0.5, right + TOTAL, HEAD + TITLES - 0.5, 0.4)
        page_lines = self.lines[first : first + self._a_page]
        for down, line in enumerate(page_lines):
            y = HEAD + TITLES + down * high
            sheet.fit(MARGIN, y, NUMBER - 2, high, str(first + down + 1), 9, bold=True, align="R")
            sheet.fit(MARGIN + NUMBER, y, NAME - 2, high, line["player"], 9.5, 4.5, bold=True)
            for at, number in enumerate(window):
                points, names = cells.get((line["player_id"], number), ("", ""))
                x = left + at * wide
                sheet.fit(x, y + 0.3, wide, high * 0.56, points, 9.5, bold=True, align="C")
                sheet.fit(x + 0.5, y + high * 0.55, wide - 1, high * 0.42, names, 7, 4, align="C", color=MUTED)
            sheet.fit(right, y, TOTAL, high, _number(line["total"]), 10, bold=True, align="R")
            sheet.grey_line(MARGIN, y + high, right + TOTAL, y + high)
        words = _("Each round has the points and, below, +partner and – opponents by their numbers in this list.")
        if not self.partners:
            words = _(
                "Each round has the points and, below, the other players at the table by their numbers in this list."
            )
        sheet.fit(MARGIN, HEAD + TITLES + len(page_lines) * high + 1, LONG - 2 * MARGIN, 6, words, 7.5, color=MUTED)


MOST_TO_COME = 8


@dataclass(frozen=True)
class Totals:
    """Totals so far, with a box for each round to come, to add up by hand."""

    rows: Sequence[Row]
    to_come: Sequence[int]

    @property
    def pages(self) -> int:
        return max(1, math.ceil(len(self.rows) / self._a_page))

    @property
    def _high(self) -> float:
        return max(7.0, min(10.0, (LONG - HEAD - TITLES - BELOW) / max(1, len(self.rows))))

    @property
    def _a_page(self) -> int:
        return _even_share(len(self.rows), int((LONG - HEAD - TITLES - BELOW) / self._high + 0.001))

    def draw(self, sheet: Sheet) -> None:
        rounds = self.to_come[:MOST_TO_COME]
        titles = [_("Total so far"), *(_("Round %(number)d") % {"number": number} for number in rounds), _("New total")]
        name = 60.0
        wide = (SHORT - 2 * MARGIN - name) / len(titles)
        for page in range(self.pages):
            sheet.page(_("Running totals"))
            for at, title in enumerate(titles):
                x = MARGIN + name + at * wide
                sheet.fit(x + 0.5, HEAD, wide - 1, TITLES - 1, title, 8, 4.5, align="C", color=MUTED)
            for down, row in enumerate(self.rows[page * self._a_page : (page + 1) * self._a_page]):
                y = HEAD + TITLES + down * self._high
                sheet.fit(MARGIN, y, name - 2, self._high, row["player"], 11, 5, bold=True)
                for at in range(len(titles)):
                    sheet.box(MARGIN + name + at * wide, y, wide, self._high)
                sheet.fit(MARGIN + name + 0.5, y, wide - 1, self._high, _number(row["total"]), 10, align="C")
