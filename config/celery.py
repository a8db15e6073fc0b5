"""Celery: worker and beat. Started by `celery -A config worker`, `celery -A config beat`, or inside `manage.py serve`.

Beat calls a task when a row is due (config/idle/beat.py); requests never contact the broker. So a broker that is down
delays only scheduled work.
"""

import os
from typing import Any

from celery import Celery, signals
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

WAIT_FOR_CALLS = 5  # seconds of one request for messages at Redis; shorter than its `socket_timeout`


def broker_url(redis_url: str) -> str:
    """Return the broker's URL: REDIS_URL, which may be a socket (`unix:///path`), else in-process memory."""
    if redis_url.startswith("unix://"):
        return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)
    return redis_url or "memory://localhost/"


def transport_options(redis_url: str) -> dict[str, object]:
    if redis_url:
        return {
            "socket_connect_timeout": 2,
            "socket_timeout": 2 * WAIT_FOR_CALLS,
            "socket_keepalive": True,
            "polling_interval": WAIT_FOR_CALLS,  # kombu's name; a message ends the wait
        }
    return {}


app = Celery("wild")
app.conf.update(
    broker_url=broker_url(settings.REDIS_URL),
    broker_transport=None if settings.REDIS_URL else "config.idle.in_memory:Transport",
    broker_connection_retry_on_startup=True,
    # None: a worker waits for its broker forever.
    broker_connection_max_retries=None,
    broker_transport_options=transport_options(settings.REDIS_URL),
    task_publish_retry=False,  # the next call is a second away
    accept_content=["json"],
    task_serializer="json",
    result_backend=None,
    task_ignore_result=True,
    enable_utc=True,
    timezone="UTC",
    task_soft_time_limit=120,  # of a call, which does one job at most
    task_time_limit=150,
    # A job may take minutes, so one process of each worker is for deadlines (league/background/turns.py). Separate
    # queues also allow a worker for deadlines only (-Q deadlines).
    task_default_queue="deadlines",
    task_queues={"deadlines": {}, "jobs": {}},
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    worker_enable_remote_control=False,  # costs a connection and wakes the worker; nothing here uses it
    imports=("league.tasks", "games.tasks"),
    beat_scheduler="config.idle.beat:DueScheduler",  # in memory: the database has the due rows
    beat_max_loop_interval=5,
    beat_schedule={},
)


@signals.celeryd_after_setup.connect(weak=False)
def leave_one_free(sender: str, instance: Any, **options: Any) -> None:
    """Keep one process of a worker free for what is due, before they are forked. `instance`: the worker."""
    from league.background import turns  # needs loaded apps

    turns.share(processes=instance.concurrency, has_deadlines="deadlines" in instance.app.amqp.queues.consume_from)


@signals.worker_ready.connect(weak=False)
def report_alive(sender: Any, **options: Any) -> None:
    """Write this worker's heartbeats from its main loop, so that jobs don't delay them. `sender`: its consumer."""
    from league.background import heartbeats  # needs loaded apps

    queues = list(sender.app.amqp.queues.consume_from)
    heartbeats.report(queues)
    sender.timer.call_repeatedly(heartbeats.EVERY, heartbeats.report, (queues,))
