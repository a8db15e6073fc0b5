"""Pause a tournament with a public reason, and resume it.

During a pause nothing is published or confirmed automatically (league/background/deadlines.py), and the clock stops.
Played hands can still be recorded.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict
from league.lib.wall_time import in_log
from league.log.write import note
from league.models import Deadline, Round, Tournament, User
from league.rounds.tables import check_reason
from league.rounds.time_left import clock_of


@transaction.atomic
def pause(*, tournament: Tournament, reason: str, by: User | None) -> None:
    """Pause play; does nothing if paused. Raises `Refused("reason")`, and `Conflict` if it isn't running."""
    tournament = lock_tournament(tournament.pk)
    check_not_called_off(tournament)
    if tournament.paused_at is not None:
        return
    if tournament.state != Tournament.State.RUNNING:
        raise Conflict("not-running", _("Only a running tournament can be paused."))
    check_reason(reason)
    stand_still(tournament, reason)
    note(tournament=tournament, by=by, action="pause", reason=tournament.pause_reason)


@transaction.atomic
def resume(*, tournament: Tournament, by: User | None) -> None:
    """Resume play: restart the clock, and extend the time for objections by the length of the pause."""
    tournament = lock_tournament(tournament.pk)
    since = tournament.paused_at
    if since is None or tournament.is_called_off:
        return
    go_on(tournament)
    note(tournament=tournament, by=by, action="resume", old={"since": in_log(since, tournament.time_zone)})


def check_not_called_off(tournament: Tournament) -> None:
    """Raises `Conflict` for a tournament that is called off."""
    if tournament.is_called_off:
        raise Conflict("called-off", _("The tournament is cancelled. Reinstate it in Settings first."))


def stand_still(tournament: Tournament, reason: str) -> None:
    """Pause now, with the open round's clock. The caller holds the tournament's lock."""
    tournament.paused_at, tournament.pause_reason = timezone.now(), reason.strip()[:200]
    tournament.save(update_fields=["paused_at", "pause_reason"])
    played = _open_round(tournament)
    clock = clock_of(played, now=tournament.paused_at)
    if played is not None and clock is not None and clock.state == "runs":
        # Keep both end and time left: this marks a clock stopped by the pause.
        played.seconds_left = clock.seconds
        played.save(update_fields=["seconds_left"])


def go_on(tournament: Tournament) -> None:
    """Undo `stand_still`. The caller holds the tournament's lock."""
    now, since = timezone.now(), tournament.paused_at or timezone.now()
    tournament.paused_at, tournament.pause_reason = None, ""
    tournament.save(update_fields=["paused_at", "pause_reason"])
    played = _open_round(tournament)
    if played is not None and played.ends_at is not None and played.seconds_left is not None:
        played.ends_at, played.seconds_left = now + timedelta(seconds=played.seconds_left), None
        played.save(update_fields=["ends_at", "seconds_left"])
    waiting = Deadline.objects.pending().filter(tournament=tournament, kind=Deadline.Kind.CONFIRM)
    waiting.filter(created_at__lte=since).update(due_at=F("due_at") + (now - since))


def _open_round(tournament: Tournament) -> Round | None:
    return tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING)).order_by("number").last()
