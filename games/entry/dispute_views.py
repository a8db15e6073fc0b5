"""The pages of two-sided reporting: a player confirms a table or disputes a hand, a director decides."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.entry import sheet, table_page
from games.entry.forms import DisputeForm, ReportForm, typed
from games.entry.not_let_in import guides_players
from games.entry.preview import look_at
from games.entry.views import SeeOther, number_in, show_table
from games.hands import disputes
from games.hands.judge import HandRefused
from games.models import Dispute, Hand
from league.access import Access, table_for
from league.access.rights import Can
from league.access.session_links import players_in
from league.ledger.progress import dealt_in, race_of
from league.lib.errors import Conflict, Refused
from league.models import Entry, Table
from league.pages.tournament_page import organiser_of, render_page


def _seated(request: HttpRequest, table_id: int) -> tuple[Access, Table, Entry]:
    """The table, for a player who sits at it. A role alone, at another table, opens nothing."""
    access, table = table_for(request.user, table_id, Can.REPORT, players=players_in(request))
    if access.entry is None:
        raise Http404
    return access, table, access.entry


def _version(request: HttpRequest) -> int:
    version = number_in(request.POST.get("version"))
    return -1 if version is None else version


@require_POST
@guides_players
def agree(request: HttpRequest, table_id: int) -> HttpResponse:
    """One tap of another side: what was reported is right."""
    access, table, entry = _seated(request, table_id)
    try:
        disputes.confirm_as_player(table_id=table.pk, version=_version(request), player=entry)
    except Conflict as conflict:
        access, table, _entry = _seated(request, table_id)
        return show_table(request, access, table, status=conflict.status, said=str(conflict))
    if (reported := disputes.report_of(table)) is not None:
        request.session[table_page.NOTE] = [reported.hand.pk, "agreed"]
    return SeeOther(table.get_absolute_url())


@require_http_methods(["GET", "HEAD", "POST"])
@guides_players
def dispute(request: HttpRequest, hand_id: int) -> HttpResponse:
    """A hand with what stands in its fields, for a player to whom it was another one."""
    hand = get_object_or_404(Hand.objects.select_related("recorded_by", "scorer_link", "player__player"), pk=hand_id)
    access, table, entry = _seated(request, hand.table_id)
    if hand.voided_at is not None:
        said = _("This hand was corrected or taken back meanwhile. Look at the table as it is now.")
        return show_table(request, access, table, status=409 if request.method == "POST" else 200, said=said)
    if request.method != "POST":
        if said := disputes.too_late(table):
            return show_table(request, access, table, said=said)
        return _dispute_page(request, access, table, hand)
    form = DisputeForm(request.POST, seats=dealt_in(table, hand.number))
    if "look" in request.POST:
        return _dispute_page(request, access, table, hand, form)
    if not form.is_valid():
        return _dispute_page(request, access, table, hand, form, status=422)
    try:
        made = disputes.dispute_hand(
            hand_id=hand.pk,
            version=form.cleaned_data["version"],
            player=entry,
            went_out=form.cleaned_data["went_out"],
            reports=form.reports(),
            reason=form.cleaned_data["reason"],
        )
    except HandRefused as refused:
        form.refuse(refused)
        return _dispute_page(request, access, table, hand, form, status=refused.status)
    except Conflict as conflict:
        access, table, _entry = _seated(request, hand.table_id)
        return show_table(request, access, table, status=conflict.status, said=str(conflict))
    if made is None:
        form.add_error(None, _("This is what stands already. Change what was different, or say why it is wrong."))
        return _dispute_page(request, access, table, hand, form, status=422)
    request.session[table_page.NOTE] = [hand.pk, "disputed"]
    return SeeOther(table.get_absolute_url())


def _dispute_page(
    request: HttpRequest,
    access: Access,
    table: Table,
    hand: Hand,
    form: DisputeForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    race = race_of(table.round)
    seats = form.seats if form else dealt_in(table, hand.number, race)
    bound = form or DisputeForm(seats=seats, initial=typed(hand))
    context = table_page.entry(table, bound, me=access.entry) | {
        "access": access,
        "tournament": access.tournament,
        "round": table.round,
        "hand": hand,
        "shown": next(iter(sheet.hand_lines(table, [hand], race)), None),
        "was": sheet.lines(table, seats, hand.went_out, hand.seats),
        "version": form["version"].value() if form else table.version,
        "preview": look_at(table, hand.number, form or ReportForm(typed(hand), seats=seats), race=race),
        "of": table.hands_wanted,
    }
    return render(request, "games/entry/dispute.html", context, status=status)


@require_POST
@guides_players
def withdraw(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """A player takes their own word back."""
    made = get_object_or_404(Dispute.objects.select_related("hand"), pk=dispute_id)
    access, table, entry = _seated(request, made.hand.table_id)
    if made.player_id != entry.pk:
        raise Http404
    try:
        disputes.withdraw_dispute(dispute_id=made.pk, player=entry)
    except Conflict as conflict:
        return show_table(request, access, table, status=conflict.status, said=str(conflict))
    request.session[table_page.NOTE] = [made.hand_id, "withdrawn"]
    return SeeOther(table.get_absolute_url())


@require_safe
def disputed(request: HttpRequest, table_id: int) -> HttpResponse:
    """What is disputed at a table: both versions of each hand, for a director to decide; then what was decided."""
    access, table = table_for(request.user, table_id, Can.CORRECT)
    return _disputes_page(request, access, table)


@require_POST
def decide(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """`decision` is `stands` or `theirs`."""
    made = get_object_or_404(Dispute.objects.select_related("hand"), pk=dispute_id)
    access, table = table_for(request.user, made.hand.table_id, Can.CORRECT)
    decision = request.POST.get("decision")
    if decision not in ("stands", "theirs"):
        return _disputes_page(request, access, table, status=422, said=_("Say whether the hand stands."))
    try:
        disputes.decide_dispute(
            dispute_id=made.pk,
            version=_version(request),
            taken=decision == "theirs",
            by=organiser_of(request),
            reason=request.POST.get("reason", "").replace("\0", ""),
        )
    except Refused as refused:
        access, table = table_for(request.user, made.hand.table_id, Can.CORRECT)
        return _disputes_page(request, access, table, status=refused.status, said=str(refused))
    messages.success(
        request, _("Decided: the hand is as they said.") if decision == "theirs" else _("Decided: the hand stands.")
    )
    return SeeOther(reverse("disputed", args=[table.pk]))


def _disputes_page(
    request: HttpRequest, access: Access, table: Table, *, status: int = 200, said: str = ""
) -> HttpResponse:
    of_table = Dispute.objects.filter(hand__table=table).select_related(
        "hand__recorded_by", "hand__scorer_link", "hand__player__player", "player__player", "decided_by"
    )
    made = list(of_table.order_by("hand__number", "id"))
    cases = [_case(table, one) for one in made if one.state == Dispute.State.OPEN]
    context: dict[str, Any] = {
        "table": table,
        "round": table.round,
        "cases": cases,
        "decided": [one for one in made if one.state != Dispute.State.OPEN],
        "said": said,
    }
    return render_page(
        request, access, "games/entry/disputes.html", page="hands", title=_("Disputes"), status=status, **context
    )


def _case(table: Table, made: Dispute) -> dict[str, Any]:
    """A dispute with both versions, seat by seat, and what each side would score."""
    hand = made.hand
    seats = dealt_in(table, hand.number)
    was = sheet.lines(table, seats, hand.went_out, hand.seats)
    partners = table.round.stage.has_partners  # without them a seat's own points are all it scores
    scores = sheet.scores_of(table, hand) if partners else []
    case: dict[str, Any] = {
        "dispute": made,
        "hand": hand,
        "was": was,
        "was_sides": sheet.sides(table, seats, scores, hand.went_out) if scores else [],
    }
    if not made.seats:
        return case
    was, theirs = sheet.compared(was, sheet.lines(table, seats, made.went_out, made.seats))
    judged = disputes.judged_of(table, seats, made)
    return case | {
        "was": was,
        "theirs": theirs,
        "differing": [line.name for line in theirs if line.differs],
        "their_sides": sheet.sides(table, seats, judged.scores.scores, made.went_out) if partners else [],
        **_moved(sheet.moves(table.round.tournament, table, hand.number, judged)),
    }


def _moved(moves: list[sheet.Move]) -> dict[str, list[sheet.Move]]:
    """Whose points change; where nobody's do, whose rank does, as by a hand that somebody else went out in."""
    points = [one for one in moves if one.total != one.total_was]
    return {"moves": points, "ranks": [] if points else moves}
