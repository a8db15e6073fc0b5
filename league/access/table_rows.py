"""An online table as its page and every move there need it: its rows, and who sits there. Kept in memory.

These rows are read many times a second and hardly ever change, and whatever changes them has a row in the log. So what
was read is right for as long as one small query finds the same hash of the log's last row, in whichever process a
change was made. Nothing has to be told to forget. A hand that was recorded is a row too, and changes nothing but its
own table: it counts by the table's version, or in a hall each hand would have all tables read again.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from django.db import connection
from django.db.models import BigIntegerField, Model
from django.db.models.base import ModelState

from league.lib.prepared_sql import Written
from league.lib.remembered import Remembered
from league.models import Entry, Table, Tournament

_T = TypeVar("_T")
_Row = TypeVar("_Row", bound=Model)

# What the small query reads: the hash, the table's version, and what decides who sees what and whether play goes on.
_VERSION = (
    "round__tournament__log_head__beside_hands",
    "version",
    "round__tournament__visibility",
    "round__tournament__state",
    "round__tournament__paused_at",
    "round__state",
    "state",
    "mode",
    "seating_version",
)


class AtTable(NamedTuple):
    """`table` with its round, stage, tournament and the end of its log; `seated` by seat, with their players; a team
    twice, as each of its two."""

    table: Table
    seated: tuple[Entry, ...]


def at_table(table_id: int) -> AtTable | None:
    """A table as it is now, None where there is none. The caller may change what it gets."""
    if table_id > BigIntegerField.MAX_BIGINT:  # an address may hold any number
        return None
    found = _as_of_now(table_id)
    if found is None:
        return None
    play_version, log_number, version = found[0], found[1], found[2:]
    known = _known.get(table_id, version)
    if known is None:
        known = _read(table_id)
        _known.put(table_id, version, known)
    here = _copied(known)
    here.table.play_version = play_version
    if (head := getattr(here.table.round.tournament, "log_head", None)) is not None:
        head.number = log_number
    return here


# Two numbers that count what has happened, and are no reason to read the rows again.
_COUNTS = ("play_version", "round__tournament__log_head__number")
_small_query = Written(lambda: Table.objects.filter(pk=1).order_by().values_list(*_COUNTS, *_VERSION))


@contextmanager
def one_moment() -> Iterator[None]:
    """What this thread asks of a table until the end of it is answered as of the first time: for several viewers who
    are shown one change."""
    _moment.found = {}
    try:
        yield
    finally:
        del _moment.found


_moment = threading.local()


def _as_of_now(table_id: int) -> tuple[Any, ...] | None:
    found: dict[int, tuple[Any, ...] | None] = getattr(_moment, "found", {})
    if table_id not in found:
        found[table_id] = _small_query.first(table_id)
    return found[table_id]


def known_with(tournament: Tournament, what: str, read: Callable[[], _T]) -> _T:
    """What `read` gives, kept with a tournament that is: right for as long as its log says nothing new. Nobody may
    change it. In a transaction nothing is kept: it might fail."""
    kept: dict[str, _T] = getattr(tournament, "kept", {})
    if what not in kept:
        found = read()
        if connection.in_atomic_block:
            return found
        kept[what] = found
    return kept[what]


_known: Remembered[int, AtTable] = Remembered(200)


def _read(table_id: int) -> AtTable:
    table = Table.objects.select_related("round__tournament__log_head", "round__stage").get(pk=table_id)
    seats = list(table.seats.select_related("entry__player").order_by("number"))
    for seat in seats:
        seat.entry.member = seat.member
    seated = tuple(seat.entry for seat in seats)
    # What belongs to these rows, and is right for as long as they are; others may add to it.
    kept: dict[str, Any] = {"seated": {entry.pk: entry for entry in seated}}
    table.round.tournament.kept = kept  # type: ignore[attr-defined]
    return AtTable(table, seated)


def _copied(here: AtTable) -> AtTable:
    """With rows of its own; what is `kept` with the tournament goes along as it is."""
    table = copied(here.table)
    table.round = copied(table.round)
    table.round.tournament = tournament = copied(table.round.tournament)
    if (head := tournament._state.fields_cache.get("log_head")) is not None:
        tournament._state.fields_cache["log_head"] = copied(head)
    return AtTable(table, tuple(map(copied, here.seated)))


def copied(row: _Row) -> _Row:
    """A row like this one. `copy.copy` asks each how it wants to be pickled: of seven that is a tenth of a look."""
    made, state = object.__new__(type(row)), ModelState()
    vars(state).update(vars(row._state))
    state.fields_cache = row._state.fields_cache.copy()
    vars(made).update(vars(row), _state=state)
    return made
