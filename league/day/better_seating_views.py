"""Search for a better seating of tables that have not started, and apply the result."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import job_for, tournament_for
from league.access.rights import Can
from league.background import jobs as background
from league.day.views import Decision, decide, show_manage
from league.lib.errors import Refused
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of
from league.rounds.better_seating import check, result_of
from league.rounds.reseat import take_seating


@require_POST
@creates_once
def search(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a search over the tables that have not started."""
    access = tournament_for(request.user, slug, Can.RUN)
    try:
        check(access.tournament)
    except Refused as refused:
        return show_manage(request, access, status=refused.status, refusal=str(refused), form_id="redraw")
    background.request(tournament=access.tournament, kind=background.BETTER_SEATING, by=organiser_of(request))
    return redirect("jobs", slug=slug)


@require_POST
def take(request: HttpRequest, slug: str, job_id: int) -> HttpResponse:
    """Preview and then apply the seating of a search, finished or not."""
    access, job = job_for(request.user, slug, job_id, Can.RUN)
    proposal = result_of(background.take_what_there_is(job)) if job.kind == background.BETTER_SEATING else None
    if proposal is None:
        messages.error(request, _("No better seating to use. Search again."))
        return redirect("jobs", slug=slug)
    meetings = _("%(will)d repeated meetings instead of %(was)d") % {"was": proposal.was, "will": proposal.will}
    try:
        return decide(
            request,
            access,
            Decision(
                action=lambda: take_seating(
                    tournament=access.tournament,
                    versions=proposal.versions,
                    seating=proposal.seating,
                    reason=meetings,
                    by=organiser_of(request),
                ),
                title=_("Use the new seating"),
                button=_("Use the new seating"),
                done=_("The tables that had not started have new seats."),
                about=[meetings],
            ),
            back=reverse("jobs", args=[slug]),
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("jobs", slug=slug)
