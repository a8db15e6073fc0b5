"""Explain to players why a table refuses them: the link ended, they sit elsewhere, or players don't report."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.models import Dispute, Hand
from league.access import LinkEnded, RoundUndone, WrongTable, entries_held
from league.access.session_links import visitor_of
from league.models import Entry, Round, Seat, Table, Tournament


def guides_players(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view: explain a 404 to visitors who hold a player's link of the tournament."""

    @wraps(view)
    def guarded_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except (WrongTable, LinkEnded, RoundUndone):
            raise  # league.by_link.scorer_views handles these
        except Http404:
            table = _table_of(**kwargs)
            answer = _explain(request, table) if table else None
            if answer is None:
                raise
            return answer

    return guarded_view


def _table_of(table_id: int | None = None, hand_id: int | None = None, dispute_id: int | None = None) -> Table | None:
    if dispute_id is not None:
        hand_id = Dispute.objects.filter(pk=dispute_id).values_list("hand_id", flat=True).first()
    if hand_id is not None:
        table_id = Hand.objects.filter(pk=hand_id).values_list("table_id", flat=True).first()
    if table_id is None:
        return None
    tables = Table.objects.exclude(round__state__in=(Round.State.DRAFT, Round.State.VOID))
    return tables.select_related("round__tournament").filter(pk=table_id).first()


def _explain(request: HttpRequest, table: Table) -> HttpResponse | None:
    tournament = table.round.tournament
    mine = entries_held(visitor_of(request), tournament)
    if not mine:
        ended = notice_of_ended_link(request, tournament)
        return _refusal_page(request, 410, **ended) if ended else None
    looks = request.method in ("GET", "HEAD")
    if looks and table.mode == Table.Mode.ONLINE and table.seats.filter(entry__in=mine).exists():
        return redirect("play", table.pk)
    if not tournament.players_report:
        sentence = _("Tell the organiser your results.")
        return _refusal_page(request, 403, _("The organiser enters the hands"), sentence, tournament=tournament)
    return None if table.seats.filter(entry__in=mine).exists() else _wrong_table_page(request, table, mine)


def notice_of_ended_link(request: HttpRequest, tournament: Tournament) -> dict[str, Any] | None:
    """Title, sentence and tournament for whoever holds a player's link of it that was ended; else None."""
    if not tournament.entries.filter(public_id__in=dict(visitor_of(request).players)).exists():
        return None
    sentence = _("Ask the organiser for your new link.")
    return {"title": _("This link no longer works"), "sentence": sentence, "tournament": tournament}


def where_they_sit(table: Table, mine: Sequence[Entry]) -> dict[str, Any] | None:
    """Return title and sentence for a player who looks at a table; None without a seat in its round."""
    seat = _seat_of(table, mine)
    if seat is None or seat.table is None:
        return None
    if table.seats.filter(entry__in=mine).exists():
        return {"title": _("This is your table"), "sentence": ""}
    words = {"name": seat.entry, "number": seat.table.number}
    return {
        "title": _("This is table %(number)d") % {"number": table.number},
        "sentence": _("%(name)s sits at table %(number)d in this round.") % words,
    }


def _seat_of(table: Table, mine: Sequence[Entry]) -> Seat | None:
    """Return the seat of one of these players in the table's round."""
    seats = table.round.seats.filter(entry__in=mine, table__isnull=False).select_related("table", "entry__player")
    return seats.order_by("table__number").first()


def _wrong_table_page(request: HttpRequest, table: Table, mine: list[Entry]) -> HttpResponse:
    seat = _seat_of(table, mine)
    title = _("This is table %(number)d") % {"number": table.number}
    if seat is None or seat.table is None:
        sentence = _("%(name)s doesn’t sit at this table in this round.") % {"name": mine[0]}
        return _refusal_page(request, 403, title, sentence, tournament=table.round.tournament)
    sentence = _("%(name)s sits at table %(number)d in this round.")
    return _refusal_page(
        request,
        403,
        title,
        sentence % {"name": seat.entry, "number": seat.table.number},
        tournament=table.round.tournament,
        right_table=seat.table,
        mine=seat.table.number,
    )


def _refusal_page(request: HttpRequest, status: int, title: str, sentence: str, **context: Any) -> HttpResponse:
    return render(
        request, "shared/scorer_refused.html", {"title": title, "sentence": sentence, **context}, status=status
    )
