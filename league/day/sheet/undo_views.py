"""What the messages after an action take back, at once: the action was shown before it was done."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import entry_for
from league.access.rights import Can
from league.day.sheet.playing import address
from league.lib.errors import Refused
from league.pages.tournament_page import organiser_of
from league.rounds.tables import swap_seats


@require_POST
def swap_back(request: HttpRequest, slug: str, public_id: str, round_number: int, other: str) -> HttpResponse:
    """Let two who swapped their seats in a round swap them once more."""
    access, first = entry_for(request.user, slug, public_id, Can.CORRECT)
    _access, second = entry_for(request.user, slug, other, Can.CORRECT)
    try:
        swap_seats(
            tournament=access.tournament,
            round_number=round_number,
            one=first,
            other=second,
            reason=_("Swapped back"),
            by=organiser_of(request),
        )
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        names = {"one": first.name, "other": second.name}
        messages.success(request, _("%(one)s and %(other)s sit where they sat before.") % names)
    return redirect(address(first))
