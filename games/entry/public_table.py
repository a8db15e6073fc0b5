"""A table's page for everybody who does not enter its hands: who sits there, its hands so far, how they get in.

Its address is that of the form, which is printed on score slips. It shows what the pages of seating, hands and the
overview show to everybody, from the same rows, and changes nothing.
"""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games.entry import table_state
from games.entry.not_let_in import said_of_ended_player, where_they_sit
from games.hands import points_game
from games.hands.seats import seats_of
from league.access import Access, LinkEnded, WrongTable, entries_held, look_at_table
from league.access.session_links import visitor_of
from league.by_link.scorer_views import ended_in_words, wrong_table_in_words
from league.ledger.dealer import next_dealer
from league.ledger.progress import hands_in, table_now
from league.live import stream as live
from league.models import Entry, Table, Tournament
from league.pages.tournament_page import render_page
from league.public.hand_rows import TableWithHands, tables_with_hands
from league.public.seating_views import exit_reasons
from league.rounds.time_left import clock_of
from league.standings import read as ledger
from league.standings.table_lines import lines_of

FOR_ALL = "Wild-For-All"  # a header that tells the scorers' service worker to keep no copy
NOBODY_DEALS = -1  # no seat: the plan marks nobody


def public_table(request: HttpRequest, table_id: int, kept_out: Http404) -> HttpResponse:
    """The page of a table for those who do not enter hands; `kept_out` is why, and raised if they may not even look."""
    visitor = visitor_of(request)
    try:
        access, table = look_at_table(visitor, table_id)
    except Http404:
        raise kept_out from None
    mine = entries_held(visitor, access.tournament)
    plays_here = bool(mine) and table.seats.filter(entry__in=mine).exists()
    is_online = table.mode == Table.Mode.ONLINE
    if access.tournament.kind == Tournament.Kind.CASUAL or (is_online and plays_here):
        return redirect("play", table.pk)
    context = _rows(table) | {
        "live_version": live.version_of(access.tournament),
        "live_kind": "table-for-all",
        "clock": clock_of(table.round, table),
        "is_online": is_online,
        "plays_here": plays_here,
        "told": _link_notice(request, access, table, mine, kept_out),
        "may_hold_hands": isinstance(kept_out, LinkEnded | WrongTable) or bool(visitor.players),
    }
    title = _("Round %(round)d, table %(table)d") % {"round": table.round.number, "table": table.number}
    answer = render_page(request, access, "games/entry/public_table.html", page="seating", title=title, **context)
    answer.headers[FOR_ALL] = "1"
    return answer


def _rows(table: Table) -> dict[str, Any]:
    """Who sits there, its hands, and where it stands."""
    played = table.round
    book = ledger.read(played.tournament)
    race = book.race
    nobody = TableWithHands(
        id=table.pk, number=table.number, seats=[], ring="", first=None, sides=[], hands=[], not_counted=[]
    )
    row = next(iter(tables_with_hands(played, table=table.number, race=race)), nobody)  # all may have been moved
    line = next(line for line in lines_of(played, book) if line.table.pk == table.pk)
    now = None if played.stage.drawn_ahead else table_now(table, race)
    empty = table_state.empty_slots(table, hands_in([table])[table.pk], now) if line.unfinished else []
    dealer = next_dealer(table, empty[0], race) if empty else None
    return {
        "stage": played.stage,
        "round": played,
        "chosen": played,
        "table": row,
        "line": line,
        "open_now": played.is_open and not played.tournament.is_final,
        "to_come": len(empty) if line.wanted is not None else None,
        "over": table_state.why_over(table, empty, now, seats_of(table), race),
        "level": played.is_open and points_game.is_level(table),
        "dealer": NOBODY_DEALS if dealer is None else dealer,
        "gone": exit_reasons(played, race),
        "against": played.stage.lowest_wins,
    }


def _link_notice(
    request: HttpRequest, access: Access, table: Table, mine: Sequence[Entry], kept_out: Http404
) -> dict[str, Any] | None:
    """The notice on top for whoever came with a link: it has ended, or it leads to another table."""
    if isinstance(kept_out, WrongTable):
        return wrong_table_in_words(kept_out)
    if isinstance(kept_out, LinkEnded):
        return ended_in_words(kept_out.link)
    if not mine:
        return said_of_ended_player(request, access.tournament)
    back = reverse("my_table", args=[access.tournament.slug])
    words = where_they_sit(table, mine)
    return words and words | {"back": back}
