"""Organiser's pages for players' links: show as a code, e-mail, replace. The log records every showing."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import entry_for, roles_of
from league.access.rights import BEYOND_A_PLAYER, Can
from league.access.session_links import remember_shown_link
from league.access.signed_links import player_token
from league.by_link import player_links
from league.by_link.player_links import show_player_link
from league.lib import qr
from league.lib.errors import Conflict, Refused
from league.lib.rate_limits import wait_after
from league.models import Entry
from league.pages.answers import MAILS_A_MINUTE, private_link
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of, render_page, this_machine


def player_address(request: HttpRequest, entry: Entry) -> str:
    """Return the address of a player's link, on this request's host."""
    return request.build_absolute_uri(reverse("me", args=[player_token(entry)]))


def note_showing(request: HttpRequest, entry: Entry) -> None:
    """Record that a page shows a player's link, in the log and session of a viewer with a role."""
    if roles_of(request.user, entry.tournament).isdisjoint(BEYOND_A_PLAYER):
        return
    try:
        show_player_link(entry=entry, by=organiser_of(request))
    except Conflict:  # removed from the list just now
        raise Http404 from None
    remember_shown_link(request, entry.tournament)


@private_link
@require_safe
def player_link(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Show the code for a player to scan, and the address to copy."""
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    note_showing(request, entry)
    address = player_address(request, entry)
    return render_page(
        request,
        access,
        "league/by_link/player_link.html",
        page="players",
        title=_("Link of %(name)s") % {"name": entry.name},
        entry=entry,
        address=address,
        drawing=qr.drawing(address),
        this_machine=this_machine(request),
        mails=settings.MAIL_GOES_OUT and bool(entry.player.email),
    )


@require_POST
@creates_once
def mail_player_link(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """E-mail the link. Redirect to its page, or with `back` to the page of all codes."""
    _access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    by = organiser_of(request)
    back = redirect("codes", slug) if request.POST.get("back") == "codes" else redirect("player_link", slug, public_id)
    if wait_after("invitation-mail", str(by.pk), MAILS_A_MINUTE):
        messages.error(request, _("Too many e-mails in a minute. Try again shortly, or let them scan the code."))
        return back
    try:
        player_links.mail_player_link(entry=entry, site=request.build_absolute_uri("/"), by=by)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Link sent to %(name)s.") % {"name": entry.name})
    return back


@require_POST
def end_player_link(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    _access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    try:
        player_links.end_player_link(entry=entry, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Link replaced. The old one no longer works."))
    return redirect("player_link", slug=slug, public_id=public_id)
