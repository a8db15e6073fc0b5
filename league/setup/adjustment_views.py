"""Points beside the hands: the page that shows them, giving and taking them back, and who won an extra hand."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, adjustment_for, session_links, tournament_for
from league.access.rights import Can
from league.day.views import Decision, decide
from league.lib.errors import Refused
from league.lib.translate import label_text
from league.models import Entry
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, posted_data, render_page
from league.public.tables import EXPORTS, Wanted
from league.rounds import adjustments as services
from league.rounds.extra_hand import win_extra_hand
from league.setup.forms import AdjustmentForm
from league.setup.overview_views import show_overview


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def adjustments(request: HttpRequest, slug: str) -> HttpResponse:
    """Points beside the hands, for everybody to see; organisers add them and take them back."""
    access = tournament_for(session_links.visitor_of(request), slug, Can.CORRECT if request.method == "POST" else None)
    tournament = access.tournament
    entries = {entry.public_id: entry for entry in tournament.entries.select_related("player")}
    numbers = [round_.number for round_ in tournament.rounds.shown().order_by("number")]
    form = AdjustmentForm(
        posted_data(request),
        initial={"round": numbers[-1] if numbers else ""},
        players=[(public_id, entry.name) for public_id, entry in entries.items()],
        rounds=numbers,
        low_wins=tournament.stage.lowest_wins,
    )
    status = 200
    if request.method == "POST":
        if form.is_valid():
            try:
                return _decide_adjustment(request, access, entries[form.cleaned_data["player"]], form.cleaned_data)
            except Refused as refused:
                status = refused.status
                form.add_error(None, str(refused))
        status = max(status, 422)
    rows = list(EXPORTS["adjustments"].rows(tournament, Wanted(everything=access.corrects)))
    return render_page(
        request,
        access,
        "league/setup/adjustments.html",
        page="adjustments",
        title=_("Adjustments"),
        status=status,
        rows=rows,
        may_add=access.corrects and not tournament.is_final,
        form=form,
    )


def _decide_adjustment(request: HttpRequest, access: Access, entry: Entry, data: dict[str, Any]) -> HttpResponse:
    by, words = organiser_of(request), {"points": f"{data['points']:+d}".replace("-", "−"), "name": entry.name}
    return decide(
        request,
        access,
        Decision(
            action=lambda: services.adjust(
                tournament=access.tournament,
                entry=entry,
                points=data["points"],
                reason=data["reason"],
                round_number=int(data["round"]) if data["round"] else None,
                by=by,
            ),
            title=_("%(points)s points for %(name)s") % words,
            about=[label_text(_("Reason"), data["reason"])],
            button=_("Add"),
            done=_("Noted, and in the standings at once."),
        ),
        back=reverse("adjustments", args=[access.tournament.slug]),
    )


@require_POST
@creates_once
def extra_hand(request: HttpRequest, slug: str) -> HttpResponse:
    """Who won one more hand among those whom the lot has parted."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    player = request.POST.get("player", "")
    entry = access.tournament.entries.filter(public_id=player).first() if player.isalnum() else None
    if entry is None:
        return show_overview(request, access, status=422, refusal=_("Choose who won the extra hand."))
    by, words = organiser_of(request), {"name": entry.name}
    try:
        return decide(
            request,
            access,
            Decision(
                action=lambda: win_extra_hand(tournament=access.tournament, entry=entry, by=by),
                title=_("%(name)s has won an extra hand") % words,
                about=[_("A point beside the hands, for this alone: it can be taken back under Adjustments.")],
                button=_("%(name)s has won it") % words,
                done=_("Noted: %(name)s is ahead of who was level.") % words,
            ),
            back=reverse("tournament", args=[slug]),
        )
    except Refused as refused:
        return show_overview(request, access, status=refused.status, refusal=str(refused))


@require_POST
def void_adjustment(request: HttpRequest, slug: str, adjustment_id: int) -> HttpResponse:
    access, adjustment = adjustment_for(request.user, slug, adjustment_id, Can.CORRECT)
    by, back = organiser_of(request), reverse("adjustments", args=[slug])
    words = {"points": f"{adjustment.points:+d}".replace("-", "−"), "name": adjustment.entry.name}
    try:
        return decide(
            request,
            access,
            Decision(
                action=lambda: services.void_adjustment(
                    tournament=access.tournament, adjustment_id=adjustment.pk, by=by
                ),
                title=_("%(points)s points for %(name)s taken back") % words,
                about=[_("It stays in the list, struck through.")],
                button=_("Take back"),
                done=_("Taken back. It stays in the list, struck through."),
            ),
            back=back,
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect(back)
