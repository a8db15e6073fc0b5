"""Locks, in the order of every write: the tournament's row, then tables."""

from collections.abc import Iterable

from django.db.models import F
from django.http import Http404

from league.access.tournaments import tournaments_naming
from league.models import Club, Table, Tournament


class Gone(Http404):
    """The tournament was deleted while this request waited for its lock."""


def lock_tournament(tournament_id: int) -> Tournament:
    """Return the tournament's row, locked for this transaction. Raises `Gone`.

    The lock doesn't cover the key. A log row of another transaction refers to it, and waiting for it could deadlock
    with a table lock.
    """
    locked = Tournament.objects.select_for_update(of=("self",), no_key=True)
    tournament = locked.select_related("owner", "club").filter(pk=tournament_id).first()
    if tournament is None:
        raise Gone
    return tournament


def lock_tournaments_of(*players: int) -> list[Tournament]:
    """Lock every tournament that names one of these people, in order of ids."""
    keys = tournaments_naming(*players).values_list("pk", flat=True)
    return [lock_tournament(key) for key in sorted(keys)]


def lock_club(club_id: int) -> Club:
    """Return the club's row, locked after tournaments and tables, before the end of a log.

    Members and their results change only under this lock, which excludes the key as in `lock_tournament`.
    """
    return Club.objects.select_for_update(of=("self",), no_key=True).select_related("owner").get(pk=club_id)


def lock_tables(ids: Iterable[int | None]) -> None:
    """Lock tables in order of their ids, like every caller."""
    keys = [key for key in ids if key is not None]
    list(Table.objects.select_for_update().filter(pk__in=keys).order_by("pk").values_list("pk"))


def tell_tables(ids: Iterable[int | None]) -> None:
    """Record a change of seats, so that a hand typed for the old seats must be checked again."""
    touched = Table.objects.filter(pk__in=[key for key in ids if key is not None])
    touched.update(seating_version=F("seating_version") + 1, version=F("version") + 1)
