"""Correct a round in which two players sat in each other's seats: preview, then save."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games.hands.repair_preview import Diff, diff_of
from games.hands.repairs import KEEP
from games.hands.seats_as_played import DONE_ALREADY, SeatCorrection
from league.access import tournament_for
from league.access.rights import Can
from league.day.preview import Plan
from league.day.table_forms import SwapForm
from league.day.views import Decision, decide, plan_in, show_manage
from league.lib.errors import Refused
from league.models import HandScore, Table, Tournament
from league.pages.tournament_page import organiser_of
from league.rounds.cut import decides_seats


class SeatsForm(SwapForm):
    seen = forms.IntegerField(required=False, min_value=0)


@require_POST
def seats_as_played(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the changes if two players exchange seats and hands, with each repair of later seats; then save."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    tournament = access.tournament
    form = SeatsForm(request.POST, tournament=tournament)
    if not form.is_valid():
        return show_manage(request, access, status=422, refusal=form.first_fault(), form_id="seats-as-played")
    correction = SeatCorrection(tournament=tournament, by=organiser_of(request), **form.arguments())
    words = {"one": correction.one, "other": correction.other, "number": correction.round_number}
    done = _("%(one)s and %(other)s swapped seats in round %(number)d.") % words
    back = reverse("manage", args=[slug])
    try:
        diff = _diff(tournament, correction, showing="shown" not in request.POST or "choose" in request.POST)
        plans = [Plan(choice.repair, choice.name, choice.sentence) for choice in diff.choices]
        plan = plan_in(request.POST) or KEEP
        return decide(
            request,
            access,
            Decision(
                action=lambda: correction.save(plan),
                title=_("Swap %(one)s and %(other)s in round %(number)d") % words,
                button=_("Correct the seats"),
                done=done,
                about=_about(tournament, correction, diff),
                plans=plans if len(plans) > 1 else (),
                plan=plan,
            ),
            back=back,
        )
    except Refused as refused:
        if refused.code == DONE_ALREADY:
            messages.success(request, done)
            return redirect(back)
        return show_manage(request, access, status=refused.status, refusal=str(refused), form_id="seats-as-played")


def _diff(tournament: Tournament, correction: SeatCorrection, *, showing: bool) -> Diff:
    """Return the changes of each repair if later seats depend on the results; otherwise an empty diff."""
    played = tournament.rounds.shown().select_related("stage").filter(number=correction.round_number).first()
    if not showing or played is None or not decides_seats(played.stage):
        return Diff()
    table = Table.objects.select_related("round").filter(round=played, seats__entry=correction.one).first()
    return diff_of(tournament, table, correction) if table is not None else Diff()


def _about(tournament: Tournament, correction: SeatCorrection, diff: Diff) -> Sequence[str]:
    rows = HandScore.objects.living().filter(
        table__round__in=tournament.rounds.shown(),
        table__round__number=correction.round_number,
        entry__in=(correction.one, correction.other),
    )
    hands = rows.values("table", "hand").distinct().count()
    counts = ngettext(
        "%(count)d recorded hand counts for the player who sat there.",
        "%(count)d recorded hands count for the players who sat there.",
        hands,
    )
    sentences: list[Any] = [counts % {"count": hands}, diff.goes_on, *diff.cannot]
    if len(diff.choices) == 1:
        sentences.append(diff.keeps.sentence)
    sentences.append(_("To undo this, swap them again."))
    return [str(sentence) for sentence in sentences if sentence]
