"""The day, for what voids hands: undoing the latest round."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games.hands.undo_round import undo_round as undo
from games.models import Hand
from league.access import tournament_for
from league.access.rights import Can
from league.day.table_forms import RoundForm
from league.day.views import decide_here, show_day
from league.models import Tournament
from league.pages.tournament_page import organiser_of


@require_POST
def undo_round(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = RoundForm(request.POST)
    if not form.is_valid():
        return show_day(request, access, status=422, said=form.first_fault(), of="undo")
    number, reason = form.cleaned_data["round"], form.cleaned_data["reason"]
    words = {"number": number}
    return decide_here(
        request,
        access,
        "undo",
        action=lambda: undo(tournament=access.tournament, round_number=number, reason=reason, by=organiser_of(request)),
        what=_("Undo round %(number)d") % words,
        button=_("Undo the round"),
        done=_("Round %(number)d is a draft again. Publish it when its seats are right.") % words,
        about=_about(access.tournament, number),
    )


def _about(tournament: Tournament, number: int) -> list[str]:
    hands = Hand.objects.living().filter(table__round__in=tournament.rounds.shown().filter(number=number)).count()
    lost = ngettext(
        "%(count)d hand of this round is taken back. It stays in the log and cannot be put back.",
        "%(count)d hands of this round are taken back. They stay in the log and cannot be put back.",
        hands,
    )
    return [
        lost % {"count": hands} if hands else _("No hand of this round is in."),
        _("Nobody but you sees the draft until you publish it. Phones at its tables say that it was undone."),
    ]
