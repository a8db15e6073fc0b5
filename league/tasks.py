"""Define the worker's tasks, which beat calls when a row is due (config/idle/beat.py).

The database rows are authoritative. A lost, late, doubled or killed task does no harm: the next one finds the same
rows. So nothing is acknowledged late, redelivered or retried, and only beat sends messages to the broker.
"""

import logging
import threading

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from league import letters
from league.background import cleanup, deadlines, jobs
from league.odds import compute as forecasting
from league.ratings import compute as rating
from league.setup.series import repeat

logger = logging.getLogger(__name__)

# Only for the pool: one of a worker's two threads stays free for deadlines. The row decides which worker does a job.
_one_job_at_a_time = threading.Lock()
# Seconds. Beat calls both tasks at once; without waiting, one could always come second, and e-mails would wait for
# minutes. Two of these fit into the second between calls, with time left for deadlines.
PATIENCE = 0.2


@shared_task(name="league.sweep_deadlines")
def sweep_deadlines() -> None:
    try:
        deadlines.sweep(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Deadlines wait for the database: %s", error)


@shared_task(name="league.make_due_events")
def make_due_events() -> None:
    try:
        repeat.make_due_events(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Series wait for the database: %s", error)


@shared_task(name="league.send_letters")
def send_letters() -> None:
    """Take turns with jobs, because a slow mail server must not block the deadlines' thread."""
    if not _one_job_at_a_time.acquire(timeout=PATIENCE):
        return
    try:
        letters.send(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Letters wait for the database: %s", error)
    finally:
        _one_job_at_a_time.release()


@shared_task(name="league.work_on_jobs")
def work_on_jobs() -> None:
    if not _one_job_at_a_time.acquire(timeout=PATIENCE):
        return
    try:
        jobs.work(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Jobs wait for the database: %s", error)
    finally:
        _one_job_at_a_time.release()


@shared_task(name="league.rate_clubs")
def rate_clubs() -> None:
    """Take turns with jobs, like `send_letters`."""
    if not _one_job_at_a_time.acquire(timeout=PATIENCE):
        return
    try:
        rating.rate_what_changed()
    except (OperationalError, InterfaceError) as error:
        logger.warning("Ratings wait for the database: %s", error)
    finally:
        _one_job_at_a_time.release()


@shared_task(name="league.forecast")
def forecast() -> None:
    """Take turns with jobs, like `send_letters`; forecasts limit the length and number of their own turns."""
    if not _one_job_at_a_time.acquire(timeout=PATIENCE):
        return
    try:
        forecasting.run_forecasts()
    except (OperationalError, InterfaceError) as error:
        logger.warning("Forecasts wait for the database: %s", error)
    finally:
        _one_job_at_a_time.release()


@shared_task(name="league.clean_up")
def clean_up() -> None:
    try:
        cleanup.clean_up(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Old rows wait for the database: %s", error)
