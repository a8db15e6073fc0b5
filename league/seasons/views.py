"""The seasons of a club: the list, the table of one, and what counts in it."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, Max, Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubAccess, club_for, season_for
from league.access.rights import InClub
from league.clubs.same_people import number_open
from league.clubs.tournament_list import Line, lines_of
from league.lib.errors import Refused
from league.models import Season, Tournament
from league.pages.club_page import render_club
from league.pages.downloads import download
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, posted_data
from league.seasons import export_rows
from league.seasons import in_words as season_words
from league.seasons import page_rows as season_rows
from league.seasons.forms import SeasonForm
from league.seasons.page_rows import Row
from league.seasons.seasons import RULES, change_season, create_season, set_divisions
from league.seasons.table import SeasonTable, season_table
from league.seasons.visibility import Seen, seen_by

MOST_COMING = 3
PAGE = "current_season"  # the tab


@require_safe
def current_season(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Go to the season that is on, else to the last one, else to the list."""
    access = club_for(request.user, club_slug)
    listed = access.club.seasons.order_by("closed_at", "-pk")
    latest = listed.filter(closed_at=None).first() or listed.last()
    return redirect("season", club_slug, latest.slug) if latest else redirect("seasons", club_slug)


@require_safe
def seasons(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug)
    days = {"since": Min("tournaments__starts_on"), "until": Max("tournaments__starts_on")}
    lines = access.club.seasons.annotate(evenings=Count("tournaments"), **days).order_by("-pk")
    return render_club(
        request,
        access,
        "league/seasons/seasons.html",
        page=PAGE,
        title=_("Seasons"),
        lines=lines,
        may_change=access.may(InClub.SEASONS),
    )


@require_safe
def season(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Show the table of the viewer's division, or of `?division=`. `?player=` chooses the thick line of the chart."""
    access, season = season_for(request.user, club_slug, season_slug)
    table = season_table(season)
    place = _division_asked_for(request, access, table)
    known = seen_by(access, table)
    rows = season_rows.rows_of(access, known, table, place)
    way_of = _thick_row(request, rows)
    follows = season_rows.followed_evenings(known, table, table.divisions[place].division)
    race = season_rows.race_of(rows, table, place, way_of)
    return render_club(
        request,
        access,
        "league/seasons/season.html",
        page=PAGE,
        title=season.name,
        rows=rows,
        evenings=season_rows.columns_of(known, table),
        chosen=table.divisions[place],
        chosen_key=season_rows.key_of(table.divisions[place]) if len(table.divisions) > 1 else "",
        divisions=_pickers(table, place),
        race=race,
        way_of=way_of,
        way_of_name=rows[way_of].name if rows else "",
        coming=_coming_lines(access, table),
        follows=follows[0] if follows else None,
        live_version=_version_read(follows[0]) if follows else None,
        follows_too=[(evening, _version_read(evening)) for evening in follows[1:]],
        shows=" ".join(evening.slug for evening in follows),
        same_people=number_open(access.club, season) if access.manages else 0,
        **_words(known, table, place, rows),
        **about(access, season, table),
    )


def _version_read(evening: Tournament) -> int:
    """Like `live.version_of`, without a query: the table has read the log's head before it read results."""
    head = getattr(evening, "log_head", None)
    return head.number if head else 0


@require_safe
def season_csv(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """The lines of all divisions."""
    return _csv(request, club_slug, season_slug, "standings")


@require_safe
def season_evenings_csv(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """What each evening gave to whom."""
    return _csv(request, club_slug, season_slug, "evenings")


def _csv(request: HttpRequest, club_slug: str, season_slug: str, export: str) -> HttpResponse:
    access, season = season_for(request.user, club_slug, season_slug)
    table = season_table(season)
    rows = export_rows.rows(access, table, export)
    return download(request, export_rows.file_name(table, export), export_rows.COLUMNS[export], rows)


def _division_asked_for(request: HttpRequest, access: ClubAccess, table: SeasonTable) -> int:
    """Return the index of the division to show: the one asked for, else the viewer's own, else the first."""
    key = request.GET.get("division", "")
    mine = 0
    for place, division in enumerate(table.divisions):
        if key == season_rows.key_of(division):
            return place
        if any(line.player == access.me for line in division.lines):
            mine = place
    return mine


def _thick_row(request: HttpRequest, rows: Sequence[Row]) -> int:
    """Return the index of the row whose line is thick: the one asked for, else the viewer's own, else the first."""
    chosen = [place for place, row in enumerate(rows) if row.player_id and row.player_id == request.GET.get("player")]
    mine = [place for place, row in enumerate(rows) if row.mine]
    return next(iter(chosen + mine), 0)


def _pickers(table: SeasonTable, place: int) -> list[dict[str, Any]]:
    return [
        {
            "key": season_rows.key_of(division),
            "name": division.division.name if division.division else _("Others"),
            "current": number == place,
        }
        for number, division in enumerate(table.divisions)
    ]


def _coming_lines(access: ClubAccess, table: SeasonTable) -> list[Line]:
    """Return the evenings that go on, then the next ones."""
    open_ones = [evening.tournament.pk for evening in table.evenings if not evening.is_final]
    if not open_ones:
        return []
    visible = access.tournaments().filter(pk__in=open_ones)
    next_ones = visible.order_by("-state", "starts_on", "pk").values("pk")[:MOST_COMING]  # running, planned, closed
    lines = lines_of(Tournament.objects.filter(pk__in=next_ones))
    lines.sort(key=lambda line: open_ones.index(line.tournament.pk))
    return sorted(lines, key=lambda line: line.tournament.state, reverse=True)


def _words(known: Seen, table: SeasonTable, place: int, rows: Sequence[Row]) -> dict[str, Any]:
    """Return the sentences and labels beside the figures."""
    cells = [cell for row in rows for cell in row.cells if cell]
    return {
        "rule": season_words.rule_of(table.season),
        "total_label": season_words.total_label(table.season),
        "running": season_words.running_now(table.evenings),
        "nothing": season_words.giving_nothing(table.evenings),
        "verdicts": season_words.still_open(table, table.divisions[place], known.name_of),
        "struck": any(not cell.counts for cell in cells),
        "column_count": len(table.evenings) + 4,
    }


def about(access: ClubAccess, season: Season, table: SeasonTable) -> dict[str, Any]:
    """Return the context of every page about one season: where it stands, and what the viewer may do."""
    not_final = sum(not evening.is_final for evening in table.evenings)
    return {
        "season": season,
        "table": table,
        "season_after": getattr(season, "after", None),
        "played": len(table.evenings) - not_final,
        "not_final": not_final,
        "has_divisions": any(division.division for division in table.divisions),
        "may_change": access.may(InClub.SEASONS),
        "new_evening": new_evening(season),
    }


def new_evening(season: Season) -> str:
    """Return the address of the form for a tournament that counts in this season."""
    return f"{reverse('new')}?club={season.club.slug}&season={season.slug}"


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
                    messages.success(request, _("Started. Say now who is in which division."))
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
    """Change what counts, and the divisions. Once a season has ended, only its name can change."""
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
                    if season.closed_at is None:  # first: it locks evenings, and their locks come before the club's
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
        title=_("What counts"),
        status=status,
        form=form,
        season=season,
        ended=season.closed_at is not None,
        may_delete=access.may(InClub.DELETE),
    )
