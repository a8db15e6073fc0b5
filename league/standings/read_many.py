"""Read the ledgers of several tournaments in a fixed number of queries, with one in memory at a time."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Case, F, FilteredRelation, Q, When

from league.formats import FORMATS
from league.ledger.progression import read_progression
from league.ledger.race import RaceLedger, race_of
from league.lib.versioned_cache import VersionedCache
from league.models import Adjustment, Entry, HandScore, LogHead, Round, Stage, Tournament
from league.standings import read as ledger
from league.standings.ranking import Standing
from league.standings.read import EntryRow, Ledger, build_ledger, read

People = Mapping[str, Iterable[int]]

ELIMINATING = [key for key, plays in FORMATS.items() if plays.eliminates]
"""Formats of races, which depend on the moment of each hand."""

_NO_MORE: tuple[int, list[Any]] = (0, [])


class _EntryList(NamedTuple):
    """The list of a tournament: entries, their people, and events as a race needs them."""

    rows: tuple[EntryRow, ...] = ()
    people: dict[str, tuple[int, ...]] = {}
    events: tuple[tuple[str, str, int | None, datetime], ...] = ()


def read_many(tournaments: Iterable[Tournament]) -> Iterator[tuple[Ledger, People]]:
    """Yield each ledger with rounds, and {entry with a hand: keys of its players}.

    A team maps to all people who played a hand, other entries to their player; bots map to none. Hands of any stage
    count. No names are read.

    Uses four queries, none without tournaments. Each elimination stage adds six, and an open round of a knockout
    three.
    """
    by_key = {tournament.pk: tournament for tournament in tournaments}
    if not by_key:
        return
    rounds: dict[int, list[Round]] = defaultdict(list)
    living = Round.objects.living().filter(tournament__in=by_key)
    for played in living.select_related("stage").order_by("number"):
        rounds[played.tournament_id].append(played)
    listed = _read_lists(by_key)
    adjusted: dict[int, list[tuple[str, int | None, datetime, int]]] = defaultdict(list)
    living_ones = Adjustment.objects.filter(entry__tournament__in=by_key, voided_at=None)
    columns = ("entry__tournament", "entry__public_id", "round__number", "recorded_at", "points")
    for key, entry, number, at, points in living_ones.values_list(*columns):
        adjusted[key].append((entry, number, at, points))
    hands = _hands(by_key)
    hands_key, rows = next(hands, _NO_MORE)
    for key in sorted(rounds):
        yield _book(by_key[key], rounds[key], listed[key], rows if hands_key == key else [], adjusted[key])
        if hands_key == key:
            hands_key, rows = next(hands, _NO_MORE)


def _book(
    tournament: Tournament,
    rounds: Sequence[Round],
    listed: _EntryList,
    rows: Sequence[Any],
    adjusted: Sequence[tuple[str, int | None, datetime, int]],
) -> tuple[Ledger, People]:
    published = [played for played in rounds if not played.is_draft]
    stage = (published or rounds)[-1].stage  # other packages need the end of the last stage
    rounds = [played for played in rounds if played.stage_id == stage.pk]
    played: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        played[row[4]] |= set() if row[13] is None else {row[13]}
    people: People = {
        entry: sorted(keys) if stage.has_teams else listed.people[entry] for entry, keys in played.items()
    }
    if stage.has_members:
        return read(tournament, stage=stage), people
    book = build_ledger(
        tournament,
        stage,
        rounds=rounds,
        entries=listed.rows,
        rows=[row[:11] for row in rows],
        adjusted=[(entry, number, points) for entry, number, _at, points in adjusted],
        race=_race(stage, listed, rows, adjusted) if stage.eliminates else None,
        progression=read_progression(tournament, stage) if stage.plays.advances else None,
    )
    return book, people


def _race(
    stage: Stage,
    listed: _EntryList,
    rows: Sequence[Any],
    adjusted: Sequence[tuple[str, int | None, datetime, int]],
) -> RaceLedger:
    return race_of(
        stage,
        entrants=[row.id for row in listed.rows if row.status != Entry.Status.STANDIN],
        rows=[(row[0], row[11], row[1], row[2], row[12], row[4], row[10]) for row in rows],
        adjusted=adjusted,
        events=listed.events,
    )


def _hands(tournaments: Iterable[int]) -> Iterator[tuple[int, list[Any]]]:
    """Yield the rows of each tournament in turn: the columns of a `ScoreRow`, then the table's number, the moment it
    counted (only in a race, since moments are slow to read) and the player's key.
    """
    rows = (
        HandScore.objects.living()
        .filter(table__round__tournament__in=tournaments)
        .order_by("table__round__tournament_id", "pk")
        .annotate(moment=Case(When(table__round__stage__format__in=ELIMINATING, then=F("counted_at"))))
        .values_list(
            "table_id", "table__round__number", "hand", "seat", "entry__public_id", "partner__public_id", "went_out",
            "points_left", "points_for", "points_against", "score", "table__number", "moment", "played_by_id",
            "table__round__tournament_id",
        )
    )  # fmt: skip
    for tournament, own in groupby(rows.iterator(), key=itemgetter(14)):
        yield tournament, list(own)


def _read_lists(tournaments: Iterable[int]) -> dict[int, _EntryList]:
    living = FilteredRelation("events", condition=Q(events__voided_at=None))
    rows = (
        Entry.objects.filter(tournament__in=tournaments)
        .annotate(living=living)
        .order_by("tournament_id", "number", "id", "living__at", "living__id")
        .values_list(
            "tournament_id", "public_id", "status", "number", "player_id", "bot", "living__kind",
            "living__round__number", "living__at",
        )
    )  # fmt: skip
    lists: dict[int, _EntryList] = defaultdict(_EntryList)
    for tournament, own in groupby(rows, key=itemgetter(0)):
        entries: dict[str, EntryRow] = {}
        people: dict[str, tuple[int, ...]] = {}
        events = []
        for _tournament, entry, status, number, player, bot, kind, round_number, at in own:
            known = entries.get(entry) or EntryRow(entry, "", "", status, number)
            if kind:
                known = known._replace(events=(*known.events, (kind, round_number)))
                events.append((entry, kind, round_number, at))
            entries[entry] = known
            people[entry] = () if bot else (player,)
        lists[tournament] = _EntryList(tuple(entries.values()), people, tuple(events))
    return lists


_known: VersionedCache[int, tuple[Standing, ...]] = VersionedCache(500)


def standings_of(tournaments: Iterable[Tournament]) -> dict[int, Sequence[Standing]]:
    """Return {tournament key: current standings}. One query, plus those of `ledger.read` for each one not cached."""
    tournaments = list(tournaments)
    heads = LogHead.objects.filter(tournament__in=[tournament.pk for tournament in tournaments])
    hashes = dict(heads.values_list("tournament", "hash"))
    return {tournament.pk: _standings(tournament, hashes.get(tournament.pk, "")) for tournament in tournaments}


def standings_in(book: ledger.Ledger, log: str) -> Sequence[Standing]:
    """Return the standings of the current stage. log: last hash, read before the ledger."""
    known = _known.get(book.tournament.pk, log)
    if known is None:
        known = tuple(book.standings())
        _known.put(book.tournament.pk, log, known)
    return known


def _standings(tournament: Tournament, log: str) -> Sequence[Standing]:
    return _known.get(tournament.pk, log) or standings_in(ledger.read(tournament), log)
