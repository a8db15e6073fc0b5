"""The view of the round clock's buttons."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import tournament_for
from league.access.rights import Can
from league.lib.errors import Refused
from league.models import Tournament, User
from league.pages.tournament_page import organiser_of
from league.rounds import clock as services
from league.rounds.forms import ClockForm


@require_POST
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Handle one press of a button. It sends the clock's state, so a repeated press has no effect."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    form = ClockForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(sentence) for lines in form.errors.values() for sentence in lines))
        return redirect("tournament", slug=slug)
    try:
        done = _do(access.tournament, form.cleaned_data, organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("tournament", slug=slug)
    if done:
        messages.success(request, _done_in_words(form.cleaned_data["do"]))
    else:
        messages.warning(request, _("The clock has changed since. Check it and try again."))
    return redirect("tournament", slug=slug)


def _do(tournament: Tournament, data: dict[str, Any], by: User) -> bool:
    """Run the button's action. Return False if the clock has changed since the page was rendered."""
    shown, minutes = data["shown"], data["minutes"]
    match data["do"]:
        case "start":
            return services.start_clock(tournament=tournament, minutes=minutes, shown=shown, by=by)
        case "pause":
            return services.pause_clock(tournament=tournament, shown=shown, by=by)
        case "resume":
            return services.resume_clock(tournament=tournament, shown=shown, by=by)
        case "add":
            return services.add_minutes(tournament=tournament, minutes=minutes, shown=shown, by=by)
        case "extra":
            services.extra_time(tournament=tournament, table_number=data["table"], minutes=minutes, by=by)
            return True
    return services.stop_clock(tournament=tournament, shown=shown, by=by)


def _done_in_words(button: str) -> str:
    return {
        "start": _("Clock started."),
        "pause": _("Clock paused."),
        "resume": _("Clock resumed."),
        "add": _("Time added for every table."),
        "extra": _("The table’s extra time is set."),
        "stop": _("Clock removed."),
    }[button]
