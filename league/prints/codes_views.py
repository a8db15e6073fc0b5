"""Serve all codes of an event on one page: to scan, print, copy and send."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.access import Access, tournament_for
from league.access.rights import Can
from league.access.session_links import remember_shown_link
from league.access.signed_links import scorer_token, screen_token
from league.by_link.links_to_send import COLUMNS, LinksToSend, link_rows, links_to_send
from league.by_link.player_link_views import player_address
from league.by_link.player_links import list_player_links, mail_player_links
from league.lib import qr
from league.lib.errors import Refused
from league.lib.rate_limits import wait_after
from league.models import ScorerLink, Tournament
from league.pages.answers import MAILS_A_MINUTE, private_link
from league.pages.downloads import download
from league.pages.form_key import creates_once
from league.pages.places import takes_sign_ups
from league.pages.tournament_page import organiser_of, render_page, this_machine
from league.roles.scorer_links import links_on_slips, living_links, make_scorer_links, slip_links, tables_of


@dataclass(frozen=True)
class Code:
    """A code: its name and purpose; `drawing` is the QR code."""

    title: str
    about: str
    address: str
    drawing: SafeString


@private_link
@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def codes(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the codes. A POST creates table codes, or shows or mails players' own links, which is logged."""
    access = tournament_for(request.user, slug, Can.PRINT)
    tournament, shown = access.tournament, None
    if request.method == "POST":
        what = request.POST.get("do", "")
        if not access.may(NEEDS.get(what, Can.DELETE)):
            raise Http404
        if what != "players":
            return _do(access, what, request)
        shown = _links_shown(request, access)
    links = _links_of_tables(tournament) if access.may(Can.INVITE) else []
    return render_page(
        request,
        access,
        "league/prints/codes.html",
        page="codes",
        title=_("QR codes"),
        at_tables=[_code_of(request, link) for link in links],
        lacks_tables=access.may(Can.INVITE)
        and not {link.table for link in links} >= set(range(1, tables_of(tournament) + 1)),
        lacks_all=access.may(Can.INVITE) and not any(link.table is None for link in links),
        in_the_hall=_in_the_hall(request, access),
        this_machine=this_machine(request),
        players=shown,
    )


NEEDS = {"tables": Can.INVITE, "all": Can.INVITE, "players": Can.RUN, "mail": Can.RUN}  # by the value of a button


def _do(access: Access, what: str, request: HttpRequest) -> HttpResponse:
    try:
        _mail(access, request) if what == "mail" else _make(access, what, request)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("codes", slug=access.tournament.slug)


def _mail(access: Access, request: HttpRequest) -> None:
    by = organiser_of(request)
    if wait_after("invitation-mail", str(by.pk), MAILS_A_MINUTE):
        raise Refused("too-many", _("Too many e-mails in a minute. Try again shortly, or let them scan the code."))
    count = mail_player_links(tournament=access.tournament, site=request.build_absolute_uri("/"), by=by)
    words = ngettext("%(count)d link sent.", "%(count)d links sent.", count)
    messages.success(request, words % {"count": count})


def _links_shown(request: HttpRequest, access: Access) -> LinksToSend:
    """Return all players' own links, and log that they were shown."""
    tournament = access.tournament
    list_player_links(tournament=tournament, by=organiser_of(request))
    remember_shown_link(request, tournament)
    return links_to_send(request.user, tournament, lambda entry: player_address(request, entry))


@private_link
@require_safe
def player_links_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Download all players' own links, for a mail merge with one recipient each."""
    access = tournament_for(request.user, slug, Can.RUN)
    rows = link_rows(_links_shown(request, access))
    return download(request, f"{slug}_links.csv", COLUMNS, rows)


def _make(access: Access, what: str, request: HttpRequest) -> None:
    tournament, by = access.tournament, organiser_of(request)
    if what == "all":
        make_scorer_links(tournament=tournament, tables=[None], by=by)
        messages.success(request, _("One code opens all tables."))
        return
    count = tables_of(tournament)
    slip_links(tournament=tournament, tables=range(1, count + 1), by=by)
    words = ngettext("%(count)d table has a code.", "%(count)d tables have codes.", count)
    messages.success(request, words % {"count": count})


def _links_of_tables(tournament: Tournament) -> list[ScorerLink]:
    """Return unlabelled links, newest of each table and of all tables; a label marks a person's phone."""
    of_all = living_links(tournament).filter(table=None, label="").first()
    return [*([of_all] if of_all else []), *(link for _table, link in sorted(links_on_slips(tournament).items()))]


def _code_of(request: HttpRequest, link: ScorerLink) -> Code:
    title = _("All tables") if link.table is None else _("Table %(number)d") % {"number": link.table}
    return _code(request, title, _("Scan to enter hands. No account or app needed."), "scorer", scorer_token(link))


def _in_the_hall(request: HttpRequest, access: Access) -> list[Code]:
    tournament, shown = access.tournament, []
    if tournament.visibility != Tournament.Visibility.PRIVATE:
        about = _("Seating, hands and standings")
        shown.append(_code(request, _("Tournament page"), about, "tournament", tournament.slug))
        if takes_sign_ups(tournament):
            about = _("Scan to sign up")
            shown.append(_code(request, _("Sign-up"), about, "sign_up", tournament.slug))
    if access.may(Can.SHOW):
        about = _("Open this on your TV or projector")
        shown.append(_code(request, _("Hall screen"), about, "screen", screen_token(tournament)))
    return shown


def _code(request: HttpRequest, title: str, about: str, name: str, *args: str) -> Code:
    address = request.build_absolute_uri(reverse(name, args=args))
    return Code(title, about, address, qr.drawing(address))
