"""Serve the race of a tournament at one address; each format with such a page renders its own."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.access import Access, tournament_for
from league.access.session_links import visitor_of
from league.format_pages import challenge, points
from league.live import stream as live
from league.standings import read as ledger

Race = Callable[[HttpRequest, Access, ledger.Ledger, int], HttpResponse]

RACES: dict[str, Race] = {"challenge": challenge.race, "points": points.race, "swiss": points.race}


@require_safe
def race(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(visitor_of(request), slug)
    version = live.version_of(access.tournament)
    book = ledger.read(access.tournament)
    page = RACES.get(book.stage.format)
    if page is None:
        raise Http404
    return page(request, access, book, version)
