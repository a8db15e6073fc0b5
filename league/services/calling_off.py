"""A tournament that does not take place, or does after all. Once it has begun it can be paused, or ended early.

It is called off while it stands still before it has begun (`Tournament.is_called_off`): nothing publishes itself,
nobody signs up, nobody is reminded, and calendars show the evening as cancelled.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import letters
from league.deadlines import cancel_passed
from league.errors import Conflict
from league.models import SignUp, Tournament, User
from league.services import places
from league.services.locks import lock_tournament
from league.services.log import note
from league.services.tables import check_reason


@transaction.atomic
def call_off(*, tournament: Tournament, reason: str, by: User | None) -> None:
    """Everybody who signed up gets a mail with the reason. Called off already: nothing happens.

    Raises `Refused("reason")`, and `Conflict` once it has begun.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.is_called_off:
        return
    if tournament.state != Tournament.State.PLANNED:
        raise Conflict("begun", _("It has begun. Pause it, or end it early, on the page of the day."))
    check_reason(reason)
    tournament.paused_at, tournament.pause_reason = timezone.now(), reason.strip()[:200]
    tournament.save(update_fields=["paused_at", "pause_reason"])
    _tell(tournament, "called-off")
    note(tournament=tournament, by=by, action="call-off", reason=tournament.pause_reason)


@transaction.atomic
def hold_after_all(*, tournament: Tournament, by: User | None) -> None:
    """Everybody on the list learns of it, and places that came free meanwhile are given. A round whose time to be
    published has passed waits for the organiser. Not called off: nothing happens.
    """
    tournament = lock_tournament(tournament.pk)
    if not tournament.is_called_off:
        return
    old = tournament.pause_reason
    tournament.paused_at, tournament.pause_reason = None, ""
    tournament.save(update_fields=["paused_at", "pause_reason"])
    _tell(tournament, "held-after-all")
    note(tournament=tournament, by=by, action="hold-after-all", old={"reason": old})
    cancel_passed(tournament=tournament, by=by, now=timezone.now())
    places.move_up(tournament, by)


def _tell(tournament: Tournament, kind: str) -> None:
    """Everybody who is on the list, or waits."""
    for sign_up in tournament.sign_ups.filter(state__in=(SignUp.State.PLACED, SignUp.State.WAITING)).order_by("pk"):
        letters.write(kind=kind, sign_up=sign_up)
