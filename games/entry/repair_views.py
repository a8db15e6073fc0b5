"""The second page of a correction that affects seats: the changes, and the choice of a repair."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games.entry import sheet
from games.entry.forms import CorrectionForm
from games.hands import repair_preview
from games.hands.judge import judge
from games.hands.repair_preview import Diff
from games.hands.repairs import KEEP, Correction, undo_round
from games.models import Hand
from league.access import Access, tournament_for
from league.access.rights import Can
from league.access.viewer import Attribution
from league.day.form_actions import FormAction
from league.day.table_forms import RoundForm
from league.lib.errors import Conflict, Refused
from league.models import Table, Tournament
from league.pages.tournament_page import organiser_of, render_page
from league.rounds.cut import decides_seats


def save_or_show(
    request: HttpRequest, access: Access, table: Table, hand: Hand, form: CorrectionForm
) -> Hand | HttpResponse:
    """Save the correction of a valid form, or show its changes first. Raises the correction's refusal."""
    correction = Correction(
        hand_id=hand.pk,
        version=form.cleaned_data["version"],
        hand=form.hand_input(hand.number),
        reason=form.cleaned_data["reason"],
        by=Attribution(organiser_of(request)),
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
    judged = judge(table=table, seats=form.seats, hand=form.hand_input(hand.number))
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
        "error_message": message,
        "version": form.cleaned_data["version"],
        "reason": form.cleaned_data["reason"],
        "typed": [(name, request.POST.get(name, "")) for name in form.typed_fields()],
        "post_to": reverse("correct_hand", args=[hand.pk]),
    }
    title = _("Correct a hand")
    return render_page(request, access, "games/entry/repair.html", page="hands", title=title, status=status, **context)


class UndoForm(RoundForm):
    names = {"round": "number"}


def _undo_round(*, number: int, **arguments: Any) -> None:
    undo_round(round_number=number, **arguments)


def _about(tournament: Tournament, values: Mapping[str, Any]) -> list[str]:
    played = tournament.rounds.shown().filter(number=values["number"])
    hands = Hand.objects.living().filter(table__round__in=played).count()
    lost = ngettext(
        "%(count)d hand of this round is undone for good. The log keeps it.",
        "%(count)d hands of this round are undone for good. The log keeps them.",
        hands,
    )
    return [
        lost % {"count": hands} if hands else _("No hand of this round is recorded."),
        _("Only organisers see the draft until you publish it."),
    ]


UNDO_ROUND = FormAction(
    form_id="undo-round",
    form=UndoForm,
    do=_undo_round,
    title=_l("Undo round %(number)d"),
    button=_l("Undo the round"),
    done=_l("Round %(number)d is a draft again."),
    about=_about,
)


@require_POST
def undo_publish(request: HttpRequest, slug: str, round_number: int) -> HttpResponse:
    """Turn the latest round into a draft; if it has recorded hands, redirect to the action with its preview."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    by = organiser_of(request)
    try:
        undo_round(tournament=access.tournament, round_number=round_number, by=by, only_unplayed=True)
    except Conflict as conflict:
        if conflict.code != "played":
            messages.error(request, str(conflict))
            return redirect("tournament", slug=slug)
        sentence = _("Round %(number)d has recorded hands. Undoing the round undoes them too.")
        messages.warning(request, sentence % {"number": round_number})
        return redirect(reverse("manage", args=[slug]) + "#undo-round")
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, str(UNDO_ROUND.done) % {"number": round_number})
    return redirect("tournament", slug=slug)
