"""The rows of the log, for its CSV."""

import json
from collections.abc import Iterator
from typing import Any

from django.utils.translation import override

from league.lib.csv import Row
from league.log.search import LogFilter, find_rows
from league.models import LogEntry, Tournament


def _author_of(row: LogEntry) -> str | None:
    """Who did it, in English: a file is the same whoever asks for it."""
    with override("en"):
        return row.who or None


def log_rows(tournament: Tournament, wanted: LogFilter) -> Iterator[Row]:
    """The audit log, the latest first. Only for organisers: it has reasons, accounts and what was typed wrong."""
    stage_of_round = dict(tournament.rounds.living().values_list("number", "stage__number"))
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
            "stage": stage_of_round.get(row.round) if row.round else None,
        }


def _as_text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
