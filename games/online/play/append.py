"""Writes moves: whatever waits at one moment goes into the database together, in one transaction of one thread.

A move is decided on rows that were read before. It is written only if, under the table's lock, they are still right:
the mark of a table (league/access/table_rows.py) has all that decides whether play goes on there, and the count of what
happened in play, which every other move and deed changes.
"""

import logging
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from queue import Empty, SimpleQueue

from django.db import Error, IntegrityError, connection, transaction

from games.models import Deal, Move
from games.online.play.latest import keep_deal
from games.online.play.replay import Played, keep_after_commit
from games.online.play.tell import tell_pages
from league.access.table_rows import Mark, marks_of
from league.lib.prepared_sql import Written, WrittenInsert, WrittenUpdate
from league.models import Table

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 64
PATIENCE = 20.0  # seconds that a request waits for the thread; then it writes for itself
IDLE = 30.0  # seconds without a move after which the thread's connection is closed

# The columns of a deal that a move may change; the others stand from when the deck was sealed.
IN_PLAY = (
    "state", "places", "moves_made", "turn", "asked_at", "due_at", "bot_at", "paused_at", "pause_reason", "ended_at",
    "hand", "reason",
)  # fmt: skip


@dataclass
class Ask:
    """A move to be written, the deal as it is after it, and the mark that it was decided on.

    `mover`: as `tell_page` takes it. `written`: whether it is committed.
    """

    deal: Deal
    played: Played
    move: Move
    mover: str | None
    mark: Mark = ()
    written: bool = False
    done: threading.Event = field(default_factory=threading.Event)


def append(ask: Ask) -> bool:
    """Write a move that ends no hand, if what it was decided on is still right; returns whether that was done.

    Inside a transaction it becomes part of that. Where the database did not take it, it was not written either: whoever
    asks then does it under the lock, and hears why not.
    """
    if connection.in_atomic_block:
        _write_if_right([ask])
    else:
        _writer.write(ask)
    return ask.written


def _write_if_right(asks: Sequence[Ask]) -> None:
    """One move a table; a second one was decided on what the first one changes."""
    at_tables: dict[int, Ask] = {}
    for ask in asks:
        at_tables.setdefault(ask.deal.table_id, ask)
    try:
        with transaction.atomic():
            # Where somebody else works at a table, nobody waits for it.
            free = [table for (table,) in _locks(len(at_tables)).rows(*sorted(at_tables))]
            marks = marks_of(free) if free else {}
            right = [at_tables[table] for table in free if marks.get(table) == at_tables[table].mark]
            if right:
                write(right)
    except IntegrityError:  # the key of a command that was done before: its own move alone is not written
        if len(at_tables) > 1:
            for ask in at_tables.values():
                _write_if_right([ask])
        return
    for ask in right:
        ask.written = True


@cache
def _locks(tables: int) -> Written:
    locked = Table.objects.select_for_update(skip_locked=True).order_by("pk")
    return Written(lambda: locked.filter(pk__in=range(1, tables + 1)).values_list("pk"))


def write(asks: Sequence[Ask]) -> None:
    """Write moves in this transaction, which holds the locks of their tables."""
    _add_moves.run([ask.move for ask in asks])
    _save_in_play.run([ask.deal for ask in asks])
    for ask in asks:
        keep_after_commit(ask.deal, ask.played)
    going_on = [ask for ask in asks if not ask.played.hand.over]  # the end of a hand tells more
    tell_pages([(ask.deal.table, ask.mover) for ask in going_on])
    for ask in going_on:
        transaction.on_commit(partial(keep_deal, ask.deal.table, ask.deal), robust=True)


_add_moves = WrittenInsert(Move)
_save_in_play = WrittenUpdate(Deal, IN_PLAY)


class _Writer:
    """A thread with one connection, which starts with the first move of each process, also of a forked one."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[Ask] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def write(self, ask: Ask) -> None:
        self._waiting.put(ask)
        if self._thread is None or not self._thread.is_alive():
            with self._starting:
                if self._thread is None or not self._thread.is_alive():
                    self._thread = threading.Thread(target=self._run, name="moves", daemon=True)
                    self._thread.start()
        ask.done.wait(PATIENCE)

    def _run(self) -> None:
        while True:
            asks = self._next()
            try:
                connection.close_if_unusable_or_obsolete()
                _write_if_right(asks)
            except Exception as failed:
                connection.close()  # the database does not answer, or was restarted
                if not isinstance(failed, Error):
                    logger.exception("Moves could not be written")
            finally:
                for ask in asks:
                    ask.done.set()

    def _next(self) -> list[Ask]:
        """All that waits; waits for the first."""
        while True:
            with suppress(Empty):
                asks = [self._waiting.get(timeout=IDLE)]
                break
            connection.close()
        with suppress(Empty):
            while len(asks) < MOST_AT_ONCE:
                asks.append(self._waiting.get_nowait())
        return asks


_writer = _Writer()
