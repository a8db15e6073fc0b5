"""The home page and the credits."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from league import access
from league.access import session_links
from league.access.server import is_new
from league.clubs.tournament_list import LISTED, lines_of
from league.home.page import OnNow, home_page, on_now, search_of
from league.lib.names import fold
from league.lib.search import matches
from league.models import Entry, Tournament
from league.setup.overview.facts import read_facts, step_facts
from league.setup.overview.next_step_card import next_step_card
from league.setup.stages.cut_page import cut_of_page
from league.standings import read as ledger

MOST_CASUAL = 3
MOST_CLUBS = 5


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show my tables, a name search, and the tournaments."""
    query = request.GET.get("q", "").strip()[:80]
    search = search_of(query, _find_entries(query) if query else [])
    if request.htmx and request.htmx.target == "answer":  # type: ignore[attr-defined]
        return _vary_by_target(render(request, "league/home/_people_found.html", {"search": search}))
    own, listed = access.tournaments_of(request.user), Tournament.objects.listed().exclude(ended_early=True)
    if request.user.is_authenticated:
        listed = listed.exclude(pk__in=own.values("pk"))
    playing = [table for table in session_links.my_tables(request) if not table.entry.tournament.is_final]
    if not (request.user.is_authenticated or listed or playing or query) and is_new():
        return _vary_by_target(render(request, "league/home/new_server.html"))
    page = home_page(
        is_account=request.user.is_authenticated,
        playing=sorted(playing, key=_sort_key),
        on_now=_on_now(request, own),
        mine=lines_of(own.exclude(ended_early=True)),
        listed=lines_of(listed),
        casual=list(access.casual_tables_of(request.user)[:MOST_CASUAL]),
        clubs=list(access.clubs_of(request.user)[:MOST_CLUBS]),
        search=search,
    )
    return _vary_by_target(render(request, "league/home/home.html", {"home": page}))


def _on_now(request: HttpRequest, own: QuerySet[Tournament]) -> OnNow | None:
    """Return the newest running event of this account with its next step, real events before the demo."""
    if not request.user.is_authenticated:
        return None
    running = own.filter(state=Tournament.State.RUNNING, is_called_off=False, ended_early=False)
    for tournament in running.select_related("club").order_by("is_demo", "-starts_on", "-id")[:LISTED]:
        if access.access_to(session_links.visitor_of(request), tournament).organises:
            return _on_now_of(tournament)
    return None


def _on_now_of(tournament: Tournament) -> OnNow:
    book = ledger.read(tournament)
    facts = read_facts(tournament, book, corrects=False)
    card = next_step_card(facts.step, step_facts(facts, book, cut_of_page(tournament, facts.step)))
    return on_now(tournament, card)


def _sort_key(mine: session_links.MyTable) -> tuple[bool, bool, bool]:
    """Sort running events first, then casual tables, future events, and cancelled ones."""
    tournament = mine.entry.tournament
    casual = tournament.kind == Tournament.Kind.CASUAL
    return tournament.is_called_off, tournament.state != Tournament.State.RUNNING and not casual, casual


def _vary_by_target(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def _find_entries(query: str) -> list[Entry]:
    """Return entries with a matching name in listed, open tournaments, running ones first."""
    going_on = Tournament.objects.listed().exclude(state=Tournament.State.CLOSED).order_by("-starts_on", "-id")
    entries = Entry.objects.filter(tournament__in=list(going_on[:LISTED].values_list("pk", flat=True)))
    hits = [entry for entry in entries.select_related("player", "tournament") if matches(query, entry.name)]
    starts = fold(query)
    running = Tournament.State.RUNNING
    hits.sort(key=lambda entry: (entry.tournament.state != running, not fold(entry.name).startswith(starts)))
    return hits


@require_safe
def credits_page(request: HttpRequest) -> HttpResponse:
    return render(request, "league/credits.html")
