"""Who is at an online table: when the page of each player asked for it last. Kept in the cache; no log has it.

A page with its script asks at least every ten seconds (play.js, strip.js), whatever happens at the table. If it is
silent for longer, it is gone: its device sleeps, is off or has no network. A page without scripts asks when its reader
wants, so nothing is told about it.
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
LATE_UNSEEN = timedelta(seconds=75)  # browsers let a hidden page act about once a minute
KEPT = 3600  # seconds
BACK_OFF = 5.0  # seconds for which a Redis that did not answer is not asked
NOTED = timedelta(seconds=5)  # a note younger than this is not written again
READ = timedelta(seconds=2)  # an answer younger than this is not read again
MOST_KNOWN = 10_000

_Seen = tuple[datetime, timedelta | None]  # when, and how long a silence means that the page is gone; None: unknown
_T = TypeVar("_T")
_silent_until = 0.0  # of `time.monotonic`


def saw(entry: Entry, request: HttpRequest) -> None:
    """Note that this player's page asked for something just now."""
    key, now, says = _key(entry.plays_as), timezone.now(), request.headers.get("Wild-Live")
    noted = _noted.get(key)
    if says is None:  # a page that was loaded anew; its script, if it has one, goes on
        late = noted[1] if noted else _ask(lambda cache: cache.get(key, (now, None)), (now, None))[1]
    else:
        late = LATE_UNSEEN if says == "hidden" else LATE
    _keep(_read, {key: (now, (now, late))})
    if noted is None or noted[1] != late or now - noted[0] >= NOTED:
        _keep(_noted, {key: (now, late)})
        _ask(lambda cache: cache.set(key, (now, late), KEPT), None)


def lost_since(players: Iterable[str]) -> dict[str, datetime | None]:
    """{`Entry.plays_as`: since when their page is gone, None while it is there}, for players of whom that is known."""
    keys, now = {_key(player): player for player in players}, timezone.now()
    known = {key: _read[key][1] for key in keys if key in _read and _still_holds(*_read[key], now)}
    if unread := [key for key in keys if key not in known]:
        answer: dict[str, _Seen] | None = _ask(lambda cache: cache.get_many(unread), None)
        known |= {key: (answer or {}).get(key) for key in unread}
        if answer is not None:
            _keep(_read, {key: (now, known[key]) for key in unread})
    seen = {key: last for key, last in known.items() if last is not None}
    return {keys[key]: at if now - at > late else None for key, (at, late) in seen.items() if late is not None}


def _still_holds(read_at: datetime, seen: _Seen | None, now: datetime) -> bool:
    """Whether nobody could know better than this process: it read that just now, or heard of a page that is there."""
    is_there = seen is not None and seen[1] is not None and now - seen[0] <= seen[1]
    return is_there or now - read_at < READ


# What this process noted and read lately: while a hand is played, its pages ask many times a second.
_noted: dict[str, _Seen] = {}
_read: dict[str, tuple[datetime, _Seen | None]] = {}


def _keep(memory: dict[str, Any], more: dict[str, Any]) -> None:
    if len(memory) > MOST_KNOWN:
        memory.clear()
    memory |= more


def forget() -> None:
    """Keep nothing; for tests that empty the cache."""
    global _silent_until
    _noted.clear()
    _read.clear()
    _silent_until = 0.0


def _key(plays_as: str) -> str:
    return f"seen:{plays_as}"


def _ask(question: Callable[[BaseCache], _T], otherwise: _T) -> _T:
    """Ask the cache; `otherwise` if it does not answer, so that pages come all the same."""
    global _silent_until
    if time.monotonic() < _silent_until:
        return otherwise
    try:
        return question(caches["presence"])
    except RedisError:
        _silent_until = time.monotonic() + BACK_OFF
        return otherwise
