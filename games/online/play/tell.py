"""Tells that something changed at a table: counts it in its row, and wakes open pages after the commit."""

from collections.abc import Sequence
from functools import cache

from league.lib.prepared_sql import PreparedQuery
from league.lib.wake import wake_after_commit
from league.models import Table


def tell_page(table: Table, by: str | None = None) -> None:
    """Let pages that show this table show it anew. The caller holds the table's lock, and has read it under the lock.

    `by`: who moved (`Entry.plays_as`), if the answer to the move shows them the table.
    """
    table.play_version += 1
    tell_counted([(table, by)])


def tell_counted(told: Sequence[tuple[Table, str | None]]) -> None:
    """As `tell_page`, for several tables whose objects have counted it already."""
    _count(len(told)).run(*(table.pk for table, _by in told))
    for table, by in told:
        wake_after_commit(table.round.tournament_id, table.play_version, table=table.pk, by=by)


@cache
def _count(tables: int) -> PreparedQuery:
    keys = ", ".join(["%s"] * tables)
    return PreparedQuery(f"UPDATE {Table._meta.db_table} SET play_version = play_version + 1 WHERE id IN ({keys})")
