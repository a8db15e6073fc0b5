"""Pages of a club's seasons: list, standings, settings."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, Max, Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubAccess, club_for, season_for
from league.access.rights import InClub
from league.clubs.same_people import number_open
from league.clubs.tournament_list import Line, lines_of
from league.lib.errors import Refused
from league.models import Tournament
from league.pages.club_page import render_club
from league.pages.downloads import download
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, posted_data
from league.prints.paper import paper_for
from league.prints.pdf.document import pdf
from league.seasons import export_rows
from league.seasons.forms import SeasonForm
from league.seasons.honours import honours_of
from league.seasons.page import season_page
from league.seasons.season_print import head_of, season_print
from league.seasons.seasons import RULES, change_season, create_season, set_divisions, why_it_stays
from league.seasons.table import SeasonTable, season_table

MOST_COMING = 3
PAGE = "current_season"  # the tab


@require_safe
def current_season(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Redirect to the open season, else the last one, else the list."""
    access = club_for(request.user, club_slug)
    listed = access.club.seasons.order_by("closed_at", "-pk")
    latest = listed.filter(closed_at=None).first() or listed.last()
    return redirect("season", club_slug, latest.slug) if latest else redirect("seasons", club_slug)


@require_safe
def seasons(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug)
    days = {"since": Min("tournaments__starts_on"), "until": Max("tournaments__starts_on")}
    lines = list(access.club.seasons.annotate(evenings=Count("tournaments"), **days).order_by("-pk"))
    return render_club(
        request,
        access,
        "league/seasons/seasons.html",
        page=PAGE,
        title=_("Seasons"),
        lines=lines,
        honours=honours_of(access, lines),
        may_change=access.may(InClub.SEASONS),
    )


@require_safe
def season(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Show the standings of the viewer's division, or of `?division=`. `?player=` highlights a line of the chart."""
    access, season = season_for(request.user, club_slug, season_slug)
    table = season_table(season)
    shown = season_page(
        access,
        table,
        division=request.GET.get("division", ""),
        player=request.GET.get("player", ""),
        coming=_coming_lines(access, table),
        same_people=number_open(access.club, season) if access.manages else 0,
        after=getattr(season, "after", None),
    )
    live = _followed(shown.follows)
    template = "league/seasons/season.html"
    return render_club(request, access, template, page=PAGE, title=shown.name, season=shown, **live)


def _followed(evenings: Sequence[Tournament]) -> dict[str, Any]:
    """Return the context for live updates (templates/shared/_live.html)."""
    if not evenings:
        return {}
    (first, version), *others = [(evening, _version_read(evening)) for evening in evenings]
    shows = " ".join(evening.slug for evening in evenings)
    return {"follows": first, "live_version": version, "follows_too": others, "shows": shows}


def _version_read(evening: Tournament) -> int:
    """Return `live.version_of` without a query: the log head was read before the results."""
    head = getattr(evening, "log_head", None)
    return head.number if head else 0


@require_safe
def season_csv(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Export the standings of all divisions."""
    return _csv(request, club_slug, season_slug, "standings")


@require_safe
def season_evenings_csv(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Export the results of each tournament."""
    return _csv(request, club_slug, season_slug, "evenings")


@require_safe
def season_pdf(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Print all divisions and the honours. `?paper=letter` or `?paper=a4` sets the paper size."""
    access, season = season_for(request.user, club_slug, season_slug)
    table = season_table(season)
    data = pdf(head_of(table), [season_print(access, table)], paper_for(request, access.club))
    name = f"{club_slug}_{season_slug}.pdf"
    disposition = content_disposition_header(as_attachment=False, filename=name) or "inline"
    # Not cached: a stale print can't be recognised on paper.
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
    return HttpResponse(data, content_type="application/pdf", headers=headers)


def _csv(request: HttpRequest, club_slug: str, season_slug: str, export: str) -> HttpResponse:
    access, season = season_for(request.user, club_slug, season_slug)
    table = season_table(season)
    rows = export_rows.rows(access, table, export)
    return download(request, export_rows.file_name(table, export), export_rows.COLUMNS[export], rows)


def _coming_lines(access: ClubAccess, table: SeasonTable) -> list[Line]:
    """Return the running events, then the next ones."""
    open_ones = [evening.tournament.pk for evening in table.evenings if not evening.is_final]
    if not open_ones:
        return []
    visible = access.tournaments().filter(pk__in=open_ones)
    next_ones = visible.order_by("-state", "starts_on", "pk").values("pk")[:MOST_COMING]  # running, planned, closed
    lines = lines_of(Tournament.objects.filter(pk__in=next_ones))
    lines.sort(key=lambda line: open_ones.index(line.tournament.pk))
    return sorted(lines, key=lambda line: line.tournament.state, reverse=True)


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def new_season(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug, InClub.SEASONS)
    form = SeasonForm(posted_data(request))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                season = create_season(
                    club=access.club, by=organiser_of(request), divisions=form.divisions(), **form.rules()
                )
            except Refused as refused:
                form.add_refusal(refused)
                status = refused.status
            else:
                if season.divisions.exists():
                    messages.success(request, _("Season created. Place the players in its divisions."))
                    return redirect("season_players", club_slug, season.slug)
                return redirect(season)
    return render_club(
        request,
        access,
        "league/seasons/season_settings.html",
        page=PAGE,
        title=_("New season"),
        status=status,
        form=form,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def season_settings(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Change rules and divisions; after the end only the name."""
    access, season = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    divisions = list(season.divisions.order_by("number"))
    initial = {field: getattr(season, field) for field in RULES}
    form = SeasonForm(posted_data(request), place_points=season.place_points, divisions=divisions, initial=initial)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                with transaction.atomic():
                    if season.closed_at is None:  # first: it locks tournaments, before the club
                        set_divisions(season=season, divisions=form.divisions(), by=organiser_of(request))
                    change_season(season=season, by=organiser_of(request), **form.rules())
            except Refused as refused:
                form.add_refusal(refused)
                status = refused.status
            else:
                messages.success(request, _("Saved."))
                return redirect("season", club_slug, season_slug)
    return render_club(
        request,
        access,
        "league/seasons/season_settings.html",
        page=PAGE,
        title=_("Season settings"),
        status=status,
        form=form,
        season=season,
        ended=season.closed_at is not None,
        may_delete=access.may(InClub.DELETE) and why_it_stays(season) is None,
    )
