"""A table's page for visitors who don't enter its hands: seats, hands so far, and who enters them.

It shares the address of the form, which is printed on score slips. It changes nothing and shows only rows that other
public pages show.
"""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games.entry import table_state
from games.entry.not_let_in import notice_of_ended_link, where_they_sit
from games.hands import points_game
from games.hands.seats import seats_of
from league.access import Access, LinkEnded, WrongTable, caller_for, entries_held, look_at_table
from league.access.session_links import identity_of, visitor_of
from league.by_link.scorer_views import ended_in_words, wrong_table_in_words
from league.calls.page import PUBLIC, CallBox, call_box
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

FOR_ALL = "Wild-For-All"  # header: the scorers' service worker must not cache this page
NO_DEALER = -1  # no seat: the plan marks no dealer


def public_table(request: HttpRequest, table_id: int, refusal: Http404) -> HttpResponse:
    """Return the public page of a table. Raise `refusal`, the original refusal, if the visitor may not look either."""
    visitor = visitor_of(request)
    try:
        access, table = look_at_table(visitor, table_id)
    except Http404:
        raise refusal from None
    mine = entries_held(visitor, access.tournament)
    plays_here = bool(mine) and table.seats.filter(entry__in=mine).exists()
    is_online = table.mode == Table.Mode.ONLINE
    if access.tournament.kind == Tournament.Kind.CASUAL or (is_online and plays_here):
        return redirect("play", table.pk)
    call = _call(request, table) if plays_here else None
    context = _rows(table) | {
        "live_version": live.version_of(access.tournament),
        "live_kind": "table-for-all",
        "clock": clock_of(table.round, table),
        "is_online": is_online,
        "plays_here": plays_here,
        "link_notice": _link_notice(request, access, table, mine, refusal),
        "call": call,
        "may_hold_hands": isinstance(refusal, LinkEnded | WrongTable) or bool(visitor.players) or call is not None,
    }
    title = _("Round %(round)d, table %(table)d") % {"round": table.round.number, "table": table.number}
    answer = render_page(request, access, "games/entry/public_table.html", page="seating", title=title, **context)
    answer.headers[FOR_ALL] = "1"
    return answer


def _call(request: HttpRequest, table: Table) -> CallBox | None:
    """Return the button for a player at the table to call the director."""
    try:
        access, _table = caller_for(visitor_of(request), table.pk)
    except Http404:
        return None
    user = request.user if request.user.is_authenticated else None
    return call_box(access, table, who=identity_of(request, access), page=PUBLIC, user=user)


def _rows(table: Table) -> dict[str, Any]:
    """Return the seats, hands and state of the table for the template."""
    played = table.round
    book = ledger.read(played.tournament)
    race = book.race
    empty_row = TableWithHands(
        id=table.pk, number=table.number, seats=[], ring="", first=None, sides=[], hands=[], not_counted=[]
    )
    row = next(
        iter(tables_with_hands(played, table=table.number, race=race)), empty_row
    )  # empty if all players were moved
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
        "dealer": NO_DEALER if dealer is None else dealer,
        "gone": exit_reasons(played, race),
        "against": played.stage.lowest_wins,
    }


def _link_notice(
    request: HttpRequest, access: Access, table: Table, mine: Sequence[Entry], refusal: Http404
) -> dict[str, Any] | None:
    """Return the notice for a visitor with a link that has ended or leads to another table."""
    if isinstance(refusal, WrongTable):
        return wrong_table_in_words(refusal)
    if isinstance(refusal, LinkEnded):
        return ended_in_words(refusal.link)
    if not mine:
        return notice_of_ended_link(request, access.tournament)
    back = reverse("my_table", args=[access.tournament.slug])
    words = where_they_sit(table, mine)
    return words and words | {"back": back}
