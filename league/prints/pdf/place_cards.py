"""Print place cards to cut, fold and stand up. The name faces both sides of the table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.prints.pdf.sheet import MUTED, Sheet
from league.prints.pdf.slips import FOUR, HIGH, PAD, WIDE, cut_lines

QR = 29.0  # large enough to scan a link of 60 letters at arm's length


@dataclass(frozen=True)
class PlaceCards:
    """people: (name, club or "", the player's own link or "")."""

    people: Sequence[tuple[str, str, str]]

    @property
    def pages(self) -> int:
        return math.ceil(len(self.people) / FOUR)

    def draw(self, sheet: Sheet) -> None:
        for at, (name, club, address) in enumerate(self.people):
            if at % FOUR == 0:
                sheet.blank()
                cut_lines(sheet)
            x, y = (at % 2) * WIDE, (at % FOUR) // 2 * HIGH
            fold = y + HIGH / 2
            sheet.line(x, fold, x + WIDE, fold, 0.1, dash=0.6)
            if address:
                _face_with_code(sheet, name, club, address, x, fold)
            else:
                _face(sheet, name, club, x, fold)
            with sheet.upside_down(x + WIDE / 2, fold):
                _face(sheet, name, club, x, fold)


def _face(sheet: Sheet, name: str, club: str, x: float, y: float) -> None:
    """Draw the half of a card below its fold."""
    high = HIGH / 2
    sheet.mark(x + WIDE / 2 - 5, y + 7, 10)
    sheet.fit(x + PAD, y + 16, WIDE - 2 * PAD, 34, name, size=40, least=9, bold=True, align="C")
    sheet.fit(x + PAD, y + 51, WIDE - 2 * PAD, 7, club, size=12, align="C", color=MUTED)
    sheet.fit(x + PAD, y + high - 13, WIDE - 2 * PAD, 6, sheet.head.tournament, size=8, align="C", color=MUTED)


def _face_with_code(sheet: Sheet, name: str, club: str, address: str, x: float, y: float) -> None:
    """Draw the half that faces its player: smaller name, and the code of their own page next to the club."""
    left, code = x + PAD, x + WIDE - PAD - QR
    top = y + HIGH / 2 - PAD - QR
    words = code - left - 4
    sheet.mark(x + WIDE / 2 - 5, y + 7, 10)
    sheet.fit(left, y + 15, WIDE - 2 * PAD, top - y - 18, name, size=32, least=9, bold=True, align="C")
    sheet.qr(code, top, QR, address)
    sheet.fit(left, top, words, 9, club, size=11, color=MUTED, top=True)
    sheet.fit(left, top + 10, words, 12, _("Scan: your table, your hands, your rank."), size=9, top=True)
    sheet.fit(left, top + QR - 6, words, 6, sheet.head.tournament, size=8, color=MUTED)
