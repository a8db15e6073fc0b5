"""Views of two-sided reporting: players confirm a table or dispute a hand, a director decides."""

import re
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.entry import happened, sheet
from games.entry.correction_page import dispute_page
from games.entry.forms import DisputeForm
from games.entry.not_let_in import guides_players
from games.entry.parts import notice_of_final
from games.entry.views import SeeOther, author_of, number_in, show_table
from games.hands import disputes
from games.hands.judge import HandRefused
from games.hands.on_phones import DIFFERS, decide_phone_hands, drop_phone_hand, open_phone_hands
from games.models import Dispute, Hand, PhoneHand
from league.access import Access, table_for
from league.access.rights import Can
from league.access.session_links import visitor_of
from league.by_link.scorer_views import guides_scorers
from league.ledger.progress import dealt_in
from league.lib.errors import Conflict, Refused
from league.models import Entry, Table
from league.pages.tournament_page import organiser_of, render_page


def _table_of_player(request: HttpRequest, table_id: int) -> tuple[Access, Table, Entry]:
    """Return the table for a player who sits at it; a role or a seat at another table isn't enough.

    Raises Http404.
    """
    access, table = table_for(visitor_of(request), table_id, Can.REPORT)
    if access.entry is None:
        raise Http404
    return access, table, access.entry


def _version(request: HttpRequest) -> int:
    version = number_in(request.POST.get("version"))
    return -1 if version is None else version


@require_POST
@guides_players
def agree(request: HttpRequest, table_id: int) -> HttpResponse:
    """Confirm the reported hands of a table for another side."""
    access, table, entry = _table_of_player(request, table_id)
    try:
        disputes.confirm_as_player(table_id=table.pk, version=_version(request), player=entry)
    except Conflict as conflict:
        access, table, _entry = _table_of_player(request, table_id)
        return show_table(request, access, table, status=conflict.status, message=str(conflict))
    if (reported := disputes.report_of(table)) is not None:
        happened.remember(request, reported.hand, "agreed")
    return SeeOther(table.get_absolute_url())


@require_http_methods(["GET", "HEAD", "POST"])
@guides_players
def dispute(request: HttpRequest, hand_id: int) -> HttpResponse:
    """Show the form of a dispute, filled with the reported hand, or save the dispute."""
    hand = get_object_or_404(Hand.objects.select_related("recorded_by", "scorer_link", "player__player"), pk=hand_id)
    access, table, entry = _table_of_player(request, hand.table_id)
    if hand.voided_at is not None:
        message = _("This hand was corrected or undone since you opened the page.")
        return show_table(request, access, table, status=409 if request.method == "POST" else 200, message=message)
    if request.method != "POST":
        if message := disputes.too_late(table):
            return show_table(request, access, table, message=message)
        return _dispute_page(request, access, table, hand)
    form = DisputeForm(request.POST, seats=dealt_in(table, hand.number))
    if "look" in request.POST:
        return _dispute_page(request, access, table, hand, form)
    if not form.is_valid():
        return _dispute_page(request, access, table, hand, form, status=422)
    try:
        dispute = disputes.dispute_hand(
            hand_id=hand.pk,
            version=form.cleaned_data["version"],
            player=entry,
            hand=form.hand_input(hand.number),
            reason=form.cleaned_data["reason"],
        )
    except HandRefused as refused:
        form.refuse(refused)
        return _dispute_page(request, access, table, hand, form, status=refused.status)
    except Conflict as conflict:
        access, table, _entry = _table_of_player(request, hand.table_id)
        return show_table(request, access, table, status=conflict.status, message=str(conflict))
    if dispute is None:
        form.add_error(None, _("This is what was reported. Change it, or give a reason."))
        return _dispute_page(request, access, table, hand, form, status=422)
    happened.remember(request, hand, "disputed")
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
    page = dispute_page(table, hand, form)
    context = {"page": page, "tournament": access.tournament}
    return render(request, "games/entry/dispute.html", context, status=status)


