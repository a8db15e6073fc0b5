"""What the worker is called for, about every second, by beat (config/celery.py).

The rows hold the truth. A task that is lost, late, doubled or killed costs nothing: the next one finds the same rows.
So nothing is acknowledged late, redelivered or retried here, and nothing but beat sends anything to the broker.
"""

import logging
import threading

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from league import deadlines, jobs

logger = logging.getLogger(__name__)

# Only for the pool's sake: in a worker of two threads one stays free for the deadlines. Who does a job the row decides.
_one_job_at_a_time = threading.Lock()


@shared_task(name="league.sweep_deadlines")
def sweep_deadlines() -> None:
    try:
        deadlines.sweep(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Deadlines wait for the database: %s", error)


@shared_task(name="league.work_on_jobs")
def work_on_jobs() -> None:
    if not _one_job_at_a_time.acquire(blocking=False):
        return
    try:
        jobs.work(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Jobs wait for the database: %s", error)
    finally:
        _one_job_at_a_time.release()
