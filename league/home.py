"""Pages that belong to no tournament: home and credits."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from league import access
from league.access import session_links
from league.clubs.tournament_list import LISTED, Shelves, lines_of
from league.lib.search import fold, matches
from league.models import Entry, Tournament
from league.rulebook.editions import usual_first

MOST_CASUAL = 3
MOST_CLUBS = 5
MOST_FOUND = 12  # answers to a search for a name; if there are more, it is better to type on


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The tournaments, after my tables and a search for a name in all that are listed and not over."""
    query = request.GET.get("q", "").strip()[:80]
    hits = _find_entries(query) if query else []
    answer = {"query": query, "found": hits[:MOST_FOUND], "found_count": len(hits)}
    if request.htmx and request.htmx.target == "answer":  # type: ignore[attr-defined]
        return _vary_by_target(render(request, "league/_people_found.html", answer))
    mine = lines_of(access.tournaments_of(request.user).exclude(ended_early=True))
    listed = Tournament.objects.listed().exclude(ended_early=True)
    if request.user.is_authenticated:
        listed = listed.exclude(pk__in=access.tournaments_of(request.user).values("pk"))
    demo = any(line.tournament.is_demo for line in mine)
    lines = lines_of(listed)
    playing = [table for table in session_links.my_tables(request) if not table.entry.tournament.is_final]
    playing.sort(key=_sort_key)
    context = answer | {
        "mine": Shelves.of(mine),
        "listed": Shelves.of(lines),
        "demo": demo,
        "playing": playing,
        "clubs": list(access.clubs_of(request.user)[:MOST_CLUBS]),
        "casual": access.casual_tables_of(request.user)[:MOST_CASUAL],
        "goes_on": any(not line.tournament.is_final for line in lines),
        "called": session_links.default_name(request),
        "editions": usual_first(),
    }
    return _vary_by_target(render(request, "league/home.html", context))


def _sort_key(mine: session_links.MyTable) -> tuple[bool, bool, bool]:
    """Sort a running evening first, then casual tables, then evenings to come, then those called off."""
    tournament = mine.entry.tournament
    casual = tournament.kind == Tournament.Kind.CASUAL
    return tournament.is_called_off, tournament.state != Tournament.State.RUNNING and not casual, casual


def _vary_by_target(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def _find_entries(query: str) -> list[Entry]:
    """The entries with a matching name in listed tournaments that are not over, those of running ones first."""
    going_on = Tournament.objects.listed().exclude(state=Tournament.State.CLOSED).order_by("-starts_on", "-id")
    entries = Entry.objects.filter(tournament__in=list(going_on[:LISTED].values_list("pk", flat=True)))
    hits = [entry for entry in entries.select_related("player", "tournament") if matches(query, entry.player.name)]
    starts = fold(query)
    running = Tournament.State.RUNNING
    hits.sort(key=lambda entry: (entry.tournament.state != running, not fold(entry.player.name).startswith(starts)))
    return hits


@require_safe
def credits_page(request: HttpRequest) -> HttpResponse:
    return render(request, "league/credits.html")
