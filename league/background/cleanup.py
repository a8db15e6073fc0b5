"""Delete rows that no page shows any more: every six hours, and when beat starts (config/idle/beat.py).

Each batch is a short transaction, because on SQLite results wait for it. A killed cleanup continues the next time.
"""

import contextlib
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.cache import caches
from django.db.models import Q, QuerySet
from django.utils import timezone
from redis import RedisError

from league import letters
from league.erasure import sessions
from league.models import Deadline, Job, Letter, Tournament

logger = logging.getLogger(__name__)

OLD = timedelta(days=30)
AT_ONCE = 1000  # rows a transaction
EVERY = timedelta(hours=6)
ENDED = "cleaned-up"  # in the cache that all processes share, if they have Redis


def next_due() -> datetime:
    """Return when the next cleanup is due: at once after a start, as on a laptop that is off at night."""
    ended: datetime | None = caches["limits"].get(ENDED)
    return ended + EVERY if ended else datetime.min.replace(tzinfo=UTC)


def note_end() -> None:
    """Record that a cleanup has ended. While Redis is down, none is recorded."""
    with contextlib.suppress(RedisError):
        caches["limits"].set(ENDED, timezone.now(), EVERY.total_seconds())


def clean_up(now: datetime) -> int:
    """Delete old rows and expired sessions; return the number of rows."""
    deleted = 0
    while batch := sessions.delete_expired(now):
        deleted += batch
    for rows in _old_rows(now - OLD):
        while keys := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
            deleted += rows.model._base_manager.filter(pk__in=keys).delete()[0]
    if deleted:
        logger.info("Deleted old rows: %s", deleted)
    return deleted


def _old_rows(before: datetime) -> Iterator[QuerySet[Any]]:
    yield Job.objects.filter(state__in=(Job.State.DONE, Job.State.FAILED), finished_at__lt=before)
    # The last reminder's time is the organiser's choice, which copies of the event take over.
    past = Deadline.objects.filter(due_at__lt=before).exclude(kind=Deadline.Kind.REMIND)
    yield past.filter(state__in=(Deadline.State.DONE, Deadline.State.CANCELLED))
    # *Now* shows why a round was not published, until the event is over.
    yield past.filter(state=Deadline.State.FAILED, tournament__state=Tournament.State.CLOSED)
    # Sign-ups show their last e-mail, and later e-mails depend on earlier ones, until the event is over.
    over = Q(sign_up__tournament__starts_on__lt=before.date()) | Q(entry__tournament__starts_on__lt=before.date())
    sent = Letter.objects.filter(over, state=Letter.State.SENT, sent_at__lt=before)
    yield sent.exclude(kind=letters.NO_REMINDERS)
