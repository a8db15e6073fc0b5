"""Presence at an online table: the last request of each player's page, in the cache only.

A page with its script sends a request at least every ten seconds (play.js, strip.js). A longer silence means that its
device sleeps, is off or has no network. Pages without scripts refresh at will, so their presence is unknown.
"""

import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.http import HttpRequest
from django.utils import timezone
from redis.exceptions import RedisError

from league.models import Entry

LATE = timedelta(seconds=25)
LATE_UNSEEN = timedelta(seconds=75)  # browsers run hidden pages about once a minute
EXPIRES_AFTER = 3600  # seconds
BACK_OFF = 5.0  # seconds without queries after Redis failed
NOTED = timedelta(seconds=5)  # don't write again within this time
READ = timedelta(seconds=2)  # don't read again within this time
MOST_KNOWN = 10_000

_Seen = tuple[datetime, timedelta | None]  # when, and the silence that means offline; None: unknown
_T = TypeVar("_T")
_silent_until = 0.0  # of `time.monotonic`


def saw(entry: Entry, request: HttpRequest) -> None:
    """Record a request of this player's page."""
    key, now, header = _key(entry.plays_as), timezone.now(), request.headers.get("Wild-Live")
    noted = _noted.get(key)
    if header is None:  # a reloaded page; its script, if any, continues
        late = noted[1] if noted else _query(lambda cache: cache.get(key, (now, None)), (now, None))[1]
    else:
        late = LATE_UNSEEN if header == "hidden" else LATE
    _cache(_read, {key: (now, (now, late))})
    if noted is None or noted[1] != late or now - noted[0] >= NOTED:
        _cache(_noted, {key: (now, late)})
        _query(lambda cache: cache.set(key, (now, late), EXPIRES_AFTER), None)


def lost_since(players: Iterable[str]) -> dict[str, datetime | None]:
    """Return {`Entry.plays_as`: start of the silence, None while connected} for players of known presence."""
    keys, now = {_key(player): player for player in players}, timezone.now()
    known = {key: _read[key][1] for key in keys if key in _read and _still_holds(*_read[key], now)}
    if unread := [key for key in keys if key not in known]:
        answer: dict[str, _Seen] | None = _query(lambda cache: cache.get_many(unread), None)
        known |= {key: (answer or {}).get(key) for key in unread}
        if answer is not None:
            _cache(_read, {key: (now, known[key]) for key in unread})
    seen = {key: last for key, last in known.items() if last is not None}
    return {keys[key]: at if now - at > late else None for key, (at, late) in seen.items() if late is not None}


def _still_holds(read_at: datetime, seen: _Seen | None, now: datetime) -> bool:
    """Return whether this process has the newest knowledge: it has just read it, or the page is connected."""
    is_there = seen is not None and seen[1] is not None and now - seen[0] <= seen[1]
    return is_there or now - read_at < READ


# This process's recent writes and reads, since pages send many requests a second during a hand.
_noted: dict[str, _Seen] = {}
_read: dict[str, tuple[datetime, _Seen | None]] = {}


def _cache(memory: dict[str, Any], more: dict[str, Any]) -> None:
    if len(memory) > MOST_KNOWN:
        memory.clear()
    memory |= more


def forget() -> None:
    """Clear all memory; for tests that empty the cache."""
    global _silent_until
    _noted.clear()
    _read.clear()
    _silent_until = 0.0


def _key(plays_as: str) -> str:
    return f"seen:{plays_as}"


def _query(question: Callable[[BaseCache], _T], otherwise: _T) -> _T:
    """Query the cache; return `otherwise` if it doesn't answer, so pages still load."""
    global _silent_until
    if time.monotonic() < _silent_until:
        return otherwise
    try:
        return question(caches["presence"])
    except RedisError:
        _silent_until = time.monotonic() + BACK_OFF
        return otherwise
