"""Serve the race page of a points race: each player's total over the rounds, as a drawing and in numbers."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.access import Access, entries_held
from league.access.session_links import visitor_of
from league.ledger.in_words import rounds_in_all
from league.lib import charts
from league.pages.tournament_page import render_page, summary
from league.standings.ranking import Standing
from league.standings.read import Ledger


def race(request: HttpRequest, access: Access, book: Ledger, version: int) -> HttpResponse:
    """`?player=` selects the thick line; by default the viewer's own, else the leader's."""
    lines = [line for line in book.standings() if line.rank is not None]
    own = {entry.public_id for entry in entries_held(visitor_of(request), access.tournament)}
    ids = [line.entrant.id for line in lines]
    requested = request.GET.get("player", "")
    way_of = (
        requested
        if requested in ids
        else next((player_id for player_id in ids if player_id in own), ids[0] if ids else "")
    )
    played = [
        round_.number for round_ in book.rounds if book.last_round is not None and round_.number <= book.last_round
    ]
    totals = {number: {line.entrant.id: _total_after(line, number) for line in lines} for number in played}
    before = book.ranks_by_round(played[-2:-1]).get(played[-2], {}) if len(played) > 1 else {}
    rounds = range(1, (rounds_in_all(book.stage, book.planned) or 0) + 1)
    context: dict[str, Any] = {
        "live_version": version,
        "stage": book.stage,
        "lines": [
            {
                "standing": line,
                "moved": (before.get(line.entrant.id) or line.rank or 0) - (line.rank or 0),
                "rounds": [line.by_round.get(number) for number in played],
                "mine": line.entrant.id in own,
            }
            for line in lines
        ],
        "played": played,
        "way_of": way_of,
        "chart": charts.total_chart(totals, way_of, rounds, lowest_wins=book.stage.lowest_wins) if played else None,
        "name": next((line.entrant.name for line in lines if line.entrant.id == way_of), ""),
        "summary": summary(access, book.stage, book.players, book.planned),
    }
    return render_page(request, access, "league/format_pages/points.html", page="race", title=_("Race"), **context)


def _total_after(line: Standing, number: int) -> int:
    """Return a player's total after a round; carried points count from the start."""
    carried = line.total - sum(line.by_round.values())
    return carried + sum(points for played, points in line.by_round.items() if played <= number)
