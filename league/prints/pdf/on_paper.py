"""The first page of the emergency pack: how to finish the evening on paper, and what cards are worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.rules import CHALLENGE, WINNER_TAKES
from league.lib.translate import label_text
from league.prints.pdf.sheet import HEAD, MARGIN, MUTED, SHORT, Sheet

ROOM = SHORT - 2 * MARGIN


@dataclass(frozen=True)
class OnPaper:
    """worths: (kind of card, its worth in words)."""

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
            _("What is in this pack stood in the service when it was printed. The time is at the foot of every page."),
            _("Call the tables by the seating pages: by name for the players, all rounds for you."),
        ]
        if self.target is not None and not self.advances:
            steps.pop()
        if self.open_round is not None:
            words = _("Give every table its slip of round %(number)d. Hands marked “in” are saved and counted.")
            steps.append(words % {"number": self.open_round})
        if self.advances and self.target is not None:
            words = _(
                "For the next round seat whoever has less than %(target)d points anew, at as few tables as hold them: "
                "at most %(size)d to a table, and two only when two are left."
            )
            steps.append(words % {"target": self.target, "size": self.table_size})
        elif self.advances and not self.partners:
            words = _(
                "For the next round seat everybody anew, with others as far as it goes: at most %(size)d to a table."
            )
            steps.append(words % {"size": self.table_size})
        if self.ends_at is not None:
            words = _("In each round a table plays until somebody has %(target)d points of that round.")
            steps.append(words % {"target": self.ends_at})
        if self.advances:
            steps += [
                _("For other rounds use the empty slips; copy the page as often as you need it."),
                _("After each round collect the slips, add the points to “Totals to go on with”, and keep the slips."),
                _("When the service is back, type in the slips table by table: it checks and counts everything again."),
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
        words = _("What counts are the cards that are still held when somebody has played the last one.")
        y += 2 + sheet.fit(MARGIN + 5, y + 2, ROOM - 10, 10, words, size=9, color=MUTED, top=True)
        sheet.box(MARGIN, start, ROOM, y + 3 - start, 0.5)


def scoring_in_words(scoring: str, partners: bool) -> list[str]:
    """Sentences on how a hand is scored (SCORE-2 to SCORE-4, SCORE-6, TEAM-3), short enough for a box."""
    if scoring == WINNER_TAKES and partners:
        return [
            _("When one goes out, that player and the partner each score the points of both opponents’ cards."),
            _("What the partner still holds counts for nobody. A blocked hand scores nothing."),
        ]
    if scoring == WINNER_TAKES:
        return [_("Who goes out scores the points of everybody else’s cards. A blocked hand scores nothing.")]
    if partners:
        own = _(
            "Each pair adds up the points of its own cards, and both partners carry the sum. The lowest total wins."
        )
    else:
        own = _("Everybody carries the points of the cards they hold. The lowest total wins.")
    return [own, _("Who reaches the target is eliminated.")] if scoring == CHALLENGE else [own]


def worth_in_a_sentence(worths: Sequence[tuple[str, str]]) -> str:
    """“Number cards: worth their number. Draw Two, Reverse, Skip: 20 points.”"""
    kinds: dict[str, list[str]] = {}
    for kind, worth in worths:
        kinds.setdefault(worth, []).append(kind)
    return " ".join(f"{label_text(', '.join(alike), worth.lower())}." for worth, alike in kinds.items())
