"""The hand at a table that is looked at: the open one, else the last that was played to its end. Kept in memory."""

from django.db import connection

from games.models import Deal
from league.access.table_rows import copy_row
from league.lib.prepared_sql import WrittenRow
from league.models import Table


def latest_deal(table: Table, *, locked: bool = False) -> Deal | None:
    """The open hand, else the last one that was played to its end. Look at it, but do not change it.

    It is kept with a kept tournament (league/access/table_rows.py) as long as nothing happens in play: whoever changes
    what a deal shows calls `tell_page`, or writes a row in the log. In a transaction it is read anew, since
    that may have changed it; not if the table was `locked` before its row was read, and nothing is changed yet.
    """
    known: dict[str, tuple[int, Deal | None]] = getattr(table.round.tournament, "kept", {})
    version, deal = known.get(f"deal {table.pk}", (None, None))
    if version != table.play_version or (connection.in_atomic_block and not locked):
        deal = _latest.first(table.pk, *_SHOWN)
        keep_deal(table, deal)
    if deal is not None:
        deal = copy_row(deal)
        deal.table = table
    return deal


def keep_deal(table: Table, deal: Deal | None) -> None:
    """Keep the table's latest deal. It must be as committed together with this state of the table's row."""
    if not connection.in_atomic_block:
        known: dict[str, tuple[int, Deal | None]] = getattr(table.round.tournament, "kept", {})
        known[f"deal {table.pk}"] = table.play_version, deal


_SHOWN = (Deal.State.WAITING.value, Deal.State.PLAYING.value, Deal.State.OVER.value)
_latest = WrittenRow(Deal, lambda: Deal.objects.filter(table=1).filter(state__in=_SHOWN).order_by("-id")[:1])
