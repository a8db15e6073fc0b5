"""Cached rows of an online table for its page and moves, with its players.

These rows are read many times a second and rarely change, and every change has a log row. So they are valid while one
small query returns the same log hash, whichever process made the change; nothing needs invalidation. A recorded hand
also has a log row, but its changes to the table are read each time, and results computed from a table's hands are
cached per version (`read_once`).
"""

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple, TypeVar

from django.db import connection
from django.db.models import BigIntegerField, Model
from django.db.models.base import ModelState

from league.lib.prepared_sql import PreparedQuery
from league.lib.versioned_cache import VersionedCache
from league.models import Entry, Table, Tournament

_T = TypeVar("_T")
_Row = TypeVar("_Row", bound=Model)

# The small query reads the hash, visibility, play state, and uncounted hands.
_VERSION = (
    "round__tournament__log_head__beside_hands",
    "round__tournament__visibility",
    "round__tournament__state",
    "round__tournament__paused_at",
    "round__state",
    "mode",
    "not_counted",
    "seating_version",
)


class AtTable(NamedTuple):
    """`table` with its round, stage, tournament and end of its log. seated: entries by seat, with players; a team
    appears twice, once per player.
    """

    table: Table
    seated: tuple[Entry, ...]


def at_table(table_id: int) -> AtTable | None:
    """Return a table's current rows, or None. The caller may change them, except those shared in `one_moment`."""
    if table_id > BigIntegerField.MAX_BIGINT:  # an address may contain any number
        return None
    shared: dict[int, AtTable] = getattr(_moment, "tables", {})
    if table_id in shared:
        return shared[table_id]
    row = _as_of_now(table_id)
    if row is None:
        return None
    changing, version = row[: len(_CHANGING)], row[len(_CHANGING) :]
    known = _known.get(table_id, version)
    if known is None:
        known = _read(table_id)
        _known.put(table_id, version, known)
    here = _copy_rows(known)
    here.table.play_version, here.table.version, here.table.state, log_number = changing
    if (head := getattr(here.table.round.tournament, "log_head", None)) is not None:
        head.number = log_number
    shared[table_id] = here
    return here


# These change with moves and hands, without invalidating the rows.
_CHANGING = ("play_version", "version", "state", "round__tournament__log_head__number")


@cache
def _small_queries(tables: int) -> PreparedQuery:
    keys = range(1, tables + 1)
    return PreparedQuery(lambda: Table.objects.filter(pk__in=keys).order_by().values_list("pk", *_CHANGING, *_VERSION))


@contextmanager
def one_moment(tables: Sequence[int] = ()) -> Iterator[None]:
    """Within it, this thread gets the same rows of a table each time, for several viewers or moves.

    It changes no cached rows. tables: keys to query at once.
    """
    _moment.tables = {}
    _moment.answers = {key: tuple(row) for key, *row in _small_queries(len(tables)).rows(*tables)} if tables else {}
    try:
        yield
    finally:
        del _moment.answers, _moment.tables


_moment = threading.local()


def _as_of_now(table_id: int) -> tuple[Any, ...] | None:
    answers: dict[int, tuple[Any, ...] | None] = getattr(_moment, "answers", {})
    if table_id not in answers:
        row = _small_queries(1).first(table_id)
        answers[table_id] = row and row[1:]
    return answers[table_id]


def rows_stand() -> bool:
    """Return whether this thread changes no cached rows: it is outside a transaction, or in `one_moment`."""
    return not connection.in_atomic_block or hasattr(_moment, "tables")


def read_once(tournament: Tournament, key: str, version: Hashable, read: Callable[[], _T]) -> _T:
    """Return the result of `read`, cached with the tournament's rows for this `version`, such as the table's.

    Don't change the result. Nothing is cached in a transaction that may change rows, since it could fail.
    """
    values: dict[str, tuple[Hashable, _T]] = getattr(tournament, "kept", {})
    known = values.get(key)
    if known is None or known[0] != version:
        known = version, read()
        if rows_stand():
            values[key] = known
    return known[1]


_known: VersionedCache[int, AtTable] = VersionedCache(200)


def _read(table_id: int) -> AtTable:
    with_rows = ("round__tournament__log_head", "round__tournament__announcement", "round__stage")
    table = Table.objects.select_related(*with_rows).get(pk=table_id)
    seats = list(table.seats.select_related("entry__player").order_by("number"))
    for seat in seats:
        seat.entry.member = seat.member
    seated = tuple(seat.entry for seat in seats)
    # Values valid as long as these rows; other modules may add theirs.
    values: dict[str, Any] = {"seated": {entry.pk: entry for entry in seated}}
    table.round.tournament.kept = values  # type: ignore[attr-defined]
    return AtTable(table, seated)


def _copy_rows(here: AtTable) -> AtTable:
    """Copy the rows; cached values of the tournament are shared."""
    table = copy_row(here.table)
    table.round = copy_row(table.round)
    table.round.tournament = tournament = copy_row(table.round.tournament)
    if (head := tournament._state.fields_cache.get("log_head")) is not None:
        tournament._state.fields_cache["log_head"] = copy_row(head)
    return AtTable(table, tuple(map(copy_row, here.seated)))


def copy_row(row: _Row) -> _Row:
    """Copy a row. `copy.copy` uses pickling: for seven rows a tenth of a request's time."""
    new_row, state = object.__new__(type(row)), ModelState()
    vars(state).update(vars(row._state))
    state.fields_cache = row._state.fields_cache.copy()
    vars(new_row).update(vars(row), _state=state)
    return new_row
