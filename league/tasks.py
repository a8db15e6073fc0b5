"""What the worker is called for, about every second, by beat (config/celery.py).

The rows hold the truth. A task that is lost, late, doubled or killed costs nothing: the next one finds the same rows.
So nothing is acknowledged late, redelivered or retried here, and nothing but beat sends anything to the broker.
"""

import logging
import threading

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from league import letters
from league.background import deadlines, jobs
from league.odds import compute as forecasting
from league.ratings import compute as rating

logger = logging.getLogger(__name__)

# Only for the pool's sake: in a worker of two threads one stays free for the deadlines. Who does a job the row decides.
_one_job_at_a_time = threading.Lock()
# Seconds. Beat calls both in the same instant: whoever did not wait at all could come second every time, and mails lay
# for minutes. Two of these fit into the second between two calls, and leave some of it to the deadlines.
PATIENCE = 0.2


@shared_task(name="league.sweep_deadlines")
def sweep_deadlines() -> None:
    try:
        deadlines.sweep(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Deadlines wait for the database: %s", error)


@shared_task(name="league.send_letters")
def send_letters() -> None:
    """Takes turns with the jobs: a mail server that does not answer must not keep the deadlines from their thread."""
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
    """Takes turns with the jobs, as letters do."""
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
    """Takes turns with the jobs, as letters do; how long a turn is, and how often, it knows itself."""
    if not _one_job_at_a_time.acquire(timeout=PATIENCE):
        return
    try:
        forecasting.forecast_what_is_asked_for()
    except (OperationalError, InterfaceError) as error:
        logger.warning("Forecasts wait for the database: %s", error)
    finally:
        _one_job_at_a_time.release()
