"""An online table as its page and every move there need it: its rows, and who sits there. Kept in memory.

These rows are read many times a second and hardly ever change, and whatever changes them has a row in the log. So what
was read is right for as long as one small query finds the same hash at the log's end, in whichever process a change was
made. Nothing has to be told to forget.
"""

import threading
from collections import OrderedDict
from copy import copy
from functools import cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import BigIntegerField

from league.models import Entry, Table

MOST_TABLES = 200
# What the small query reads: the log's last hash, and besides it what decides who sees what and whether play goes on.
_VERSION = (
    "round__tournament__log_head__hash",
    "round__tournament__visibility",
    "round__tournament__state",
    "round__tournament__paused_at",
    "round__state",
    "state",
    "mode",
    "seating_version",
)


class AtTable(NamedTuple):
    """`table` with its round, stage, tournament and the end of its log; `seated` by seat, with their players."""

    table: Table
    seated: tuple[Entry, ...]


def at_table(table_id: int) -> AtTable | None:
    """A table as it is now, None where there is none. The caller may change what it gets."""
    if table_id > BigIntegerField.MAX_BIGINT:  # an address may hold any number
        return None
    with connection.cursor() as cursor:
        cursor.execute(_small_query(connection.vendor), [table_id])
        found = cursor.fetchone()
    if found is None:
        return None
    play_version, *version = found
    with _lock:
        known = _kept.get(table_id)
    if known is None or known[0] != version:
        known = version, _read(table_id)
        if not connection.in_atomic_block:  # of a transaction nobody knows whether it will have been
            _keep(table_id, known)
    here = _copied(known[1])
    here.table.play_version = play_version
    return here


@cache
def _small_query(vendor: str) -> str:
    """Written once by Django, which takes five times as long to write it as a database to answer it."""
    found = Table.objects.filter(pk=1).order_by().values_list("play_version", *_VERSION)
    return found.query.sql_with_params()[0]


def forget() -> None:
    """Keep nothing; for measurements."""
    with _lock:
        _kept.clear()


_kept: OrderedDict[int, tuple[list[Any], AtTable]] = OrderedDict()
_lock = threading.Lock()


def _keep(table_id: int, known: tuple[list[Any], AtTable]) -> None:
    with _lock:
        _kept[table_id] = known
        _kept.move_to_end(table_id)
        while len(_kept) > MOST_TABLES:
            _kept.popitem(last=False)


def _read(table_id: int) -> AtTable:
    table = Table.objects.select_related("round__tournament__log_head", "round__stage").get(pk=table_id)
    seats = table.seats.select_related("entry__player").order_by("number")
    seated = tuple(seat.entry for seat in seats)
    # What belongs to these rows, and is right for as long as they are; others may add to it.
    kept: dict[str, Any] = {"seated": {entry.pk: entry for entry in seated}}
    table.round.tournament.kept = kept  # type: ignore[attr-defined]
    return AtTable(table, seated)


def _copied(here: AtTable) -> AtTable:
    """With rows of its own; what is `kept` with the tournament goes along as it is."""
    table = copy(here.table)
    table.round = copy(table.round)
    table.round.tournament = copy(table.round.tournament)
    return AtTable(table, tuple(map(copy, here.seated)))
