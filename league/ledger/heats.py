"""The ledger of heats, in the form that `league.formats.heats` takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Q, Sum

from league.formats import heats
from league.formats.heats import Played, Result
from league.ledger.race import adjustments_in
from league.models import Entry, HandScore, Round, Seat, Stage, Tournament


@dataclass(frozen=True)
class HeatsLedger:
    """The rounds as they were seated and what everybody made of them; `dropped` is who has left by now."""

    entrants: tuple[str, ...]
    rounds: tuple[Played, ...]
    dropped: frozenset[str]
    table_size: int
    planned: int | None
    seed: str
    lowest_wins: bool

    @cached_property
    def state(self) -> heats.State:
        return self.state_at(None)

    def state_at(self, as_of_round: int | None) -> heats.State:
        rounds = [played for played in self.rounds if as_of_round is None or played.number <= as_of_round]
        return heats.state_of(
            self.entrants,
            rounds,
            dropped=self.dropped,
            table_size=self.table_size,
            planned=self.planned,
            seed=self.seed,
            lowest_wins=self.lowest_wins,
        )


def read_heats(tournament: Tournament, stage: Stage) -> HeatsLedger:
    """Five queries, whatever the size."""
    entries = tournament.entries.exclude(status=Entry.Status.STANDIN).order_by("number", "id")
    statuses = dict(entries.values_list("public_id", "status"))
    rounds = stage.rounds.shown().order_by("number")
    results = _results(stage)
    tables: dict[int, dict[int, list[Result]]] = {}
    seats = Seat.objects.filter(round__in=rounds).exclude(table=None).order_by("table__number", "number")
    for number, table, entry in seats.values_list("round__number", "table__number", "entry__public_id"):
        tables.setdefault(number, {}).setdefault(table, []).append(results.get((number, entry), Result(entry)))
    values = stage.values
    return HeatsLedger(
        entrants=tuple(statuses),
        rounds=tuple(
            Played(number, tables.get(number, {}), state == Round.State.CLOSED)
            for number, state in rounds.values_list("number", "state")
        ),
        dropped=frozenset(entry for entry, status in statuses.items() if status == Entry.Status.DROPPED),
        table_size=stage.table_size,
        planned=values["rounds"],
        seed=stage.lot_seed,
        lowest_wins=stage.lowest_wins,
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
            results[number, entry] = before._replace(points=before.points + points)
    return results
