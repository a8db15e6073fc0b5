"""The pages of a director at an online table. Each asks first, says what will be, and goes back to the table; pausing
and going on ask nothing."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine import replay as engine_replay
from games.models import Deal
from games.online.director import forms
from games.online.director import services as director
from games.online.director.bar import context, directs
from games.online.director.deeds import DEEDS, Deed
from games.online.director.position import Position, position_of
from games.online.play.places import names_of, places_of
from games.online.play.replay import replay
from league.access import Access, entries_held, table_for
from league.access.rights import Can
from league.access.session_links import players_in
from league.lib.errors import Refused
from league.models import Entry, Table, User
from league.pages.tournament_page import organiser_of, render_page
from league.prints.pdf import document as prints
from league.prints.pdf import letters
from league.prints.pdf.hand_on_paper import LiesOpen, OwnCards
from league.prints.source import Source
from league.prints.views import printing


def _at(request: HttpRequest, table_id: int) -> tuple[Access, Table]:
    access, table = table_for(request.user, table_id, Can.CORRECT)
    if not directs(access):
        raise Http404
    return access, table


def _hand(table: Table, *, on_paper: bool = False) -> Deal | None:
    deal = director.on_paper_now(table) if on_paper else table.deals.open().first()
    if deal is not None:
        deal.table = table
    return deal


@require_safe
def direct(request: HttpRequest, table_id: int) -> HttpResponse:
    """The bar on a page of its own, for a director who also plays at the table."""
    access, table = _at(request, table_id)
    return _bar_page(request, access, table)


def _page(
    request: HttpRequest, access: Access, table: Table, template: str, title: str, status: int, more: dict[str, Any]
) -> HttpResponse:
    more |= {"table": table, "also_plays": _plays(request, access, table)}
    return render_page(request, access, template, page="", title=title, status=status, **more)


def _back(request: HttpRequest, access: Access, table: Table) -> HttpResponse:
    """To the bar: for who plays at the table it has a page of its own."""
    return redirect("direct" if _plays(request, access, table) else "play", table.pk)


def _bar_page(request: HttpRequest, access: Access, table: Table, said: str = "", status: int = 200) -> HttpResponse:
    more: dict[str, Any] = context(access, table, request.user) | {"said": said}
    title = _("Direct table %(number)d") % {"number": table.number}
    return _page(request, access, table, "games/director/direct.html", title, status, more)


def _nothing(request: HttpRequest, access: Access, table: Table) -> HttpResponse:
    return _bar_page(request, access, table, _("No hand is played or waits at this table now."), status=409)


@require_http_methods(["GET", "HEAD", "POST"])
def deed(request: HttpRequest, table_id: int, key: str) -> HttpResponse:
    """Ask for one of DEEDS, and do it."""
    access, table = _at(request, table_id)
    what = DEEDS[key]
    deal = _hand(table, on_paper=what.on_paper)
    if deal is None:
        return _nothing(request, access, table)
    if request.method != "POST":
        return _ask(request, access, table, what, what.form(of=deal, initial=_chosen(request)))
    form = what.form(request.POST, of=deal)
    if not form.is_valid():
        return _ask(request, access, table, what, form, status=422)
    try:
        what.do(table_id=table.pk, **_director(request, access, table), **form.said())
    except Refused as refused:
        return _refused(request, access, table, what, refused)
    return redirect("position", table.pk, deal.pk) if key == "paper" else _back(request, access, table)


def _chosen(request: HttpRequest) -> dict[str, str]:
    """What the bar has chosen already."""
    return {name: request.GET[name] for name in ("who", "at") if name in request.GET}


def _director(request: HttpRequest, access: Access, table: Table) -> dict[str, Any]:
    """Who does it, for the services."""
    return {"by": organiser_of(request), "plays": _plays(request, access, table)}


def _plays(request: HttpRequest, access: Access, table: Table, deal: Deal | None = None) -> Entry | None:
    """Who the viewer is at the table: who was dealt in for a hand there, or has a seat now.

    `deal`: the hand, if it is neither open nor finished with real cards now.
    """
    mine = entries_held(request.user, access.tournament, players_in(request))
    if not mine:
        return None
    here = set(table.seats.values_list("entry_id", flat=True))
    for one in (deal, _hand(table), _hand(table, on_paper=True)):
        here |= {place["entry"] for place in one.places} if one else set()
    return next((entry for entry in mine if entry.pk in here), None)


def _ask(
    request: HttpRequest,
    access: Access,
    table: Table,
    what: Deed,
    form: forms.DeedForm,
    *,
    said: str = "",
    status: int = 200,
) -> HttpResponse:
    more: dict[str, Any] = {"deed": what, "form": form, "said": said}
    return _page(request, access, table, "games/director/direct_deed.html", str(what.title), status, more)


def _refused(request: HttpRequest, access: Access, table: Table, what: Deed, refused: Refused) -> HttpResponse:
    """The table as it is now, with what was typed."""
    deal = _hand(table, on_paper=what.on_paper)
    if deal is None:
        return _bar_page(request, access, table, str(refused), refused.status)
    form = what.form(of=deal, initial={name: value for name, value in request.POST.items() if name != "deal"})
    return _ask(request, access, table, what, form, said=str(refused), status=refused.status)


@require_POST
def pause(request: HttpRequest, table_id: int) -> HttpResponse:
    """At once, whichever hand is there; the same again with a reason says why. `then`: the page to go on with."""
    access, table = _at(request, table_id)
    form = forms.PauseForm(request.POST)
    if not form.is_valid():
        return _bar_page(request, access, table, str(form.errors["reason"][0]), status=422)
    return _at_once(request, access, table, director.pause, reason=form.cleaned_data["reason"])


@require_POST
def go_on(request: HttpRequest, table_id: int) -> HttpResponse:
    access, table = _at(request, table_id)
    return _at_once(request, access, table, director.go_on)


def _at_once(request: HttpRequest, access: Access, table: Table, do: Callable[..., None], **what: Any) -> HttpResponse:
    deal = _hand(table)
    if deal is None:
        return _nothing(request, access, table)
    try:
        do(table_id=table.pk, deal_id=deal.pk, **_director(request, access, table), **what)
    except Refused as refused:
        return _bar_page(request, access, table, str(refused), refused.status)
    if request.POST.get("then") == "undo":
        return redirect("direct_undo", table.pk)
    return _back(request, access, table)


# Moves taken back


@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: HttpRequest, table_id: int) -> HttpResponse:
    """The moves, the latest first; with ?to=LINE what would be taken back; posted, it is done."""
    access, table = _at(request, table_id)
    deal = _hand(table)
    if deal is None or deal.state != Deal.State.PLAYING:
        return _nothing(request, access, table)
    moves = director.moves_that_stand(deal)
    if request.method != "POST":
        return _undo_page(request, access, table, deal, moves, request.GET.get("to", ""))
    form = forms.UndoForm(request.POST, of=deal)
    if not form.is_valid():
        return _undo_page(request, access, table, deal, moves, request.POST.get("to", ""), form=form, status=422)
    try:
        director.undo_to(table_id=table.pk, **_director(request, access, table), **form.said())
    except Refused as refused:
        said = {"reason": request.POST.get("reason", "")}
        return _undo_again(request, access, table, str(form.cleaned_data["to"]), said, refused)
    return _back(request, access, table)


def _undo_again(
    request: HttpRequest, access: Access, table: Table, to: str, typed: dict[str, str], refused: Refused
) -> HttpResponse:
    """What would be taken back now, since somebody moved or the hand is another one."""
    deal = _hand(table)
    if deal is None or deal.state != Deal.State.PLAYING:
        return _bar_page(request, access, table, str(refused), refused.status)
    moves = director.moves_that_stand(deal)
    return _undo_page(request, access, table, deal, moves, to, typed=typed, said=str(refused), status=refused.status)


def _undo_page(
    request: HttpRequest,
    access: Access,
    table: Table,
    deal: Deal,
    moves: list[director.Standing],
    to: str,
    *,
    form: forms.UndoForm | None = None,
    typed: dict[str, str] | None = None,
    said: str = "",
    status: int = 200,
) -> HttpResponse:
    chosen = next((one for one in moves[1:] if str(one.line) == to), None)
    more: dict[str, Any] = {"deal": deal, "moves": moves, "said": said, "chosen": chosen}
    more["stands"] = bool(deal.paused_at or access.tournament.paused_at)
    if chosen is not None:
        seen = {"to": chosen.line, "moves_made": deal.moves_made} | (typed or {})
        more |= {
            "taken_back": moves[: moves.index(chosen)],
            "then": _then(deal, chosen.line),
            "form": form or forms.UndoForm(of=deal, initial=seen),
        }
    return _page(request, access, table, "games/director/direct_undo.html", _("Take moves back"), status, more)


def _then(deal: Deal, line: int) -> str:
    """Who would be asked then."""
    names = names_of(places_of(deal))
    before = engine_replay.undo(replay(deal, names).hand, line, "")
    return names[before.public.turn]


# The position, for real cards


@require_safe
def position(request: HttpRequest, table_id: int, deal_id: int) -> HttpResponse:
    """Where a hand stood when it was taken to real cards, for the director who did."""
    access, table, deal = _taken(request, table_id, deal_id)
    more: dict[str, Any] = {"table": table, "deal": deal, "position": position_of(deal)}
    title = _("Hand %(number)d, to finish with real cards") % {"number": deal.number}
    return render_page(request, access, "games/director/position.html", page="", title=title, **more)


@require_safe
def position_pdf(request: HttpRequest, table_id: int, deal_id: int) -> HttpResponse:
    """The same for the printer: a page for the table, then the slips."""
    access, table, deal = _taken(request, table_id, deal_id)
    of = printing(request, access)
    data = prints.pdf(of.head(), _prints(of, table, deal, position_of(deal)))
    name = f"{access.tournament.slug}_table{table.number}_hand{deal.number}.pdf"
    disposition = content_disposition_header(as_attachment=False, filename=name) or "inline"
    return HttpResponse(data, content_type="application/pdf", headers={"Content-Disposition": disposition})


def _prints(of: Source, table: Table, deal: Deal, where: Position) -> list[prints.Print]:
    words = {"table": table.number, "hand": deal.number, "round": table.round.number}
    names = [one.name if letters.is_legible(one.name) else of.names[one.player_id] for one in where.people]
    return [
        LiesOpen(
            title=_("Table %(table)d, hand %(hand)d") % words,
            aside=_("Round %(round)d, to finish with real cards") % words,
            facts=where.facts,
            asked=where.asked,
            people=[(name, len(one.cards)) for name, one in zip(names, where.people, strict=True)],
            discard=where.discard,
            steps=where.steps,
        ),
        OwnCards(
            _("Round %(round)d, table %(table)d, hand %(hand)d") % words,
            [(name, one.cards, one.note) for name, one in zip(names, where.people, strict=True)],
        ),
    ]


def _taken(request: HttpRequest, table_id: int, deal_id: int) -> tuple[Access, Table, Deal]:
    access, table = _at(request, table_id)
    deal = table.deals.filter(pk=deal_id).first()
    if deal is None or not isinstance(request.user, User):
        raise Http404
    deal.table = table
    if not director.took_to_paper(deal, request.user) or _plays(request, access, table, deal):
        raise Http404
    return access, table, deal
