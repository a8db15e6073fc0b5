"""The audit row of a change. Called inside the transaction that makes the change."""

from typing import Any

from league.models import LogEntry, Table, Tournament, User


def note(
    *,
    tournament: Tournament,
    by: User | None,
    action: str,
    table: Table | None = None,
    round_number: int | None = None,
    hand: int | None = None,
    old: Any = None,
    new: Any = None,
    reason: str = "",
) -> LogEntry:
    """Add a row to the log. `old` and `new` are JSON values; `by` is None for what the service did by itself."""
    return LogEntry.objects.create(
        tournament=tournament,
        by=by,
        action=action,
        round=table.round.number if table else round_number,
        table=table.number if table else None,
        hand=hand,
        old=old,
        new=new,
        reason=reason,
    )
