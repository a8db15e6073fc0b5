"""Place cards: cut, fold, stand up. The name is read from both sides of the table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from league.prints.sheet import MUTED, Sheet
from league.prints.slips import FOUR, HIGH, PAD, WIDE, cut_lines


@dataclass(frozen=True)
class PlaceCards:
    """people: (name, club or nothing)."""

    people: Sequence[tuple[str, str]]

    @property
    def pages(self) -> int:
        return math.ceil(len(self.people) / FOUR)

    def draw(self, sheet: Sheet) -> None:
        for at, (name, club) in enumerate(self.people):
            if at % FOUR == 0:
                sheet.blank()
                cut_lines(sheet)
            x, y = (at % 2) * WIDE, (at % FOUR) // 2 * HIGH
            fold = y + HIGH / 2
            sheet.line(x, fold, x + WIDE, fold, 0.1, dash=0.6)
            _face(sheet, name, club, x, fold)
            with sheet.upside_down(x + WIDE / 2, fold):
                _face(sheet, name, club, x, fold)


def _face(sheet: Sheet, name: str, club: str, x: float, y: float) -> None:
    """The half of a card below its fold."""
    high = HIGH / 2
    sheet.mark(x + WIDE / 2 - 5, y + 7, 10)
    sheet.fit(x + PAD, y + 16, WIDE - 2 * PAD, 34, name, size=40, least=9, bold=True, align="C")
    sheet.fit(x + PAD, y + 51, WIDE - 2 * PAD, 7, club, size=12, align="C", color=MUTED)
    sheet.fit(x + PAD, y + high - 13, WIDE - 2 * PAD, 6, sheet.head.tournament, size=8, align="C", color=MUTED)
