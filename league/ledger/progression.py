"""The ledger of formats in which only some players advance, in the form of `Format.state_of`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from league.formats import Chosen, Format, progression
from league.formats.progression import Began, Played, Result
from league.ledger.entered import entries_in, members_in, seeds_in
from league.ledger.progress import values_of_round
from league.ledger.race import adjustments_in
from league.models import Adjustment, Entry, EntryEvent, HandScore, Round, Seat, Stage, Tournament


@dataclass(frozen=True)
class ProgressionLedger:
    """The starting players, the seated rounds, and all results."""

    began: Began
    rounds: tuple[Played, ...]
    plays: Format
    values: Chosen

    @cached_property
    def state(self) -> progression.State:
        return self.state_at(None)

    def state_at(
        self, as_of_round: int | None, *, by_results: bool = False, decided: Collection[int] = ()
    ) -> progression.State:
        """Return the state after a round: by the seats of the next one, or `by_results` by points.

        `decided`: tables of the open round whose duel is over, so that standings follow at once.
        """
        rounds = [played for played in self.rounds if as_of_round is None or played.number <= as_of_round]
        later = self.rounds[len(rounds) :]
        following = later[0] if rounds and later and not by_results else None
        if decided and rounds and not later and not rounds[-1].is_over:
            rounds[-1] = replace(rounds[-1], decided=decided)
        return self.plays.state_of(self.began, rounds, following, self.values)


SECOND = 2  # in `Table.ladder`: the second ladder, or the match for third place
LEAVES = (EntryEvent.Kind.DROP, EntryEvent.Kind.NO_SHOW)


@dataclass(frozen=True)
class _Leaving:
    """Drop-outs and returns in order: (entry, kind, round number, time)."""

    events: tuple[tuple[str, str, int | None, datetime], ...]

    def by(self, number: int, moment: datetime | None = None) -> frozenset[str]:
        """Return the absent players at a moment, or before the next round was published."""
        away: dict[str, bool] = {}
        for entry, kind, of_round, at in self.events:
            if (of_round or 0) <= number and (moment is None or at <= moment):
                away[entry] = kind in LEAVES
        return frozenset(entry for entry, is_away in away.items() if is_away)


def read_progression(tournament: Tournament, stage: Stage) -> ProgressionLedger:
    """Read the ledger in six queries."""
    members = members_in(stage)
    statuses = dict(entries_in(stage).values_list("public_id", "status"))
    rounds = list(stage.rounds.shown().order_by("number"))
    for played in rounds:
        played.stage = stage
    results, decided = _results(stage, rounds)
    tables: dict[int, dict[int, list[Result]]] = {}
    second: dict[int, set[int]] = {}
    byes: dict[int, list[str]] = {}
    seats = Seat.objects.filter(round__in=rounds).order_by("table__number", "number", "pk")
    lost: dict[int, set[str]] = {}
    columns = ("round__number", "table__number", "table__ladder", "entry__public_id", "has_lost", "member")
    for number, table, of_ladder, entry, has_lost, member in seats.values_list(*columns):
        if has_lost:
            lost.setdefault(number, set()).add(entry)
        if table is None:
            byes.setdefault(number, []).append(entry)
            continue
        if member == 0:  # a team has two seats
            tables.setdefault(number, {}).setdefault(table, []).append(results.get((number, entry), Result(entry)))
        if of_ladder == SECOND:
            second.setdefault(number, set()).add(table)
    events = EntryEvent.objects.living().filter(
        entry__tournament=tournament, kind__in=(*LEAVES, EntryEvent.Kind.RETURN)
    )
    if stage.ended_at is not None:
        events = events.exclude(round__stage__number__gt=stage.number)
    noted = events.order_by("at", "id").values_list("entry__public_id", "kind", "round__number", "at", "round__state")
    # A player who left in an undone round has left after the round before it.
    leaving = _Leaving(
        tuple(
            (entry, kind, number - 1 if number and state == Round.State.VOID else number, at)
            for entry, kind, number, at, state in noted
        )
    )
    listed = sorted(statuses, key=lambda entry: members[entry].order) if members else statuses
    began = Began(
        tuple(listed),
        seeds_in(stage),
        frozenset(entry for entry, status in statuses.items() if status == Entry.Status.DROPPED),
        stage.lot_seed,
        stage.lowest_wins,
        frozenset(entry for entry, member in members.items() if member.ladder == SECOND),
    )
    values = {played.number: values_of_round(played) for played in rounds}
    return ProgressionLedger(
        began,
        tuple(
            Played(
                played.number,
                tables.get(played.number, {}),
                played.state == Round.State.CLOSED,
                frozenset(second.get(played.number, ())),
                _absent(played, tables.get(played.number, {}), decided, leaving),
                leaving.by(played.number),
                stage.plays.table_size(values[played.number]),
                tuple(byes.get(played.number, ())),
                frozenset(lost.get(played.number, ())),
            )
            for played in rounds
        ),
        stage.plays,
        stage.values,
    )


def _absent(
    played: Round,
    tables: Mapping[int, Sequence[Result]],
    decided: Mapping[tuple[int, str], datetime],
    leaving: _Leaving,
) -> frozenset[str]:
    """Return the players absent when the round was closed; leaving a decided table later changes nothing."""
    away = leaving.by(played.number, played.closed_at)
    seated = {result.entry for results in tables.values() for result in results}
    in_time = {
        entry
        for entry in away & seated
        if (at := decided.get((played.number, entry))) is not None and entry not in leaving.by(played.number, at)
    }
    return away - in_time


def _results(
    stage: Stage, rounds: Sequence[Round]
) -> tuple[Mapping[tuple[int, str], Result], Mapping[tuple[int, str], datetime]]:
    """Return results by round and entry, without hands after a table's deciding one. Adjustments count in their round.

    In a tree they include the time of the deciding hand, corrected or not.
    """
    scores = HandScore.objects.living().filter(table__round__stage=stage).order_by()
    columns = ("table_id", "table__round__number", "hand", "entry__public_id", "score", "went_out", "counted_at")
    rows = list(scores.values_list(*columns))
    if stage.has_teams:
        rows = _one_a_hand(rows)
    values = {played.number: values_of_round(played) for played in rounds}
    done: dict[int, int | None] = {}
    if any(map(stage.plays.ends_early, values.values())):
        hands: dict[tuple[int, int], dict[int, dict[str, int]]] = {}
        for table, number, hand, entry, score, _won, _at in rows:
            hands.setdefault((table, number), {}).setdefault(hand, {})[entry] = score
        done = {table: stage.plays.over_in(played, values[number]) for (table, number), played in hands.items()}
    results: dict[tuple[int, str], Result] = {}
    decided: dict[tuple[int, str], datetime] = {}
    for table, number, hand, entry, score, won, at in rows:
        if stage.plays.in_tree and hand == done.get(table):
            decided[number, entry] = at
        if (last := done.get(table)) is None or hand <= last:
            before = results.get((number, entry), Result(entry))
            results[number, entry] = before._replace(points=before.points + score, won=before.won + won)
    adjusted = adjustments_in(stage).exclude(round=None)
    for number, entry, points, kind in adjusted.values_list("round__number", "entry__public_id", "points", "kind"):
        if number is not None:
            before = results.get((number, entry), Result(entry))
            extra = points if kind == Adjustment.Kind.EXTRA_HAND else 0
            results[number, entry] = before._replace(
                points=before.points + points, adjustments=before.adjustments + points, extra=before.extra + extra
            )
    return results, decided


def _one_a_hand(rows: Sequence[tuple[int, int, int, str, int, bool, datetime]]) -> list[tuple[Any, ...]]:
    """Keep one of a team's two rows in a hand: both carry its score, and one may have gone out."""
    teams: dict[tuple[int, int, str], tuple[Any, ...]] = {}
    for table, number, hand, entry, score, won, at in rows:
        before = teams.get((table, hand, entry))
        teams[table, hand, entry] = (table, number, hand, entry, score, won or (before is not None and before[5]), at)
    return list(teams.values())
