"""Print the race of a Challenge UNO: a lane for each player, as on the race page."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from league.prints.pdf.sheet import HEAD, LONG, MARGIN, MUTED, SHADE, SHORT, Sheet

PLACE, WHO, TOTAL = 10.0, 58.0, 14.0
SCALE = 8.0  # height of the figures above the lanes
BELOW = 24.0
DARK, LIGHT = (84, 78, 90), (150, 144, 156)


class Bar(NamedTuple):
    """A block of a lane, in parts of the target. tone: "plain" and "alt" for rounds, "adjustment" for points
    adjustments.
    """

    start: float
    end: float
    tone: str


class RaceLine(NamedTuple):
    """exit_words: when the player left, or ""."""

    place: str
    name: str
    exit_words: str
    total: str
    bars: Sequence[Bar]
    out: bool


@dataclass(frozen=True)
class Race:
    """danger: start of the danger zone, in parts of the target and in points."""

    lines: Sequence[RaceLine]
    target: int
    danger: tuple[float, int]
    title: str
    aside: str

    @property
    def pages(self) -> int:
        return max(1, math.ceil(len(self.lines) / self._a_page))

    def draw(self, sheet: Sheet) -> None:
        for first in range(0, max(1, len(self.lines)), self._a_page):
            sheet.page(self.title, self.aside)
            page_lines = self.lines[first : first + self._a_page]
            self._scale(sheet, len(page_lines))
            for down, line in enumerate(page_lines):
                self._line(sheet, line, HEAD + SCALE + down * self._high)
            end = HEAD + SCALE + len(page_lines) * self._high
            words = _("Block: hand. Shade: round. Cross: elimination.")
            if any(bar.tone == "adjustment" for line in self.lines for bar in line.bars):
                words = " ".join([words, _("Outlined block: points adjustment.")])
            sheet.fit(MARGIN, end + 2, SHORT - 2 * MARGIN, 6, words, 8, top=True, color=MUTED)

    @property
    def _high(self) -> float:
        return max(6.4, min(14.0, (LONG - HEAD - SCALE - BELOW) / max(1, len(self.lines))))

    @property
    def _a_page(self) -> int:
        most = int((LONG - HEAD - SCALE - BELOW) / self._high + 0.001)
        return math.ceil(len(self.lines) / max(1, math.ceil(len(self.lines) / most))) or 1

    @property
    def _left(self) -> float:
        return MARGIN + PLACE + WHO

    @property
    def _wide(self) -> float:
        return SHORT - MARGIN - TOTAL - self._left

    def _scale(self, sheet: Sheet, lines: int) -> None:
        """Draw the numbers at the top, and the danger zone and the target down the page."""
        at, points = self.danger
        end = HEAD + SCALE + lines * self._high
        danger = self._left + at * self._wide
        words = _("danger %(points)d") % {"points": points}
        sheet.text(self._left, HEAD + 5, "0", 8, color=MUTED)
        sheet.text(danger, HEAD + 5, words, 8, align="C", color=MUTED)
        sheet.text(self._left + self._wide, HEAD + 5, str(self.target), 8, bold=True, align="R")
        sheet.fill(danger, HEAD + SCALE, (1 - at) * self._wide, end - HEAD - SCALE, SHADE)
        sheet.line(danger, HEAD + SCALE, danger, end, 0.2, dash=1)
        sheet.line(self._left + self._wide, HEAD + SCALE, self._left + self._wide, end, 0.6)

    def _line(self, sheet: Sheet, line: RaceLine, y: float) -> None:
        high = self._high
        sheet.fit(MARGIN, y, PLACE - 2, high, line.place, 10, bold=True)
        name = high * (0.55 if line.exit_words and high > 8 else 1)
        exit_words = "" if high > 8 or not line.exit_words else f", {line.exit_words}"
        sheet.fit(MARGIN + PLACE, y, WHO - 2, name, line.name + exit_words, 10, 4.5, bold=not line.out)
        if line.exit_words and high > 8:
            sheet.fit(
                MARGIN + PLACE, y + name, WHO - 2, high - name - 0.5, line.exit_words, 7.5, 4.5, color=MUTED, top=True
            )
        thick = min(high * 0.55, 6.0)
        top = y + (high - thick) / 2
        for bar in line.bars:
            x, end = self._left + bar.start * self._wide, self._left + bar.end * self._wide
            wide = max(0.15, end - x - 0.3)
            if bar.tone == "adjustment":
                sheet.box(x + 0.1, top + 0.1, max(0.1, wide - 0.2), thick - 0.2)
            else:
                sheet.fill(x, top, wide, thick, DARK if bar.tone == "plain" else LIGHT)
        if line.out:
            edge, half = self._left + self._wide, thick / 3
            for up in (-1, 1):
                sheet.line(edge + 1, y + high / 2 - up * half, edge + 1 + 2 * half, y + high / 2 + up * half, 0.5)
        sheet.fit(SHORT - MARGIN - TOTAL + 5, y, TOTAL - 5, high, line.total, 10, bold=True, align="R")
        sheet.grey_line(MARGIN, y + high, SHORT - MARGIN, y + high)
