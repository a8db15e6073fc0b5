"""Rows of a club's rating pages: list, history, chart, progress."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from operator import itemgetter
from typing import Annotated, NamedTuple, TypedDict

from django.db.models import Count, OuterRef, Q, Subquery
from django.http import Http404

from league.access import ClubAccess, Viewer, member_for
from league.access.members import members_of
from league.lib.charts import BandChart, band_chart
from league.models import Player, RatingPoint, Tournament
from league.ratings.model import NEW, Rating
from league.ratings.results import hands_that_count, version_of


class RatingRow(TypedDict):
    rank: Annotated[int | None, "null while the rating is provisional"]
    player_id: Annotated[str, "Member id, as in the address of their page"]
    player: str
    rating: int
    within: Annotated[int, "Margin of error, 95 %"]
    provisional: bool
    tables: int
    last_played: datetime


class RatingStep(TypedDict):
    played: Annotated[datetime, "End of the tournament's last table"]
    tournament: Annotated[str | None, "null if not visible to the caller"]
    tables: int
    rating: Annotated[int, "After that tournament"]
    within: int
    change: int


COLUMNS, HISTORY_COLUMNS = tuple(RatingRow.__annotations__), tuple(RatingStep.__annotations__)


@dataclass(frozen=True)
class Line:
    """A member's rating. rank: None while provisional. played, day: end of the last of `tables`."""

    rank: int | None
    player: Player
    name: str
    rating: Rating
    tables: int
    played: datetime
    day: date

    @property
    def low(self) -> int:
        return self.rating.figure - self.rating.within

    @property
    def high(self) -> int:
        return self.rating.figure + self.rating.within


@dataclass(frozen=True)
class Step:
    """Change of a rating by a tournament. tournament: None if hidden from the viewer. day: in the club's zone."""

    tournament: Tournament | None
    played: datetime
    day: date
    tables: int
    before: Rating
    after: Rating

    @property
    def change(self) -> int:
        return self.after.figure - self.before.figure


class Progress(NamedTuple):
    """Progress of computing outdated ratings."""

    tables_to_go: int


def is_shown(access: ClubAccess, player: Player) -> bool:
    """Return whether the viewer may see the rating. Hidden ones are visible only to their player."""
    return player == access.me or (player.is_rated and access.sees_profile(player))


def rated_member(viewer: Viewer, club_slug: str, member_id: str) -> tuple[ClubAccess, Player]:
    """Return a member whose rating the viewer may see. Raises Http404."""
    access, player = member_for(viewer, club_slug, member_id)
    if not is_shown(access, player):
        raise Http404
    return access, player


class Ratings(NamedTuple):
    """ranked: number of ranked players. unseen: ratings hidden from the viewer because of private profiles."""

    lines: list[Line]
    ranked: int
    unseen: int

    def of(self, player: Player) -> Line | None:
        return next((line for line in self.lines if line.player == player), None)


def ratings_of(access: ClubAccess) -> Ratings:
    """Return the ratings visible to the viewer, highest first, provisional ones last. Two queries.

    Ranks count all public ratings, so every viewer sees the same.
    """
    of_player = RatingPoint.objects.filter(club=access.club, player=OuterRef("pk")).order_by("-at", "-table_id")
    own = Q(rating_points__club=access.club)
    members = members_of(access.club).annotate(
        latest=Subquery(of_player.values("pk")[:1]), tables=Count("rating_points", filter=own)
    )
    people = {
        member.latest: member
        for member in members
        if member.latest is not None and (member.is_rated or member == access.me)
    }
    rows = [
        (Rating(point.mu, point.sigma), point.at, people[point.pk])
        for point in RatingPoint.objects.filter(pk__in=people)
    ]
    rows.sort(key=lambda row: (row[0].is_provisional, -row[0].mu, row[2].name))
    ranked = [rating.mu for rating, _at, player in rows if player.is_rated and not rating.is_provisional]
    lines = [
        Line(
            rank=None if rating.is_provisional or not player.is_rated else ranked.index(rating.mu) + 1,
            player=player,
            name=access.name_of(player),
            rating=rating,
            tables=player.tables,
            played=at,
            day=at.astimezone(access.club.zone).date(),
        )
        for rating, at, player in rows
        if is_shown(access, player)
    ]
    return Ratings(lines, len(ranked), len(rows) - len(lines))


def list_rows(lines: Sequence[Line]) -> Iterator[RatingRow]:
    for line in lines:
        yield {
            "rank": line.rank,
            "player_id": line.player.public_id,
            "player": line.name,
            "rating": line.rating.figure,
            "within": line.rating.within,
            "provisional": line.rating.is_provisional,
            "tables": line.tables,
            "last_played": line.played,
        }


def history_of(access: ClubAccess, player: Player) -> list[Step]:
    """Return the steps by tournament, in chronological order. Two queries."""
    rows = RatingPoint.objects.filter(club=access.club, player=player).order_by("at", "table_id")
    points = rows.values_list("table__round__tournament", "at", "mu", "sigma")
    seen = {tournament.pk: tournament for tournament in access.tournaments()}
    steps: list[Step] = []
    for tournament, of_evening in groupby(points, key=itemgetter(0)):
        tables = list(of_evening)
        _tournament, at, mu, sigma = tables[-1]
        before = steps[-1].after if steps else NEW
        day = at.astimezone(access.club.zone).date()
        steps.append(Step(seen.get(tournament), at, day, len(tables), before, Rating(mu, sigma)))
    return steps


def history_rows(steps: Sequence[Step]) -> Iterator[RatingStep]:
    for step in steps:
        yield {
            "played": step.played,
            "tournament": step.tournament.name if step.tournament else None,
            "tables": step.tables,
            "rating": step.after.figure,
            "within": step.after.within,
            "change": step.change,
        }


def chart_of(steps: Sequence[Step]) -> BandChart | None:
    """Draw the ratings; None with fewer than two tournaments."""
    if len(steps) < 2:
        return None
    return band_chart([(step.after.figure, step.after.within) for step in steps])


def progress_of(access: ClubAccess) -> Progress | None:
    """Return the progress of computing; None if the ratings are up to date."""
    club = access.club
    if version_of(club) == club.ratings_version:
        return None
    last = RatingPoint.objects.filter(club=club).order_by("-at", "-table_id").first()
    to_come = hands_that_count(club)
    if last is not None:
        to_come = to_come.filter(Q(counted_at__gt=last.at) | Q(counted_at=last.at, table__gt=last.table_id))
    return Progress(to_come.order_by().values("table").distinct().count())
