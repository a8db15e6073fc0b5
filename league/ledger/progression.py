"""The ledger where only some go on from a round, in the form that `Format.state_of` takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Count, Q, Sum

from league.formats import progression
from league.formats.progression import Played, Result
from league.ledger.entered import entries_in, members_in
from league.ledger.progress import values_of_round
from league.ledger.race import adjustments_in
from league.models import Entry, EntryEvent, HandScore, Round, Seat, Stage, Tournament


@dataclass(frozen=True)
class ProgressionLedger:
    """The rounds as they were seated and what everybody made of them; `dropped` is who has left by now."""

    entrants: tuple[str, ...]
    rounds: tuple[Played, ...]
    dropped: frozenset[str]
    table_size: int
    planned: int | None
    seed: str
    lowest_wins: bool
    ladders: int
    beside: frozenset[str] = frozenset()  # who plays the second ladder from the first round on

    @cached_property
    def state(self) -> progression.State:
        return self.state_at(None)

    def state_at(self, as_of_round: int | None, *, by_results: bool = False) -> progression.State:
        """After a round: who sat in the one after it went on, or (by_results) who would go on by what they made."""
        rounds = [played for played in self.rounds if as_of_round is None or played.number <= as_of_round]
        later = self.rounds[len(rounds) :]
        return progression.state_of(
            self.entrants,
            rounds,
            following=later[0] if rounds and later and not by_results else None,
            dropped=self.dropped,
            table_size=self.table_size,
            planned=self.planned,
            seed=self.seed,
            lowest_wins=self.lowest_wins,
            ladders=self.ladders,
            beside=self.beside,
        )


SECOND = 2  # the second ladder, in `Table.ladder`
LEAVES = (EntryEvent.Kind.DROP, EntryEvent.Kind.NO_SHOW)


@dataclass(frozen=True)
class _Leaving:
    """Who left and came again, in the order in which it was noted: (entry, kind, number of the round, moment)."""

    events: tuple[tuple[str, str, int | None, datetime], ...]

    def by(self, number: int, moment: datetime | None = None) -> frozenset[str]:
        """Who was away at a moment, or before the next round was published."""
        away: dict[str, bool] = {}
        for entry, kind, of_round, at in self.events:
            if (of_round or 0) <= number and (moment is None or at <= moment):
                away[entry] = kind in LEAVES
        return frozenset(entry for entry, is_away in away.items() if is_away)


def read_progression(tournament: Tournament, stage: Stage) -> ProgressionLedger:
    """Six queries, whatever the size."""
    members = members_in(stage)
    statuses = dict(entries_in(stage).values_list("public_id", "status"))
    rounds = list(stage.rounds.shown().order_by("number"))
    results = _results(stage)
    tables: dict[int, dict[int, list[Result]]] = {}
    second: dict[int, set[int]] = {}
    seats = Seat.objects.filter(round__in=rounds).exclude(table=None).order_by("table__number", "number")
    columns = ("round__number", "table__number", "table__ladder", "entry__public_id")
    for number, table, of_ladder, entry in seats.values_list(*columns):
        tables.setdefault(number, {}).setdefault(table, []).append(results.get((number, entry), Result(entry)))
        if of_ladder == SECOND:
            second.setdefault(number, set()).add(table)
    events = EntryEvent.objects.living().filter(
        entry__tournament=tournament, kind__in=(*LEAVES, EntryEvent.Kind.RETURN)
    )
    if stage.ended_at is not None:
        events = events.exclude(round__stage__number__gt=stage.number)
    noted = events.order_by("at", "id").values_list("entry__public_id", "kind", "round__number", "at")
    leaving = _Leaving(tuple(noted))
    for played in rounds:
        played.stage = stage
    return ProgressionLedger(
        entrants=tuple(sorted(statuses, key=lambda entry: members[entry].order) if members else statuses),
        rounds=tuple(
            Played(
                played.number,
                tables.get(played.number, {}),
                played.state == Round.State.CLOSED,
                frozenset(second.get(played.number, ())),
                leaving.by(played.number, played.closed_at),
                leaving.by(played.number),
                stage.plays.table_size(values_of_round(played)),
            )
            for played in rounds
        ),
        dropped=frozenset(entry for entry, status in statuses.items() if status == Entry.Status.DROPPED),
        table_size=stage.table_size,
        planned=stage.values["rounds"],
        seed=stage.lot_seed,
        lowest_wins=stage.lowest_wins,
        ladders=2 if stage.others_play else stage.values["ladders"] or 1,
        beside=frozenset(entry for entry, member in members.items() if member.ladder == SECOND),
    )


def _results(stage: Stage) -> Mapping[tuple[int, str], Result]:
    """By round and entry; points beside the hands count in their round."""
    scores = HandScore.objects.living().filter(table__round__stage=stage).order_by()
    sums = scores.values_list("table__round__number", "entry__public_id").annotate(
        points=Sum("score"), won=Count("pk", filter=Q(went_out=True))
    )
    results = {(number, entry): Result(entry, points, won) for number, entry, points, won in sums}
    beside = adjustments_in(stage).exclude(round=None)
    for number, entry, points in beside.values_list("round__number", "entry__public_id", "points"):
        if number is not None:
            before = results.get((number, entry), Result(entry))
            results[number, entry] = before._replace(points=before.points + points, beside=before.beside + points)
    return results
