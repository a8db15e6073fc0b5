"""The page that creates a tournament, and the live plan while it is filled in."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import clubs_to_hold_in, last_own_event
from league.entries.list_preview import needs_look
from league.formats import FORMATS
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal
from league.lib.translate import names
from league.models import Club, Tournament
from league.pages.form_key import creates_once
from league.pages.people_list import MOST_TICKED, ListFilters, list_filters, people_part, wants_people
from league.pages.tournament_page import organiser_of, posted_data
from league.seasons.seasons import put_in_season
from league.setup.create import create_tournament, free_name
from league.setup.forms import DETAILS, ClubChoiceForm
from league.setup.new.form import EMPTY_LIST, NewTournamentForm
from league.setup.new.members import FIELD, first_ticks, members_to_tick, ticked_of
from league.setup.new.page import new_page
from league.setup.players_views import report


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def new(request: HttpRequest) -> HttpResponse:
    last, clubs = last_own_event(request.user), list(clubs_to_hold_in(request.user))
    club = next((candidate for candidate in clubs if candidate.slug == request.GET.get("club")), None)
    chosen, season = {"club": club.slug if club else ""}, request.GET.get("season", "")
    of_club = ClubChoiceForm(posted_data(request), clubs=clubs, initial=chosen, season=season)
    initial, files = _initial(last, club), request.FILES or None
    host = _club_of(of_club) if request.method == "POST" else club
    filters = _filters(request, host)
    initial |= {"expected": len(filters.ticked)} if filters.ticked else {}
    form = NewTournamentForm(
        posted_data(request), files, initial=initial, club=_club_of(of_club), members=ticked_of(host, filters.ticked)
    )
    is_valid = request.method == "POST" and form.is_valid() and of_club.is_valid()
    if is_valid and not needs_look(form):
        try:
            tournament = _create(request, form, of_club)
        except Refused as refused:
            show_refusal(form, refused)
        else:
            form.remember_columns()
            report(request, form.roster)
            if form.twice:
                words = _("Typed and ticked, so added once: %(names)s.")
                messages.info(request, words % {"names": names(sorted(form.twice))})
            if form.rows() and not form.entered():
                messages.info(request, _("The places have no names yet. Add them under Players."))
            is_empty = not form.rows() and not form.members
            return redirect("players", tournament.slug) if is_empty else redirect(tournament)
    asks_zone = last is None and club is None and not form.is_bound
    page = new_page(form, of_club, members_to_tick(host, filters) if host else None)
    context = {"form": form, "of_club": of_club, "asks_zone": asks_zone, "new": page}
    return render(request, "league/setup/new.html", context, status=422 if request.method == "POST" else 200)


def _initial(last: Tournament | None, club: Club | None) -> dict[str, Any]:
    """Return the values of the empty form. last: the viewer's last event; club: of the new event."""
    initial = {
        "starts_on": timezone.localdate(),
        "time_zone": last.time_zone if last else settings.TIME_ZONE,
        "place": last.place if last else "",
        "edition": last.stage.edition if last else "classic",
    }
    if club is None:
        return initial
    # Its members are ticked.
    members = {"without_names": EMPTY_LIST}
    return initial | {"time_zone": club.time_zone, "place": club.place, "visibility": club.visibility} | members


def _club_of(form: ClubChoiceForm) -> Club | None:
    """Return the chosen club, whose saved column choices apply to the list."""
    return form.club() if form.is_bound and form.is_valid() else None


def _create(request: HttpRequest, form: NewTournamentForm, of_club: ClubChoiceForm) -> Tournament:
    data, (season, division) = form.cleaned_data, of_club.season()
    name = form.title() if data["name"] else free_name(form.title(), organiser_of(request))
    with transaction.atomic():
        details = {field: data[field] for field in DETAILS} | {"name": name}
        tournament = create_tournament(
            Tournament(owner=organiser_of(request), club=of_club.club(), online=form.online, **details),
            form.stages(),
            players=form.rows(),
            members=form.members,
            edition=data["edition"],
            shuffled=data["order"] == "shuffled" and FORMATS[form.plays].drawn_ahead,
        )
        if season is None:
            return tournament
        return put_in_season(tournament=tournament, season=season, division=division, by=organiser_of(request))


@login_required
@require_POST
def evening(request: HttpRequest) -> HttpResponse:
    """Render the parts that depend on the answers. Changed answers drop a format that was picked before."""
    posted: QueryDict = request.POST.copy()
    if posted.get("answered", _answers(posted)) != _answers(posted):
        posted["format"] = ""
    of_club = ClubChoiceForm(posted, clubs=clubs_to_hold_in(request.user))
    club = _club_of(of_club)
    # For another club, tick the members of its last event.
    is_other = posted.get("members_of", "") != (club.slug if club else "")
    filters = first_ticks(club) if club and is_other else _filters(request, club)
    form = NewTournamentForm(posted, request.FILES, club=club, members=ticked_of(club, filters.ticked))
    page = new_page(form, of_club, members_to_tick(club, filters) if club else None)
    return render(request, "league/setup/new/_counted.html", {"form": form, "new": page, "has_other_club": is_other})


def _filters(request: HttpRequest, club: Club | None) -> ListFilters:
    """Return the state of the member list: posted ticks, or at first those of the last event."""
    if request.method == "POST":
        return ListFilters(ticked=frozenset(request.POST.getlist(FIELD)[:MOST_TICKED]))
    return first_ticks(club) if club else ListFilters()


@login_required
@require_safe
def members(request: HttpRequest) -> HttpResponse:
    """Render members to tick, for a search, another view or more rows. Without scripts, restart the page."""
    slug = request.GET.get("club", "")[:100].replace("\0", "")
    club = get_object_or_404(clubs_to_hold_in(request.user), slug=slug)
    if not wants_people(request):
        return redirect(f"{reverse('new')}?{urlencode({'club': club.slug})}")
    return people_part(request, members_to_tick(club, list_filters(request.GET)).people)


def _answers(data: QueryDict) -> str:
    return f"{data.get('partnering', '')}/{data.get('ending', '')}"
