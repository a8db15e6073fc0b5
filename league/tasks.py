"""The worker's tasks, which beat calls about every second (config/celery.py).

The rows are the truth. A task that is lost, late, doubled or killed costs nothing: the next one finds the same rows. So
nothing is acknowledged late, redelivered or retried here, and only beat sends anything to the broker.
"""

import logging
import threading

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from league import letters
from league.background import deadlines, jobs
from league.erasure import sessions
from league.odds import compute as forecasting
from league.ratings import compute as rating
from league.setup.series import repeat

logger = logging.getLogger(__name__)

# Only for the pool: in a worker of two threads one stays free for the deadlines. The row decides who does a job.
_one_job_at_a_time = threading.Lock()
# Seconds. Beat calls both at the same instant: a task that did not wait could come second every time, and mails would
# wait for minutes. Two of these fit into the second between two calls, and leave some of it to the deadlines.
PATIENCE = 0.2


@shared_task(name="league.sweep_deadlines")
def sweep_deadlines() -> None:
    try:
        deadlines.sweep(timezone.now())
        repeat.make_due_events(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Deadlines wait for the database: %s", error)


@shared_task(name="league.send_letters")
def send_letters() -> None:
    """Takes turns with the jobs, since a mail server that does not answer must not block the deadlines' thread."""
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
    """Takes turns with the jobs, as letters do; it limits the length and number of its turns itself."""
    if not _one_job_at_a_time.acquire(timeout=PATIENCE):
        return
    try:
        forecasting.forecast_what_is_asked_for()
    except (OperationalError, InterfaceError) as error:
        logger.warning("Forecasts wait for the database: %s", error)
    finally:
        _one_job_at_a_time.release()


@shared_task(name="league.delete_expired_sessions")
def delete_expired_sessions() -> None:
    try:
        sessions.delete_expired(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Expired sessions wait for the database: %s", error)
