"""Locks in the order in which every write takes them, the tournament's row before the tables."""

from collections.abc import Iterable

from django.db.models import F
from django.http import Http404

from league.access.tournaments import tournaments_naming
from league.models import Club, Table, Tournament


class Gone(Http404):
    """The tournament was deleted while this request waited for it, so its address does not exist any more."""


def lock_tournament(tournament_id: int) -> Tournament:
    """The tournament's row, locked for this transaction. Raises `Gone`.

    The lock does not cover the key: a log row that another transaction adds refers to it, and must not wait for this
    transaction while this one waits for a table that the other holds.
    """
    locked = Tournament.objects.select_for_update(of=("self",), no_key=True)
    tournament = locked.select_related("owner", "club").filter(pk=tournament_id).first()
    if tournament is None:
        raise Gone
    return tournament


def lock_tournaments_of(*players: int) -> list[Tournament]:
    """Lock every tournament where the name of one of these people stands, in the order of the keys."""
    keys = tournaments_naming(*players).values_list("pk", flat=True)
    return [lock_tournament(key) for key in sorted(keys)]


def lock_club(club_id: int) -> Club:
    """The club's row, locked for this transaction: after tournaments and tables, before the end of a log.

    Its members and what they play change only under this lock, which leaves out the key as in `lock_tournament`.
    """
    return Club.objects.select_for_update(of=("self",), no_key=True).select_related("owner").get(pk=club_id)


def lock_tables(ids: Iterable[int | None]) -> None:
    """Lock the tables in the order of their ids, as everybody does."""
    keys = [key for key in ids if key is not None]
    list(Table.objects.select_for_update().filter(pk__in=keys).order_by("pk").values_list("pk"))


def tell_tables(ids: Iterable[int | None]) -> None:
    """Record that other people sit there: a hand that is being typed for the old seats has to be checked again."""
    touched = Table.objects.filter(pk__in=[key for key in ids if key is not None])
    touched.update(seating_version=F("seating_version") + 1, version=F("version") + 1)
