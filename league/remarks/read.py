"""Read warnings: of an event, and of a season."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from league.models import Club, Player, PlayerWarning, Season, Tournament

YEAR = timedelta(days=365)


def warnings_in(tournament: Tournament, people: Iterable[Player]) -> list[PlayerWarning]:
    """Return the warnings to these people in a tournament, oldest first, with the withdrawn ones."""
    return list(_rows(PlayerWarning.objects.filter(tournament=tournament, player__in=list(people))))


def warnings_this_season(club: Club, people: Iterable[Player]) -> list[PlayerWarning]:
    """Return the warnings that count in a club's open seasons, newest first.

    A tournament that counts in no season is part of it since the season began. Without an open season: the last year.
    """
    rows = PlayerWarning.objects.living().filter(_this_season(club), tournament__club=club, player__in=list(people))
    return list(_rows(rows).order_by("-at", "-pk"))


def _rows(rows: QuerySet[PlayerWarning]) -> QuerySet[PlayerWarning]:
    return rows.select_related("player", "tournament", "adjustment", "by")


def _this_season(club: Club) -> Q:
    seasons = list(Season.objects.filter(club=club, closed_at=None).values_list("pk", "created_at"))
    if not seasons:
        return Q(at__gte=timezone.now() - YEAR)
    since = min(created_at for _pk, created_at in seasons)
    return Q(tournament__season__in=[pk for pk, _at in seasons]) | Q(tournament__season=None, at__gte=since)
