"""The inbox on *Now*: items of all sources in order. `league/pages/inbox.py` says how to add a source."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from league import hooks
from league.access import Access
from league.calls import inbox as calls
from league.entries import inbox as entries
from league.leaving import inbox as leaving
from league.pages.inbox import InboxItem, Source
from league.setup.overview import clock_item

SOURCES: tuple[Source, ...] = (
    calls.items,
    leaving.items,
    clock_item.items,
    entries.items,
)


@dataclass(frozen=True)
class InboxRow:
    item: InboxItem
    age: str


@dataclass(frozen=True)
class Inbox:
    rows: Sequence[InboxRow]

    @property
    def count(self) -> int:
        return len(self.rows)


def read_inbox(access: Access, now: datetime | None = None) -> Inbox | None:
    """Return the inbox; None for viewers who handle nothing here."""
    if access.tournament.is_called_off:
        return None
    items = [item for source in (*SOURCES, hooks.games.inbox_items) for item in source(access.tournament, access)]
    if not items and not access.corrects:
        return None
    return inbox_of(items, now or timezone.now())


def inbox_of(items: Sequence[InboxItem], now: datetime) -> Inbox:
    """Sort the items: calls first, then the one that waits longest."""
    items = sorted(items, key=lambda item: (not item.is_call, item.since, item.key))
    return Inbox([InboxRow(item, age_in_words(now - item.since)) for item in items])


def age_in_words(age: timedelta) -> str:
    """Return “4 min”, “2 h” or “3 d”."""
    minutes = max(0, int(age.total_seconds()) // 60)
    if minutes < 60:
        return _("%(minutes)d min") % {"minutes": minutes}
    if minutes < 24 * 60:
        return _("%(count)d h") % {"count": minutes // 60}
    return _("%(count)d d") % {"count": minutes // (24 * 60)}
