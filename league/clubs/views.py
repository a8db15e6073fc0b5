"""Pages of a club: events, about, settings, log; and the list of clubs."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import ClubAccess, club_for, clubs_of, last_own_event
from league.access.members import members_of
from league.access.rights import InClub
from league.calendar import views as calendar
from league.clubs.clubs import DETAILS, change_club, found_club, hand_over_club, heirs_of
from league.clubs.forms import ClubForm, HandOverForm
from league.clubs.tournament_list import lines_of
from league.lib.errors import Conflict
from league.lib.search import matches
from league.log import club_in_words
from league.models import Club, ClubRole, Tournament, Visibility
from league.pages.club_page import render_club
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, posted_data
from league.roles.roles import living_roles
from league.rounds.steps import NextStep, next_step

MOST_CLUBS = 50
MOST_COMING = 50
PAGE = 20  # past events
LOG_PAGE = 100


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """List the viewer's clubs and public clubs; `?q=` searches names and places."""
    query = request.GET.get("q", "").strip()[:80]
    mine = list(clubs_of(request.user))
    public = Club.objects.filter(visibility=Visibility.PUBLIC).exclude(pk__in=[club.pk for club in mine])
    hits = [club for club in public.order_by("name", "pk") if not query or matches(query, f"{club.name} {club.place}")]
    context = {"mine": mine, "others": hits[:MOST_CLUBS], "more": len(hits) - MOST_CLUBS, "query": query}
    return render(request, "league/clubs/clubs.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def new_club(request: HttpRequest) -> HttpResponse:
    last = last_own_event(request.user)
    initial = {
        "time_zone": last.time_zone if last else timezone.get_default_timezone_name(),
        "place": last.place if last else "",
    }
    form = ClubForm(posted_data(request), initial=initial)
    if form.is_valid():
        club = found_club(owner=organiser_of(request), **form.cleaned_data)
        return redirect(club)
    context = {"form": form, "asks_zone": last is None and not form.is_bound}
    return render(request, "league/clubs/new_club.html", context, status=422 if request.method == "POST" else 200)


@require_safe
def club(request: HttpRequest, club_slug: str) -> HttpResponse:
    """List the events: open ones with the organiser's next step, then past ones."""
    access = club_for(request.user, club_slug)
    evenings = access.tournaments()
    open_ones = lines_of(evenings.exclude(state=Tournament.State.CLOSED), MOST_COMING)
    open_ones.sort(key=lambda line: line.tournament.starts_on)
    on_now = [line for line in open_ones if line.is_on]
    coming = [line for line in open_ones if not line.is_on]
    over = evenings.filter(state=Tournament.State.CLOSED).order_by("-starts_on", "-pk")
    page = Paginator(over.values_list("pk", flat=True), PAGE).get_page(request.GET.get("page"))
    past = lines_of(Tournament.objects.filter(pk__in=list(page.object_list)), PAGE)
    upcoming = [line.tournament for line in (*on_now, *coming) if not line.tournament.is_called_off]
    nearest = upcoming[0] if upcoming and access.holds else None
    return render_club(
        request,
        access,
        "league/clubs/club.html",
        page="club",
        title=_("Tournaments"),
        on_now=on_now,
        coming=coming,
        past=past,
        pages=page,
        nearest=nearest,
        step=step_words(next_step(nearest)) if nearest else "",
        members=members_of(access.club).count(),
        calendar=calendar.of_club(request, access),
    )


@require_safe
def about(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug)
    organisers = [role.user for role in living_roles(access.club) if role.kind == ClubRole.Kind.ORGANISER]
    return render_club(
        request,
        access,
        "league/clubs/club_about.html",
        page="club_about",
        title=_("About"),
        # Strangers see no accounts. An account without a name would show its e-mail address, which is private.
        people=[user.name for user in (access.club.owner, *organisers) if user.name and access.inside],
        members=members_of(access.club).count(),
        evenings=access.tournaments().count(),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug, InClub.SETTINGS)
    form = ClubForm(posted_data(request), initial={field: getattr(access.club, field) for field in DETAILS})
    if form.is_valid():
        changed = change_club(club=access.club, by=organiser_of(request), **form.cleaned_data)
        messages.success(request, _("Saved."))
        if changed.slug != club_slug:
            messages.warning(request, _("The club’s address has changed. The old link no longer works."))
        return redirect("club_settings", changed.slug)
    return _settings_page(request, access, form, status=422 if request.method == "POST" else 200)


def _settings_page(
    request: HttpRequest, access: ClubAccess, form: ClubForm | None = None, status: int = 200, **context: Any
) -> HttpResponse:
    passing = [(str(role.pk), str(role.user)) for role in heirs_of(access.club)]
    context = {"handing_over": HandOverForm(heirs=passing), "heirs": passing} | context
    return render_club(
        request,
        access,
        "league/clubs/club_settings.html",
        page="club_settings",
        title=_("Settings"),
        status=status,
        form=form or ClubForm(initial={field: getattr(access.club, field) for field in DETAILS}),
        may_hand_over=access.may(InClub.HAND_OVER),
        **context,
    )


@require_POST
def hand_over(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Make an organiser the owner; the former owner becomes an organiser."""
    access = club_for(request.user, club_slug, InClub.HAND_OVER)
    heirs = heirs_of(access.club)
    form = HandOverForm(request.POST, heirs=[(str(role.pk), str(role.user)) for role in heirs])
    if not form.is_valid():
        return _settings_page(request, access, status=422, handing_over=form)
    role = next(role for role in heirs if str(role.pk) == form.cleaned_data["to"])
    try:
        hand_over_club(club=access.club, role=role, by=organiser_of(request))
    except Conflict as conflict:
        form.add_error(None, str(conflict))
        return _settings_page(request, access, status=conflict.status, handing_over=form)
    messages.success(request, _("%(name)s now owns the club. You stay an organiser.") % {"name": role.user})
    return redirect("club", club_slug)


@require_safe
def log(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show the club's log. Its tournaments have their own."""
    access = club_for(request.user, club_slug, InClub.SEE_LOG)
    pages = Paginator(access.club.log.select_related("by"), LOG_PAGE).get_page(request.GET.get("page"))
    zone = access.club.zone
    lines = [
        {
            "row": row,
            "what": club_in_words.in_words(row),
            "changes": club_in_words.changes(row),
            "day": row.at.astimezone(zone).date(),
        }
        for row in pages.object_list
    ]
    return render_club(
        request, access, "league/clubs/club_log.html", page="club_log", title=_("Log"), lines=lines, pages=pages
    )


def step_words(step: NextStep) -> str:
    """Return the button label for the next step of an event."""
    words = {
        "players": _("Add players"),
        "draw": _("Draw the seating"),
        "publish": _("Publish the next round"),
        "close": _("Go to the current round"),
        "finish": _("Make the standings final"),
    }
    return words.get(step.kind, _("Open"))
