"""Build bracket columns of a tree of duels: every match from the first round to the final, played or to come.

A tree that forgives one loss shows the winners' side with the final, then the losers' side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.formats import double_tree, tree
from league.formats.double_tree import LOSERS, WINNERS
from league.formats.knockout import TWO_ONE_FINAL
from league.formats.progression import ACTIVE, DROPPED, Played, Result
from league.formats.seating.slots import levels
from league.formats.tree import DUEL, Match
from league.ledger.in_words import entries_in_words, second_title
from league.ledger.progress import PLAYING, TableNow, decided_tables, tables_of_open
from league.ledger.progression import SECOND, ProgressionLedger
from league.lib.csv import Row
from league.models import Round, Table
from league.public.pictures.bracket import FINAL, FREE, Column, Person, Side, TableOfRound
from league.standings.read import Ledger

FINAL_LEVEL, SEMI_FINALS, QUARTER_FINALS = 0, 1, 2  # levels before the final


def columns_of_tree(
    rounds: Sequence[Round],
    seated: Mapping[int, Sequence[Row]],
    tables: Mapping[int, Mapping[int, Table]],
    book: Ledger,
) -> list[Column]:
    """Return columns for rounds of the stage in `book`; the last may be a draft. seated: rows of seating.csv, by
    round. tables: by round key and number.
    """
    if book.progression is None or not rounds:
        return []
    return Tree(rounds, seated, tables, book, book.progression).columns()


@dataclass
class Tree:
    rounds: Sequence[Round]
    seated: Mapping[int, Sequence[Row]]
    tables: Mapping[int, Mapping[int, Table]]
    book: Ledger
    progression: ProgressionLedger

    @cached_property
    def played(self) -> list[Played]:
        """Return the selected rounds, with a draft as if it were played."""
        known = {played.number: played for played in self.progression.rounds}
        return [known.get(drawn.number) or self._of_draft(drawn) for drawn in self.rounds]

    def _of_draft(self, drawn: Round) -> Played:
        at: dict[int, list[Result]] = {}
        byes = []
        for row in self.seated[drawn.number]:
            if row["table"] == "bye":
                byes.append(row["player_id"])
                continue
            seated = at.setdefault(row["table"], [])
            if Result(row["player_id"]) not in seated:  # merge a team's two rows
                seated.append(Result(row["player_id"]))
        second = [number for number, table in self.tables[drawn.pk].items() if table.ladder == SECOND]
        lost = set(drawn.seats.filter(has_lost=True).values_list("entry__public_id", flat=True))
        return Played(drawn.number, at, is_over=False, second=second, byes=byes, lost=lost)

    @cached_property
    def following(self) -> Played | None:
        """Return the round after the selected ones: its players advanced."""
        last = self.rounds[-1].number
        return next((played for played in self.progression.rounds if played.number > last), None)

    @cached_property
    def matches(self) -> list[Match]:
        return tree.matches(self.progression.began, self.played, self.following, decided=self.decided)

    @property
    def decided(self) -> frozenset[int]:
        """Return the finished tables of the open round."""
        return decided_tables(self.now.values())

    @cached_property
    def levels(self) -> int:
        return levels(len(self.progression.began.seeds))

    @cached_property
    def seeds(self) -> dict[str, int]:
        return {entry: seed for seed, entry in enumerate(self.progression.began.seeds, 1)}

    @cached_property
    def rows(self) -> dict[tuple[int, int], Table]:
        return {
            (drawn.number, number): table for drawn in self.rounds for number, table in self.tables[drawn.pk].items()
        }

    @cached_property
    def now(self) -> dict[tuple[int, int], TableNow]:
        return tables_of_open(self.rounds)

    @cached_property
    def points(self) -> dict[tuple[int, str], int]:
        """Return points at tables with recorded hands, by round."""
        return {
            (played.number, result.entry): result.points
            for played in self.played
            for number, results in played.tables.items()
            if self._has_hands(played.number, number)
            for result in results
        }

    def _has_hands(self, number: int, table: int) -> bool:
        now = self.now.get((number, table))
        if now is not None:
            return now.played > 0
        return any(drawn.state == Round.State.CLOSED for drawn in self.rounds if drawn.number == number)

    def columns(self) -> list[Column]:
        columns = []
        last = 0  # the number of the round before
        for level in range(1, self.levels + 1):
            here = [match for match in self.matches if match.level == level]
            number = next((match.round for match in here if match.round is not None), None)
            passed_over = number is None and any(match.round for match in self.matches if match.level > level)
            drawn = next((drawn for drawn in self.rounds if drawn.number == number), None)
            last = last if passed_over else number or max(last, self.rounds[-1].number) + 1
            tables = [self.table(match) for match in here]
            if level == self.levels and (third := self._third_place(drawn)):
                tables.append(third)
            columns.append(
                Column(
                    0 if passed_over else last,
                    tuple(tables),
                    byes=tuple(self.person(entry) for entry in self._byes(number)),
                    draft=drawn is not None and drawn.state == Round.State.DRAFT,
                    is_open=drawn is not None and drawn.is_open,
                    to_come=drawn is None,
                    stage=self.book.stage.number,
                    ladder=1,
                    in_tree=True,
                    title=self._title(level, last, passed_over=passed_over, with_third=len(tables) > len(here)),
                    level=level,
                    summary=self.summary(level, here),
                )
            )
        return columns

    def _byes(self, number: int | None) -> Sequence[str]:
        return next((list(played.byes) for played in self.played if played.number == number), [])

    def _title(self, level: int, number: int, *, passed_over: bool, with_third: bool) -> str:
        before = self.levels - level
        if before == FINAL_LEVEL:
            return _("Final and third place") if with_third else pgettext("match", "Final")
        if before == SEMI_FINALS:
            return _("Semi-finals")
        if before == QUARTER_FINALS:
            return _("Quarter-finals")
        return _("No match") if passed_over else _("Round %(number)d") % {"number": number}

    def summary(self, level: int, here: Sequence[Match]) -> str:
        if level > 1:
            return ""
        free = sum(match.winner is not None and None in match.players for match in here)
        entries = entries_in_words(self.book.stage, len(self.seeds))
        if not free:
            return entries
        words = ngettext("%(count)d bye by seed", "%(count)d byes by seed", free) % {"count": free}
        return f"{entries}, {words}"

    # --- a match

    def person(self, entry: str) -> Person:
        return Person(entry, self.book.names[entry])

    def table(self, match: Match) -> TableOfRound:
        is_final = self.is_final(match)
        sides = tuple(self.side(match, at) for at in range(DUEL))
        title, look = "", FINAL if is_final else ""
        if match.table is None:
            alone = all(match.is_known) and match.players.count(None) > 0
            look = FINAL if is_final else FREE if alone else ""
            title = _("No match") if alone else _("Match %(number)d") % {"number": self.number_of(match)}
            state_text = "" if alone else _("To come")
            title = self.title_of_final(match) if is_final else title
            return TableOfRound(0, sides, state_text=state_text, title=title, look=look)
        if is_final:
            title = _("%(final)s, table %(number)d") % {"final": self.title_of_final(match), "number": match.table}
        return self.at_table(match.round or 0, match.table, sides, title, look)

    def is_final(self, match: Match) -> bool:
        return match.level == self.levels

    def title_of_final(self, match: Match) -> str:
        return pgettext("match", "Final")

    def at_table(self, number: int, at: int, sides: Sequence[Side], title: str, look: str = "") -> TableOfRound:
        table, now = self.rows[number, at], self.now.get((number, at))
        progress = ""
        if now is not None and now.state == PLAYING and now.played:
            progress = _("hand %(number)d") % {"number": now.played + 1}
        return TableOfRound(at, tuple(sides), progress, table.state, progress or table.get_state_display(), title, look)

    def side(self, match: Match, at: int) -> Side:
        entry = match.players[at]
        if entry is None:
            return self.empty(match, at)
        side = Side((self.person(entry),), self.points.get((match.round or 0, entry)) if match.table else None)
        if match.level == 1 and match.side in ("", WINNERS):
            side = replace(side, seed=self.seeds[entry])
        if match.winner == entry:
            is_last = self.decides(match)
            return replace(side, won=is_last, advances=not is_last, note=_("winner") if is_last else "")
        if not match.over or self.plays_on(match, entry):
            return side
        lines, other = self.progression.state.lines, match.players[1 - at]
        if other is not None and lines[other].by == entry:  # won, but left before the next match
            return replace(side, advances=True, note=_("left"))
        line = lines[entry]
        left = line.status == DROPPED and line.round == match.round
        return replace(side, status=_("left") if left or match.table is None else _("eliminated"))

    def decides(self, match: Match) -> bool:
        """Return whether the winner of this match wins the tournament."""
        return self.is_final(match)

    def plays_on(self, match: Match, entry: str) -> bool:
        """Return whether the player continues after a loss."""
        return False

    def empty(self, match: Match, at: int) -> Side:
        """Return a place without a player, or whose player isn't known yet."""
        waits = Person(f"{match.side}{match.level}-{match.number}-{at}", "")
        if match.is_known[at]:
            words = _("bye") if match.players[1 - at] is not None else "–"
            return Side((replace(waits, name=words),), None, waits=True)
        before, is_loser = self.before(match, at)
        called = {"number": self.number_of(before), "table": before.table}
        if before.table is not None:
            source_text = _("Loser of table %(table)d") if is_loser else _("Winner of table %(table)d")
        else:
            source_text = _("Loser of match %(number)d") if is_loser else _("Winner of match %(number)d")
        note = self.leads(before, is_loser=is_loser)
        return Side((replace(waits, name=source_text % called),), None, waits=True, note=note)

    def before(self, match: Match, at: int) -> tuple[Match, bool]:
        """Return the source match of a place, and whether its loser takes it."""
        where = match.level - 1, 2 * match.number + at
        return next(one for one in self.matches if (one.level, one.number) == where), False

    @cached_property
    def _numbers(self) -> dict[tuple[str, int, int], int]:
        return {(match.side, match.level, match.number): at for at, match in enumerate(self.matches, 1)}

    def number_of(self, match: Match) -> int:
        """Return the number of a match without a table yet; numbering runs through all rounds."""
        return self._numbers[match.side, match.level, match.number]

    def leads(self, match: Match, *, is_loser: bool = False) -> str:
        """Return “Ana leads” for a match in progress; empty if the loser takes the place."""
        if is_loser:
            return ""
        points = [(self.points.get((match.round or 0, entry)), entry) for entry in match.players if entry is not None]
        known = [(points, entry) for points, entry in points if points is not None]
        if len(known) < DUEL or known[0][0] == known[1][0]:
            return ""
        best = (min if self.book.stage.lowest_wins else max)(known)[1]
        return _("%(name)s leads") % {"name": self.book.names[best]}

    # --- third place

    def _third_place(self, final: Round | None) -> TableOfRound | None:
        title = _("Third place")
        if final is not None:
            of_final = next(played for played in self.played if played.number == final.number)
            match = of_final.of_ladder(second=True)
            for number, results in match.tables.items():
                words = _("Third place, table %(number)d") % {"number": number}
                return self.at_table(final.number, number, [self._of_third(one, final) for one in results], words)
            return None
        state = self.progression.state
        if state.second_ladder:
            sides = [Side((self.person(entry),), None) for entry in state.second_ladder]
            return TableOfRound(0, tuple(sides), state_text=_("To come"), title=title)
        semis = [match for match in self.matches if match.level == self.levels - 1]
        can_be = len(semis) == DUEL and not any(
            known and player is None
            for match in semis
            for known, player in zip(match.is_known, match.players, strict=True)
        )
        if not self.progression.values.get("third_place") or not can_be or all(match.over for match in semis):
            return None
        sides = [self._loser_of(match) for match in semis]
        return TableOfRound(0, tuple(sides), state_text=_("To come"), title=title)

    def _of_third(self, result: Result, final: Round) -> Side:
        line = self.progression.state.lines[result.entry]
        side = Side((self.person(result.entry),), self.points.get((final.number, result.entry)))
        if line.status == ACTIVE or final.state != Round.State.CLOSED:
            return side
        return replace(side, advances=False, status=_("eliminated")) if line.by else replace(side, won=True)

    def _loser_of(self, match: Match) -> Side:
        words = _("Loser of match %(number)d") % {"number": self.number_of(match)}
        if match.table is not None:
            words = _("Loser of table %(table)d") % {"table": match.table}
        return Side((Person(f"third-{match.number}", words),), None, waits=True)


