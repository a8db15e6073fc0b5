"""Word a stage's standings in one of three shapes: summed points, a race to a target, or elimination rounds. `text_of`
chooses the shape for pages, prints and screen.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.formats.progression import State
from league.ledger.progression import ProgressionLedger
from league.ledger.race import RaceLedger
from league.models import Entry
from league.standings import progression_in_words, race_in_words, ties_in_words
from league.standings.ranking import Standing
from league.standings.read import Ledger
from league.standings.result_in_words import progress_in_words


class StandingsText:
    """Words for summed points."""

    adds_up = True
    """Whether totals are comparable before the last round: leads, different numbers of hands."""
    has_round_points = True
    """Whether a column shows the points of the latest round."""

    def __init__(self, book: Ledger) -> None:
        self.book = book

    @property
    def target(self) -> int | None:
        """Return the total that eliminates a player, or None."""
        return None

    def order(self, as_of_round: int | None = None) -> str:
        """Return what decides the order, in sentences."""
        order = ties_in_words.order_in_words(self.book.tie_breaks, lowest=self.book.stage.lowest_wins)
        return _("Ranked by %(order)s.") % {"order": order}

    def ties(self, lines: Sequence[Standing]) -> list[str]:
        """Return why equal totals are ranked as they are, a sentence or more for each group."""
        if not self.book.rows:
            return []
        here = [line for line in lines if not line.stage]
        groups = [[line for line in here if line.group == group] for group in self.book.groups] or [here]
        return [words for group in groups for words in ties_in_words.tie_sentences(group, self.book.tie_breaks)]

    def remark(self, line: Standing, as_of_round: int | None = None) -> str | None:
        """Return the words after a name for an end or a near end; None: the status is enough."""
        if line.entrant.status != Entry.Status.DROPPED:
            return None
        spells = self.book.played.get(line.entrant.id, ())
        rounds = [spell.round for spell in spells if as_of_round is None or spell.round <= as_of_round]
        return _("withdrew after round %(number)d") % {"number": max(rounds)} if rounds else _("withdrew before a hand")

    def progress(self, line: Standing) -> str:
        """Return the progress of an active entrant in an elimination stage."""
        return ""

    def gone(self, number: int) -> dict[str, str]:
        """Return {player_id: why they no longer play} if tables of an open round continue without them."""
        if not any(played.number == number and played.is_open for played in self.book.rounds):
            return {}
        left = (entrant.id for entrant in self.book.entrants if entrant.status == Entry.Status.DROPPED)
        return dict.fromkeys(left, _("withdrawn"))

    def champions(self, as_of_round: int | None = None) -> tuple[str, ...]:
        """Return the certain winners; empty while the order can change."""
        return ()


class RaceText(StandingsText):
    """A Challenge UNO: the last one below the target wins."""

    adds_up = False

    def __init__(self, book: Ledger, race: RaceLedger) -> None:
        super().__init__(book)
        self.race = race

    @property
    def target(self) -> int:
        return self.race.settings.target

    def order(self, as_of_round: int | None = None) -> str:
        return race_in_words.order_in_words(self.target)

    def ties(self, lines: Sequence[Standing]) -> list[str]:
        return race_in_words.tie_sentences(lines)

    def remark(self, line: Standing, as_of_round: int | None = None) -> str:
        return race_in_words.status_in_words(line, self.target)

    def gone(self, number: int) -> dict[str, str]:
        return race_in_words.gone_in_round(self.race.state, number)

    def champions(self, as_of_round: int | None = None) -> tuple[str, ...]:
        winner = self.race.state_at(as_of_round).winner
        return (winner,) if winner else ()


class ProgressionText(StandingsText):
    """Words for elimination rounds: each round starts at 0."""

    adds_up = False
    has_round_points = False

    def __init__(self, book: Ledger, progression: ProgressionLedger) -> None:
        super().__init__(book)
        self.progression = progression

    def order(self, as_of_round: int | None = None) -> str:
        return progression_in_words.order_in_words(self._state(as_of_round), self.book.stage)

    def ties(self, lines: Sequence[Standing]) -> list[str]:
        return []  # each line's remark has the reason

    def remark(self, line: Standing, as_of_round: int | None = None) -> str | None:
        if line.ending is None:  # stand-ins have no ladder
            return super().remark(line, as_of_round)
        return "" if self._plays_on(line) else progress_in_words(line, self.book.names)

    def progress(self, line: Standing) -> str:
        return progress_in_words(line, self.book.names) if self._plays_on(line) else ""

    def champions(self, as_of_round: int | None = None) -> tuple[str, ...]:
        return self._state(as_of_round).winners

    def _state(self, as_of_round: int | None) -> State:
        return self.progression.state_at(as_of_round)

    @staticmethod
    def _plays_on(line: Standing) -> bool:
        return line.entrant.status == Entry.Status.ACTIVE


def text_of(book: Ledger) -> StandingsText:
    """Return the wording for these standings."""
    if book.race is not None:
        return RaceText(book, book.race)
    if book.progression is not None:
        return ProgressionText(book, book.progression)
    return StandingsText(book)
