"""Serve the list of prints, and each print as a PDF."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import Access, tournament_for
from league.access.rights import Can
from league.access.session_links import remember_shown_link, visitor_of
from league.access.signed_links import scorer_token
from league.by_link.player_link_views import player_address
from league.by_link.player_links import list_player_links
from league.lib.errors import Refused
from league.models import Round, Table
from league.pages.query import current_round, round_in_query
from league.pages.tournament_page import organiser_of, render_page, this_machine
from league.prints import paper as papers
from league.prints.documents import KINDS, Kind
from league.prints.pdf import document as layouts
from league.prints.source import NothingToPrint, Source
from league.roles.scorer_links import last_moment, links_on_slips, slip_links


@require_safe
def prints(request: HttpRequest, slug: str) -> HttpResponse:
    """List the prints with purpose and number of pages."""
    access = tournament_for(request.user, slug, Can.PRINT)
    of = source_for(request, access)
    paper = papers.paper_for(request, access.tournament.club)
    query = f"paper={paper}" if papers.paper_in(request.GET.get("paper", "")) else ""
    context: dict[str, Any] = {
        "papers": [(key, name, key == paper) for key, name in papers.NAMES.items()],
        "paper_asked": papers.paper_in(request.GET.get("paper", "")),
        "chooses_for_club": papers.may_choose_for_club(request.user, access.tournament),
        "club": access.tournament.club,
        "numbers": [round_.number for round_ in of.rounds],
        "chosen": of.chosen,
        "of_the_round": [_line(of, key, query) for key in ("slips", "by_name", "by_table")],
        "of_results": [
            _line(of, key, query) for key in ("standings", *(["race"] if of.book.race else []), "bracket", "crosstable")
        ],
        "of_the_evening": [_line(of, key, query) for key in ("pack", "empty_slips", "place_cards")],
        "illegible": of.illegible,
        "this_machine": this_machine(request),
        "codes_end": last_moment(access.tournament, timezone.now()) if access.may(Can.INVITE) else None,
    }
    return render_page(request, access, "league/prints/prints.html", page="prints", title=_("Print"), **context)


@require_POST
def choose_paper(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the paper: for the club if the viewer may change it, else in the session."""
    access = tournament_for(request.user, slug, Can.PRINT)
    chosen, club = papers.paper_in(request.POST.get("paper", "")), access.tournament.club
    if chosen is None:
        messages.error(request, _("Choose A4 or US Letter."))
        return redirect("prints", slug)
    for_club = club is not None and papers.may_choose_for_club(request.user, access.tournament)
    if club is not None and for_club:
        papers.choose_paper(club=club, paper=chosen, by=organiser_of(request))
    papers.keep_in_session(request, access.tournament, None if for_club else chosen)
    return redirect("prints", slug)


def _line(of: Source, key: str, paper: str) -> dict[str, Any]:
    """paper: query that chooses it, or ""."""
    kind = KINDS[key]
    query_parts = [f"round={of.chosen.number}" if kind.parameter == "round" and of.chosen else "", paper]
    query = "?" + "&".join(filter(None, query_parts)) if any(query_parts) else ""
    purpose = kind.of_singles if kind.of_singles and of.stage.eliminates else kind.purpose
    line: dict[str, Any] = {
        "kind": kind,
        "purpose": purpose,
        "url": reverse(f"print_{key}", args=[of.access.tournament.slug]) + query,
    }
    try:
        return line | {"pages": sum(document.pages for document in kind.make(of))}
    except NothingToPrint as missing:
        return line | {"missing": str(missing)}


@require_safe
def print_pdf(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Serve one print. `?round=N` or `?as_of_round=N` chooses the round; by default the current one.

    `?paper=letter` or `?paper=a4` chooses the paper. `?codes=1` puts scorer links on slips, if the viewer may create
    them; it creates none, since a GET changes nothing.
    """
    kind: Kind = KINDS[key]
    with_codes = kind.has_codes and request.GET.get("codes") == "1"
    access = tournament_for(visitor_of(request), slug, Can.INVITE if with_codes else kind.right)
    of = source_for(request, access, with_codes=with_codes)
    try:
        data = layouts.pdf(of.head(), kind.make(of), papers.paper_for(request, access.tournament.club))
    except NothingToPrint as missing:
        return HttpResponse(f"{missing}\n", status=404, content_type="text/plain; charset=utf-8")
    if kind.has_links and of.link_of is not None:
        list_player_links(tournament=access.tournament, by=organiser_of(request))
        remember_shown_link(request, access.tournament)
    disposition = content_disposition_header(as_attachment=False, filename=kind.file_name(of)) or "inline"
    # Never cached: a stale print would look current on paper.
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
    return HttpResponse(data, content_type="application/pdf", headers=headers)


@require_POST
def slips_to_print(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the slips of the chosen round; with `codes` ticked, create scorer links for all tables."""
    access = tournament_for(request.user, slug, Can.INVITE)
    rounds = list(access.rounds().order_by("number"))
    chosen = round_in_query(request, rounds) or current_round(rounds)
    if chosen is None:
        return redirect("prints", slug)
    query = f"?round={chosen.number}"
    if paper := papers.paper_in(request.POST.get("paper", "")):
        query += f"&paper={paper}"
    if "codes" in request.POST:
        tables = chosen.tables.exclude(state=Table.State.VOID).order_by("number").values_list("number", flat=True)
        try:
            slip_links(tournament=access.tournament, tables=list(tables), by=organiser_of(request))
        except Refused as refused:
            messages.error(request, str(refused))
            return redirect(reverse("prints", args=[slug]) + query)
        query += "&codes=1"
    return redirect(reverse("print_slips", args=[slug]) + query)


def source_for(request: HttpRequest, access: Access, *, with_codes: bool = False) -> Source:
    """Build the source of prints for this viewer."""
    rounds = list(access.rounds().order_by("number"))
    published = [round_ for round_ in rounds if round_.state != Round.State.DRAFT]
    as_of = round_in_query(request, published, "as_of_round")
    return Source(
        access=access,
        chosen=round_in_query(request, rounds) or current_round(rounds),
        as_of_round=as_of.number if as_of else None,
        address_of=lambda table_id: _table_address(request, table_id),
        link_of=(lambda entry: player_address(request, entry)) if access.organises else None,
        codes=_codes(request, access) if with_codes else {},
    )


def _codes(request: HttpRequest, access: Access) -> dict[int, str]:
    """Return the scorer links on slips, by table number."""
    links = links_on_slips(access.tournament)
    return {
        table: request.build_absolute_uri(reverse("scorer", args=[scorer_token(link)])) for table, link in links.items()
    }


def _table_address(request: HttpRequest, table_id: int) -> str:
    """Return the address in the QR code of a table's slip."""
    return request.build_absolute_uri(reverse("table", args=[table_id]))
