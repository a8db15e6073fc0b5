"""Member cards to cut out, ten to a page: name, club, QR code and address."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.prints.pdf.sheet import LONG, MUTED, SHORT, Sheet

ROWS, TEN = 5, 10
WIDE, HIGH = SHORT / 2, LONG / ROWS
PAD = 8.0
QR = 30.0


@dataclass(frozen=True)
class MemberCard:
    """address: the link of the card, with its scheme."""

    name: str
    club: str
    address: str


@dataclass(frozen=True)
class MemberCards:
    cards: Sequence[MemberCard]

    @property
    def pages(self) -> int:
        return math.ceil(len(self.cards) / TEN)

    def draw(self, sheet: Sheet) -> None:
        for at, card in enumerate(self.cards):
            if at % TEN == 0:
                sheet.blank()
                _cut_lines(sheet)
            _card(sheet, card, (at % 2) * WIDE, (at % TEN) // 2 * HIGH)


def _cut_lines(sheet: Sheet) -> None:
    sheet.line(WIDE, 0, WIDE, LONG, 0.2, dash=1.5)
    for row in range(1, ROWS):
        sheet.line(0, row * HIGH, SHORT, row * HIGH, 0.2, dash=1.5)


def _card(sheet: Sheet, card: MemberCard, x: float, y: float) -> None:
    left, code = x + PAD, x + WIDE - PAD - QR
    words, top = code - left - 4, y + PAD
    sheet.mark(left, top + 0.6, 8)
    sheet.fit(left + 11, top, words - 11, 6.5, card.club, size=10, least=6, color=MUTED)
    sheet.fit(left, top + 9, words, 16.5, card.name, size=20, least=8, bold=True)
    sheet.fit(left, top + QR - 2, words, 5, _("Scan: your next table."), size=9)
    sheet.qr(code, top, QR, card.address)
    bare = card.address.partition("://")[2].rstrip("/")
    sheet.fit(left, y + HIGH - PAD - 6, WIDE - 2 * PAD, 6, bare, size=7.5, least=5, color=MUTED)
