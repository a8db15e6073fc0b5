"""Define the worker's tasks, which beat calls when a row is due (config/idle/beat.py).

The database rows are authoritative. A lost, late, doubled or killed task does no harm: the next one finds the same
rows. So nothing is acknowledged late, redelivered or retried, and only beat sends messages to the broker.
"""

import logging
from collections.abc import Callable

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from league import letters
from league.background import cleanup, deadlines, jobs, turns
from league.odds import compute as forecasting
from league.ratings import compute as rating
from league.setup.series import repeat

logger = logging.getLogger(__name__)


def _in_turn(work: Callable[[], object], what: str) -> bool:
    """Do long work if there is a turn for it. Return whether it is done."""
    with turns.take() as has_turn:
        if not has_turn:
            return False
        try:
            work()
        except (OperationalError, InterfaceError) as error:
            logger.warning("%s wait for the database: %s", what, error)
            return False
    return True


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
    _in_turn(lambda: letters.send(timezone.now()), "Letters")


@shared_task(name="league.work_on_jobs")
def work_on_jobs() -> None:
    _in_turn(lambda: jobs.work(timezone.now()), "Jobs")


@shared_task(name="league.rate_clubs")
def rate_clubs() -> None:
    _in_turn(rating.rate_what_changed, "Ratings")


@shared_task(name="league.forecast")
def forecast() -> None:
    """Forecasts limit the length and number of their own turns."""
    _in_turn(forecasting.run_forecasts, "Forecasts")


@shared_task(name="league.clean_up")
def clean_up() -> None:
    if _in_turn(lambda: cleanup.clean_up(timezone.now()), "Old rows"):
        cleanup.note_end()