@require_POST
@guides_players
def withdraw(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Withdraw a player's own dispute."""
    dispute = get_object_or_404(Dispute.objects.select_related("hand"), pk=dispute_id)
    access, table, entry = _table_of_player(request, dispute.hand.table_id)
    if dispute.player_id != entry.pk:
        raise Http404
    try:
        disputes.withdraw_dispute(dispute_id=dispute.pk, player=entry)
    except Conflict as conflict:
        return show_table(request, access, table, status=conflict.status, message=str(conflict))
    happened.remember(request, dispute.hand_id, "withdrawn")
    return SeeOther(table.get_absolute_url())


@require_safe
def show_disputes(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show both versions of each disputed hand for a director to decide, then the decided disputes."""
    access, table = table_for(request.user, table_id, Can.CORRECT)
    return _disputes_page(request, access, table)


@require_POST
def decide(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Decide a dispute: `decision` is `stands` or `theirs`."""
    dispute = get_object_or_404(Dispute.objects.select_related("hand"), pk=dispute_id)
    access, table = table_for(request.user, dispute.hand.table_id, Can.CORRECT)
    decision = request.POST.get("decision")
    if decision not in ("stands", "theirs"):
        return _disputes_page(request, access, table, status=422, message=_("Choose a version."))
    try:
        disputes.decide_dispute(
            dispute_id=dispute.pk,
            version=_version(request),
            taken=decision == "theirs",
            by=organiser_of(request),
            reason=request.POST.get("reason", "").replace("\0", ""),
        )
    except Refused as refused:
        access, table = table_for(request.user, dispute.hand.table_id, Can.CORRECT)
        return _disputes_page(request, access, table, status=refused.status, message=str(refused))
    messages.success(
        request,
        _("Decided: the disputed version counts.")
        if decision == "theirs"
        else _("Decided: the reported version counts."),
    )
    return SeeOther(reverse("disputed", args=[table.pk]))


@require_POST
@guides_scorers
@guides_players
def drop_on_phone(request: HttpRequest, table_id: int) -> HttpResponse:
    """Note that this phone has discarded a refused hand."""
    access, table = table_for(visitor_of(request), table_id, Can.RECORD)
    drop_phone_hand(table_id=table.pk, key=request.POST.get("key", ""), by=author_of(request, access))
    return SeeOther(table.get_absolute_url())


_DECIDED = {
    "theirs": gettext_lazy("Decided: the phone’s version counts."),
    "stands": gettext_lazy("Decided: the reported version counts."),
    "done": gettext_lazy("Handled. The phone still has it."),
}


@require_POST
def decide_on_phone(request: HttpRequest, table_id: int) -> HttpResponse:
    """End the `hands` of a phone, ids in a row: `decision` is `stands` or `done`, or for one of them `theirs`."""
    access, table = table_for(request.user, table_id, Can.CORRECT)
    ids, decision = request.POST.get("hands", "")[:1000].split(), request.POST.get("decision")
    try:
        if decision not in _DECIDED or not ids or not all(re.fullmatch("[0-9]{1,18}", pk) for pk in ids):
            raise Refused("decision", _("Choose a version."))
        reason, is_taken = request.POST.get("reason", "").replace("\0", ""), decision == "theirs"
        hands = [int(pk) for pk in ids]
        decide_phone_hands(table_id=table.pk, hands=hands, taken=is_taken, by=organiser_of(request), reason=reason)
    except Refused as refused:
        access, table = table_for(request.user, table.pk, Can.CORRECT)
        return _disputes_page(request, access, table, status=refused.status, message=str(refused))
    messages.success(request, _DECIDED[decision])
    return SeeOther(reverse("tournament", args=[access.tournament.slug]))


def _disputes_page(
    request: HttpRequest, access: Access, table: Table, *, status: int = 200, message: str = ""
) -> HttpResponse:
    of_table = Dispute.objects.filter(hand__table=table).select_related(
        "hand__recorded_by", "hand__scorer_link", "hand__player__player", "player__player", "decided_by"
    )
    all_disputes = list(of_table.order_by("hand__number", "id"))
    cases = [_case(table, dispute) for dispute in all_disputes if dispute.state == Dispute.State.OPEN]
    differing = open_phone_hands(access.tournament).filter(table=table, code=DIFFERS)
    cases += [_case(table, second) for second in differing.select_related(*_AUTHORS)]
    context: dict[str, Any] = {
        "table": table,
        "round": table.round,
        "cases": cases,
        "decided": [dispute for dispute in all_disputes if dispute.state != Dispute.State.OPEN],
        "error_message": message,
        "final": notice_of_final(table.round.tournament) if table.round.tournament.is_final else None,
    }
    return render_page(
        request, access, "games/entry/disputes.html", page="hands", title=_("Disputes"), status=status, **context
    )


_AUTHORS = ("hand__recorded_by", "hand__scorer_link", "hand__player__player", "player__player", "scorer_link", "user")


def _case(table: Table, dispute: Dispute | PhoneHand) -> dict[str, Any]:
    """Return a dispute, or a phone's second result, with both versions, seat by seat, and the score of each side."""
    hand = dispute.hand
    assert hand is not None
    seats = dealt_in(table, hand.number)
    was = sheet.lines(table, seats, hand.went_out, hand.seats)
    partners = table.round.stage.has_partners  # without partners, a seat scores only its own points
    scores = sheet.scores_of(table, hand) if partners else []
    case: dict[str, Any] = {
        "dispute": dispute,
        "second": dispute if isinstance(dispute, PhoneHand) else None,
        "who": dispute.who if isinstance(dispute, PhoneHand) else str(dispute.player),
        "at": dispute.since if isinstance(dispute, PhoneHand) else dispute.made_at,
        "hand": hand,
        "was": was,
        "was_sides": sheet.sides(table, seats, scores, hand.went_out) if scores else [],
    }
    if not dispute.seats:
        return case
    was, theirs = sheet.compare(was, sheet.lines(table, seats, dispute.went_out, dispute.seats))
    judged = disputes.judged_of(table, seats, dispute)
    return case | {
        "was": was,
        "theirs": theirs,
        "differing": [line.name for line in theirs if line.differs],
        "their_sides": sheet.sides(table, seats, judged.scores.scores, dispute.went_out) if partners else [],
        **_moves_to_show(sheet.moves(table.round.tournament, table, hand.number, judged)),
    }


def _moves_to_show(moves: list[sheet.Move]) -> dict[str, list[sheet.Move]]:
    """Return the moves that change points; if there are none, return all of them as rank changes."""
    points = [move for move in moves if move.total != move.total_was]
    return {"moves": points, "ranks": [] if points else moves}
