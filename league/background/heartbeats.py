"""Heartbeats of beat and the workers, in the shared cache: a dead one is reported within half a minute.

They are not in the database, because `serve` would write to its file all day.
"""

import contextlib
import time
from collections.abc import Iterable

from django.core.cache import caches
from django.utils.translation import gettext as _
from redis import RedisError

from league.models import Deadline, Round, Table, Tournament

EVERY = 10.0  # seconds
SILENT_AFTER = 25.0  # seconds
BEAT = "beat"
PARTS = (BEAT, "deadlines", "jobs")  # workers are known by the queues that they work on
_started = time.time()  # this process; the others may start after it


def report(parts: Iterable[str]) -> None:
    """Write a heartbeat of these parts of the service. While Redis is down, no process could read it."""
    with contextlib.suppress(RedisError):
        caches["limits"].set_many({_key(part): time.time() for part in parts}, timeout=None)


def silence() -> dict[str, float]:
    """Return {part: seconds since its last heartbeat}, for all parts. Raises `RedisError`.

    A process that has just started counts from its start.
    """
    stored = caches["limits"].get_many([_key(part) for part in PARTS])
    now = time.time()
    return {part: max(0.0, now - max(_started, stored.get(_key(part), 0.0))) for part in PARTS}


def dead_parts() -> list[str]:
    """Return the parts without a recent heartbeat; none while Redis is down, since then it is unknown."""
    try:
        return [part for part, seconds in silence().items() if seconds > SILENT_AFTER]
    except RedisError:
        return []


def warning(tournament: Tournament) -> str:
    """Return what to tell the director of an event that waits for a dead beat or worker; empty if there is none.

    Events wait for rounds at a set time, for results that confirm themselves, and for bots and clocks of online tables.
    """
    if tournament.state == Tournament.State.CLOSED or not {BEAT, "deadlines"} & set(dead_parts()):
        return ""
    timed = Deadline.objects.pending().filter(
        tournament=tournament, kind__in=(Deadline.Kind.PUBLISH, Deadline.Kind.CONFIRM)
    )
    online = Table.objects.filter(
        round__tournament=tournament,
        mode=Table.Mode.ONLINE,
        round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING),
    )
    if not timed.exists() and not online.exists():
        return ""
    return _(
        "Background work has stopped: bots, clocks and rounds at a set time wait. Tell the person who runs this server."
    )


def _key(part: str) -> str:
    return f"heartbeat-{part}"
