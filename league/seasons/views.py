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
from league.clubs.tournament_list import Line, lines_of
from league.lib.errors import Refused
from league.models import Season, Tournament
from league.pages.club_page import render_club
from league.pages.downloads import csv_file
from league.pages.tournament_page import organiser_of, posted
from league.seasons import export_rows
from league.seasons import in_words as season_words
from league.seasons import page_rows as season_shown
from league.seasons.forms import SeasonForm
from league.seasons.page_rows import Row
from league.seasons.seasons import RULES, change_season, create_season, set_divisions
from league.seasons.table import SeasonTable, season_table
from league.seasons.visibility import Seen, seen

MOST_COMING = 3
PAGE = "current_season"  # the tab


@require_safe
def current_season(request: HttpRequest, club_slug: str) -> HttpResponse:
    """The season that is on, or the last one; the list where there is none."""
    access = club_for(request.user, club_slug)
    listed = access.club.seasons.order_by("closed_at", "-pk")
    shown = listed.filter(closed_at=None).first() or listed.last()
    return redirect("season", club_slug, shown.slug) if shown else redirect("seasons", club_slug)


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
    """Its table: of one's own division, or of `?division=`. `?player=` says whose line of the chart is thick."""
    access, shown = season_for(request.user, club_slug, season_slug)
    table = season_table(shown)
    place = _division_asked_for(request, access, table)
    known = seen(access, table)
    rows = season_shown.rows_of(access, known, table, place)
    way_of = _way_of(request, rows)
    follows = season_shown.followed(known, table, table.divisions[place].division)
    race = season_shown.race_of(rows, table, place, way_of)
    return render_club(
        request,
        access,
        "league/seasons/season.html",
        page=PAGE,
        title=shown.name,
        rows=rows,
        evenings=season_shown.columns_of(known, table),
        chosen=table.divisions[place],
        chosen_key=season_shown.key_of(table.divisions[place]) if len(table.divisions) > 1 else "",
        divisions=_pickers(table, place),
        race=race,
        way_of=way_of,
        way_of_name=rows[way_of].name if rows else "",
        coming=_coming(access, table),
        follows=follows[0] if follows else None,
        live_version=_version_read(follows[0]) if follows else None,
        follows_too=[(one, _version_read(one)) for one in follows[1:]],
        shows=" ".join(one.slug for one in follows),
        **_words(known, table, place, rows),
        **about(access, shown, table),
    )


def _version_read(evening: Tournament) -> int:
    """As `live.version_of`, at no cost: a season's table has it, read before anything that was played."""
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


def _csv(request: HttpRequest, club_slug: str, season_slug: str, what: str) -> HttpResponse:
    access, shown = season_for(request.user, club_slug, season_slug)
    table = season_table(shown)
    rows = export_rows.rows(access, table, what)
    return csv_file(request, export_rows.file_name(table, what), export_rows.COLUMNS[what], rows)


def _division_asked_for(request: HttpRequest, access: ClubAccess, table: SeasonTable) -> int:
    """The place of a division among the table's: the one asked for, else where the viewer plays, else the first."""
    asked = request.GET.get("division", "")
    mine = 0
    for place, one in enumerate(table.divisions):
        if asked == season_shown.key_of(one):
            return place
        if any(line.player == access.me for line in one.lines):
            mine = place
    return mine


def _way_of(request: HttpRequest, rows: Sequence[Row]) -> int:
    """The place of the row whose line is thick: of who is asked for, else of the viewer, else the first."""
    asked = [place for place, row in enumerate(rows) if row.player_id and row.player_id == request.GET.get("player")]
    mine = [place for place, row in enumerate(rows) if row.mine]
    return next(iter(asked + mine), 0)


def _pickers(table: SeasonTable, place: int) -> list[dict[str, Any]]:
    return [
        {
            "key": season_shown.key_of(one),
            "name": one.division.name if one.division else _("Others"),
            "current": number == place,
        }
        for number, one in enumerate(table.divisions)
    ]


def _coming(access: ClubAccess, table: SeasonTable) -> list[Line]:
    """The evenings that go on and the next ones, in this order."""
    open_ones = [evening.tournament.pk for evening in table.evenings if not evening.is_final]
    if not open_ones:
        return []
    seen = access.tournaments().filter(pk__in=open_ones)
    next_ones = seen.order_by("-state", "starts_on", "pk").values("pk")[:MOST_COMING]  # running, planned, closed
    lines = lines_of(Tournament.objects.filter(pk__in=next_ones))
    lines.sort(key=lambda line: open_ones.index(line.tournament.pk))
    return sorted(lines, key=lambda line: line.tournament.state, reverse=True)


def _words(known: Seen, table: SeasonTable, place: int, rows: Sequence[Row]) -> dict[str, Any]:
    """What stands beside the figures."""
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


def about(access: ClubAccess, shown: Season, table: SeasonTable) -> dict[str, Any]:
    """What every page about one season has: where it stands, and what the viewer may do."""
    not_final = sum(not evening.is_final for evening in table.evenings)
    return {
        "season": shown,
        "table": table,
        "season_after": getattr(shown, "after", None),
        "played": len(table.evenings) - not_final,
        "not_final": not_final,
        "has_divisions": any(one.division for one in table.divisions),
        "may_change": access.may(InClub.SEASONS),
        "new_evening": new_evening(shown),
    }


def new_evening(shown: Season) -> str:
    """Where a tournament is made that counts in this season."""
    return f"{reverse('new')}?club={shown.club.slug}&season={shown.slug}"


@require_http_methods(["GET", "HEAD", "POST"])
def new_season(request: HttpRequest, club_slug: str) -> HttpResponse:
    access = club_for(request.user, club_slug, InClub.SEASONS)
    form = SeasonForm(posted(request))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                made = create_season(
                    club=access.club, by=organiser_of(request), divisions=form.divisions(), **form.rules()
                )
            except Refused as refused:
                form.add_refusal(refused)
                status = refused.status
            else:
                if made.divisions.exists():
                    messages.success(request, _("Started. Say now who is in which division."))
                    return redirect("season_players", club_slug, made.slug)
                return redirect(made)
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
    """What counts, and the divisions. Of a season that has ended only the name can change."""
    access, shown = season_for(request.user, club_slug, season_slug, InClub.SEASONS)
    there = list(shown.divisions.order_by("number"))
    initial = {field: getattr(shown, field) for field in RULES}
    form = SeasonForm(posted(request), place_points=shown.place_points, divisions=there, initial=initial)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                with transaction.atomic():
                    if shown.closed_at is None:  # first: it locks evenings, which come before the club
                        set_divisions(season=shown, divisions=form.divisions(), by=organiser_of(request))
                    change_season(season=shown, by=organiser_of(request), **form.rules())
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
        season=shown,
        ended=shown.closed_at is not None,
        may_delete=access.may(InClub.DELETE),
    )
