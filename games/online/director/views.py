"""A director's pages at an online table. Each explains its effect, and returns to the table; pause and resume run at
once."""

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
from games.online.director.actions import ACTIONS, DirectorAction
from games.online.director.bar import bar_of
from games.online.director.position import Position, position_of
from games.online.play.places import names_of, places_of
from games.online.play.replay import replay
from league.access import Access, entries_held, table_for
from league.access.rights import Can
from league.access.session_links import visitor_of
from league.ledger.lineups import SAME_NAME
from league.lib.errors import Refused
from league.models import Entry, Table, User
from league.pages.tournament_page import organiser_of, render_page
from league.prints.paper import paper_for
from league.prints.pdf import document as prints
from league.prints.pdf import letters
from league.prints.pdf.hand_on_paper import LiesOpen, OwnCards
from league.prints.source import Source
from league.prints.views import source_for


def _directed_table(request: HttpRequest, table_id: int) -> tuple[Access, Table]:
    return table_for(request.user, table_id, Can.CORRECT)


def _deal_at(table: Table, *, on_paper: bool = False) -> Deal | None:
    deal = director.on_paper_now(table) if on_paper else table.deals.open().first()
    if deal is not None:
        deal.table = table
    return deal


@require_safe
def direct(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the bar on its own page, for a director who also plays at the table."""
    access, table = _directed_table(request, table_id)
    return _bar_page(request, access, table)


def _page(
    request: HttpRequest, access: Access, table: Table, template: str, title: str, status: int, more: dict[str, Any]
) -> HttpResponse:
    more |= {"table": table, "also_plays": _own_entry(request, access, table)}
    return render_page(request, access, template, page="", title=title, status=status, **more)


def _go_back(request: HttpRequest, access: Access, table: Table) -> HttpResponse:
    """Redirect to the bar, which has its own page for a director who plays at the table."""
    return redirect("direct" if _own_entry(request, access, table) else "play", table.pk)


def _bar_page(request: HttpRequest, access: Access, table: Table, message: str = "", status: int = 200) -> HttpResponse:
    bar = bar_of(access, table, request.user, also_plays=str(_own_entry(request, access, table) or ""))
    more: dict[str, Any] = {"bar": bar, "said": message}
    title = _("Control table %(number)d") % {"number": table.number}
    return _page(request, access, table, "games/director/direct.html", title, status, more)


def _no_hand_page(request: HttpRequest, access: Access, table: Table) -> HttpResponse:
    return _bar_page(request, access, table, _("No hand is being played online at this table."), status=409)


@require_http_methods(["GET", "HEAD", "POST"])
def action(request: HttpRequest, table_id: int, key: str) -> HttpResponse:
    """Show the form of one of ACTIONS, or run it."""
    access, table = _directed_table(request, table_id)
    action = ACTIONS[key]
    deal = _deal_at(table, on_paper=action.on_paper)
    if deal is None:
        return _no_hand_page(request, access, table)
    if request.method != "POST":
        return _action_page(request, access, table, action, action.form(of=deal, initial=_initial(request)))
    form = action.form(request.POST, of=deal)
    if not form.is_valid():
        return _action_page(request, access, table, action, form, status=422)
    try:
        action.do(table_id=table.pk, **_director(request, access, table), **form.arguments())
    except Refused as refused:
        return _show_refusal(request, access, table, action, refused)
    return redirect("position", table.pk, deal.pk) if key == "paper" else _go_back(request, access, table)


def _initial(request: HttpRequest) -> dict[str, str]:
    """Return the fields that the bar's link sets."""
    return {name: request.GET[name] for name in ("who", "at") if name in request.GET}


def _director(request: HttpRequest, access: Access, table: Table) -> dict[str, Any]:
    """Return the director's arguments for the services."""
    return {"by": organiser_of(request), "plays": _own_entry(request, access, table)}


def _own_entry(request: HttpRequest, access: Access, table: Table, deal: Deal | None = None) -> Entry | None:
    """Return the viewer's own entry at the table: in a hand there, or with a seat now.

    `deal`: a hand that is neither open nor on paper now.
    """
    mine = entries_held(visitor_of(request), access.tournament)
    if not mine:
        return None
    here = set(table.seats.values_list("entry_id", flat=True))
    for candidate in (deal, _deal_at(table), _deal_at(table, on_paper=True)):
        here |= {place["entry"] for place in candidate.places} if candidate else set()
    return next((entry for entry in mine if entry.pk in here), None)


def _action_page(
    request: HttpRequest,
    access: Access,
    table: Table,
    action: DirectorAction,
    form: forms.ActionForm,
    *,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    more: dict[str, Any] = {"action": action, "form": form, "said": message}
    return _page(request, access, table, "games/director/direct_action.html", str(action.title), status, more)


def _show_refusal(
    request: HttpRequest, access: Access, table: Table, action: DirectorAction, refused: Refused
) -> HttpResponse:
    """Show the refusal on the current form, with the entered values."""
    deal = _deal_at(table, on_paper=action.on_paper)
    if deal is None:
        return _bar_page(request, access, table, str(refused), refused.status)
    form = action.form(of=deal, initial={name: value for name, value in request.POST.items() if name != "deal"})
    if isinstance(form, forms.SubstituteForm):
        form.asks_another = refused.code == SAME_NAME or "another" in request.POST
    return _action_page(request, access, table, action, form, message=str(refused), status=refused.status)


@require_POST
def pause(request: HttpRequest, table_id: int) -> HttpResponse:
    """Pause the current hand at once; again with a reason to explain. `then`: the next page."""
    access, table = _directed_table(request, table_id)
    form = forms.PauseForm(request.POST)
    if not form.is_valid():
        return _bar_page(request, access, table, str(form.errors["reason"][0]), status=422)
    return _at_once(request, access, table, director.pause, reason=form.cleaned_data["reason"])


@require_POST
def go_on(request: HttpRequest, table_id: int) -> HttpResponse:
    access, table = _directed_table(request, table_id)
    return _at_once(request, access, table, director.go_on)


def _at_once(
    request: HttpRequest, access: Access, table: Table, do: Callable[..., None], **arguments: Any
) -> HttpResponse:
    deal = _deal_at(table)
    if deal is None:
        return _no_hand_page(request, access, table)
    try:
        do(table_id=table.pk, deal_id=deal.pk, **_director(request, access, table), **arguments)
    except Refused as refused:
        return _bar_page(request, access, table, str(refused), refused.status)
    if request.POST.get("then") == "undo":
        return redirect("direct_undo", table.pk)
    return _go_back(request, access, table)


# Undo


@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the moves, latest first; with ?to=LINE the moves to undo; a POST undoes them."""
    access, table = _directed_table(request, table_id)
    deal = _deal_at(table)
    if deal is None or deal.state != Deal.State.PLAYING:
        return _no_hand_page(request, access, table)
    if request.method != "POST":
        return _undo_page(request, access, deal, request.GET.get("to", ""))
    form = forms.UndoForm(request.POST, of=deal)
    if not form.is_valid():
        return _undo_page(request, access, deal, request.POST.get("to", ""), form=form, status=422)
    try:
        director.undo_to(table_id=table.pk, **_director(request, access, table), **form.arguments())
    except Refused as refused:
        return _undo_again(request, access, table, str(form.cleaned_data["to"]), refused)
    return _go_back(request, access, table)


def _undo_again(request: HttpRequest, access: Access, table: Table, to: str, refused: Refused) -> HttpResponse:
    """Show the undo again, since a player moved or the hand changed."""
    deal = _deal_at(table)
    if deal is None or deal.state != Deal.State.PLAYING:
        return _bar_page(request, access, table, str(refused), refused.status)
    return _undo_page(request, access, deal, to, message=str(refused), status=refused.status)


def _undo_page(
    request: HttpRequest,
    access: Access,
    deal: Deal,
    to: str,
    *,
    form: forms.UndoForm | None = None,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    moves = director.moves_that_stand(deal)
    chosen = next((move for move in moves[1:] if str(move.line) == to), None)
    more: dict[str, Any] = {"deal": deal, "moves": moves, "said": message, "chosen": chosen}
    more["stands"] = bool(deal.paused_at or access.tournament.paused_at)
    if chosen is not None:
        seen = {"to": chosen.line, "moves_made": deal.moves_made, "reason": request.POST.get("reason", "")}
        more |= {
            "taken_back": moves[: moves.index(chosen)],
            "then": _next_player(deal, chosen.line),
            "form": form or forms.UndoForm(of=deal, initial=seen),
        }
    return _page(request, access, deal.table, "games/director/direct_undo.html", _("Undo moves"), status, more)


def _next_player(deal: Deal, line: int) -> str:
    """Return the name of the player whose turn it would be."""
    names = names_of(places_of(deal))
    before = engine_replay.undo(replay(deal, names).hand, line, "")
    return names[before.public.turn]


# The position, for real cards


@require_safe
def position(request: HttpRequest, table_id: int, deal_id: int) -> HttpResponse:
    """Show where a hand left online play, to the director who chose real cards."""
    access, table, deal = _paper_deal_or_404(request, table_id, deal_id)
    more: dict[str, Any] = {"table": table, "deal": deal, "position": position_of(deal)}
    title = _("Finish hand %(number)d with real cards") % {"number": deal.number}
    return render_page(request, access, "games/director/position.html", page="", title=title, **more)


@require_safe
def position_pdf(request: HttpRequest, table_id: int, deal_id: int) -> HttpResponse:
    """Return the position as a PDF: a page for the table, then the slips."""
    access, table, deal = _paper_deal_or_404(request, table_id, deal_id)
    of = source_for(request, access)
    paper = paper_for(request, access.tournament.club)
    data = prints.pdf(of.head(), _prints(of, table, deal, position_of(deal)), paper)
    name = f"{access.tournament.slug}_table{table.number}_hand{deal.number}.pdf"
    disposition = content_disposition_header(as_attachment=False, filename=name) or "inline"
    return HttpResponse(data, content_type="application/pdf", headers={"Content-Disposition": disposition})


def _prints(of: Source, table: Table, deal: Deal, where: Position) -> list[prints.Print]:
    words = {"table": table.number, "hand": deal.number, "round": table.round.number}
    names = [person.name if letters.is_legible(person.name) else of.names[person.player_id] for person in where.people]
    return [
        LiesOpen(
            title=_("Table %(table_number)s, hand %(number)s") % {"table_number": table.number, "number": deal.number},
            aside=_("Round %(round)d, finish with real cards") % words,
            facts=where.facts,
            questions=where.waits_for,
            people=[(name, len(person.cards)) for name, person in zip(names, where.people, strict=True)],
            discard=where.discard,
            steps=where.steps,
        ),
        OwnCards(
            _("Round %(round)d, table %(table)d, hand %(hand)d") % words,
            [(name, person.cards, person.note) for name, person in zip(names, where.people, strict=True)],
        ),
    ]


def _paper_deal_or_404(request: HttpRequest, table_id: int, deal_id: int) -> tuple[Access, Table, Deal]:
    access, table = _directed_table(request, table_id)
    deal = table.deals.filter(pk=deal_id).first()
    if deal is None or not isinstance(request.user, User):
        raise Http404
    deal.table = table
    if not director.took_to_paper(deal, request.user) or _own_entry(request, access, table, deal):
        raise Http404
    return access, table, deal
