"""Notifies open pages of a change at a table: counts it in the table's row, and wakes pages after the commit."""

from collections.abc import Sequence
from functools import cache

from league.lib.prepared_sql import PreparedQuery
from league.lib.wake import wake_after_commit
from league.models import Table


def notify_page(table: Table, by: str | None = None) -> None:
    """Refresh the pages of this table. The caller holds the table's lock, and read the table under it.

    `by`: the player who moved (`Entry.plays_as`), if the answer to the move shows them the table.
    """
    table.play_version += 1
    notify_counted([(table, by)])


def notify_counted(changes: Sequence[tuple[Table, str | None]]) -> None:
    """Refresh the pages of several tables whose objects are already counted."""
    _count(len(changes)).run(*(table.pk for table, _by in changes))
    for table, by in changes:
        wake_after_commit(table.round.tournament_id, table.play_version, table=table.pk, by=by)


@cache
def _count(tables: int) -> PreparedQuery:
    keys = ", ".join(["%s"] * tables)
    return PreparedQuery(f"UPDATE {Table._meta.db_table} SET play_version = play_version + 1 WHERE id IN ({keys})")
