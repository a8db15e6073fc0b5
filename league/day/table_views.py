"""The day's pages for tables and rounds: a deed is shown first and then done; and the pause."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import tournament_for
from league.access.rights import Can
from league.day.table_deeds import Deed
from league.day.table_forms import ReasonForm
from league.day.views import Decision, decide, show_day
from league.lib.errors import Refused
from league.pages.tournament_page import organiser_of
from league.rounds import pause as pausing


@require_POST
def do_deed(request: HttpRequest, slug: str, deed: Deed) -> HttpResponse:
    """Show a deed, then do it. A refusal stands on the day's page, beside what was typed."""
    access = tournament_for(request.user, slug, deed.right)
    form = deed.form(request.POST, tournament=access.tournament)
    if not form.is_valid():
        return show_day(request, access, status=422, refusal=form.first_fault(), of=deed.of)
    arguments, by = form.arguments(), organiser_of(request)
    try:
        return decide(
            request,
            access,
            Decision(
                action=lambda: deed.do(tournament=access.tournament, by=by, **arguments),
                title=str(deed.title) % arguments,
                button=str(deed.button),
                done=str(deed.done) % arguments,
                about=deed.about(access.tournament, arguments),
            ),
            back=reverse("day", args=[slug]),
        )
    except Refused as refused:
        return show_day(request, access, status=refused.status, refusal=str(refused), of=deed.of)


@require_POST
def pause(request: HttpRequest, slug: str) -> HttpResponse:
    """Pause or go on, at once and without a preview: nothing moves, and going on takes the pause back."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = ReasonForm(request.POST)
    by = organiser_of(request)
    try:
        if request.POST.get("do") == "resume":
            pausing.resume(tournament=access.tournament, by=by)
            message = _("Play goes on.")
        else:
            reason = form.cleaned_data["reason"] if form.is_valid() else ""
            pausing.pause(tournament=access.tournament, reason=reason, by=by)
            message = _("Play is paused. Every page says so, with the reason.")
    except Refused as refused:
        return show_day(request, access, status=refused.status, refusal=str(refused), of="pause")
    messages.success(request, message)
    return redirect("day", slug=slug)
