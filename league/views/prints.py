"""Prints: the page that lists them, and each as a PDF."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league import prints as layouts
from league import services
from league.access import Access, tournament_for
from league.documents import KINDS, Kind
from league.held import players_in, was_shown
from league.models import Round
from league.print_source import NothingToPrint, Source
from league.progress import is_race
from league.roles import Can
from league.views.page import organiser_of, render_page, this_machine
from league.views.player_links import player_address
from league.views.public import asked_round, current_round


@require_safe
def prints(request: HttpRequest, slug: str) -> HttpResponse:
    """Every print with what it is for and how many pages it has, for whoever may print."""
    access = tournament_for(request.user, slug, Can.PRINT)
    of = printing(request, access)
    context: dict[str, Any] = {
        "numbers": [one.number for one in of.rounds],
        "chosen": of.chosen,
        "of_the_round": [_line(of, key) for key in ("slips", "by_name", "by_table")],
        "of_results": [
            _line(of, key) for key in ("standings", *(["race"] if is_race(of.stage) else []), "bracket", "crosstable")
        ],
        "of_the_evening": [_line(of, key) for key in ("pack", "empty_slips", "place_cards")],
        "illegible": of.illegible,
        "this_machine": this_machine(request),
    }
    return render_page(request, access, "league/prints.html", page="prints", title=_("Prints"), **context)


def _line(of: Source, key: str) -> dict[str, Any]:
    kind = KINDS[key]
    query = f"?round={of.chosen.number}" if kind.asked == "round" and of.chosen else ""
    purpose = kind.of_singles if kind.of_singles and is_race(of.stage) else kind.purpose
    line: dict[str, Any] = {
        "kind": kind,
        "purpose": purpose,
        "url": reverse(f"print_{key}", args=[of.access.tournament.slug]) + query,
    }
    try:
        return line | {"pages": sum(one.pages for one in kind.make(of))}
    except NothingToPrint as missing:
        return line | {"missing": str(missing)}


@require_safe
def print_pdf(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """One print. `?round=N` or `?as_of_round=N`, where a print is of a round; else of the present one."""
    kind: Kind = KINDS[key]
    access = tournament_for(request.user, slug, kind.right, players_in(request))
    of = printing(request, access)
    try:
        data = layouts.pdf(of.head(), kind.make(of))
    except NothingToPrint as missing:
        return HttpResponse(f"{missing}\n", status=404, content_type="text/plain; charset=utf-8")
    if kind.has_links and of.link_of is not None:
        services.list_player_links(tournament=access.tournament, by=organiser_of(request))
        was_shown(request, access.tournament)
    disposition = content_disposition_header(as_attachment=False, filename=kind.file_name(of)) or "inline"
    # Never an old one: a print is looked at far from the service, and nobody sees that it is stale.
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
    return HttpResponse(data, content_type="application/pdf", headers=headers)


def printing(request: HttpRequest, access: Access) -> Source:
    """What prints are made of, as this viewer may print it."""
    rounds = list(access.rounds().order_by("number"))
    shown = [one for one in rounds if one.state != Round.State.DRAFT]
    as_of = asked_round(request, shown, "as_of_round")
    return Source(
        access=access,
        chosen=asked_round(request, rounds) or current_round(rounds),
        as_of_round=as_of.number if as_of else None,
        address_of=lambda table_id: _table_address(request, table_id),
        link_of=(lambda entry: player_address(request, entry)) if access.organises else None,
    )


def _table_address(request: HttpRequest, table_id: int) -> str:
    """What the QR code on a table's slip leads to. The one place that knows."""
    return request.build_absolute_uri(reverse("table", args=[table_id]))
