"""Who deals first at a paper table: the page draws for it, or takes the table's word."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from games.entry.not_let_in import guides_players
from games.entry.views import SeeOther, author_of, number_in, show_table
from league.access import table_for
from league.access.rights import Can
from league.access.session_links import links_in, players_in
from league.by_link.scorer_views import guides_scorers
from league.lib.errors import Refused
from league.rounds.first_deal import decide_first_dealer


@require_POST
@guides_scorers
@guides_players
def first_dealer(request: HttpRequest, table_id: int) -> HttpResponse:
    """`seat` deals, as the table says; without it a card is drawn for everybody."""
    access, table = table_for(request.user, table_id, Can.RECORD, links_in(request), players_in(request))
    seat = number_in(request.POST.get("seat"))
    try:
        decide_first_dealer(table=table, seat=seat, by=author_of(request, access))
    except Refused as refused:
        return show_table(request, access, table, status=refused.status, message=str(refused))
    return SeeOther(table.get_absolute_url())
