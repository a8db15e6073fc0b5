"""Writes moves: one alone, or a group of requests together.

A group is one transaction in which one thread answers the waiting requests for moves (config/groups.py), at most one a
table. It locks those tables first, so no other process changes the rows. The code that decides a move is the same in
both cases; the group writes all results at the end.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial

from django.db import connection, transaction

from games.models import Deal, Move
from games.online.play import replay
from games.online.play.deals import cache_deal
from games.online.play.notify import notify_counted
from games.online.play.replay import Played, cache_after_commit
from league.access.table_rows import one_moment
from league.lib.prepared_sql import PreparedInsert, PreparedQuery, PreparedUpdate
from league.models import Table

# The columns of a deal that a move may change; all others are fixed when the deck is sealed.
IN_PLAY = ("places", "moves_made", "turn", "asked_at", "due_at", "bot_at", "paused_at", "pause_reason")


@dataclass
class PendingMove:
    """A move to write, and the deal after it. `mover`: as for `notify_page`."""

    deal: Deal
    played: Played
    move: Move
    mover: str | None


class RetryOutsideGroup(BaseException):
    """Raised in a group for a request that needs its own transaction: it is refused, or ends a hand.

    It is not an `Exception`, so Django doesn't turn it into a response.
    """


class Group:
    """`tables`: keys of the locked tables. A table locked by another process is skipped."""

    def __init__(self, tables: Sequence[int]) -> None:
        self.tables = frozenset(tables)
        self._pending: list[PendingMove] = []

    def add(self, pending: PendingMove) -> None:
        """Queue a move for `write`. From now on this thread sees the hand after it."""
        self._pending.append(pending)
        replay.stage_uncommitted(pending.deal, pending.played)

    def write(self) -> list[int]:
        """Write all moves except those with a used key; return the tables of the latter."""
        keyed = [value for pending in self._pending for value in (pending.deal.pk, pending.move.key)]
        used = set(_used_keys(len(self._pending)).rows(*keyed)) if keyed else set()
        write([pending for pending in self._pending if (pending.deal.pk, pending.move.key) not in used])
        return [pending.deal.table_id for pending in self._pending if (pending.deal.pk, pending.move.key) in used]


@cache
def _used_keys(moves: int) -> PreparedQuery:
    pairs = " OR ".join(["(deal_id = %s AND key = %s)"] * moves)
    return PreparedQuery(f"SELECT deal_id, key FROM {Move._meta.db_table} WHERE key <> '' AND ({pairs})")


_here = threading.local()


def this_group() -> Group | None:
    """Return this thread's group, while it answers one."""
    return getattr(_here, "group", None)


@contextmanager
def group(tables: Sequence[int]) -> Iterator[Group]:
    """Open a transaction with the locks of the free tables, and cache their rows."""
    with transaction.atomic():
        free = [key for (key,) in _locks(len(tables)).rows(*sorted(tables))]
        with one_moment(free):
            _here.group = Group(free)
            try:
                yield _here.group
            finally:
                del _here.group
                replay.discard_uncommitted()


@cache
def _locks(tables: int) -> PreparedQuery:
    keys = range(1, tables + 1)
    return PreparedQuery(
        lambda: (
            Table.objects.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked)
            .order_by("pk")
            .filter(pk__in=keys)
            .values_list("pk")
        )
    )


def write(moves: Sequence[PendingMove]) -> None:
    """Write moves in this transaction, which holds the tables' locks."""
    if not moves:
        return
    _add_moves.run([pending.move for pending in moves])
    for pending in moves:
        cache_after_commit(pending.deal, pending.played)
    # The end of a hand has saved its own rows and notified its own pages.
    if unfinished := [pending for pending in moves if not pending.played.hand.over]:
        _save_in_play.run([pending.deal for pending in unfinished])
        notify_counted([(pending.deal.table, pending.mover) for pending in unfinished])
    for pending in unfinished:
        transaction.on_commit(partial(cache_deal, pending.deal.table, pending.deal), robust=True)


_add_moves = PreparedInsert(Move)
_save_in_play = PreparedUpdate(Deal, IN_PLAY)
