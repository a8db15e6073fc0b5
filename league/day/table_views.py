"""The day, for tables and rounds: seats swapped, tables moved and closed, seated anew; pause; an early end."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.access import tournament_for
from league.access.rights import Can
from league.day.table_forms import MoveForm, ReasonForm, SwapForm, TableForm
from league.day.tables import table_lines
from league.day.views import decide_here, show_day
from league.ledger.progress import hands_in, is_race
from league.lib.errors import Refused
from league.lib.translate import labelled
from league.models import Entry, Round, Table, Tournament
from league.pages.tournament_page import organiser_of
from league.rounds import pause as pausing
from league.rounds import reseat, tables
from league.rounds import steps as rounds


@require_POST
def swap(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = SwapForm(request.POST, tournament=access.tournament)
    if not form.is_valid():
        return show_day(request, access, status=422, said=form.first_fault(), of="swap")
    data = form.cleaned_data
    names = {"one": data["one"], "other": data["other"]}
    return decide_here(
        request,
        access,
        "swap",
        action=lambda: tables.swap_seats(
            tournament=access.tournament,
            round_number=data["round"],
            one=data["one"],
            other=data["other"],
            reason=data["reason"],
            by=organiser_of(request),
        ),
        what=_("Swap %(one)s and %(other)s") % names,
        button=_("Swap the two"),
        done=_("%(one)s and %(other)s have changed places.") % names,
        about=_after_swap(access.tournament, data["round"], data["one"], data["other"]),
    )


@require_POST
def move(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = MoveForm(request.POST)
    if not form.is_valid():
        return show_day(request, access, status=422, said=form.first_fault(), of="move")
    data = form.cleaned_data
    numbers = {"number": data["table"], "to": data["to"]}
    return decide_here(
        request,
        access,
        "move",
        action=lambda: tables.move_table(
            tournament=access.tournament,
            round_number=data["round"],
            number=data["table"],
            to=data["to"],
            reason=data["reason"],
            by=organiser_of(request),
        ),
        what=_("Table %(number)d becomes table %(to)d") % numbers,
        button=_("Change the number"),
        done=_("Table %(number)d is table %(to)d now.") % numbers,
        about=[
            _("If there is a table %(to)d in this round, it becomes table %(number)d.") % numbers,
            _("Codes and links for scorers go by the number: those of table %(to)d open it then.") % numbers,
        ],
    )


@require_POST
def close(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = TableForm(request.POST)
    if not form.is_valid():
        return show_day(request, access, status=422, said=form.first_fault(), of="close")
    data = form.cleaned_data
    number = {"number": data["table"]}
    return decide_here(
        request,
        access,
        "close",
        action=lambda: tables.close_table(
            tournament=access.tournament,
            round_number=data["round"],
            number=data["table"],
            reason=data["reason"],
            by=organiser_of(request),
        ),
        what=_("Close table %(number)d") % number,
        button=_("Close the table"),
        done=_("Table %(number)d is closed for this round.") % number,
        about=[_hands_in(access.tournament, data["round"], data["table"])],
    )


@require_POST
def open_again(request: HttpRequest, slug: str) -> HttpResponse:
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = TableForm(request.POST)
    if not form.is_valid():
        return show_day(request, access, status=422, said=form.first_fault(), of="close")
    data = form.cleaned_data
    number = {"number": data["table"]}
    return decide_here(
        request,
        access,
        "close",
        action=lambda: tables.open_table_again(
            tournament=access.tournament, round_number=data["round"], number=data["table"], by=organiser_of(request)
        ),
        what=_("Open table %(number)d again") % number,
        button=_("Open the table again"),
        done=_("Table %(number)d plays on.") % number,
        about=[_("It plays as many hands as the other tables of the round.")],
    )


@require_POST
def redraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Seat the tables anew that have not started."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return show_day(request, access, status=422, said=form.first_fault(), of="redraw")
    return decide_here(
        request,
        access,
        "redraw",
        action=lambda: reseat.reseat_not_started(
            tournament=access.tournament, reason=form.cleaned_data["reason"], by=organiser_of(request)
        ),
        what=_("Seat tables anew that have not started"),
        button=_("Seat them anew"),
        done=_("The tables that had not started are seated anew."),
        about=[_("Whoever is in and has no seat joins them. Tables with a hand in stay as they are.")],
    )


@require_POST
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    """At once, without a preview: nothing moves, and going on takes it back."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = ReasonForm(request.POST)
    by = organiser_of(request)
    try:
        if request.POST.get("do") == "resume":
            pausing.resume(tournament=access.tournament, by=by)
            said = _("Play goes on.")
        else:
            reason = form.cleaned_data["reason"] if form.is_valid() else ""
            pausing.pause(tournament=access.tournament, reason=reason, by=by)
            said = _("Play is paused. Every page says so, with the reason.")
    except Refused as refused:
        return show_day(request, access, status=refused.status, said=str(refused), of="pause")
    messages.success(request, said)
    return redirect("day", slug=slug)


@require_POST
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the standings final although there is more to play."""
    access = tournament_for(request.user, slug, Can.RUN)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return show_day(request, access, status=422, said=form.first_fault(), of="end")
    about = [
        _("The standings are final as they are then, and hands that are not in are not played."),
        _("It can be undone: reopen the tournament on its overview."),
    ]
    if is_race(access.tournament.stages.get()):
        about.insert(1, _("Whoever is still in comes before all who are eliminated, by the lower total."))
    return decide_here(
        request,
        access,
        "end",
        action=lambda: rounds.end_early(
            tournament=access.tournament, reason=form.cleaned_data["reason"], by=organiser_of(request)
        ),
        what=_("End the event now"),
        button=_("Make the standings final"),
        done=_("The standings are final."),
        about=about,
    )


def _round(tournament: Tournament, number: int) -> Round | None:
    return tournament.rounds.living().select_related("stage").filter(number=number).first()


def _after_swap(tournament: Tournament, number: int, one: Entry, other: Entry) -> list[str]:
    """How the tables of the two will sit, and from which hand on."""
    played = _round(tournament, number)
    if played is None:
        return []
    swapped = {one.player.name: other.player.name, other.player.name: one.player.name}
    said = []
    for table, names in table_lines(played):
        if swapped.keys() & set(names):
            will = [swapped.get(name, name) for name in names]
            where = {"table": table.number, "hand": _hands_of(table) + 1}
            at = _("Table %(table)d from hand %(hand)d on") % where
            said.append(labelled(at, _sitting(will, played.stage.has_partners)))
    return said


def _sitting(names: Sequence[str], partners: bool) -> str:
    if partners and len(names) == 4:
        people = dict(zip(("one", "two", "three", "four"), names, strict=True))
        return _("%(one)s and %(three)s against %(two)s and %(four)s.") % people
    if partners and len(names) == 2:
        return _("%(one)s against %(other)s.") % {"one": names[0], "other": names[1]}
    return ", ".join(names)


def _hands_of(table: Table) -> int:
    return len(hands_in([table])[table.pk])


def _hands_in(tournament: Tournament, number: int, table_number: int) -> str:
    played = _round(tournament, number)
    table = played.tables.filter(number=table_number).first() if played else None
    hands = _hands_of(table) if table else 0
    if not hands:
        return _("No hand is in there, so nothing counts at this table in this round.")
    words = ngettext(
        "%(count)d hand is in there and counts. No more are played.",
        "%(count)d hands are in there and count. No more are played.",
        hands,
    )
    return words % {"count": hands}
