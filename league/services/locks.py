"""The tournament's row as a lock: the first one that a write takes."""

from league.models import Tournament


def lock_tournament(tournament_id: int) -> Tournament:
    """The tournament's row, locked for this transaction.

    Without its key: a log row that another transaction adds refers to this row, and must not wait for it while that
    transaction holds a table for which this one waits.
    """
    locked = Tournament.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("owner", "club").get(pk=tournament_id)
