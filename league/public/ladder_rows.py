"""Build bracket columns of elimination rounds: qualifiers, current leaders and rounds to come.

Each ladder has its own columns: first the main ladder, then the second ladder.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise, zip_longest

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats.bracket import Feeding, Node, OfTheOthers, Place, Source, fill, to_come
from league.formats.certain import Other, as_it_stands, certain, others
from league.formats.ladder import Ladder, Rung, any_ladder, rung_in_words
from league.formats.progression import DROPPED, Began, Line, Played
from league.ledger.in_words import second_title
from league.ledger.progress import ENDED, PLAYING, TableNow, tables_of_open
from league.ledger.progression import SECOND, ProgressionLedger
from league.lib.csv import Row
from league.lib.translate import translate
from league.models import Round, Table
from league.public.pictures.bracket import Column, CutLine, Person, Side, TableOfRound, table_key
from league.standings.read import Ledger

FIRST = 1
MOST_BEHIND = 10  # non-qualifiers listed below the cut


def columns_of_ladders(
    rounds: Sequence[Round],
    seated: Mapping[int, Sequence[Row]],
    tables: Mapping[int, Mapping[int, Table]],
    book: Ledger,
) -> list[Column]:
    """Return columns of a stage's rounds. seated: rows of seating.csv, by round. tables: by round key and number."""
    if book.progression is None or not rounds:
        return []
    ladders = _Ladders(rounds, seated, tables, book, book.progression)
    return [column for ladder in (FIRST, SECOND) for column in ladders.columns(ladder)]


