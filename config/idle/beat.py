"""Celery's beat without fixed ticks: it sleeps until a row is due, and then calls the task for it.

A look reads the earliest due row of each kind of work. Beat looks when a row falls due, when a request wakes it
(config/idle/alarm.py), and at least every few seconds, since wakes may get lost. It calls a task again while rows of
its kind are due. Calls that no worker takes stay few: beat first counts those that wait. Tasks at fixed times
are in `beat_schedule` (config/celery.py).
"""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from celery.beat import Scheduler
from django.db import Error, connection
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis import RedisError

from config.idle.alarm import Alarm
from config.idle.queues import messages_waiting
from games.online.casual import end as casual_end
from games.online.play import sweep as online_tables
from league import letters
from league.background import cleanup, deadlines, heartbeats, jobs
from league.odds import compute as forecasts
from league.setup.series import repeat

logger = logging.getLogger(__name__)

LOOK_EVERY = 5.0  # seconds at most between two looks
BETWEEN_LOOKS = 0.2  # seconds at least
TRY_AGAIN = 1.0  # seconds, without a database or broker
FULL = 0.5  # seconds until the next look at a queue that no worker empties
STALE_AFTER = 5  # seconds until an untaken call is dropped: a newer one has followed
MOST_WAITING = 4  # untaken calls of a queue, so a missing worker doesn't fill Redis

OUTAGES = (Error, OperationalError, RedisError, OSError)


@dataclass(frozen=True)
class Work:
    """next_due: returns when its earliest row is due, None without one. pause: seconds at least between two calls.

    after_change: called when any tournament has changed, and else at least as often as this, in seconds.
    first: may be called although others fill the queue.
    """

    task: str
    queue: str
    pause: float
    next_due: Callable[[], datetime | None] = lambda: None
    after_change: float | None = None
    first: bool = False


# Four calls a second occupy a machine with four workers; each call works for a second at most.
WORK = (
    Work("games.sweep_tables", "deadlines", 0.5, online_tables.next_due, first=True),  # players wait for bots
    Work("league.sweep_deadlines", "deadlines", 0.25, deadlines.next_due),
    Work("league.make_due_events", "deadlines", 1.0, repeat.next_due),
    Work("league.send_letters", "jobs", 1.0, letters.next_due),
    Work("league.work_on_jobs", "jobs", 1.0, jobs.next_due),
    Work("league.forecast", "jobs", 1.0, forecasts.next_due),
    Work("league.rate_clubs", "jobs", 5.0, after_change=60.0),
    Work("games.back_up", "deadlines", 60.0, after_change=600.0),
    Work("league.clean_up", "jobs", 60.0, cleanup.next_due),
    Work("games.tidy_casual_tables", "deadlines", 60.0, casual_end.next_due),
)


class DueScheduler(Scheduler):
    """What `beat_scheduler` names. Celery calls `tick` in a loop."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.alarm = Alarm()
        self._called: dict[str, float] = {}  # {task: when, by time.monotonic}
        self._changed: set[str] = set()  # tasks with `after_change` that a change waits for
        self._is_down = False
        self._reported = -heartbeats.EVERY

    def tick(self, *arguments: Any, **options: Any) -> float:
        """Call what is due, and sleep until the next. Return 0, since Celery's own sleep can't be interrupted."""
        pause = super().tick(*arguments, **options)
        if not pause:
            return 0
        looked = time.monotonic()
        if looked - self._reported >= heartbeats.EVERY:
            self._reported = looked
            heartbeats.report([heartbeats.BEAT])
        try:
            pause = min(pause, LOOK_EVERY, self._call_due())
            self._is_down = False
        except Exception as error:
            self._report(error)
            pause = TRY_AGAIN
        if self.alarm.wait(pause):
            self._changed = {work.task for work in WORK if work.after_change is not None}
            time.sleep(max(0.0, looked + BETWEEN_LOOKS - time.monotonic()))
        return 0

    def _call_due(self) -> float:
        """Call each task that is due. Return the seconds until the next look."""
        sleep = LOOK_EVERY
        for work in WORK:
            since = time.monotonic() - self._called.get(work.task, -math.inf)
            seconds = max(self._time_to(work, since), work.pause - since)
            if seconds <= 0:
                seconds = work.pause if self._call(work) else FULL
            sleep = min(sleep, seconds)
        return max(sleep, BETWEEN_LOOKS)

    def _time_to(self, work: Work, since: float) -> float:
        """Return the seconds until work is due. since: seconds since its last call."""
        if work.after_change is not None:
            return 0 if work.task in self._changed else work.after_change - since
        due_at = work.next_due()
        return (due_at - timezone.now()).total_seconds() if due_at else LOOK_EVERY

    def _call(self, work: Work) -> bool:
        if messages_waiting(work.queue) >= (2 if work.first else 1) * MOST_WAITING:
            return False
        self.app.send_task(work.task, producer=self.producer, queue=work.queue, expires=STALE_AFTER)
        self._called[work.task] = time.monotonic()
        self._changed.discard(work.task)
        return True

    def _report(self, error: Exception) -> None:
        """Log one line an outage."""
        if isinstance(error, Error):
            connection.close()  # opened again by the next look
        if not self._is_down:
            logger.warning("Scheduled work waits: %s", error, exc_info=not isinstance(error, OUTAGES))
        self._is_down = True
