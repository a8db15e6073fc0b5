"""A player's evening: the seat now, hand by hand, the rank over the rounds, partners. For everybody and oneself."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league import chart, exports, ledger, live
from league import scorecard as card
from league.access import Access, entry_for
from league.disputed import disputed_hands
from league.exports import Wanted
from league.formats import pairs
from league.held import players_in
from league.models import Entry
from league.views.page import render_page
from league.views.public import answer_of, tables_drawn


@require_safe
def scorecard(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    access, entry = entry_for(request.user, slug, public_id, players=players_in(request))
    version = live.version_of(access.tournament)
    context = card_of(access, entry) | {"live_version": version}
    return render_page(request, access, "league/scorecard.html", page="players", title=entry.player.name, **context)


def card_of(access: Access, entry: Entry) -> dict[str, Any]:
    """What a scorecard shows: of published rounds alone, whoever looks."""
    tournament, public_id = access.tournament, entry.public_id
    book = ledger.read(tournament)
    seats = list(exports.seating_rows(tournament, Wanted(player_id=public_id)))
    most = max((score.hand for score in book.scores), default=0)
    hands = max(book.stage.hands_per_round or 0, most)
    lines = card.lines(book, public_id, seats, hands, disputed_hands(tournament))
    standing = next(line for line in book.standings() if line.entrant.id == public_id)
    now = next((line for line in lines if line.open), None)
    now_hand = next((cell.hand for cell in now.cells if cell.now), None) if now else None
    together = list(exports.seating_rows(tournament, Wanted(round=now.seat["round"]))) if now else []
    own = now.seat["seat"] if now and not now.is_bye else None
    drawn = tables_drawn(together, bottom=own)
    played = [one.number for one in book.rounds if book.last_round is not None and one.number <= book.last_round]
    ranks = book.ranks_by_round(played)
    to_come = sorted({*range(1, book.planned + 1), *played})
    return {
        "entry": entry,
        "standing": standing,
        "rounds": book.rounds,
        "open_round": next((one for one in book.rounds if one.is_open), None),
        "last_round": book.last_round,
        "ranked": sum(line.status in ("active", "out", "dropped") for line in book.entrants),
        "hand_numbers": range(1, hands + 1),
        "lines": lines,
        "some_disputed": any(cell.disputed for line in lines for cell in line.cells),
        "hands_total": sum(line.total for line in lines),
        "now": now,
        "now_hand": now_hand,
        "dealer": pairs.dealer_seat(now_hand) if now_hand else None,
        "answer": answer_of(now.seat, together) if now else None,
        "table": next((table for table in drawn if now and table["number"] == now.seat["table"]), None),
        "found_ids": {public_id},
        "partners": card.partners(book, public_id),
        "adjustments": [row for row in exports.adjustments_rows(tournament, Wanted()) if row["player_id"] == public_id],
        "chart": chart.rank_chart(ranks, public_id, to_come) if played else None,
        "ranks": [(number, ranks[number].get(public_id)) for number in played],
    }
