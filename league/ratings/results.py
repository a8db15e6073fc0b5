"""Read the results behind ratings: a club's tables in order, with their players."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import BigIntegerField, Count, F, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce

from engine.rules import WINNER_TAKES
from league.formats import FORMATS
from league.models import (
    Club,
    ClubLogEntry,
    Entry,
    HandScore,
    LogHead,
    Player,
    RatingPoint,
    Round,
    Stage,
    Table,
    Team,
    Tournament,
)
from league.models.ledger import HandScoreQuerySet
from league.ratings.model import Rating, Sat, Side, sides_of
from league.standings import read as ledger
from league.standings.read import Ledger
from league.standings.read_many import read_many


class Position(NamedTuple):
    """Position of a table in the order of ratings. at: time of its last living hand."""

    at: datetime
    table: int
    format: str
    scoring: str


class People(NamedTuple):
    """teams: keys of players that are teams. merged_into: {key of a merged record: its successor}."""

    teams: frozenset[int]
    merged_into: dict[int, int]

    def person(self, player: int) -> int | None:
        while player in self.merged_into:
            player = self.merged_into[player]
        return None if player in self.teams else player


def hands_that_count(club: Club) -> HandScoreQuerySet:
    """Return the living hands of finished tables: reported, confirmed, or in a closed round."""
    is_done = Q(table__round__state=Round.State.CLOSED) | Q(
        table__state__in=(Table.State.REPORTED, Table.State.CONFIRMED)
    )
    of_club = HandScore.objects.living().filter(
        table__round__tournament__club=club,
        table__round__tournament__kind=Tournament.Kind.EVENT,
        table__round__tournament__counts_in_club=True,
    )
    return of_club.filter(is_done).exclude(table__round__state=Round.State.VOID).exclude(table__state=Table.State.VOID)


def positions(club: Club) -> list[Position]:
    """Return every counted table in order. One query; some tens of bytes a table."""
    tables = hands_that_count(club).order_by().values_list("table_id", "table__round__stage__format")
    rows = tables.annotate(scoring=F("table__round__stage__scoring"), at=Max("counted_at")).order_by("at", "table_id")
    return [Position(at, table, format_, scoring) for table, format_, scoring, at in rows]


def people_of(club: Club) -> People:
    teams = Team.objects.filter(player__entries__tournament__club=club).values_list("player_id", flat=True)
    merged = Player.objects.exclude(merged_into=None).values_list("pk", "merged_into_id")
    return People(frozenset(teams), {gone: into for gone, into in merged if into is not None})


def read_sides(tables: Sequence[Position], people: People) -> list[tuple[Side, ...]]:
    """Return the sides of each of these tables, in order. One query; the database sums the hands.

    Formats with uncounted hands need a few more queries.
    """
    rows = (
        HandScore.objects.living()
        .filter(table__in=[position.table for position in tables])
        .exclude(pk__in=_uncounted_keys(tables))
        .order_by()
        .values_list("table_id", "seat", "entry_id", "entry__player_id", "played_by_id", "entry__status", "entry__bot")
        .annotate(hands=Count("pk"), first=Min("hand"), points=Sum("score"))
    )
    sat: dict[int, list[Sat]] = defaultdict(list)
    for table, seat, entry, player, played_by, status, bot, hands, first, points in rows:
        is_rated = played_by or not (bot or status == Entry.Status.STANDIN)
        person = people.person(played_by or player) if is_rated else None
        sat[table].append(Sat(seat, entry, person, hands, first, points))
    return [
        sides_of(
            sorted(sat[position.table], key=lambda row: (row.seat, row.first)),
            partners=FORMATS[position.format].partners,
            lowest_wins=position.scoring != WINNER_TAKES,
        )
        for position in tables
    ]


def _uncounted_keys(tables: Sequence[Position]) -> list[int]:
    """Return the keys of scores that standings ignore: after the end of a game, or of eliminated players."""
    can_be = [position.table for position in tables if not FORMATS[position.format].drawn_ahead]
    tournaments = Tournament.objects.filter(rounds__tables__in=can_be).distinct() if can_be else ()
    left_out = set()
    for book in _books(tournaments):
        counted = {(score.table, score.hand, score.entry) for score in book.counted}
        left_out |= {(score.table, score.hand, score.entry) for score in book.scores} - counted
    if not left_out:
        return []
    rows = HandScore.objects.living().filter(table__in={table for table, _hand, _entry in left_out})
    keys = rows.values_list("pk", "table_id", "hand", "entry__public_id")
    return [pk for pk, table, hand, entry in keys if (table, hand, entry) in left_out]


def _books(tournaments: Iterable[Tournament]) -> Iterator[Ledger]:
    """Yield the ledgers of all their stages; tournaments of one stage are read together."""
    with_more = set(Stage.objects.filter(tournament__in=tournaments, number=2).values_list("tournament", flat=True))
    in_parts = [tournament for tournament in tournaments if tournament.pk in with_more]
    yield from (book for book, _people in read_many(set(tournaments) - set(in_parts)))
    for tournament in in_parts:
        yield from (ledger.read(tournament, stage=stage) for stage in tournament.stages.exclude(started_at=None))


def latest_ratings(club: Club, players: Collection[int]) -> dict[int, Rating]:
    """Return {key of a player: current rating} for public ratings. Two queries."""
    of_player = RatingPoint.objects.filter(club=club, player=OuterRef("pk")).order_by("-at", "-table_id")
    visible = Player.objects.filter(pk__in=players, is_rated=True).annotate(latest=Subquery(of_player.values("pk")[:1]))
    latest = [player.latest for player in visible if player.latest is not None]
    points = RatingPoint.objects.filter(pk__in=latest).values_list("player_id", "mu", "sigma")
    return {player: Rating(mu, sigma) for player, mu, sigma in points}


def _version() -> CombinedExpression:
    """Return a number that changes with every log row of a club and its tournaments.

    Every change of a result or a person has a log row. So ratings go stale without an extra write when a hand is
    recorded.
    """
    heads = LogHead.objects.filter(tournament__club=OuterRef("pk"), tournament__kind=Tournament.Kind.EVENT)
    rows = heads.order_by().values("tournament__club").annotate(rows=Sum("number")).values("rows")
    own = ClubLogEntry.objects.filter(club=OuterRef("pk")).order_by().values("club").annotate(rows=Count("pk"))
    return Coalesce(Subquery(rows), Value(0), output_field=BigIntegerField()) + Coalesce(
        Subquery(own.values("rows")), Value(0), output_field=BigIntegerField()
    )


def version_of(club: Club) -> int:
    version: int = Club.objects.annotate(version=_version()).get(pk=club.pk).version
    return version


def out_of_date() -> QuerySet[Club]:
    """Return the clubs whose ratings have an older version."""
    return Club.objects.annotate(version=_version()).exclude(version=F("ratings_version"))
