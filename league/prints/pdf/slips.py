"""Print score slips, four to a page, to fill in and to type in from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.prints.pdf.sheet import LONG, MUTED, SHORT, Sheet

FOUR = 4
WIDE, HIGH = SHORT / 2, LONG / 2
PAD = 8.0
# Most columns with room for a pen; a table with more hands gets a second slip. A box has the cards above the points,
# unless there are too many players for boxes that high.
MOST_STACKED, STACKED_HANDS, BESIDE_HANDS = 6, 5, 3
QR = 19.0
BETWEEN = 5.0  # quiet zone of a code
LABEL = 7.5  # for the labels of a box: cards, points
CAPTION = 2.6  # below a code, for its caption


@dataclass(frozen=True)
class Slip:
    """The content of one slip. table None: filled in by hand.

    players: names by seat; empty ones are lines to write on. sides: names that play together. teams: by seat, the
    player's team. hands: numbers of the hands on this slip; those in `done` are already recorded. worth: a sentence on
    the worth of cards. deals: a hand and its dealer, if known. draw_first: the table draws for the first deal. totals:
    the players' points so far. address: of the table's page, without rights. code: a scorer link to it. target: points
    that eliminate a player. ends_at: points that end the game.
    """

    tournament: str
    table: int | None
    round: str
    players: Sequence[str]
    sides: Sequence[Sequence[str]]
    hands: Sequence[int]
    worth: str
    address: str = ""
    code: str = ""
    done: frozenset[int] = frozenset()
    deals: tuple[int, str] | None = None
    draw_first: bool = False
    totals: Sequence[int] = ()
    target: int | None = None
    ends_at: int | None = None
    teams: Sequence[str] = ()


def spread(hands: int, players: int) -> list[list[int]]:
    """Distribute the hands of a round over as few slips as possible, evenly: 8 hands become 1 to 4 and 5 to 8."""
    slips = math.ceil(hands / (STACKED_HANDS if players <= MOST_STACKED else BESIDE_HANDS))
    each = math.ceil(hands / slips)
    return [list(range(first, min(first + each, hands + 1))) for first in range(1, hands + 1, each)]


@dataclass(frozen=True)
class Slips:
    slips: Sequence[Slip]

    @property
    def pages(self) -> int:
        return math.ceil(len(self.slips) / FOUR)

    def draw(self, sheet: Sheet) -> None:
        for at, slip in enumerate(self.slips):
            if at % FOUR == 0:
                sheet.blank()
                cut_lines(sheet)
            _slip(sheet, slip, (at % 2) * WIDE, (at % FOUR) // 2 * HIGH)


def cut_lines(sheet: Sheet) -> None:
    sheet.line(WIDE, 0, WIDE, LONG, 0.2, dash=1.5)
    sheet.line(0, HIGH, SHORT, HIGH, 0.2, dash=1.5)


def _slip(sheet: Sheet, slip: Slip, x: float, y: float) -> None:
    left, right = x + PAD, x + WIDE - PAD
    codes = [(slip.address, _("This table"))] if slip.address else []
    if slip.code:
        codes.insert(0, (slip.code, _("Scorer’s code")))
    words = right - left - len(codes) * (QR + BETWEEN)
    table = _("Table %(number)d") % {"number": slip.table} if slip.table is not None else _("Table ____")
    sheet.fit(left, y + 7, words, 9, table, size=22, bold=True)
    sheet.fit(left, y + 17, words, 7, slip.tournament, size=9, top=True)
    sheet.fit(left, y + 24, words, 4.5, slip.round, size=9, top=True)
    for at, (address, opens) in enumerate(reversed(codes)):
        x_of = right - QR - at * (QR + BETWEEN)
        sheet.qr(x_of, y + 7, QR, address)
        sheet.fit(x_of - BETWEEN / 2, y + 7 + QR + 0.6, QR + BETWEEN, CAPTION, opens, size=6.5, least=4, align="C")
    sheet.line(left, y + 30.5, right, y + 30.5, 0.6)
    end = _grid(sheet, slip, left, y + 33, right - left)
    sheet.fit(left, end + 2, right - left, y + HIGH - 24 - end - 2, _instructions(slip), size=7.5, top=True)
    _signatures(sheet, slip, left, y + HIGH - 15, right - left)


def _grid(sheet: Sheet, slip: Slip, x: float, y: float, width: float) -> float:
    """Draw the boxes, a row for each player and a column for each hand. Returns the y of their end."""
    stacked = len(slip.players) <= MOST_STACKED
    columns = len(slip.hands)
    name = 31.0 if not stacked else 39.0 if columns > 3 else 45.0
    column = (width - name) / columns
    head, out = 8.0, 8.0
    row = min(14.0, 66.0 / len(slip.players))
    end = y + head + row * len(slip.players) + out
    for at, hand in enumerate(slip.hands):
        left = x + name + at * column
        if hand in slip.done:
            sheet.box(left, y, column, end - y, shade=True)
        title = _("%(hand)d in") % {"hand": hand} if hand in slip.done else str(hand)
        sheet.fit(left, y + 0.4, column, head if stacked else 4.6, title, size=9, bold=True, align="C")
        sheet.line(left, y, left, end, 0.3)
        if not stacked:
            cards = column * 0.4
            for words, start, wide in ((_("cards"), left, cards), (_("points"), left + cards, column - cards)):
                sheet.fit(start, y + 4.6, wide, 3, words, size=6, least=3.5, color=MUTED, align="C")
            sheet.line(left + cards, y + head, left + cards, end - out, 0.1)
    heading = _("Before, and left at the end") if slip.totals else _("Left at the end")
    sheet.fit(x + 1, y, name - 2, head, heading, size=8, color=MUTED)
    for at, player in enumerate(slip.players):
        top = y + head + at * row
        sheet.line(x, top, x + width, top, 0.3)
        room = name - 2
        if stacked:
            room -= LABEL
            for words, down in ((_("cards"), 0), (_("points"), row / 2)):
                sheet.fit(x + 1 + room, top + down, LABEL, row / 2, words, size=6, least=4, color=MUTED, align="R")
            sheet.line(x + 1 + room, top + row / 2, x + width, top + row / 2, 0.1)
        if slip.totals:
            room -= 8
            sheet.fit(x + 1 + room, top, 8, row, str(slip.totals[at]), size=8, color=MUTED, align="R")
        if slip.teams:
            sheet.fit(x + 1, top + row * 0.62, room - 1, row * 0.32, slip.teams[at], size=7, least=4, color=MUTED)
        sheet.fit(x + 1, top, room - 1, row * (0.66 if slip.teams else 1), player, size=9.5, bold=True)
    top = end - out
    sheet.line(x, top, x + width, top, 0.3)
    sheet.fit(x + 1, top, name - 2, out, _("Who went out"), size=8.5)
    sheet.box(x, y, width, end - y, 0.4)
    return end


def _instructions(slip: Slip) -> str:
    together = [
        _("%(one)s with %(other)s") % {"one": side[0], "other": side[1]} for side in slip.sides if len(side) == 2
    ]
    parts = [", ".join(together) + "."] if together else []
    if slip.deals:
        dealer = {"name": slip.deals[1], "hand": slip.deals[0]}
        parts.append(_("%(name)s deals hand %(hand)d, then the deal passes to the left.") % dealer)
    elif slip.draw_first:
        parts.append(_("First dealer: each player draws a card. The highest number deals; a symbol counts 0."))
    parts.append(_("For each hand, write down the player who went out, and the number and points of all other cards."))
    if slip.target is not None:
        words = _("%(target)d points eliminate a player at once: cross out the remaining boxes.")
        parts.append(words % {"target": slip.target})
    if slip.ends_at is not None:
        words = _("The game ends when a player has %(target)d points.")
        parts.append(words % {"target": slip.ends_at})
    return " ".join([*parts, slip.worth])


def _signatures(sheet: Sheet, slip: Slip, x: float, y: float, width: float) -> None:
    gap = 6.0
    pairs = len(slip.sides) == 2 and all(len(side) == 2 for side in slip.sides)
    each = (width - gap) / 2
    for at in range(2):
        left = x + at * (each + gap)
        sheet.line(left, y, left + each, y, 0.3)
        words = _("Signature")
        if pairs:
            words = _("%(one)s or %(other)s") % {"one": slip.sides[at][0], "other": slip.sides[at][1]}
        sheet.fit(left, y + 0.5, each, 8.5, words, size=7.5, top=True)
