"""Pauses an event, with a reason that everybody sees, and lets it go on.

Meanwhile nothing publishes or confirms itself (league/background/deadlines.py), and the round's clock stands. Hands
that were played can be entered.
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
    """Pause play; nothing happens if it is paused. Raises `Refused("reason")`, and `Conflict` if nothing is played."""
    tournament = lock_tournament(tournament.pk)
    check_not_called_off(tournament)
    if tournament.paused_at is not None:
        return
    if tournament.state != Tournament.State.RUNNING:
        raise Conflict("not-running", _("Only a tournament that is being played can be paused."))
    check_reason(reason)
    stand_still(tournament, reason)
    note(tournament=tournament, by=by, action="pause", reason=tournament.pause_reason)


@transaction.atomic
def resume(*, tournament: Tournament, by: User | None) -> None:
    """Go on: a clock that the pause stopped runs again, and whoever may still object has as much time as before."""
    tournament = lock_tournament(tournament.pk)
    since = tournament.paused_at
    if since is None or tournament.is_called_off:
        return
    go_on(tournament)
    note(tournament=tournament, by=by, action="resume", old={"since": in_log(since, tournament.time_zone)})


def check_not_called_off(tournament: Tournament) -> None:
    """Raises `Conflict` for a tournament that is called off."""
    if tournament.is_called_off:
        raise Conflict("called-off", _("It is called off. Say under Settings first that it takes place after all."))


def stand_still(tournament: Tournament, reason: str) -> None:
    """Pause from now on, with the clock of the open round. The caller holds the tournament's lock."""
    tournament.paused_at, tournament.pause_reason = timezone.now(), reason.strip()[:200]
    tournament.save(update_fields=["paused_at", "pause_reason"])
    played = _open_round(tournament)
    clock = clock_of(played, now=tournament.paused_at)
    if played is not None and clock is not None and clock.state == "runs":
        # Its end stays in the row beside the time left, which shows that the pause stopped it and nobody else.
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
