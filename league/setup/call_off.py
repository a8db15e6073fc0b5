"""Call a tournament off, or hold it after all. Once a hand counts it can only be paused or ended early.

While it is called off (`Tournament.is_called_off`) it stands still as in a pause: nothing publishes itself, no hand is
dealt or recorded, and clocks stand. Nobody signs up or is reminded, and calendars show the evening as cancelled.
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
    """Call it off, with a mail about the reason to everybody who signed up. A second time nothing happens.

    A pause becomes part of it. Raises `Refused("reason")`, and `Conflict` if a hand counts.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.is_called_off:
        return
    # With the tables locked, a hand that is being entered now either counts already or will be refused.
    list(Table.objects.select_for_update().filter(round__tournament=tournament).order_by("pk").values_list("pk"))
    if why_not := why_it_is_held(tournament):
        raise why_not
    check_reason(reason)
    if has_link(reason):
        sentence = _("The reason can’t contain a link. Put a space after each dot.")
        raise Refused("reason", sentence, fields={"reason": [sentence]})
    tournament.is_called_off = True
    tournament.save(update_fields=["is_called_off"])
    stand_still(tournament, reason)
    _tell(tournament, "called-off")
    note(tournament=tournament, by=by, action="call-off", reason=tournament.pause_reason)


def why_it_is_held(tournament: Tournament) -> Conflict | None:
    """The reason against calling it off, with what to do instead; None if there is none."""
    if tournament.kind == Tournament.Kind.PRACTICE:
        return Conflict("practice", _("Delete a practice event on its Now page."))
    if tournament.kind != Tournament.Kind.EVENT:
        return Conflict("casual", _("A casual table closes when everyone has left."))
    if tournament.is_final:
        return Conflict("closed", _("The standings are final, so there’s nothing to cancel."))
    if counts_a_hand(tournament):
        return Conflict("begun", _("Hands already count. End it early, or pause it under Rounds, Manage."))
    return None


@transaction.atomic
def hold_after_all(*, tournament: Tournament, by: User | None) -> None:
    """Hold it after all, with a mail to everybody on the list; places that became free meanwhile are given.

    A round whose time to be published has passed waits for the organiser; a stopped clock runs again. If it is not
    called off, nothing happens.
    """
    tournament = lock_tournament(tournament.pk)
    if not tournament.is_called_off:
        return
    old = tournament.pause_reason
    tournament.is_called_off = False
    tournament.save(update_fields=["is_called_off"])
    go_on(tournament)
    _tell(tournament, "held-after-all")
    note(tournament=tournament, by=by, action="hold-after-all", old={"reason": old})
    cancel_passed(tournament=tournament, by=by, now=timezone.now())
    places.move_up(tournament, by)


def mail_in_words(*, sends: bool) -> str:
    """Return who informs the people on the list: the service, if it `sends` e-mail, or the organiser."""
    if sends:
        return _("Everyone who signed up gets an e-mail.")
    return _("This service sends no e-mail: tell the players yourself.")


def _tell(tournament: Tournament, kind: str) -> None:
    """Write to everybody who is on the list or waits."""
    for sign_up in tournament.sign_ups.filter(state__in=(SignUp.State.PLACED, SignUp.State.WAITING)).order_by("pk"):
        letters.write(kind=kind, sign_up=sign_up)
