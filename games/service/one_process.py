"""Run Celery's worker and beat as threads of `manage.py serve`.

Don't start them in an AppConfig, which every command and every process would run.
"""

import logging
import os
import sys
import threading
from collections.abc import Callable

from celery import Celery, signals
from celery.beat import Service
from django.utils.module_loading import import_string

from league.background import turns

APP = "config.celery.app"  # a name, because config is above this package
STOP_WITHIN = 0.8  # seconds
THREADS = 2  # one for what is due, one for long work (league/background/turns.py)


class Clock:
    """Run deadlines and jobs during a `with Clock():` block."""

    def __init__(self) -> None:
        app: Celery = import_string(APP)
        logging.getLogger("celery").setLevel(logging.WARNING)
        self.worker = app.WorkController(
            pool="threads",
            concurrency=THREADS,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
            hostname="embedded@localhost",
            loglevel="WARNING",
            # Only Celery's command sends this signal, which begins the heartbeats (config/celery.py).
            ready_callback=lambda consumer: signals.worker_ready.send(sender=consumer),
        )
        turns.share(processes=THREADS, has_deadlines=True)
        self.beat = Service(app, scheduler_cls=app.conf.beat_scheduler)
        self.threads = [
            self._thread("celery-worker", self.worker.start),
            self._thread("celery-beat", self.beat.start),
        ]

    def _thread(self, name: str, target: Callable[[], None]) -> threading.Thread:
        return threading.Thread(target=target, name=name, daemon=True)

    def __enter__(self) -> None:
        for thread in self.threads:
            thread.start()

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        """Stop both. Unfinished work is cut off; the next start resumes it from its rows."""
        self.beat.stop()
        self.beat.scheduler.alarm.ring()  # type: ignore[attr-defined]
        stopping = self._thread("celery-stop", self.worker.stop)
        stopping.start()
        stopping.join(STOP_WITHIN)
        if stopping.is_alive() and kind in (None, SystemExit):
            # A normal exit would wait for the pool's threads.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