@dataclass
class _Ladders:
    rounds: Sequence[Round]
    seated: Mapping[int, Sequence[Row]]
    tables: Mapping[int, Mapping[int, Table]]
    book: Ledger
    progression: ProgressionLedger

    @property
    def began(self) -> Began:
        return self.progression.began

    @cached_property
    def names(self) -> dict[str, str]:
        return {row["player_id"]: row["player"] for rows in self.seated.values() for row in rows}

    @cached_property
    def played(self) -> dict[tuple[int, int], Played]:
        """Return the published rounds, by round and ladder."""
        published = {
            (played.number, ladder): played.of_ladder(second=ladder == SECOND)
            for ladder in (FIRST, SECOND)
            for played in self.progression.rounds
        }
        return {at: played for at, played in published.items() if played.tables}

    @cached_property
    def rungs(self) -> dict[tuple[int, int], Rung]:
        """Return the rung of each drawn round, by round and ladder."""
        state = self.progression.state
        rungs: dict[tuple[int, int], Rung] = {}
        drafts = [played.number for played in self.rounds if played.state == Round.State.DRAFT]
        for ladder, seated, following in (
            (FIRST, state.rungs, state.to_come),
            (SECOND, state.second_rungs, state.second_to_come),
        ):
            numbers = [number for number, of in self.played if of == ladder]
            drawn = [*zip(numbers, seated, strict=False), *zip(drafts, following, strict=False)]
            rungs |= {(number, ladder): rung for number, rung in drawn}
        return rungs

    @cached_property
    def now(self) -> dict[tuple[int, int], TableNow]:
        return tables_of_open(self.rounds)

    @cached_property
    def lines(self) -> dict[int, Mapping[str, Line]]:
        """Return the lines after each published round."""
        return {played.number: self.progression.state_at(played.number).lines for played in self.progression.rounds}

    def columns(self, ladder: int) -> list[Column]:
        drawn = []
        for played in self.rounds:
            tables = [table for _number, table in sorted(self.tables[played.pk].items()) if table.ladder == ladder]
            if tables:
                drawn.append(self._column(played, ladder, tables))
        last = self.book.rounds[-1].number if self.book.rounds else 0
        return [*drawn, *self._to_come(ladder, drawn[-1:])] if self.rounds[-1].number >= last else drawn

    # --- rounds that are drawn

    def _column(self, played: Round, ladder: int, tables: Sequence[Table]) -> Column:
        rung, of_round = self.rungs.get((played.number, ladder)), self.played.get((played.number, ladder))
        sit_out = [row for row in self.seated[played.number] if row["table"] == "bye" and ladder == FIRST]
        is_final = len(tables) == 1 and not sit_out
        if rung is None or is_final:
            summary = _players(
                sum(row["table"] == table.number for row in self.seated[played.number] for table in tables)
            )
        else:
            after = self.played.get((played.number + 1, ladder))
            summary = _rung_in_words(rung, nobody_waits=rung.again and after is not None and not after.byes)
        byes = tuple(Person(row["player_id"], row["player"]) for row in sit_out)
        if byes:
            words = {"summary": summary, "names": ", ".join(person.name for person in byes)}
            summary = _("%(summary)s Byes: %(names)s.") % words
        drawn = []
        is_sure = self._certain(of_round, rung) if of_round and rung and played.is_open else ()
        for table in tables:
            sides = self._sides(played, table, of_round)
            if played.is_open:
                # Before its first hand only the random tie-break ranks the players, so show no ranking.
                begun = self._has_hands(played.number, table.number)
                sides = [_through(side) if begun and side.people[0].id in is_sure else side for side in sides]
            elif of_round is not None and rung is not None:
                sides = [self._fate(side, of_round, rung, ladder) for side in sides]
            progress = self._progress(played, table)
            state_text = progress or table.get_state_display()
            drawn.append(TableOfRound(table.number, tuple(sides), progress, table.state, state_text))
        return Column(
            played.number,
            tuple(drawn),
            byes,
            draft=played.state == Round.State.DRAFT,
            is_open=played.is_open,
            final=_("The final") if is_final else "",
            stage=self.book.stage.number,
            ladder=ladder,
            part=second_title(self.book.stage) if ladder == SECOND else "",
            title=_title_of(played.number, self.rungs.get((played.number - 1, ladder)), bool(sit_out)),
            summary=summary,
            cut=self._cut(played, of_round, rung) if of_round is not None and rung is not None else (),
        )

    def _cut(self, played: Round, of_round: Played, rung: Rung) -> tuple[CutLine, ...]:
        """Return the comparison for the next-best places. In an open round, include only tables that have begun."""
        compared = others(of_round, rung, seed=self.began.seed, lowest_wins=self.began.lowest_wins)
        compared = [one for one in compared if self._has_hands(played.number, one.table)]
        if played.is_open:
            advances = {one.entry for one in compared[: rung.lucky]}
        else:
            advances = {one.entry for one in compared if self.lines[played.number][one.entry].lucky}
        cut = max((at for at, one in enumerate(compared, 1) if one.entry in advances), default=0)
        compared = compared[: cut + MOST_BEHIND]
        deciding = {
            one: reason
            for before, after in pairwise(compared)
            if before.entry in advances and after.entry not in advances
            for reason in [_deciding(before, after)]
            for one in (before, after)
        }
        return tuple(
            CutLine(
                Person(one.entry, self.names[one.entry]),
                one.table,
                one.place,
                one.points,
                float(one.mean),
                None if one.share is None else float(100 * one.share),
                one.entry in advances,
                deciding.get(one, ""),
                one in deciding and one.entry in advances,
            )
            for one in compared
        )

    def _progress(self, played: Round, table: Table) -> str:
        now = self.now.get((played.number, table.number))
        if now is None or now.state != PLAYING or not now.played:
            return ""
        return _("%(hands)d of %(wanted)d hands") % {"hands": now.played, "wanted": now.hands_wanted}

    def _sides(self, played: Round, table: Table, of_round: Played | None) -> list[Side]:
        """Return the players of a table, best first; by seat before the first hand."""
        rows = [row for row in self.seated[played.number] if row["table"] == table.number]
        people = [Person(row["player_id"], row["player"]) for row in rows]
        if of_round is None or not self._has_hands(played.number, table.number):
            return [Side((person,), None) for person in people]
        points = {one.entry: one.points for one in of_round.tables[table.number]}
        lines = self.lines[played.number]
        people.sort(key=lambda person: lines[person.id].place or 0)
        return [Side((person,), points[person.id]) for person in people]

    def _fate(self, side: Side, of_round: Played, rung: Rung, ladder: int) -> Side:
        """Return the side with its outcome in a closed round."""
        entry = side.people[0].id
        line, last = self.lines[of_round.number][entry], self.progression.state.lines[entry]
        if line.again:
            return replace(side, note=_("plays again"))
        if not rung.best:
            won = entry in self.progression.state.winners
            return replace(side, won=True, note=_("winner")) if won else side
        if line.through and line.second == (ladder == SECOND):
            return replace(side, advances=True, note=_("next best") if line.lucky else "")
        has_left = last.status == DROPPED and last.round == of_round.number
        return replace(side, status=_("left") if has_left else _("eliminated"))

    def _certain(self, of_round: Played, rung: Rung) -> Collection[str]:
        left = {table: self._hands_left(of_round.number, table) for table in of_round.tables}
        return certain(of_round, rung, left, seed=self.began.seed, lowest_wins=self.began.lowest_wins)

    def _hands_left(self, number: int, table: int) -> int:
        """Return how many hands can still change a table. A disputed table counts all of its hands; a closed table
        counts its missing hands, since it can reopen.
        """
        now = self.now.get((number, table))
        if now is None:
            return 0
        if now.state == ENDED:
            return max(0, (self.book.stage.hands_per_round or 0) - now.played)
        if now.hands_wanted is None:
            return 0
        if now.table.state == Table.State.DISPUTED:
            return now.hands_wanted
        return max(0, now.hands_wanted - now.played) if now.state == PLAYING else 0

    def _has_hands(self, number: int, table: int) -> bool:
        now = self.now.get((number, table))
        return now is None or now.played > 0

    # --- rounds to come

    def _to_come(self, ladder: int, drawn: Sequence[Column]) -> list[Column]:
        """drawn: the last column of the ladder, if any."""
        rungs, firsts = self._rungs_to_come(ladder)
        before = None
        if drawn and (rung := self.rungs.get((drawn[0].number, ladder))) is not None:
            before = Feeding(drawn[0].number, [table.number for table in drawn[0].tables], rung)
        nodes = to_come(before, self.rounds[-1].number + 1, rungs, firsts, ladder=ladder)
        leads: dict[Source | OfTheOthers, str] = {}
        if before is not None and (of_round := self.played.get((before.round, ladder))) is not None:
            seed, lowest_wins = self.began.seed, self.began.lowest_wins
            stands = as_it_stands(of_round, before.rung, seed=seed, lowest_wins=lowest_wins)
            nodes = fill(nodes, {source: entry for source, entry in stands.items() if self._is_fixed(source, of_round)})
            at = {one.entry: table for table, results in of_round.tables.items() for one in results}
            leads = {
                source: entry
                for source, entry in stands.items()
                if entry in at and self._has_hands(before.round, at[entry])
            }
        columns = []
        for rung, (number, of_nodes) in zip(rungs, groupby(nodes, key=lambda node: node.round), strict=True):
            columns.append(self._column_to_come(number, list(of_nodes), rung, before, leads))
            before = Feeding(number, [table.number for table in columns[-1].tables], rung)
        return columns

    def _rungs_to_come(self, ladder: int) -> tuple[Ladder, list[int]]:
        """Return the rounds not drawn yet, and the number of the first table of each."""
        state = self.progression.state
        drafts = sum(played.state == Round.State.DRAFT for played in self.rounds)
        first, second = state.to_come[drafts:], state.second_to_come[drafts:]
        begun = self.rungs.get((self.rounds[-1].number, FIRST))
        is_first = self.rounds[-1].is_open and len(self.progression.rounds) == 1
        stage = self.book.stage
        # The players of the second ladder aren't known yet.
        if is_first and stage.plays.has_second_ladder(stage.values) and begun and begun.best:
            out = begun.players - begun.advancing
            second = any_ladder(out, stage.table_size) if out > 1 else ()
        if ladder == FIRST:
            return first, [1] * len(first)
        both = zip_longest(first, second)
        return second, [rung.tables + 1 if rung else 1 for rung, second_rung in both if second_rung]

    def _is_fixed(self, source: Source | OfTheOthers, of_round: Played) -> bool:
        """Return whether no future hand can change who gets this place."""
        tables = of_round.tables if isinstance(source, OfTheOthers) else [source.table]
        return not any(self._hands_left(of_round.number, table) for table in tables if table is not None)

    def _column_to_come(
        self,
        number: int,
        nodes: Sequence[Node],
        rung: Rung,
        before: Feeding | None,
        leads: Mapping[Source | OfTheOthers, str],
    ) -> Column:
        tables, origins = [], {}
        for node in nodes:
            sides = []
            for at, place in enumerate(node.places):
                side, origin = self._side_to_come(f"{number}-{node.table}-{at}", place, before, leads)
                if origin:
                    origins[side.people[0].id] = origin
                if place.source is not None or place.entry is not None:
                    sides.append(side)
            if not sides:
                words = ngettext("%(count)d place", "%(count)d places", len(node.places)) % {"count": len(node.places)}
                sides = [Side((Person(f"{number}-{node.table}", words),), None, waits=True)]
            tables.append(TableOfRound(node.table or 0, tuple(sides), state_text=_("To come")))
        return Column(
            number,
            tuple(tables),
            final=_("The final") if len(nodes) == 1 and not rung.byes else "",
            to_come=True,
            stage=self.book.stage.number,
            ladder=nodes[0].ladder,
            part=second_title(self.book.stage) if nodes[0].ladder == SECOND else "",
            title=_title_of(number, before and before.rung, bool(rung.byes)),
            summary=_filled_in_words(nodes, before, rung),
            leads=origins,
        )

    def _side_to_come(
        self, id: str, place: Place, before: Feeding | None, leads: Mapping[Source | OfTheOthers, str]
    ) -> tuple[Side, str]:
        """Return a place at a future table and the origin of its line: a player of the previous column, or a table."""
        if place.entry is not None:
            return Side((Person(place.entry, self.names[place.entry]),), None, advances=True), place.entry
        source = place.source
        leader = leads.get(source) if source is not None else None
        words = _source_in_words(source, before.rung.lucky if before else 0)
        note = ""
        if leader is not None:
            name = {"name": self.names[leader]}
            is_winner = isinstance(source, Source) and source.place == 1
            note = _("%(name)s leads") % name if is_winner else _("now %(name)s") % name
        table = source.table if isinstance(source, Source) else None
        origin = leader or (table_key(table) if table is not None else "")
        return Side((Person(id, words),), None, waits=True, note=note), origin


