"""Pages that place players in divisions: ticked, by rating, or from a list."""

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
from league.pages.downloads import download
from league.pages.form_key import creates_once
from league.pages.in_place import say_done
from league.pages.people_list import filters_of_ticks, list_filters, people_part, read_ticks, wants_people
from league.pages.tournament_page import organiser_of
from league.seasons.divisions.forms import DivisionListForm
from league.seasons.divisions.page import (
    back_in_words,
    division_actions,
    division_rows,
    listed_in_words,
    placed_in_words,
    placing_page,
    split_in_words,
)
from league.seasons.divisions.placing import Placed, place_ticked, split_by_rating, undo_placing
from league.seasons.divisions.placing_list import COLUMNS, ListFaults, place_list
from league.seasons.views import PAGE


@require_safe
def season_players(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Show members, and guests of the season's events, with their divisions."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    return _page(request, access, season)


def _page(
    request: HttpRequest,
    access: ClubAccess,
    season: Season,
    status: int = 200,
    refusal: str = "",
    form: DivisionListForm | None = None,
) -> HttpResponse:
    filters = list_filters(request.GET) if request.method != "POST" else filters_of_ticks(request.POST)
    page = placing_page(access, season, filters, refusal)
    if wants_people(request):
        return people_part(request, page.people)
    title = _("Divisions")
    return render_club(
        request,
        access,
        "league/seasons/season_players.html",
        page=PAGE,
        title=title,
        status=status,
        season=season,
        placing=page,
        form=form or DivisionListForm(),
    )


@require_POST
@creates_once
def ticked(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Place the ticked people in a division, or in none."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    divisions = {division.number: division.name for division in season.divisions.all()}
    actions = division_actions(list(season.divisions.all()))
    try:
        ticks = read_ticks(request.POST, actions)
        to = actions[ticks.do]
        done = place_ticked(season=season, ids=ticks.who, to=to, by=organiser_of(request))
    except Refused as refused:
        return _page(request, access, season, refused.status, str(refused))
    _say(request, season, done, placed_in_words(done, divisions[to] if to is not None else ""))
    return redirect(ticks.filters.address(reverse("season_players", args=[club_slug, season_slug])))


def _say(request: HttpRequest, season: Season, done: Placed, words: str) -> None:
    """Report the result, with an undo button."""
    if done.row is None:
        messages.warning(request, words)
        return
    undo = reverse("undo_placing", args=[season.club.slug, season.slug])
    say_done(request, words, undo=f"{undo}?row={done.row}")


@require_POST
@creates_once
def split(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Split the rated people evenly over the divisions."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    try:
        done = split_by_rating(season=season, by=organiser_of(request))
    except Refused as refused:
        return _page(request, access, season, refused.status, str(refused))
    counts = placing_page(access, season, list_filters(request.GET)).counts
    _say(request, season, done, split_in_words(done, counts))
    return redirect("season_players", club_slug, season_slug)


@require_safe
def divisions_csv(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Export everyone with their division. The file can be sent as a list."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    return download(request, f"{club_slug}_{season_slug}_divisions.csv", COLUMNS, division_rows(access, season))


@require_POST
@creates_once
def from_list(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Place everyone on a list. An error changes nothing, and the page shows the list again."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    form = DivisionListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, access, season, status=422, form=form)
    try:
        done = place_list(season=season, text=form.text, by=organiser_of(request))
    except ListFaults as faults:
        form.refuse(faults)
        return _page(request, access, season, faults.status, form=form)
    except Refused as refused:
        return _page(request, access, season, refused.status, str(refused), form)
    counts = placing_page(access, season, list_filters(request.GET)).counts
    _say(request, season, done, listed_in_words(done, counts))
    return redirect("season_players", club_slug, season_slug)


@require_POST
def undo(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Undo a placement; `?row=` is the key of its log row."""
    _access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    row = request.GET.get("row", "")
    number = int(row) if row.isascii() and row.isdigit() and len(row) <= 15 else 0
    try:
        done = undo_placing(season=season, row=number, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, back_in_words(done))
    return redirect("season_players", club_slug, season_slug)
