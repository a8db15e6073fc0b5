"""The second page of a correction on which seats hang: what it moves, and which repair goes with it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from games.entry import sheet
from games.entry.forms import CorrectionForm
from games.hands import repair_preview
from games.hands.judge import judge
from games.hands.repair_preview import Diff
from games.hands.repairs import KEEP, Correction
from games.models import Hand
from league.access import Access
from league.lib.errors import Refused
from league.models import Table
from league.pages.tournament_page import organiser_of, render_page
from league.rounds.cut import decides_seats


def asks_later(table: Table) -> bool:
    """Whether this second page asks for the reason: where it always comes."""
    return decides_seats(table.round.stage) and not table.round.is_open


def save_or_show(
    request: HttpRequest, access: Access, table: Table, hand: Hand, form: CorrectionForm
) -> Hand | HttpResponse:
    """Save the correction of a valid form, or show first what it moves. Raises the refusal of the correction."""
    correction = Correction(
        hand_id=hand.pk,
        version=form.cleaned_data["version"],
        went_out=form.cleaned_data["went_out"],
        reports=form.reports(),
        reason=form.cleaned_data["reason"],
        by=organiser_of(request),
    )
    if not decides_seats(table.round.stage):
        return correction.save()
    repair = request.POST.get("repair", "")
    digest = request.POST.get(f"shown_{repair}", "")
    if not repair:
        diff = repair_preview.diff_of(access.tournament, table, correction)
        if diff.same:
            return hand
        if repair_preview.is_shown_first(table, diff):
            return _show(request, access, table, hand, form, diff, KEEP)
        repair, digest = KEEP, diff.keeps.moves.digest
    try:
        return repair_preview.save(access.tournament, correction, repair, digest)
    except Refused as refused:
        if refused.code not in ("changed", "repair"):
            raise
        diff = repair_preview.diff_of(access.tournament, table, correction)
        if diff.same:
            return hand
        return _show(request, access, table, hand, form, diff, repair, message=str(refused), status=refused.status)


def _show(
    request: HttpRequest,
    access: Access,
    table: Table,
    hand: Hand,
    form: CorrectionForm,
    diff: Diff,
    repair: str,
    *,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    judged = judge(table=table, seats=form.seats, went_out=form.cleaned_data["went_out"], reports=form.reports())
    was, now = sheet.compare(
        sheet.lines(table, form.seats, hand.went_out, hand.seats), sheet.judged_lines(table, form.seats, judged)
    )
    offered = {choice.repair for choice in diff.choices}
    context: dict[str, Any] = {
        "table": table,
        "round": table.round,
        "hand": hand,
        "was": was,
        "now": now,
        "diff": diff,
        "repair": repair if repair in offered else KEEP,
        "said": message,
        "version": form.cleaned_data["version"],
        "reason": form.cleaned_data["reason"],
        "typed": [(name, request.POST.get(name, "")) for name in form.typed_fields()],
        "post_to": reverse("correct_hand", args=[hand.pk]),
    }
    title = _("Correct a hand")
    return render_page(request, access, "games/entry/repair.html", page="hands", title=title, status=status, **context)