def _title_of(number: int, before: Rung | None, sit_out: bool) -> str:
    """Return the title of a repechage; empty for other rounds. before: rung of the previous round."""
    is_repechage = before is not None and before.again and sit_out
    return _("Round %(number)d, repechage") % {"number": number} if is_repechage else ""


def _deciding(before: Other, after: Other) -> str:
    """Return the value that separates two neighbours."""
    if before.place != after.place:
        return "place"
    return "lot" if before.share == after.share else "share"


def _through(side: Side) -> Side:
    return replace(side, advances=True, note=_("qualified"))


def _players(count: int) -> str:
    return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}


def _rung_in_words(rung: Rung, *, nobody_waits: bool = False) -> str:
    """nobody_waits: everyone plays on, since few players entered the repechage."""
    tables = ngettext("%(count)d table", "%(count)d tables", rung.tables) % {"count": rung.tables}
    qualifiers = _("Everyone advances") if nobody_waits else translate(rung_in_words(rung))
    return f"{tables}. {qualifiers}."


def _source_in_words(source: Source | OfTheOthers | None, lucky: int) -> str:
    if source is None:
        return ""
    if isinstance(source, Source) and source.table is None:
        return _("Bye in the round before")
    if isinstance(source, OfTheOthers):
        words = _("Next-best player") if lucky == 1 else _("Next-best player no. %(number)d")
        return words % {"number": source.number}
    usual = {1: _("Winner of table %(table)d"), 2: _("Second of table %(table)d")}
    words = usual.get(source.place or 0, _("Place %(place)d of table %(table)d"))
    return words % {"table": source.table, "place": source.place}


