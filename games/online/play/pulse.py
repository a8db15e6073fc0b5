"""Stops all clocks while the service is down.

While hands are open, each web process writes about once a second into the one row of `Pulse`; the sweeper does so at
each look. `healthy_at` is the latest time at which both are known to run.

- A player's time can end only before `healthy_at`: while web or sweeper are down, or a clock has jumped, time stops.
- After a gap, all times of open hands shift by the gap, counted from when they started. If the machine's clock was set
  back, times in the future move to the present.

If no web process ever wrote (`web_at` is null), only the sweeper counts.
"""

import logging
import threading
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import Error, connection, transaction
from django.utils import timezone

from games.models import Deal, Pulse
from games.online.play.notify import notify_page
from league.ledger.locks import lock_tables
from league.models import Table

logger = logging.getLogger(__name__)

ROW = 1
EVERY = 1.0  # seconds between two beats of a web process
JUST_NOW = timedelta(seconds=0.7)  # another process has just written
GAP = timedelta(seconds=3)  # a longer silence means that a process was down
MOMENTS = ("asked_at", "due_at", "bot_at")


def alive(now: datetime) -> None:
    """Record that a web process runs. Write nothing without an open hand, or if another process has just written."""
    if not Deal.objects.open().exists():
        return
    row = Pulse.objects.filter(pk=ROW)
    if not row.exclude(web_at__range=(now - JUST_NOW, now + JUST_NOW)).update(web_at=now):
        Pulse.objects.get_or_create(pk=ROW, defaults={"web_at": now})


def beat() -> threading.Thread:
    """Start the recording thread of a web process. Call it after a fork, since threads are not copied."""
    thread = threading.Thread(target=_beat, name="pulse", daemon=True)
    thread.start()
    return thread


def _beat() -> None:
    wait = threading.Event().wait
    while True:
        try:
            alive(timezone.now())
        except Error:
            connection.close()  # without a database no one plays, and the sweeper sees the gap
        except Exception:
            logger.exception("The pulse of a web process failed")
        wait(EVERY)


def take(now: datetime) -> datetime | None:
    """Return the time until which the service is known to run; None if it is down. The sweeper calls it.

    Shifts the times of open hands by a downtime, and in paused tournaments by the time since the last call.
    """
    pulse, _created = Pulse.objects.get_or_create(pk=ROW)
    until = _healthy_until(pulse, now)
    if until is None:
        if pulse.healthy_at is None or pulse.sweeper_at is None or pulse.sweeper_at <= pulse.healthy_at:  # once
            logger.warning("Online tables are stopped: no web process since %s", pulse.web_at)
        Pulse.objects.filter(pk=ROW).update(sweeper_at=now)
        return None
    before = pulse.healthy_at
    if before is not None and timedelta() <= until - before < JUST_NOW:
        return until
    with transaction.atomic():
        if before is not None:
            _put_off(before, until)
        # If another sweeper has already shifted the times, undo this one's.
        if not Pulse.objects.filter(pk=ROW, healthy_at=before).update(healthy_at=until, sweeper_at=now):
            transaction.set_rollback(True)
    return until


def healthy_until(now: datetime) -> datetime | None:
    """Return the last result of `take`, without writing."""
    pulse = Pulse.objects.filter(pk=ROW).first()
    until = _healthy_until(pulse, now) if pulse else None
    if pulse is None or until is None or pulse.healthy_at is None or abs(until - pulse.healthy_at) > GAP:
        return None
    return until


def time_down(since: datetime, now: datetime) -> timedelta:
    """Return the part of the time since then in which the service is not known to have run."""
    healthy_at = Pulse.objects.filter(pk=ROW).values_list("healthy_at", flat=True).first()
    if healthy_at is None or now - healthy_at <= GAP:
        return timedelta()
    return now - max(since, healthy_at)


def _healthy_until(pulse: Pulse, now: datetime) -> datetime | None:
    if pulse.web_at is None:
        return now
    return min(now, pulse.web_at) if abs(now - pulse.web_at) <= GAP else None


def _put_off(before: datetime, until: datetime) -> None:
    """Shift all open hands after a gap, else only the paused ones. `before` and `until` are values of `healthy_at`."""
    was_down = abs(until - before) > GAP
    # A hand paused alone gets its time back on resuming (director.go_on).
    which = Deal.objects.open().filter(paused_at=None)
    if not was_down:
        which = which.filter(table__round__tournament__paused_at__isnull=False)
    tables = list(which.values_list("table_id", flat=True))
    if not tables:
        return
    lock_tables(tables)  # no moves by the old times
    deals = list(which.order_by("table_id"))
    for deal in deals:
        _shift(deal, before, until)
    Deal.objects.bulk_update(deals, MOMENTS)
    if was_down:
        logger.warning("No time was counted for %s: %d hands were open", until - before, len(deals))
        _tell(tables)


def _shift(deal: Deal, before: datetime, until: datetime) -> None:
    since = deal.asked_at or deal.made_at
    if until >= before:
        by = max(until - max(since, before), timedelta())
    else:
        by = until - before if since > until else timedelta()
    stood_still(deal, by)


def stood_still(deal: Deal, time: timedelta) -> None:
    """Shift the clock by a time without play, so no player pays for it. Does not save."""
    for name in MOMENTS:
        moment: datetime | None = getattr(deal, name)
        if moment is not None:
            setattr(deal, name, moment + time)


def _tell(tables: Iterable[int]) -> None:
    for table in Table.objects.filter(pk__in=tables).select_related("round").order_by("pk"):
        notify_page(table)
