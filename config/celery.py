"""Celery: worker and beat. Started by `celery -A config worker`, `celery -A config beat`, or inside `manage.py serve`.

Beat schedules the tasks that find due rows; requests never contact the broker. So a broker that is down delays only
scheduled work.
"""

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

EVERY_SECOND = 1.0
EVERY_FEW_SECONDS = 5.0
EVERY_MINUTE = 60.0
OFTEN = 0.5  # players at online tables wait for bots
# An untaken call is useless once the next one exists, so an hour without a worker leaves no backlog.
STALE_AFTER = 5


def broker_url(redis_url: str) -> str:
    """Return the broker's URL: REDIS_URL, which may be a socket (`unix:///path`), else in-process memory."""
    if redis_url.startswith("unix://"):
        return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)
    return redis_url or "memory://localhost/"


def transport_options(redis_url: str) -> dict[str, object]:
    if redis_url:
        return {"socket_connect_timeout": 2, "socket_timeout": 10, "socket_keepalive": True}
    # Polling interval of a busy worker. With the default of a second it would fall behind beat until all calls are
    # stale.
    return {"polling_interval": 0.1}


app = Celery("wild")
app.conf.update(
    broker_url=broker_url(settings.REDIS_URL),
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
    task_soft_time_limit=120,
    task_time_limit=150,
    # A job may take minutes; separate queues allow a worker for deadlines only (-Q deadlines).
    task_default_queue="deadlines",
    task_routes={
        "league.work_on_jobs": {"queue": "jobs"},
        "league.send_letters": {"queue": "jobs"},
        "league.rate_clubs": {"queue": "jobs"},
        "league.forecast": {"queue": "jobs"},
    },
    task_queues={"deadlines": {}, "jobs": {}},
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    imports=("league.tasks", "games.tasks"),
    beat_scheduler="celery.beat:Scheduler",  # in memory: the database has the due rows
    beat_max_loop_interval=EVERY_SECOND,
    beat_schedule={
        "deadlines": {
            "task": "league.sweep_deadlines",
            "schedule": EVERY_SECOND,
            "options": {"expires": STALE_AFTER},
        },
        "tables": {"task": "games.sweep_tables", "schedule": OFTEN, "options": {"expires": STALE_AFTER}},
        "casual": {
            "task": "games.tidy_casual_tables",
            "schedule": EVERY_MINUTE,
            "options": {"expires": 2 * EVERY_MINUTE},
        },
        "sessions": {
            "task": "league.delete_expired_sessions",
            "schedule": EVERY_MINUTE,
            "options": {"expires": 2 * EVERY_MINUTE},
        },
        "jobs": {"task": "league.work_on_jobs", "schedule": EVERY_SECOND, "options": {"expires": STALE_AFTER}},
        "letters": {"task": "league.send_letters", "schedule": EVERY_SECOND, "options": {"expires": STALE_AFTER}},
        "forecasts": {"task": "league.forecast", "schedule": EVERY_SECOND, "options": {"expires": STALE_AFTER}},
        "ratings": {
            "task": "league.rate_clubs",
            "schedule": EVERY_FEW_SECONDS,
            "options": {"expires": 2 * EVERY_FEW_SECONDS},
        },
    },
)
