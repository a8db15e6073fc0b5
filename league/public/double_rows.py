"""A tree that forgives one loss as columns of the bracket: the winners' side to the final, and the losers' side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext as _

from league.formats import double_tree
from league.formats.double_tree import FINAL, LOSERS, WINNERS
from league.formats.knockout import TWO_ONE_FINAL
from league.formats.progression import DROPPED
from league.formats.tree import DUEL, Match
from league.ledger.in_words import second_title
from league.ledger.progression import SECOND
from league.lib.csv import Row
from league.models import Round, Table
from league.public.pictures.bracket import FREE, Column, Person, Side, TableOfRound
from league.public.tree_rows import Tree
from league.standings.read import Ledger


def columns_of_double(
    rounds: Sequence[Round],
    seated: Mapping[int, Sequence[Row]],
    tables: Mapping[int, Mapping[int, Table]],
    book: Ledger,
) -> list[Column]:
    """As `columns_of_tree`; the losers' side follows the others, as a second ladder."""
    if book.progression is None or not rounds:
        return []
    return _DoubleTree(rounds, seated, tables, book, book.progression).columns()


@dataclass
class _DoubleTree(Tree):
    @property
    def _one_final(self) -> bool:
        return self.book.stage.values["losses"] == TWO_ONE_FINAL

    @cached_property
    def matches(self) -> list[Match]:
        return double_tree.matches(
            self.progression.began, self.played, self.following, decided=self.decided, one_final=self._one_final
        )

    @cached_property
    def _by_place(self) -> dict[tuple[str, int, int], Match]:
        return {(match.side, match.level, match.number): match for match in self.matches}

    def columns(self) -> list[Column]:
        """Without the first round of the losers' side where the free rounds of the other leave nobody to meet."""
        levels: dict[tuple[bool, str, int], list[Match]] = {}
        first = [match for match in self.matches if match.side == LOSERS and match.level == 1]
        nobody_meets = all(any(None in self.before(match, at)[0].players for at in range(DUEL)) for match in first)
        for match in self.matches:
            if nobody_meets and match in first:
                continue
            levels.setdefault((match.side == LOSERS, match.side, match.level), []).append(match)
        order = {WINNERS: 0, FINAL: 1, LOSERS: 2}
        return [
            self._column(side, level, levels[below, side, level])
            for below, side, level in sorted(levels, key=lambda one: (one[0], order[one[1]], one[2]))
        ]

    def _column(self, side: str, level: int, here: Sequence[Match]) -> Column:
        drawn = next((drawn for match in here for drawn in self.rounds if drawn.number == match.round), None)
        below = side == LOSERS
        return Column(
            drawn.number if drawn is not None else 0,
            tuple(self.table(match) for match in here),
            draft=drawn is not None and drawn.state == Round.State.DRAFT,
            is_open=drawn is not None and drawn.is_open,
            to_come=drawn is None,
            stage=self.book.stage.number,
            ladder=SECOND if below else 1,
            part=second_title(self.book.stage) if below else "",
            in_tree=True,
            title=self._title_of(side, level),
            level=self.levels + level if side == FINAL else level,
            says=self._says_of(side, level, here),
        )

    def _title_of(self, side: str, level: int) -> str:
        if side == FINAL:
            return _("Final") if level == 1 else _("Second final")
        if side == WINNERS:
            return _("Winners’ final") if level == self.levels else _("Winners’ round %(number)d") % {"number": level}
        is_last = level == double_tree.last_step(self.levels) - 2
        return _("Losers’ final") if is_last else _("Losers’ round %(number)d") % {"number": level}

    def _says_of(self, side: str, level: int, here: Sequence[Match]) -> str:
        if side == WINNERS:
            return self.says(level, here)
        if side == FINAL and level > 1 and here[0].round is None:
            return _("Only if the winners’ side loses the final")
        return ""

    # --- a match

    def table(self, match: Match) -> TableOfRound:
        """The second final is dashed as long as it is not drawn."""
        drawn = super().table(match)
        if match.side != FINAL or match.level == 1 or match.table is not None:
            return drawn
        sides = (self._from_the_final(_("Winner of the final"), 0), self._from_the_final(_("Loser of the final"), 1))
        return replace(drawn, sides=sides, said=_("If needed"), look=FREE)

    def _from_the_final(self, words: str, at: int) -> Side:
        return Side((Person(f"again-{at}", words),), None, waits=True)

    def side(self, match: Match, at: int) -> Side:
        """Who has won it all, whoever won the last match; and who has won a match and left."""
        side, entry, state = super().side(match, at), match.players[at], self.progression.state
        if entry is None or not match.over or match.table is None:
            return side
        has_left = state.lines[entry].status == DROPPED and state.lines[entry].round == match.round
        if self.decides(match) and state.winner is not None:
            if entry == state.winner:
                return replace(side, won=True, goes_on=False, note=_("winner"), status="")
            return replace(side, won=False, note="", status=_("left") if has_left else _("eliminated"))
        return replace(side, note=_("left")) if match.winner == entry and has_left else side

    def is_final(self, match: Match) -> bool:
        return match.side == FINAL

    def title_of_final(self, match: Match) -> str:
        return self._title_of(FINAL, match.level)

    def decides(self, match: Match) -> bool:
        return match.side == FINAL and (match.level > 1 or (FINAL, 2, 0) not in self._by_place)

    def plays_on(self, match: Match, entry: str) -> bool:
        """Who has lost for the first time does, unless they left."""
        if match.side == LOSERS or self.decides(match) or (match.side == FINAL and entry == match.players[1]):
            return False
        line = self.progression.state.lines[entry]
        return line.round != match.round or line.status != DROPPED

    def before(self, match: Match, at: int) -> tuple[Match, bool]:
        source = double_tree.origin(match, at, self.levels)
        assert source is not None  # the seeds of the first level are known
        return self._by_place[source.side, source.level, source.number], source.is_loser
