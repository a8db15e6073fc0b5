"""Announce a line to everyone at a tournament, and remove it.

A tournament has at most one announcement. Its visible text follows from its row and the clock; the deadline only wakes
open pages at its end.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.announcements.text import checked_text
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict
from league.log.write import note
from league.models import Announcement, Deadline, Round, Tournament, User

MINUTES = 10
Until = Announcement.Until


def visible_announcement(tournament: Tournament, now: datetime | None = None) -> Announcement | None:
    """Return the announcement that everyone sees now, if any."""
    announcement: Announcement | None = getattr(tournament, "announcement", None)
    if announcement is None or not announcement.is_visible(now or timezone.now()):
        return None
    return announcement


def open_round(tournament: Tournament) -> Round | None:
    """Return the round with which an announcement can end."""
    return tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING)).order_by("number").last()


@transaction.atomic
def announce(*, tournament: Tournament, text: str, until: str = Until.MINUTES, by: User | None) -> Announcement:
    """Show a text to everyone, in place of the announcement before.

    Raises `Refused("text")`, and `Conflict("no-round")` if it is to end with a round but none is open.
    """
    tournament = lock_tournament(tournament.pk)
    line, now = checked_text(text), timezone.now()
    played = open_round(tournament) if until == Until.ROUND else None
    if until == Until.ROUND and played is None:
        raise Conflict("no-round", _("No round is open. Choose another end."))
    columns = {
        "text": line,
        "until": until,
        "round": played,
        "announced_at": now,
        "ends_at": now + timedelta(minutes=MINUTES) if until == Until.MINUTES else None,
        "removed_at": None,
    }
    announcement, _is_new = Announcement.objects.update_or_create(tournament=tournament, defaults=columns)
    _set_deadline(announcement, now)
    note(tournament=tournament, by=by, action="announce", new=_in_log(announcement))
    return announcement


@transaction.atomic
def remove_announcement(*, tournament: Tournament, by: User | None, stamp: str = "") -> bool:
    """Remove the visible announcement. Returns False if there is none.

    stamp: of the one meant. Raises `Conflict("newer")` if another one has replaced it.
    """
    tournament = lock_tournament(tournament.pk)
    now = timezone.now()
    announcement = visible_announcement(tournament, now)
    if announcement is None:
        return False
    if stamp and stamp != announcement.stamp:
        raise Conflict("newer", _("A newer announcement has replaced this one. It stays."))
    announcement.removed_at = now
    announcement.save(update_fields=["removed_at"])
    _set_deadline(announcement, now)
    note(tournament=tournament, by=by, action="remove-announcement", old=_in_log(announcement))
    return True


@transaction.atomic
def restore_announcement(*, tournament: Tournament, by: User | None) -> Announcement:
    """Undo a removal; the end stays. Raises `Conflict("over")` if that has passed, or nothing was removed."""
    tournament = lock_tournament(tournament.pk)
    now = timezone.now()
    announcement: Announcement | None = getattr(tournament, "announcement", None)
    if announcement is not None and announcement.removed_at is None and announcement.is_visible(now):
        return announcement
    if announcement is not None:
        announcement.removed_at = None
    if announcement is None or not announcement.is_visible(now):
        raise Conflict("over", _("Its time is over. Announce it again instead."))
    announcement.save(update_fields=["removed_at"])
    _set_deadline(announcement, now)
    note(tournament=tournament, by=by, action="announce", new=_in_log(announcement))
    return announcement


def end_announcement(tournament: Tournament, now: datetime) -> None:
    """Note the timed end of an announcement, which wakes open pages. The caller holds the lock."""
    announcement: Announcement | None = getattr(tournament, "announcement", None)
    if announcement is None or announcement.removed_at is not None:
        return
    if announcement.ends_at is not None and announcement.ends_at <= now:
        note(tournament=tournament, by=None, action="end-announcement", old=_in_log(announcement))


def _set_deadline(announcement: Announcement, now: datetime) -> None:
    """Schedule the end of a visible announcement, and nothing else."""
    of_them = Deadline.objects.pending().filter(tournament=announcement.tournament, kind=Deadline.Kind.ANNOUNCEMENT)
    of_them.update(state=Deadline.State.CANCELLED)
    if announcement.ends_at is not None and announcement.is_visible(now):
        Deadline.objects.create(
            kind=Deadline.Kind.ANNOUNCEMENT, tournament=announcement.tournament, due_at=announcement.ends_at
        )


def _in_log(announcement: Announcement) -> dict[str, Any]:
    return {"text": announcement.text, "until": announcement.until}