def _filled_in_words(nodes: Sequence[Node], before: Feeding | None, rung_to_come: Rung) -> str:
    """Say who qualifies for a round to come, and when its seating will be known."""
    if before is None:
        return _("Players eliminated in round %(number)d.") % {"number": nodes[0].round - 1}
    rung = before.rung
    words = {"first": before.tables[0], "last": before.tables[-1], "count": rung.best, "lucky": rung.lucky}
    if rung.again and rung_to_come.byes:
        return (
            ngettext(
                "All except the winners of tables %(first)d to %(last)d, who have a bye.",
                "All except the best %(count)d of tables %(first)d to %(last)d, who have a bye.",
                rung.best,
            )
            % words
        )
    if len(nodes) == 1 or rung.again:
        return _players(sum(len(node.places) for node in nodes))
    if rung.tables == 1:
        return (
            _players(rung_to_come.players)
            + ". "
            + _("Seats are drawn after round %(number)d.") % {"number": before.round}
        )
    if rung.lucky:
        who = ngettext(
            "Winners of tables %(first)d to %(last)d, and the next-best %(lucky)d.",
            "Best %(count)d of tables %(first)d to %(last)d, and the next-best %(lucky)d.",
            rung.best,
        )
    else:
        who = ngettext(
            "Winners of tables %(first)d to %(last)d.",
            "Best %(count)d of tables %(first)d to %(last)d.",
            rung.best,
        )
    if rung.byes:
        sat_out = ngettext("Plus %(count)d player with a bye.", "Plus %(count)d players with a bye.", rung.byes)
        who = f"{who} {sat_out % {'count': rung.byes}}"
    return f"{who % words} " + _("Seats are drawn after round %(number)d.") % {"number": before.round}
