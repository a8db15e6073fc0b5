"""Worker tasks for online tables, called by beat (config/idle/beat.py)."""

import logging
import threading

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from games.online.casual import end as casual_end
from games.online.play.sweep import Sweeper
from games.service.backups import Writer

logger = logging.getLogger(__name__)

_sweeper = Sweeper()
_backups = Writer()
# One sweep at a time in a process; sweeps of other processes skip tables that are locked.
_sweeping = threading.Lock()


@shared_task(name="games.sweep_tables")
def sweep_tables() -> None:
    if not _sweeping.acquire(blocking=False):
        return
    try:
        _sweeper.sweep(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Online tables wait for the database: %s", error)
    finally:
        _sweeping.release()


@shared_task(name="games.tidy_casual_tables")
def tidy_casual_tables() -> None:
    try:
        casual_end.tidy(timezone.now())
    except (OperationalError, InterfaceError) as error:
        logger.warning("Casual tables wait for the database: %s", error)


@shared_task(name="games.back_up")
def back_up() -> None:
    """Start an automatic backup if one is due. Costs a listing of one folder."""
    _backups.check(timezone.now())
