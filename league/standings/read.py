"""Read the rows for league/standings/ranking.py in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet

from league.formats import Chosen
from league.formats.progression import State
from league.ledger.entered import Member, members_in
from league.ledger.progress import decided_tables, tables_of_open, values_of_round
from league.ledger.progression import ProgressionLedger, read_progression
from league.ledger.race import RaceLedger, adjustments_in, read_race
from league.models import Entry, EntryEvent, HandScore, Round, Stage, Tournament, entry_name
from league.standings.counted import rows_that_count
from league.standings.groups import best_first, final_by_final, rank_together, stayed_behind
from league.standings.progression_ranking import progression_standings
from league.standings.race_ranking import race_standings
from league.standings.ranking import (
    AdjustmentRow,
    Entrant,
    Ranking,
    Score,
    ScoreRow,
    Standing,
    one_row_a_team,
    played_by_entry,
)
from league.standings.tie_breaks import Played


@dataclass(frozen=True)
class Ledger:
    """All data that standings need.

    rounds: the stage's living published rounds, ascending. planned: number of the last round, including drafts; the
    last round before the stage until it has one. entrants: players of the stage. rows: columns of `scores`, unordered.
    came_in: round of each late entry. status_changes: (round, new status) of departures and returns, oldest first.
    """

    tournament: Tournament
    stage: Stage
    rounds: tuple[Round, ...]
    planned: int
    entrants: tuple[Entrant, ...]
    rows: tuple[ScoreRow, ...]
    adjustments: tuple[AdjustmentRow, ...]
    race: RaceLedger | None = None  # of a Challenge UNO
    progression: ProgressionLedger | None = None  # of an elimination stage
    values: Mapping[int, Chosen] = field(default_factory=dict)  # by round: the settings when it was published
    came_in: Mapping[str, int] = field(default_factory=dict)
    status_changes: Mapping[str, Sequence[tuple[int, str]]] = field(default_factory=dict)
    members: Mapping[str, Member] = field(default_factory=dict)  # of a stage with groups or a cut
    stayed: tuple[Standing, ...] = ()  # entries that did not advance, best first, ranked from 1
    decided: frozenset[int] = frozenset()  # of a tree: finished tables of the open round

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        return tuple(map(Score._make, self.rows))

    @cached_property
    def rows_that_count(self) -> Sequence[ScoreRow]:
        """Return rows without hands after the end of their table, with their worth by format. In a race fewer count,
        see `counted`.
        """
        return rows_that_count(self.rows, self.stage.plays, self.values)

    @property
    def players(self) -> int:
        """Return the number of current entries: no stand-ins and, during play, no withdrawn entries."""
        gone = {Entry.Status.STANDIN}
        if self.tournament.state == Tournament.State.RUNNING:
            gone.add(Entry.Status.DROPPED)
        return sum(entrant.status not in gone for entrant in self.entrants)

    @cached_property
    def played(self) -> dict[str, list[Played]]:
        return played_by_entry(self.rows_that_count)

    @cached_property
    def last_round(self) -> int | None:
        """Return the latest round with a result, or None."""
        return max((row[1] for row in self.rows_that_count), default=None)

    @cached_property
    def counted(self) -> tuple[Score, ...]:
        """Return the scores that count: no hands without effect, no eliminated players, each team once."""
        if self.stage.has_teams:
            return tuple(one_row_a_team(map(Score._make, self.rows_that_count)))
        if self.race is None:
            return self.scores if self.rows_that_count is self.rows else tuple(map(Score._make, self.rows_that_count))
        numbers = self.race.numbers
        counts = {(step.round, step.table, step.hand, step.entry) for step in self.race.state.race}
        return tuple(
            score for score in self.scores if (score.round, numbers.get(score.table), score.hand, score.entry) in counts
        )

    @property
    def tie_breaks(self) -> tuple[str, ...]:
        """Return the codes of the tie-breaks; races and elimination stages have none."""
        return tuple(self.stage.tie_breaks) if self.stage.plays.tie_breaks else ()

    def winners(self) -> dict[tuple[int, int], set[str]]:
        """Return {(table id, hand): entries of the side that went out}."""
        winners: dict[tuple[int, int], set[str]] = defaultdict(set)
        for score in self.scores:
            if score.went_out:
                winners[score.table, score.hand] |= {score.entry, score.partner or score.entry}
        return winners

    def standings(self, as_of_round: int | None = None) -> list[Standing]:
        """Rank living results up to and including a round (None: all).

        Entries that did not advance to the stage come last.
        """
        lines = self._standings(as_of_round)
        if not self.stayed:
            return lines
        ranked = sum(line.rank is not None for line in lines)
        columns = len(self.tie_breaks)
        stayed = [replace(line, rank=(line.rank or 0) + ranked, tie_breaks=(None,) * columns) for line in self.stayed]
        return [*lines[:ranked], *stayed, *lines[ranked:]]

    def _standings(self, as_of_round: int | None) -> list[Standing]:
        if self.race is not None:
            return race_standings(
                by_id={entrant.id: entrant for entrant in self.entrants},
                rows=self.rows,
                numbers=self.race.numbers,
                adjustments=self.adjustments,
                state=self.race.state if as_of_round is None else self.race.state_at(as_of_round),
                as_of_round=as_of_round,
            )
        if self.progression is not None:
            return progression_standings(
                by_id=self.entrants_at(as_of_round),
                played=self.played,
                adjustments=self.adjustments,
                state=self.as_it_stands(self.progression, as_of_round),
                ledger=self.progression,
                decided=self.decided,
                as_of_round=as_of_round,
            )
        if self.groups:
            of_groups = [
                [replace(line, group=group) for line in self._ranking(as_of_round, group).lines()]
                for group in self.groups
            ]
            if self.stage.by_place:
                return final_by_final(of_groups)
            lines = best_first(of_groups, lowest_wins=self.stage.lowest_wins)
            if self.tournament.is_final and self.stage.ended_at is None:  # ended in groups: one list
                return rank_together(lines, lowest_wins=self.stage.lowest_wins)
            return lines
        return self._ranking(as_of_round).lines()

    def as_it_stands(self, progression: ProgressionLedger, as_of_round: int | None = None) -> State:
        """Return the state with finished duels counted, although their round is open."""
        return progression.state_at(as_of_round, decided=self.decided)

    @cached_property
    def names(self) -> dict[str, str]:
        return {entrant.id: entrant.name for entrant in self.entrants}

    @property
    def groups(self) -> range:
        """Return the numbers of the groups; empty without groups."""
        return range(1, self.stage.groups + 1) if self.members and self.stage.groups > 1 else range(0)

    def ranks_by_round(self, rounds: Iterable[int]) -> Mapping[int, Mapping[str, int | None]]:
        """Return {round: {player_id: rank as of that round}}."""
        if self.race is not None:
            return self.race.ranks_after(list(rounds))
        if self.progression is not None:
            states = {number: self.as_it_stands(self.progression, number) for number in rounds}
            return {number: {entry: line.rank for entry, line in at.lines.items()} for number, at in states.items()}
        if self.groups:
            return {number: {line.entrant.id: line.rank for line in self._standings(number)} for number in rounds}
        return {number: self._ranking(number).ranks() for number in rounds}

    def entrants_at(self, as_of_round: int | None) -> dict[str, Entrant]:
        """Return the entrants present after a round (None: now), with their status then."""
        if as_of_round is None or not (self.came_in or self.status_changes):
            return {entrant.id: entrant for entrant in self.entrants}
        return {
            entrant.id: replace(entrant, status=self._status_at(entrant, as_of_round))
            for entrant in self.entrants
            if self._was_there(entrant, as_of_round)
        }

    def _was_there(self, entrant: Entrant, as_of_round: int) -> bool:
        """Return whether the entrant was present. A stand-in's first hand marks their arrival; nothing else records
        it.
        """
        if entrant.status == Entry.Status.STANDIN:
            return any(spell.round <= as_of_round for spell in self.played.get(entrant.id, ()))
        return self.came_in.get(entrant.id, 0) <= as_of_round

    def _status_at(self, entrant: Entrant, as_of_round: int) -> str:
        changes = self.status_changes.get(entrant.id, ())
        if not changes:
            return entrant.status
        before = [status for number, status in changes if number <= as_of_round]
        return before[-1] if before else Entry.Status.ACTIVE

    def _ranking(self, as_of_round: int | None, group: int = 0) -> Ranking:
        """group: limit to one group; 0: all. Stand-ins, who have no group, are listed with the first."""
        by_id = self.entrants_at(as_of_round)
        if group:
            by_id = {entry: one for entry, one in by_id.items() if self._group_of(entry) == group}
        return Ranking(
            by_id=by_id,
            played=self.played,
            adjustments=self.adjustments,
            tie_breaks=self.tie_breaks,
            lot_seed=self.stage.lot_seed,
            lowest_wins=self.stage.lowest_wins,
            as_of_round=as_of_round,
        )

    def _group_of(self, entry: str) -> int:
        return self.members[entry].group if entry in self.members else 1


class EntryRow(NamedTuple):
    """An entry. `events`: living events, oldest first, as (kind, round number or None)."""

    id: str
    name: str
    club: str
    status: str
    number: int
    events: tuple[tuple[str, int | None], ...] = ()


def entry_rows(entries: QuerySet[Entry]) -> tuple[EntryRow, ...]:
    """Return the entries of one tournament in the order of the draw."""
    living = FilteredRelation("events", condition=Q(events__voided_at=None))
    rows = entries.annotate(living=living).order_by("number", "id", "living__at", "living__id").values_list(
        "public_id", entry_name(), "player__club_name", "status", "number", "living__kind", "living__round__number",
    )  # fmt: skip
    by_id: dict[str, EntryRow] = {}  # an entry with several events has several rows
    for row in rows:
        kind, number = row[-2:]
        entry = by_id.get(row[0]) or EntryRow(*row[:-2])
        by_id[entry.id] = entry._replace(events=(*entry.events, (kind, number))) if kind else entry
    return tuple(by_id.values())


STATUS_AFTER = {
    EntryEvent.Kind.DROP: Entry.Status.DROPPED,
    EntryEvent.Kind.NO_SHOW: Entry.Status.DROPPED,
    EntryEvent.Kind.RETURN: Entry.Status.ACTIVE,
}


def _status_changes(entries: Sequence[EntryRow]) -> dict[str, list[tuple[int, str]]]:
    changes: dict[str, list[tuple[int, str]]] = {}
    for entry in entries:
        for kind, number in entry.events:
            status = STATUS_AFTER.get(EntryEvent.Kind(kind))
            if status is not None:
                changes.setdefault(entry.id, []).append((number or 0, status))
    return changes


def read(tournament: Tournament, *, stage: Stage | None = None) -> Ledger:
    """Read the ledger of a stage; by default the stage of the round published last.

    Uses four queries, whatever the size; one more before round 1 is published. A Challenge UNO adds four, a stage
    after a cut those of the previous stage, a knockout three for the tables of an open round.
    """
    living = list(tournament.rounds.living().select_related("stage").order_by("number"))
    if stage is None:
        published = [played for played in living if not played.is_draft]
        stage = published[-1].stage if published else tournament.stage
    rounds = [played for played in living if played.stage_id == stage.pk]
    entries = entry_rows(tournament.entries.all())
    rows = (
        HandScore.objects.living()
        .filter(table__round__stage=stage)
        .values_list(
            "table_id", "table__round__number", "hand", "seat", "entry__public_id", "partner__public_id", "went_out",
            "points_left", "points_for", "points_against", "score",
        )
    )  # fmt: skip
    adjusted = adjustments_in(stage).values_list("entry__public_id", "round__number", "points")
    race = read_race(tournament, stage) if stage.eliminates else None
    progression = read_progression(tournament, stage) if stage.plays.advances else None
    before = sum(played.stage_id != stage.pk and played.stage.number < stage.number for played in living)
    members = members_in(stage) if stage.started_at is not None else {}  # its players aren't public earlier
    stayed = _stayed(tournament, stage, members) if members and stage.number > 1 else ()
    counted_rows = tuple(rows)
    if members or stage.number > 1:
        seated = {row[4] for row in counted_rows}

        def plays(row: EntryRow) -> bool:
            if row.status == Entry.Status.STANDIN:  # earlier stand-ins aren't part of a later stage
                return stage.number == 1 or row.id in seated
            return not members or row.id in members

        entries = tuple(filter(plays, entries))
    built = build_ledger(
        tournament,
        stage,
        rounds=rounds,
        entries=entries,
        rows=counted_rows,
        adjusted=adjusted,
        race=race,
        progression=progression,
    )
    return replace(built, planned=before + built.planned, members=members, stayed=stayed)


def _stayed(tournament: Tournament, stage: Stage, members: Collection[str]) -> tuple[Standing, ...]:
    """Return entries left behind when the previous stage ended; later departures don't change them."""
    before = read(tournament, stage=tournament.stages.get(number=stage.number - 1))
    last = before.rounds[-1].number if before.rounds else None
    return tuple(stayed_behind(before.standings(last), members, stage.number - 1, lowest_wins=before.stage.lowest_wins))


def build_ledger(
    tournament: Tournament,
    stage: Stage,
    *,
    rounds: Sequence[Round],
    entries: Sequence[EntryRow],
    rows: Iterable[ScoreRow],
    adjusted: Iterable[tuple[str, int | None, int]],
    race: RaceLedger | None,
    progression: ProgressionLedger | None,
) -> Ledger:
    """Build the ledger of a first stage from rows. `rounds`: its living rounds, ascending, with their stage."""
    return Ledger(
        tournament=tournament,
        stage=stage,
        rounds=tuple(played for played in rounds if played.state != Round.State.DRAFT),
        planned=len(rounds),
        entrants=tuple(Entrant(*entry[:5]) for entry in entries),
        rows=tuple(rows),
        adjustments=tuple(AdjustmentRow(*row) for row in adjusted),
        race=race,
        progression=progression,
        values={played.number: values_of_round(played) for played in rounds},
        came_in={
            entry.id: number or 0 for entry in entries for kind, number in entry.events if kind == EntryEvent.Kind.LATE
        },
        status_changes=_status_changes(entries),
        decided=decided_tables(tables_of_open(rounds).values()) if stage.plays.in_tree else frozenset(),
    )
