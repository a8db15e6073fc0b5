"""Serve the odds of a running tournament."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import entries_held, tournament_for
from league.access.session_links import visitor_of
from league.live import stream as live
from league.odds import page_rows as forecast
from league.pages.downloads import download, file_name
from league.pages.in_place import wants_part
from league.pages.tournament_page import render_page, summary

MOST_LINES = 40


@require_safe
def odds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the forecast, which requests it. The page reloads its middle until the forecast is complete.

    If the organiser hides odds, the page doesn't exist; an open page shows the reason.
    """
    access = tournament_for(visitor_of(request), slug)
    if not access.tournament.shows_odds and not request.htmx:  # type: ignore[attr-defined]
        raise Http404
    version = live.version_of(access.tournament)
    odds = forecast.odds_of(access.tournament)
    book = odds.outlook.book
    own = {entry.public_id for entry in entries_held(visitor_of(request), access.tournament)}
    show_all = request.GET.get("all") == "1"
    mine = [line for line in odds.lines if line.standing.entrant.id in own]
    context: dict[str, Any] = {
        "odds": odds,
        "lines": odds.lines if show_all else odds.lines[:MOST_LINES],
        "mine": [] if show_all else [line for line in mine if line not in odds.lines[:MOST_LINES]],
        "own": own,
        "is_race": book.race is not None,
        "entry_name": _(book.stage.plays.entry_name),
        "show_all": show_all,
        "most": MOST_LINES,
    }
    if wants_part(request):
        response = render(request, "league/odds/_odds.html", context | {"tournament": access.tournament})
    else:
        context |= {
            "live_version": version,
            "stage": book.stage,
            "summary": summary(access, book.stage, book.players, book.planned),
        }
        response = render_page(request, access, "league/odds/odds.html", page="odds", title=_("Chances"), **context)
    patch_vary_headers(response, ["HX-Request"])
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def odds_csv(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(visitor_of(request), slug)
    if not access.tournament.shows_odds:
        raise Http404
    rows = forecast.odds_rows(forecast.odds_of(access.tournament))
    name = file_name(access.tournament, "odds", None)
    return download(request, name, forecast.COLUMNS, rows, of=access.tournament)
