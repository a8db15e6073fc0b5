"""The hall screen at a secret address, and the organiser's page about it."""

from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import screen_for, signed_links, tournament_for
from league.access.rights import Can
from league.announcements.page import strip_of
from league.lib import qr
from league.lib.errors import Refused
from league.live import stream as live
from league.models import Tournament
from league.pages.answers import private_link, too_many_bad_links
from league.pages.tournament_page import organiser_of, render_page, this_machine
from league.screen.link import end_screen
from league.screen.panels import ONLY, SECONDS, panels_for
from league.screen.presented import presented_on, showing_of
from league.screen.shows import Kind, current_show, end_show, start_show


@private_link
@require_safe
def screen(request: HttpRequest, screen_token: str) -> HttpResponse:
    """Show everything that the hall needs. The page has no buttons."""
    try:
        access = screen_for(request.user, screen_token)
    except Http404:
        return too_many_bad_links(request) or render(request, "league/screen/screen_ended.html", status=404)
    tournament = access.tournament
    version = live.version_of(tournament)
    only = request.GET.get("only", "")
    only = only if only in ONLY else ""
    presented = presented_on(tournament, only)
    context: dict[str, Any] = {"only": only, "seconds": SECONDS} if presented else panels_for(tournament, only)
    address = "" if presented else _address_for_phones(request, tournament, context)
    context |= {
        "presented": presented,
        "tournament": tournament,
        "live_version": version,
        "say": strip_of(tournament),
        "screen_token": screen_token,
        "address": address and urlsplit(address).netloc + urlsplit(address).path.rstrip("/"),
        "code": address and qr.drawing(address),
    }
    return render(request, "league/screen/screen.html", context)


def _address_for_phones(request: HttpRequest, tournament: Tournament, context: dict[str, object]) -> str:
    """Return the target of the QR code: sign-up, later the tournament; empty for a private one."""
    if this_machine(request):
        return ""  # phones cannot reach this machine
    if tournament.visibility == Tournament.Visibility.PRIVATE:
        return ""  # its sign-up isn't public either
    if context.get("places") is not None:
        return request.build_absolute_uri(reverse("sign_up", args=[tournament.slug]))
    return request.build_absolute_uri(tournament.get_absolute_url())


@require_safe
def hall_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the screen's address to the people who set the screen up."""
    access = tournament_for(request.user, slug, Can.SHOW)
    tournament = access.tournament
    version = live.version_of(tournament)
    token = signed_links.screen_token(tournament)
    address = request.build_absolute_uri(reverse("screen", args=[token]))
    return render_page(
        request,
        access,
        "league/screen/hall_screen.html",
        page="hall_screen",
        title=_("Hall screen"),
        live_version=version,
        token=token,
        address=address,
        code=qr.drawing(address),
        here_alone=this_machine(request),
        shows=panels_for(tournament),
        showing=showing_of(tournament) if access.corrects else None,
        presents=current_show(tournament) is not None,
    )


@require_POST
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """Let all hall screens present the draw or the podium, or return to their pages."""
    access = tournament_for(request.user, slug, Can.CORRECT)
    tournament, kind, by = access.tournament, request.POST.get("show", ""), organiser_of(request)
    try:
        if kind in Kind.values:
            start_show(tournament=tournament, kind=kind, by=by)
        else:
            end_show(tournament=tournament, by=by)
    except Refused as refused:
        messages.warning(request, str(refused))
    return redirect("hall_screen", slug=slug)


@require_POST
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """Turn the address off. The form sends its token, so a second press can't turn off the new one."""
    access = tournament_for(request.user, slug, Can.RUN)
    token = request.POST.get("token", "")
    if end_screen(tournament=access.tournament, token=token, by=organiser_of(request)):
        messages.success(request, _("The old link is off. Open the new one on your screen."))
    else:
        messages.warning(request, _("That address had been ended already. The one below holds."))
    return redirect("hall_screen", slug=slug)
