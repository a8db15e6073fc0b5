"""The page on which a tournament is made, and what it counts along while it is filled in."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import clubs_to_hold_in, last_own_event
from league.entries.list_preview import needs_look
from league.formats import FORMATS
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal
from league.models import Club, Tournament
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, posted_data
from league.seasons.seasons import put_in_season
from league.setup.create import create_tournament, free_name
from league.setup.forms import DETAILS, ClubChoiceForm
from league.setup.new.form import NOBODY, NewTournamentForm
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
    form = NewTournamentForm(posted_data(request), files, initial=initial, club=_club_of(of_club))
    is_valid = request.method == "POST" and form.is_valid() and of_club.is_valid()
    if is_valid and not needs_look(form):
        try:
            tournament = _create(request, form, of_club)
        except Refused as refused:
            show_refusal(form, refused)
        else:
            form.remember_columns()
            report(request, form.roster)
            if form.rows() and not form.roster.rows:
                messages.info(request, _("The places have no names yet. Put them in under Players, whenever you like."))
            return redirect(tournament if form.rows() else "players", *([] if form.rows() else [tournament.slug]))
    asks_zone = last is None and club is None and not form.is_bound
    context = {"form": form, "of_club": of_club, "asks_zone": asks_zone, "new": new_page(form, of_club)}
    return render(request, "league/setup/new.html", context, status=422 if request.method == "POST" else 200)


def _initial(last: Tournament | None, club: Club | None) -> dict[str, Any]:
    """What the empty form shows. last: the viewer's last event; club: the one for which the event is made."""
    initial = {
        "starts_on": timezone.localdate(),
        "time_zone": last.time_zone if last else "UTC",
        "place": last.place if last else "",
        "edition": last.stage.edition if last else "classic",
    }
    if club is None:
        return initial
    # Its members are ticked on the next page.
    members = {"without_names": NOBODY}
    return initial | {"time_zone": club.time_zone, "place": club.place, "visibility": club.visibility} | members


def _club_of(form: ClubChoiceForm) -> Club | None:
    """Return the club that was chosen, whose earlier choices count for the list."""
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
            edition=data["edition"],
            shuffled=data["order"] == "shuffled" and FORMATS[form.plays].drawn_ahead,
        )
        if season is None:
            return tournament
        return put_in_season(tournament=tournament, season=season, division=division, by=organiser_of(request))


@login_required
@require_POST
def evening(request: HttpRequest) -> HttpResponse:
    """What the page shows of the answers so far. A format that was picked gives way to other answers after it."""
    posted: QueryDict = request.POST.copy()
    if posted.get("answered", _answers(posted)) != _answers(posted):
        posted["format"] = ""
    of_club = ClubChoiceForm(posted, clubs=clubs_to_hold_in(request.user))
    form = NewTournamentForm(posted, request.FILES, club=_club_of(of_club))
    return render(request, "league/setup/new/_counted.html", {"form": form, "new": new_page(form, of_club)})


def _answers(data: QueryDict) -> str:
    return f"{data.get('partnering', '')}/{data.get('ending', '')}"
