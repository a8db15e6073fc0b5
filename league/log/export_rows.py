"""Log rows for the CSV export."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import override

from league.lib.csv import Row
from league.log.audit import places
from league.log.results import Place
from league.log.search import LogFilter, find_rows
from league.models import LogEntry, Tournament


def _author_of(row: LogEntry) -> str | None:
    """Return the author in English, so that every visitor gets the same file."""
    with override("en"):
        return row.who or None


def log_rows(tournament: Tournament, wanted: LogFilter) -> Iterator[Row]:
    """Yield the log rows, latest first. For organisers only: they contain reasons, accounts and typing errors."""
    place = places(tournament)
    stage_of = {place[key]: number for key, number in tournament.rounds.values_list("pk", "stage__number")}
    undone = list(LogEntry.objects.filter(tournament=tournament, action="undo-round").values_list("round", "number"))
    for row in find_rows(tournament, wanted):
        yield {
            "at": row.at,
            "by": _author_of(row),
            "action": row.action,
            "round": row.round,
            "table": row.table,
            "hand": row.hand,
            "old": _as_text(row.old),
            "new": _as_text(row.new),
            "reason": row.reason,
            "number": row.number,
            "hash": row.hash,
            "stage": stage_of.get(_place(row, undone)) if row.round else None,
        }


def _place(row: LogEntry, undone: Iterable[tuple[int | None, int | None]]) -> Place:
    """Return the row's round; after an undo, a new round has the same number."""
    before = sum(number == row.round and (at or 0) < (row.number or 0) for number, at in undone)
    return Place(row.round or 0, before)


def _as_text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
