"""Cancel or reinstate a tournament. Once a hand counts, it can only be paused or ended early.

A cancelled tournament (`Tournament.is_called_off`) is paused: no round is published, no hand is dealt or recorded, and
clocks stop. Sign-up and reminders stop too, and calendars show the event as cancelled.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import letters
from league.background.deadlines import cancel_passed
from league.entries import places
from league.ledger.locks import lock_tournament
from league.ledger.progress import counts_a_hand
from league.lib.errors import Conflict, Refused
from league.lib.names import has_link
from league.log.write import note
from league.models import SignUp, Table, Tournament, User
from league.rounds.pause import go_on, stand_still
from league.rounds.tables import check_reason


@transaction.atomic
def call_off(*, tournament: Tournament, reason: str, by: User | None) -> None:
    """Cancel a tournament and e-mail the reason to everyone who signed up. Calling it again does nothing.

    A running pause is absorbed. Raises `Refused("reason")`, and `Conflict` if a hand counts.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.is_called_off:
        return
    # Lock the tables: a hand being entered now either already counts or will be refused.
    list(Table.objects.select_for_update().filter(round__tournament=tournament).order_by("pk").values_list("pk"))
    if why_not := why_not_cancelled(tournament):
        raise why_not
    check_reason(reason)
    if has_link(reason):
        sentence = _("The reason can’t contain a link. Put a space after each dot.")
        raise Refused("reason", sentence, fields={"reason": [sentence]})
    tournament.is_called_off = True
    tournament.save(update_fields=["is_called_off"])
    stand_still(tournament, reason)
    _notify(tournament, "called-off")
    note(tournament=tournament, by=by, action="call-off", reason=tournament.pause_reason)


def why_not_cancelled(tournament: Tournament) -> Conflict | None:
    """Return why the tournament can't be cancelled, with an alternative; None if it can."""
    if tournament.kind == Tournament.Kind.PRACTICE:
        return Conflict("practice", _("Delete a practice tournament on its Now page."))
    if tournament.kind != Tournament.Kind.EVENT:
        return Conflict("casual", _("A casual table closes when everyone has left."))
    if tournament.is_final:
        return Conflict("closed", _("The standings are final, so there’s nothing to cancel."))
    if counts_a_hand(tournament):
        return Conflict("begun", _("Hands are recorded. End the tournament early, or pause it under Rounds, Manage."))
    return None


@transaction.atomic
def hold_after_all(*, tournament: Tournament, by: User | None) -> None:
    """Reinstate a tournament, e-mail everyone on the list, and fill places that became free.

    A round whose publishing time has passed waits for the organiser. A stopped clock runs again. Does nothing unless
    the tournament is cancelled.
    """
    tournament = lock_tournament(tournament.pk)
    if not tournament.is_called_off:
        return
    old = tournament.pause_reason
    tournament.is_called_off = False
    tournament.save(update_fields=["is_called_off"])
    go_on(tournament)
    _notify(tournament, "held-after-all")
    note(tournament=tournament, by=by, action="hold-after-all", old={"reason": old})
    cancel_passed(tournament=tournament, by=by, now=timezone.now())
    places.move_up(tournament, by)


def mail_in_words(*, sends: bool) -> str:
    """Return who informs the people on the list: the service, if it `sends` e-mail, or the organiser."""
    if sends:
        return _("Everyone who signed up gets an e-mail.")
    return _("This service sends no e-mail: tell the players yourself.")


def _notify(tournament: Tournament, kind: str) -> None:
    """Queue an e-mail to everyone on the list or the waiting list."""
    for sign_up in tournament.sign_ups.filter(state__in=(SignUp.State.PLACED, SignUp.State.WAITING)).order_by("pk"):
        letters.write(kind=kind, sign_up=sign_up)
