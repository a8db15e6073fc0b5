"""The ledger of a Challenge UNO, in the form of `league.formats.race`."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

from league.formats import race
from league.formats.challenge import Settings
from league.ledger.entered import entries_in
from league.lib.versioned_cache import VersionedCache
from league.models import Adjustment, EntryEvent, HandScore, LogEntry, LogHead, Round, Stage, Tournament

# A no-show counts as a drop-out; only the words differ.
RACE_KIND = {
    EntryEvent.Kind.LATE: race.LATE,
    EntryEvent.Kind.DROP: race.DROP,
    EntryEvent.Kind.NO_SHOW: race.DROP,
    EntryEvent.Kind.RETURN: race.RETURN,
    EntryEvent.Kind.REINSTATED: race.REINSTATED,
}


@dataclass(frozen=True)
class RaceLedger:
    """All records of a tournament. `numbers`: {table id: its number in the round}."""

    settings: Settings
    entrants: tuple[str, ...]
    hands: tuple[race.Hand, ...]
    adjustments: tuple[race.Adjustment, ...]
    changes: tuple[race.Change, ...]
    numbers: dict[int, int]
    _ranks: dict[int, dict[str, int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def state(self) -> race.State:
        return self.state_at(None)

    def state_at(self, as_of_round: int | None) -> race.State:
        return race.state_of(**self._recorded, as_of_round=as_of_round)

    def ranks_after(self, rounds: Collection[int]) -> dict[int, dict[str, int]]:
        """Return {round: {entry: rank after it}}, computed once."""
        if missing := set(rounds) - self._ranks.keys():
            self._ranks.update(race.ranks_after(missing, **self._recorded))
        return {number: self._ranks[number] for number in rounds}

    @property
    def _recorded(self) -> dict[str, Any]:
        return {
            "target": self.settings.target,
            "entrants": self.entrants,
            "hands": self.hands,
            "adjustments": self.adjustments,
            "changes": self.changes,
        }

    def with_hands(self, hands: Mapping[tuple[int, int], race.Hand]) -> "RaceLedger":
        """Return the ledger with these hands added: {(table id, number): hand}."""
        numbers = {table_id: hand.table for (table_id, _number), hand in hands.items()}
        after = replace(self, hands=(*self.hands, *hands.values()), numbers=self.numbers | numbers)
        if (state := self.state.after(hands.values())) is not None:
            vars(after)["state"] = state  # the value of the cached property
            first = min((hand.round for hand in hands.values()), default=0)
            vars(after)["_ranks"] = {number: ranks for number, ranks in list(self._ranks.items()) if number < first}
        return after


def moment_of(when: datetime) -> int:
    """Return a moment as an increasing whole number: microseconds."""
    return int(when.timestamp()) * 1_000_000 + when.microsecond


def settings_of(stage: Stage) -> Settings:
    return Settings.of(stage.values)


def adjustments_in(stage: Stage) -> QuerySet[Adjustment]:
    """Return the points adjustments of a stage: of its rounds, and for the first stage those carried in."""
    living = Adjustment.objects.filter(entry__tournament=stage.tournament_id, voided_at=None)
    if stage.number > 1:
        return living.filter(round__stage=stage)
    return living.exclude(round__stage__number__gt=1) if stage.ended_at is not None else living


def read_race(tournament: Tournament, stage: Stage) -> RaceLedger:
    """Read the race, including writes of this transaction; outside of one, as logged (`race_so_far`)."""
    return _read(tournament, stage) if connection.in_atomic_block else race_so_far(tournament, stage)


def _read(tournament: Tournament, stage: Stage) -> RaceLedger:
    """Read the race in four queries."""
    entries = entries_in(stage)
    adjusted = adjustments_in(stage)
    events = EntryEvent.objects.living().filter(entry__tournament=tournament)
    if stage.ended_at is not None:
        events = events.exclude(round__stage__number__gt=stage.number)
    return race_of(
        stage,
        entrants=entries.values_list("public_id", flat=True),
        rows=_scores(stage).values_list(*_COLUMNS),
        adjusted=adjusted.values_list("entry__public_id", "round__number", "recorded_at", "points"),
        events=events.values_list("entry__public_id", "kind", "round__number", "at"),
    )


_COLUMNS = "table_id", "table__number", "table__round__number", "hand", "counted_at", "entry__public_id", "score"


def _scores(stage: Stage) -> QuerySet[HandScore]:
    living = HandScore.objects.living().filter(table__round__stage=stage)
    return living.exclude(table__round__state=Round.State.VOID)


MOST_BEHIND = 100  # maximum of hands to add; beyond that, read everything


def race_so_far(tournament: Tournament, stage: Stage) -> RaceLedger:
    """Return the race as logged, for callers that have written nothing since the last row.

    It is cached under the log's last known end. New hands are added in three queries; one query if nothing changed.
    """
    heads = LogHead.objects.filter(tournament=tournament)
    number, end, beside_hands = heads.values_list("number", "hash", "beside_hands").first() or (0, "", "")
    found = None
    if known := _known.get(stage.pk, beside_hands):
        found = _catch_up(stage, *known, number, end)
    if found is None:
        # Read the row again: the caller's may predate a change of rules, and later callers share the cache.
        found = _read(tournament, Stage.objects.get(pk=stage.pk))
        found.state  # compute it once, before it is shared  # noqa: B018
    cached = number, end, found
    transaction.on_commit(lambda: _known.put(stage.pk, beside_hands, cached))
    return found


_known: VersionedCache[int, tuple[int, str, RaceLedger]] = VersionedCache(100)


def _catch_up(stage: Stage, since: int, end_then: str, race: RaceLedger, number: int, end: str) -> RaceLedger | None:
    """Return the race with the hands of log rows `since` to `number`; None if it must be read again.

    `end_then` and `end` are the hashes of these rows; a restored backup may have others with their numbers.
    """
    if number == since:
        return race if end_then == end else None
    if not since < number <= since + MOST_BEHIND:
        return None
    log = LogEntry.objects.filter(tournament=stage.tournament_id, number__gt=since, number__lte=number)
    rows = list(log.order_by("number").values_list("previous", "table", "round", "hand"))
    if rows[0][0] != end_then:
        return None
    slots = {(table, round_, hand) for _previous, table, round_, hand in rows}
    slots -= {(hand.table, hand.round, hand.number) for hand in race.hands}  # committed during the read
    if not slots:
        return race
    tables, rounds, numbers = (set(column) for column in zip(*slots, strict=True))
    scores = _scores(stage).filter(table__number__in=tables, table__round__number__in=rounds, hand__in=numbers)
    return race.with_hands(_hands(row for row in scores.values_list(*_COLUMNS) if row[1:4] in slots))


def race_of(
    stage: Stage,
    *,
    entrants: Iterable[str],
    rows: Iterable[tuple[int, int, int, int, datetime, str, int]],
    adjusted: Iterable[tuple[str, int | None, datetime, int]],
    events: Iterable[tuple[str, str, int | None, datetime]],
) -> RaceLedger:
    """Return the ledger from read rows: entrants in order of the draw, other columns as in `read_race`."""
    hands, entrants = _hands(rows), tuple(entrants)
    known = set(entrants)  # a stage may have only some of the tournament's entries
    return RaceLedger(
        settings=settings_of(stage),
        entrants=entrants,
        hands=tuple(hands.values()),
        adjustments=tuple(
            race.Adjustment(entry, number, moment_of(at), points)
            for entry, number, at, points in adjusted
            if entry in known
        ),
        changes=tuple(
            race.Change(entry, RACE_KIND[EntryEvent.Kind(kind)], number or 0, moment_of(at))
            for entry, kind, number, at in events
            if entry in known
        ),
        numbers={table_id: hand.table for (table_id, _number), hand in hands.items()},
    )


def _hands(rows: Iterable[tuple[int, int, int, int, datetime, str, int]]) -> dict[tuple[int, int], race.Hand]:
    """Return {(table id, number): hand} from the `_COLUMNS`."""
    hands: dict[tuple[int, int], race.Hand] = {}
    for table_id, table, number, hand, at, entry, score in rows:
        race_hand = hands.get((table_id, hand))
        if race_hand is None:
            race_hand = hands[table_id, hand] = race.Hand(number, table, hand, moment_of(at), {})
        race_hand.points[entry] = score  # type: ignore[index]
    return hands