def columns_of_double(
    rounds: Sequence[Round],
    seated: Mapping[int, Sequence[Row]],
    tables: Mapping[int, Mapping[int, Table]],
    book: Ledger,
) -> list[Column]:
    """Like `columns_of_tree`; the losers' side follows as a second ladder."""
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
        """Leave out the losers' first round if byes on the winners' side leave it without matches."""
        levels: dict[tuple[bool, str, int], list[Match]] = {}
        first = [match for match in self.matches if match.side == LOSERS and match.level == 1]
        is_empty = all(any(None in self.before(match, at)[0].players for at in range(DUEL)) for match in first)
        for match in self.matches:
            if is_empty and match in first:
                continue
            levels.setdefault((match.side == LOSERS, match.side, match.level), []).append(match)
        order = {WINNERS: 0, double_tree.FINAL: 1, LOSERS: 2}
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
            level=self.levels + level if side == double_tree.FINAL else level,
            summary=self._summary_of(side, level, here),
        )

    def _title_of(self, side: str, level: int) -> str:
        if side == double_tree.FINAL:
            return pgettext("match", "Final") if level == 1 else _("Second final")
        if side == WINNERS:
            return _("Winners’ final") if level == self.levels else _("Winners’ round %(number)d") % {"number": level}
        is_last = level == double_tree.last_step(self.levels) - 2
        return _("Losers’ final") if is_last else _("Losers’ round %(number)d") % {"number": level}

    def _summary_of(self, side: str, level: int, here: Sequence[Match]) -> str:
        if side == WINNERS:
            return self.summary(level, here)
        if side == double_tree.FINAL and level > 1 and here[0].round is None:
            return _("Only if the winner of the winners’ side loses the final")
        return ""

    # --- a match

    def table(self, match: Match) -> TableOfRound:
        """Draw the second final dashed until it is drawn."""
        drawn = super().table(match)
        if match.side != double_tree.FINAL or match.level == 1 or match.table is not None:
            return drawn
        sides = (self._from_the_final(_("Winner of the final"), 0), self._from_the_final(_("Loser of the final"), 1))
        return replace(drawn, sides=sides, state_text=_("If needed"), look=FREE)

    def _from_the_final(self, words: str, at: int) -> Side:
        return Side((Person(f"again-{at}", words),), None, waits=True)

    def side(self, match: Match, at: int) -> Side:
        """Mark the overall winner, and players who won a match and then left."""
        side, entry, state = super().side(match, at), match.players[at], self.progression.state
        if entry is None or not match.over or match.table is None:
            return side
        has_left = state.lines[entry].status == DROPPED and state.lines[entry].round == match.round
        if self.decides(match) and state.winner is not None:
            if entry == state.winner:
                return replace(side, won=True, advances=False, note=_("winner"), status="")
            return replace(side, won=False, note="", status=_("left") if has_left else _("eliminated"))
        return replace(side, note=_("left")) if match.winner == entry and has_left else side

    def is_final(self, match: Match) -> bool:
        return match.side == double_tree.FINAL

    def title_of_final(self, match: Match) -> str:
        return self._title_of(double_tree.FINAL, match.level)

    def decides(self, match: Match) -> bool:
        return match.side == double_tree.FINAL and (match.level > 1 or (double_tree.FINAL, 2, 0) not in self._by_place)

    def plays_on(self, match: Match, entry: str) -> bool:
        """Return True after a first loss, unless the player left."""
        if (
            match.side == LOSERS
            or self.decides(match)
            or (match.side == double_tree.FINAL and entry == match.players[1])
        ):
            return False
        line = self.progression.state.lines[entry]
        return line.round != match.round or line.status != DROPPED

    def before(self, match: Match, at: int) -> tuple[Match, bool]:
        source = double_tree.origin(match, at, self.levels)
        assert source is not None  # the seeds of the first level are known
        return self._by_place[source.side, source.level, source.number], source.is_loser
