"""Print the first page of the emergency pack: how to finish on paper, and the worth of cards."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.rules import CHALLENGE, WINNER_TAKES
from league.lib.translate import label_text
from league.prints.pdf.sheet import HEAD, MARGIN, MUTED, SHORT, Sheet

ROOM = SHORT - 2 * MARGIN


@dataclass(frozen=True)
class OnPaper:
    """worths: (kind of card, worth in words)."""

    edition: str
    scoring: str
    partners: bool
    worths: Sequence[tuple[str, str]]
    open_round: int | None
    advances: bool  # there are rounds to play
    target: int | None = None  # of a Challenge UNO
    ends_at: int | None = None  # of the games of a points race
    table_size: int = 4

    @property
    def pages(self) -> int:
        return 1

    def draw(self, sheet: Sheet) -> None:
        sheet.page(_("Finish on paper"), _("Emergency pack"))
        y = HEAD
        for number, step in enumerate(self._steps(), 1):
            sheet.text(MARGIN + 4, y + 7.5, str(number), size=14, bold=True, align="C")
            sheet.fit(MARGIN + 12, y, ROOM - 12, 12, step, size=11, least=7)
            sheet.grey_line(MARGIN, y + 12, SHORT - MARGIN, y + 12)
            y += 12
        self._scoring(sheet, y + 8)

    def _steps(self) -> list[str]:
        steps = [
            _("This pack shows the service at the time of printing, which is at the foot of each page."),
            _("Call the tables from the seating pages: by name for the players, all rounds for you."),
        ]
        if self.target is not None and not self.advances:
            steps.pop()
        if self.open_round is not None:
            words = _("Give each table its slip of round %(number)d. Hands marked “in” are saved and counted.")
            steps.append(words % {"number": self.open_round})
        if self.advances and self.target is not None:
            words = _(
                "Next round: re-draw the seats of players below %(target)d points. Use few tables of "
                "at most %(size)d, and two only for the last two."
            )
            steps.append(words % {"target": self.target, "size": self.table_size})
        elif self.advances and not self.partners:
            words = _("Next round: re-draw all seats, with new opponents if possible, at most %(size)d to a table.")
            steps.append(words % {"size": self.table_size})
        if self.ends_at is not None:
            words = _("In each round a table plays until a player has %(target)d points of that round.")
            steps.append(words % {"target": self.ends_at})
        if self.advances:
            steps += [
                _("For other rounds, copy the empty slips."),
                _("After each round, collect the slips, add the points to “Running totals” and keep the slips."),
                _("When the service is back, enter the slips table by table. The service checks and counts them."),
            ]
        return steps

    def _scoring(self, sheet: Sheet, y: float) -> None:
        start, line = y, 7.0
        title = _("How to score: %(edition)s") % {"edition": self.edition}
        sheet.fit(MARGIN + 5, y + 3, ROOM - 10, 9, title, size=13, bold=True)
        y += 14
        for kind, worth in self.worths:
            sheet.fit(MARGIN + 5, y, 90, line, kind, size=10.5)
            sheet.fit(MARGIN + 95, y, ROOM - 100, line, worth, size=10.5, bold=True, align="R")
            sheet.grey_line(MARGIN + 5, y + line, SHORT - MARGIN - 5, y + line)
            y += line
        for words in scoring_in_words(self.scoring, self.partners):
            y += 2 + sheet.fit(MARGIN + 5, y + 2, ROOM - 10, 16, words, size=10.5, top=True)
        words = _("Count the cards still held when a player has played the last one.")
        y += 2 + sheet.fit(MARGIN + 5, y + 2, ROOM - 10, 10, words, size=9, color=MUTED, top=True)
        sheet.box(MARGIN, start, ROOM, y + 3 - start, 0.5)


def scoring_in_words(scoring: str, partners: bool) -> list[str]:
    """Return sentences on scoring a hand (SCORE-2 to SCORE-4, SCORE-6, TEAM-3), short enough for a box."""
    if scoring == WINNER_TAKES and partners:
        return [
            _("The player who goes out and the partner each score the points of both opponents’ cards."),
            _("The partner’s cards don’t count. A blocked hand scores nothing."),
        ]
    if scoring == WINNER_TAKES:
        return [
            _("The player who goes out scores the points of all other players’ cards. A blocked hand scores nothing.")
        ]
    if partners:
        own = _("Each pair adds up the points of its own cards, and both partners get the sum. The lowest total wins.")
    else:
        own = _("Each player gets the points of their own cards. The lowest total wins.")
    return [own, _("The target eliminates a player.")] if scoring == CHALLENGE else [own]


def worth_in_a_sentence(worths: Sequence[tuple[str, str]]) -> str:
    """Return “Number cards: worth their number. Draw Two, Reverse, Skip: 20 points.”"""
    kinds: dict[str, list[str]] = {}
    for kind, worth in worths:
        kinds.setdefault(worth, []).append(kind)
    return " ".join(f"{label_text(', '.join(alike), worth.lower())}." for worth, alike in kinds.items())
