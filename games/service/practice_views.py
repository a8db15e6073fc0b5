"""The buttons of a practice event: begin, fill in missing hands, remove."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games.service import practice
from league.lib.errors import Refused
from league.models import Tournament
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of


@login_required
@require_POST
@creates_once
def begin(request: HttpRequest) -> HttpResponse:
    return redirect("tournament", practice.begin(organiser_of(request)).slug)


@login_required
@require_POST
def fill(request: HttpRequest) -> HttpResponse:
    tournament = _own(request)
    try:
        number = practice.fill(tournament, organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        message = ngettext("%(number)d hand filled in.", "%(number)d hands filled in.", number)
        messages.success(request, message % {"number": number})
    return redirect("tournament", tournament.slug)


@login_required
@require_POST
def take_away(request: HttpRequest) -> HttpResponse:
    practice.take_away(organiser_of(request))
    messages.success(request, _("Practice tournament removed."))
    return redirect("home")


def _own(request: HttpRequest) -> Tournament:
    tournament = practice.practice_of(organiser_of(request))
    if tournament is None:
        raise Http404
    return tournament
