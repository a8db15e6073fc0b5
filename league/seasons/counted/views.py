"""Pages that choose the events of a season."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubAccess, season_for
from league.access.rights import InClub
from league.lib.errors import Refused
from league.models import Season
from league.pages.club_page import render_club
from league.pages.form_key import creates_once
from league.pages.people_list import filters_of_ticks, list_filters, people_part, read_ticks, wants_people
from league.pages.tournament_page import organiser_of
from league.seasons.counted.page import actions_of, count_events, counted_in_words, events_list
from league.seasons.page import new_evening
from league.seasons.views import PAGE


@require_safe
def season_evenings(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Choose the events that count here, for all divisions or one."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    return _events_page(request, access, season)


def _events_page(
    request: HttpRequest, access: ClubAccess, season: Season, status: int = 200, refusal: str = ""
) -> HttpResponse:
    filters = list_filters(request.GET) if request.method != "POST" else filters_of_ticks(request.POST)
    people = events_list(season, filters)
    if wants_people(request):
        return people_part(request, people)
    return render_club(
        request, access, "league/seasons/season_evenings.html", page=PAGE, title=_("Tournaments in this season"),
        status=status, season=season, people=people, refusal=refusal, new_evening=new_evening(season),
        has_divisions=season.divisions.exists(),
    )  # fmt: skip


@require_POST
@creates_once
def evenings_ticked(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Make the ticked events count for all, for a division, or not."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    try:
        ticks = read_ticks(request.POST, actions_of(list(season.divisions.all())))
        done = count_events(season=season, slugs=ticks.who, do=ticks.do, by=organiser_of(request))
    except Refused as refused:
        return _events_page(request, access, season, refused.status, str(refused))
    (messages.success if done.changed else messages.warning)(request, counted_in_words(done, ticks.do))
    return redirect(ticks.filters.address(reverse("season_evenings", args=[club_slug, season_slug])))
