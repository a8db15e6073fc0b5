"""Set whose evening a tournament is, and its season: for those who run it and may hold evenings in the club."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import Access, clubs_to_hold_in, tournament_for
from league.access.rights import Can
from league.clubs.clubs import put_in_club
from league.lib.errors import Refused
from league.pages.tournament_page import organiser_of
from league.seasons.seasons import put_in_season
from league.setup.forms import ClubChoiceForm


def evening_form(request: HttpRequest, access: Access) -> ClubChoiceForm | None:
    """The form; None if there is nothing to choose, or if the viewer may not hold evenings in the tournament's club."""
    clubs = list(clubs_to_hold_in(request.user))
    club = access.tournament.club
    if not clubs or (club is not None and club not in clubs):
        return None
    data = request.POST if request.resolver_match and request.resolver_match.url_name == "set_club" else None
    return ClubChoiceForm(data, clubs=clubs, tournament=access.tournament, initial={"club": club.slug if club else ""})


@require_POST
def set_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Set club and season. Taking a tournament out of its club may cost the viewer their rights in it."""
    access = tournament_for(request.user, slug, Can.RUN)
    form = evening_form(request, access)
    if form is None or not form.is_valid():
        messages.error(request, _("That was not changed: choose one of the clubs in which you hold evenings."))
        return redirect("settings", slug)
    club, (season, division) = form.club(), form.season()
    try:
        with transaction.atomic():
            tournament = put_in_club(tournament=access.tournament, club=club, by=organiser_of(request))
            put_in_season(tournament=tournament, season=season, division=division, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("settings", slug)
    if season is not None:
        messages.success(request, _("It counts in %(season)s.") % {"season": season.name})
        return redirect("settings", slug)
    if club is not None:
        messages.success(request, _("An evening of %(club)s now.") % {"club": club.name})
        return redirect("settings", slug)
    messages.success(request, _("No evening of a club any more."))
    return redirect("home")
