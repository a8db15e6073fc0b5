"""Record the winner of an extra hand between players whose tie was broken at random."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import tournament_for
from league.access.rights import Can
from league.day.views import Decision, decide
from league.lib.errors import Refused
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of
from league.rounds.extra_hand import win_extra_hand
from league.setup.overview_views import show_overview


@require_POST
@creates_once
def extra_hand(request: HttpRequest, slug: str) -> HttpResponse:
    """Record the winner of an extra hand, after a preview."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    player = request.POST.get("player", "")
    entry = access.tournament.entries.filter(public_id=player).first() if player.isalnum() else None
    if entry is None:
        return show_overview(request, access, status=422, refusal=_("Choose who won the extra hand."))
    by, words = organiser_of(request), {"name": entry.name}
    try:
        return decide(
            request,
            access,
            Decision(
                action=lambda: win_extra_hand(tournament=access.tournament, entry=entry, by=by),
                title=_("%(name)s won an extra hand") % words,
                about=[_("This only breaks the tie. You can undo it on the player’s page.")],
                button=_("Record the win"),
                done=_("%(name)s is now ahead of the tied players.") % words,
            ),
            back=reverse("tournament", args=[slug]),
        )
    except Refused as refused:
        return show_overview(request, access, status=refused.status, refusal=str(refused))
