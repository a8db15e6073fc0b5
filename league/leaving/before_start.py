"""A player gives up their place before the start."""

from django.db import transaction
from django.utils.translation import gettext as _

from league.entries.places import sign_up_of
from league.entries.sign_up import withdraw
from league.leaving.requests import lock_entry
from league.lib.errors import Conflict
from league.models import Entry, SignUp


@transaction.atomic
def give_up_place(*, entry: Entry) -> SignUp:
    """Free a place before the start; the waiting list moves up. Return the withdrawn sign-up.

    An entry typed by the organiser gets a sign-up, from which they can give the place back. Raises `Conflict` after the
    start or with points.
    """
    tournament, entry = lock_entry(entry)
    if tournament.has_begun:
        raise Conflict("started", _("The tournament has started. Ask to leave instead."))
    if tournament.is_over:
        raise Conflict("closed", _("This tournament is cancelled."))
    return withdraw(sign_up=sign_up_of(entry))
