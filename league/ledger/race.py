"""The ledger of a Challenge UNO, in the form that `league.formats.race` takes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import QuerySet

from league.formats import race
from league.formats.challenge import Settings
from league.models import Adjustment, Entry, EntryEvent, HandScore, Round, Stage, Tournament

# A no-show leaves like everybody who drops; only the words differ.
RACE_KIND = {
    EntryEvent.Kind.LATE: race.LATE,
    EntryEvent.Kind.DROP: race.DROP,
    EntryEvent.Kind.NO_SHOW: race.DROP,
    EntryEvent.Kind.RETURN: race.RETURN,
    EntryEvent.Kind.REINSTATED: race.REINSTATED,
}


@dataclass(frozen=True)
class RaceLedger:
    """All that was recorded of an event. `numbers`: {table id: its number in its round}."""

    settings: Settings
    entrants: tuple[str, ...]
    hands: tuple[race.Hand, ...]
    adjustments: tuple[race.Adjustment, ...]
    changes: tuple[race.Change, ...]
    numbers: dict[int, int]

    @cached_property
    def state(self) -> race.State:
        return self.state_at(None)

    def state_at(self, as_of_round: int | None) -> race.State:
        return race.state_of(
            target=self.settings.target,
            entrants=self.entrants,
            hands=self.hands,
            adjustments=self.adjustments,
            changes=self.changes,
            as_of_round=as_of_round,
        )


def moment_of(when: datetime) -> int:
    """A moment as a whole number that grows: microseconds."""
    return int(when.timestamp()) * 1_000_000 + when.microsecond


def settings_of(stage: Stage) -> Settings:
    return Settings.of(stage.values)


def adjustments_in(stage: Stage) -> QuerySet[Adjustment]:
    """The points beside the hands that count in a stage: of its rounds, in the first one also what was carried in."""
    living = Adjustment.objects.filter(entry__tournament=stage.tournament_id, voided_at=None)
    if stage.number > 1:
        return living.filter(round__stage=stage)
    return living.exclude(round__stage__number__gt=1) if stage.ended_at is not None else living


def read_race(tournament: Tournament, stage: Stage) -> RaceLedger:
    """Four queries, whatever the size."""
    entries = tournament.entries.exclude(status=Entry.Status.STANDIN).order_by("number", "id")
    adjusted = adjustments_in(stage)
    events = EntryEvent.objects.living().filter(entry__tournament=tournament)
    if stage.ended_at is not None:
        events = events.exclude(round__stage__number__gt=stage.number)
    scores = HandScore.objects.living().filter(table__round__stage=stage).exclude(table__round__state=Round.State.VOID)
    rows = scores.values_list(
        "table_id", "table__number", "table__round__number", "hand", "counted_at", "entry__public_id", "score"
    )
    return race_of(
        stage,
        entrants=entries.values_list("public_id", flat=True),
        rows=rows,
        adjusted=adjusted.values_list("entry__public_id", "round__number", "recorded_at", "points"),
        events=events.values_list("entry__public_id", "kind", "round__number", "at"),
    )


def race_of(
    stage: Stage,
    *,
    entrants: Iterable[str],
    rows: Iterable[tuple[int, int, int, int, datetime, str, int]],
    adjusted: Iterable[tuple[str, int | None, datetime, int]],
    events: Iterable[tuple[str, str, int | None, datetime]],
) -> RaceLedger:
    """The ledger from what was read: entrants in the order of the draw, the other columns as `read_race` reads them."""
    hands, numbers = _hands(rows)
    return RaceLedger(
        settings=settings_of(stage),
        entrants=tuple(entrants),
        hands=hands,
        adjustments=tuple(
            race.Adjustment(entry, number, moment_of(at), points) for entry, number, at, points in adjusted
        ),
        changes=tuple(
            race.Change(entry, RACE_KIND[EntryEvent.Kind(kind)], number or 0, moment_of(at))
            for entry, kind, number, at in events
        ),
        numbers=numbers,
    )


def _hands(
    rows: Iterable[tuple[int, int, int, int, datetime, str, int]],
) -> tuple[tuple[race.Hand, ...], dict[int, int]]:
    hands: dict[tuple[int, int], race.Hand] = {}
    numbers = {}
    for table_id, table, number, hand, at, entry, score in rows:
        numbers[table_id] = table
        race_hand = hands.get((table_id, hand))
        if race_hand is None:
            race_hand = hands[table_id, hand] = race.Hand(number, table, hand, moment_of(at), {})
        race_hand.points[entry] = score  # type: ignore[index]
    return tuple(hands.values()), numbers
