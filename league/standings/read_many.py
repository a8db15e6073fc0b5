"""The ledgers of several tournaments at once, in a fixed number of queries, one after the other in memory."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Case, F, FilteredRelation, Q, When

from league.ledger.race import RaceLedger, race_of
from league.models import Adjustment, Entry, HandScore, Round, Stage, Tournament
from league.standings.read import EntryRow, Ledger, made_of

People = Mapping[str, Iterable[int]]
CHALLENGE = "challenge"


_NO_MORE: tuple[int, list[Any]] = (0, [])


class _Listed(NamedTuple):
    """Who is on the list of a tournament: the entries, whose they are, and their events as a race has them."""

    rows: tuple[EntryRow, ...] = ()
    people: dict[str, tuple[int, ...]] = {}
    events: tuple[tuple[str, str, int | None, datetime], ...] = ()


def read_many(tournaments: Iterable[Tournament]) -> Iterator[tuple[Ledger, People]]:
    """The ledger of each that has rounds, and {entry: the keys of those who played for it, or whose entry it is}.

    Of a team everybody who played a hand; of any other entry the one whose it is; bots are nobody. No names are read.
    Four queries, none where there are no tournaments.
    """
    wanted = {one.pk: one for one in tournaments}
    if not wanted:
        return
    rounds: dict[int, list[Round]] = defaultdict(list)
    living = Round.objects.living().filter(tournament__in=wanted)
    for one in living.select_related("stage").order_by("number"):
        rounds[one.tournament_id].append(one)
    listed = _listed(wanted)
    adjusted: dict[int, list[tuple[str, int | None, datetime, int]]] = defaultdict(list)
    living_ones = Adjustment.objects.filter(entry__tournament__in=wanted, voided_at=None)
    columns = ("entry__tournament", "entry__public_id", "round__number", "recorded_at", "points")
    for of, entry, number, at, points in living_ones.values_list(*columns):
        adjusted[of].append((entry, number, at, points))
    hands = _hands(wanted)
    of, rows = next(hands, _NO_MORE)
    for key in sorted(rounds):
        yield _book(wanted[key], rounds[key], listed[key], rows if of == key else [], adjusted[key])
        if of == key:
            of, rows = next(hands, _NO_MORE)


def _book(
    tournament: Tournament,
    rounds: Sequence[Round],
    listed: _Listed,
    rows: Sequence[Any],
    adjusted: Sequence[tuple[str, int | None, datetime, int]],
) -> tuple[Ledger, People]:
    stage = rounds[0].stage
    people: People = listed.people
    if stage.has_teams:
        played: dict[str, set[int]] = defaultdict(set)
        for row in rows:
            if row[13] is not None:
                played[row[4]].add(row[13])
        people = {entry: sorted(keys) for entry, keys in played.items()}
    book = made_of(
        tournament,
        stage,
        rounds=rounds,
        entries=listed.rows,
        rows=[row[:11] for row in rows],
        adjusted=[(entry, number, points) for entry, number, _at, points in adjusted],
        race=_race(stage, listed, rows, adjusted) if stage.format == CHALLENGE else None,
    )
    return book, people


def _race(
    stage: Stage,
    listed: _Listed,
    rows: Sequence[Any],
    adjusted: Sequence[tuple[str, int | None, datetime, int]],
) -> RaceLedger:
    return race_of(
        stage,
        entrants=[one.id for one in listed.rows if one.status != Entry.Status.STANDIN],
        rows=[(row[0], row[11], row[1], row[2], row[12], row[4], row[10]) for row in rows],
        adjusted=adjusted,
        events=listed.events,
    )


def _hands(tournaments: Iterable[int]) -> Iterator[tuple[int, list[Any]]]:
    """The rows of one tournament after the other, by their keys: the columns of a `ScoreRow`, then table number, when
    it counted (of a race alone: a moment is slow to read) and by whose hand."""
    rows = (
        HandScore.objects.living()
        .filter(table__round__tournament__in=tournaments)
        .order_by("table__round__tournament_id", "pk")
        .annotate(moment=Case(When(table__round__stage__format=CHALLENGE, then=F("counted_at"))))
        .values_list(
            "table_id", "table__round__number", "hand", "seat", "entry__public_id", "partner__public_id", "went_out",
            "points_left", "points_for", "points_against", "score", "table__number", "moment", "played_by_id",
            "table__round__tournament_id",
        )
    )  # fmt: skip
    for tournament, own in groupby(rows.iterator(), key=itemgetter(14)):
        yield tournament, list(own)


def _listed(tournaments: Iterable[int]) -> dict[int, _Listed]:
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
    found: dict[int, _Listed] = defaultdict(_Listed)
    for tournament, own in groupby(rows, key=itemgetter(0)):
        entries: dict[str, EntryRow] = {}
        people: dict[str, tuple[int, ...]] = {}
        events = []
        for _tournament, entry, status, number, player, bot, kind, round_number, at in own:
            known = entries.get(entry) or EntryRow(entry, "", "", status, number, "", None, None)
            if kind:
                known = known._replace(events=(*known.events, (kind, round_number)))
                events.append((entry, kind, round_number, at))
            entries[entry] = known
            people[entry] = () if bot else (player,)
        found[tournament] = _Listed(tuple(entries.values()), people, tuple(events))
    return found
