"""Locks in the order in which every write takes them, the tournament's row before the tables."""

from collections.abc import Iterable

from django.db.models import F, Q
from django.http import Http404

from league.models import Club, Table, Tournament


class Gone(Http404):
    """The tournament was deleted while this request waited for it: by now its address is none."""


def lock_tournament(tournament_id: int) -> Tournament:
    """The tournament's row, locked for this transaction. Raises `Gone`.

    Without its key: a log row that another transaction adds refers to this row, and must not wait for it while that
    transaction holds a table for which this one waits.
    """
    locked = Tournament.objects.select_for_update(of=("self",), no_key=True)
    found = locked.select_related("owner", "club").filter(pk=tournament_id).first()
    if found is None:
        raise Gone
    return found


def lock_tournaments_of(*players: int) -> list[Tournament]:
    """Every tournament on whose list one of these people is, by themselves or in a team, in the order of their keys."""
    entered = Q(entries__player__in=players) | Q(entries__player__team__members__player__in=players)
    whose = Tournament.objects.filter(entered).order_by("pk")
    return [lock_tournament(pk) for pk in whose.values_list("pk", flat=True).distinct()]


def lock_club(club_id: int) -> Club:
    """The club's row, locked for this transaction: after tournaments and tables, before the end of a log.

    Who its members are and what they play changes under this lock. Without its key, as `lock_tournament`.
    """
    return Club.objects.select_for_update(of=("self",), no_key=True).select_related("owner").get(pk=club_id)


def lock_tables(ids: Iterable[int | None]) -> None:
    """In the order of their ids, as everybody does."""
    keys = [key for key in ids if key is not None]
    list(Table.objects.select_for_update().filter(pk__in=keys).order_by("pk").values_list("pk"))


def tell_tables(ids: Iterable[int | None]) -> None:
    """That who sits there changed: a hand that is being typed for the seats before is asked about."""
    touched = Table.objects.filter(pk__in=[key for key in ids if key is not None])
    touched.update(seating_version=F("seating_version") + 1, version=F("version") + 1)
