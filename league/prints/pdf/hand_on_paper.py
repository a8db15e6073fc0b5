"""Print a hand that began online and ends with real cards: a page of the open cards, and a folding slip for each
player.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.prints.pdf.sheet import HEAD, MARGIN, MUTED, SHORT, Sheet
from league.prints.pdf.slips import FOUR, HIGH, PAD, WIDE, cut_lines

ROOM = SHORT - 2 * MARGIN
NAME = 30.0  # top of a slip, readable while folded
CARDS = (HIGH - NAME) / 2
IN_A_COLUMN = 11


@dataclass(frozen=True)
class LiesOpen:
    """One page for the table with all public information. facts: (label, value). questions: what the hand waits for.

    people: (name, number of cards). discard: cards of the pile, first one first. steps: how to lay it out.
    """

    title: str
    aside: str
    facts: Sequence[tuple[str, str]]
    questions: Sequence[str]
    people: Sequence[tuple[str, int]]
    discard: Sequence[str]
    steps: Sequence[str]

    @property
    def pages(self) -> int:
        return 1

    def draw(self, sheet: Sheet) -> None:
        sheet.page(self.title, self.aside)
        y = HEAD
        for label, value in self.facts:
            sheet.fit(MARGIN, y, 55, 9, label, size=11, color=MUTED)
            sheet.fit(MARGIN + 55, y, ROOM - 55, 9, value, size=15, bold=True)
            sheet.grey_line(MARGIN, y + 9, SHORT - MARGIN, y + 9)
            y += 9
        y += 4
        for sentence in self.questions:
            y += sheet.fit(MARGIN, y, ROOM, 12, sentence, size=12, top=True) + 1.5
        y = self._people(sheet, y + 4)
        for number, step in enumerate(self.steps, 1):
            sheet.text(MARGIN + 4, y + 6.5, str(number), size=12, bold=True, align="C")
            sheet.fit(MARGIN + 12, y, ROOM - 12, 10, step, size=10.5, least=7)
            y += 10
        title = ngettext("Discard pile, %(count)d card", "Discard pile, %(count)d cards", len(self.discard))
        y += 4
        y += sheet.fit(MARGIN, y, ROOM, 7, title % {"count": len(self.discard)}, size=11, bold=True, top=True) + 1
        words = ", ".join(f"{number}\u00a0{card}" for number, card in enumerate(self.discard, 1))
        sheet.fit(MARGIN, y, ROOM, sheet.bottom - y, words, size=9.5, least=5, top=True)

    def _people(self, sheet: Sheet, y: float) -> float:
        for name, cards in self.people:
            sheet.fit(MARGIN, y, ROOM - 40, 7, name, size=11, bold=True)
            count = ngettext("%(count)d card", "%(count)d cards", cards) % {"count": cards}
            sheet.fit(SHORT - MARGIN - 40, y, 40, 7, count, size=11, align="R")
            sheet.grey_line(MARGIN, y + 7, SHORT - MARGIN, y + 7)
            y += 7
        return y + 4


@dataclass(frozen=True)
class OwnCards:
    """Four slips to a page: name, cards, and below them a flap to fold over.

    people: (name, names of the cards, a private note or "").
    """

    title: str
    people: Sequence[tuple[str, Sequence[str], str]]

    @property
    def pages(self) -> int:
        return math.ceil(len(self.people) / FOUR)

    def draw(self, sheet: Sheet) -> None:
        for at, (name, cards, note) in enumerate(self.people):
            if at % FOUR == 0:
                sheet.blank()
                cut_lines(sheet)
            self._slip(sheet, name, cards, note, (at % 2) * WIDE, (at % FOUR) // 2 * HIGH)

    def _slip(self, sheet: Sheet, name: str, cards: Sequence[str], note: str, x: float, y: float) -> None:
        left, room = x + PAD, WIDE - 2 * PAD
        sheet.fit(left, y + 6, room, 13, name, size=22, least=9, bold=True)
        sheet.fit(left, y + 19, room, 4.5, self.title, size=8.5, color=MUTED)
        sheet.fit(left, y + 23.5, room, 4.5, sheet.head.tournament, size=8.5, color=MUTED)
        top, fold = y + NAME, y + NAME + CARDS
        sheet.line(left, top, left + room, top, 0.4)
        count = ngettext("%(count)d card, for your eyes only", "%(count)d cards, for your eyes only", len(cards))
        sheet.fit(left, top + 1, room, 5, count % {"count": len(cards)}, size=8.5, color=MUTED)
        bottom = fold - (8 if note else 2)
        columns = max(2, math.ceil(len(cards) / IN_A_COLUMN))
        rows = math.ceil(len(cards) / columns)
        high = min(6.0, (bottom - top - 7) / max(rows, 1))
        for at, card in enumerate(cards):
            column, row = divmod(at, rows)
            sheet.fit(left + column * room / columns, top + 7 + row * high, room / columns - 2, high, card, size=11)
        if note:
            sheet.fit(left, fold - 8, room, 7, note, size=9)
        sheet.line(x, fold, x + WIDE, fold, 0.1, dash=0.6)
        how = _("Fold this flap over the cards, twice if the paper is thin.")
        sheet.fit(left, fold + 2, room, 8, how, size=8, color=MUTED, top=True)
