"""The inbox on *Now*: items of all sources in order. `league/pages/inbox.py` says how to add a source."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from league import hooks
from league.access import Access
from league.access.rights import Can
from league.calls import inbox as calls
from league.entries import inbox as entries
from league.leaving import inbox as leaving
from league.lib.versioned_cache import VersionedCache
from league.live import stream as live
from league.pages.inbox import InboxItem, Source
from league.setup.overview import clock_item

SOURCES: tuple[Source, ...] = (
    calls.items,
    leaving.items,
    clock_item.items,
    entries.items,
)
HANDLE = frozenset({Can.RECORD, Can.CHECK_IN, Can.CORRECT})  # no items for viewers without any of these rights
RECENT = 20  # seconds that a count is cached; a clock runs out without a log row

_counts: VersionedCache[tuple[int, frozenset[Can]], int] = VersionedCache(500)


@dataclass(frozen=True)
class InboxRow:
    """seconds: the age when the page was rendered; a script counts on."""

    item: InboxItem
    age: str
    seconds: int


@dataclass(frozen=True)
class Inbox:
    rows: Sequence[InboxRow]

    @property
    def count(self) -> int:
        return len(self.rows)


def read_inbox(access: Access, now: datetime | None = None) -> Inbox | None:
    """Return the inbox; None for viewers who handle nothing here."""
    items = _items(access)
    if not items and (not access.corrects or access.tournament.is_final):
        return None
    return inbox_of(items, now or timezone.now())


def count_items(access: Access) -> int:
    if not access.rights & HANDLE:
        return 0
    key, version = (access.tournament.pk, access.rights), (live.version_of(access.tournament), time.time() // RECENT)
    count = _counts.get(key, version)
    if count is None:
        count = len(_items(access))
        _counts.put(key, version, count)
    return count


def _items(access: Access) -> list[InboxItem]:
    tournament = access.tournament
    if not access.rights & HANDLE or tournament.is_called_off or tournament.is_final:
        return []
    return [item for source in (*SOURCES, hooks.games.inbox_items) for item in source(tournament, access)]


def inbox_of(items: Sequence[InboxItem], now: datetime) -> Inbox:
    """Sort the items: calls first, then the one that waits longest."""
    items = sorted(items, key=lambda item: (not item.is_call, item.since))
    return Inbox([_row(item, now - item.since) for item in items])


def _row(item: InboxItem, age: timedelta) -> InboxRow:
    return InboxRow(item, age_in_words(age), max(0, int(age.total_seconds())))


def age_in_words(age: timedelta) -> str:
    """Return “4 min”, “2 h” or “3 d”."""
    minutes = max(0, int(age.total_seconds()) // 60)
    if minutes < 60:
        return _("%(minutes)d min") % {"minutes": minutes}
    if minutes < 24 * 60:
        return _("%(count)d h") % {"count": minutes // 60}
    return _("%(count)d d") % {"count": minutes // (24 * 60)}
