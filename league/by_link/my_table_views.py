"""A player's pages: target of their link, their table, and all tables of a browser.

Opening a link changes nothing; a POST stores the player and the link's generation in the session. Every later request
checks that the link is still valid (league/access/).
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.access import NoPlayer, may_check_in, player_for, session_links
from league.access.session_links import hold_by_card, hold_own, may_claim, online_seat, visitor_of
from league.access.signed_links import ended_player_of, player_of
from league.by_link.my_table import page_of, played_online_in_words
from league.by_link.player_links import card_prints_of, showings_of
from league.by_link.scorer_views import why_one_seat
from league.calendar import views as calendar
from league.calls.page import MY_TABLE, call_box
from league.live import stream as live
from league.models import Entry, Player, Seat, Tournament
from league.pages.answers import ended_player_link, private_link, too_many_bad_links
from league.pages.my_table_row import my_table_row
from league.pages.tournament_page import render_page
from league.roles.scorer_links import last_moment


@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest, player_token: str) -> HttpResponse:
    """Show the owner of a link, with one button; the POST exchanges the link for a session."""
    entry = player_of(player_token)
    if entry is None:
        ended = ended_player_of(player_token)
        return (
            ended_player_link(request, ended.tournament)
            if ended
            else too_many_bad_links(request) or _forged_page(request)
        )
    if request.method == "POST":
        return enter(request, entry)
    plays_for = session_links.acts_for_another(request, entry)
    if plays_for is None and (entry.public_id, entry.link_generation) in visitor_of(request).players:
        return redirect(f"{reverse('my_table', args=[entry.tournament.slug])}?player={entry.public_id}")
    return _door_page(request, entry, plays_for)


def _door_page(request: HttpRequest, entry: Entry, plays_for: Entry | None) -> HttpResponse:
    """plays_for: the only player this browser may act for, if another one."""
    context = {
        "entry": entry,
        "tournament": entry.tournament,
        "may_check_in": may_check_in(request.user, entry.tournament),
        "online": _online_seat(entry),
        "played_online": played_online_in_words(entry.tournament),
        "plays_for": plays_for,
        "why": why_one_seat(),
    }
    return render(request, "league/by_link/me_door.html", context, status=403 if plays_for else 200)


def _online_seat(entry: Entry) -> Seat | None:
    has_teams = entry.tournament.stage.has_teams  # a team's page asks which of its players it is
    return None if entry.tournament.is_final or has_teams else online_seat(entry)


def enter(request: HttpRequest, entry: Entry, *, card_of: Player | None = None) -> HttpResponse:
    """Let this browser act for an entry, and redirect to its page or online table.

    card_of: the member whose card opened it.
    """
    plays_for = session_links.acts_for_another(request, entry)
    if plays_for is not None:
        return _door_page(request, entry, plays_for)
    if card_of is None:
        hold_own(request, entry)
    elif (entry.public_id, entry.link_generation) not in visitor_of(request).players:
        hold_by_card(request, entry, card_of)
    if not request.user.is_authenticated:  # until the end of the tournament, which may outlast a session
        seconds = int((last_moment(entry.tournament, timezone.now()) - timezone.now()).total_seconds())
        request.session.set_expiry(max(seconds, settings.SESSION_COOKIE_AGE, request.session.get_expiry_age()))
    request.session.cycle_key()  # invalidate the old session key
    online = _online_seat(entry)
    answer = redirect(_play_address(online) if online else reverse("my_table", args=[entry.tournament.slug]))
    answer.status_code = 303
    return answer


def _play_address(seat: Seat) -> str:
    """Return the address of an online table for the player in this seat."""
    return f"{reverse('play', args=[seat.table_id])}?as={seat.entry.public_id}"


def _forged_page(request: HttpRequest) -> HttpResponse:
    sentence = _("The link may be incomplete. Scan your code again, or ask the organiser for your link.")
    context = {"title": _("Invalid link"), "sentence": sentence}
    return render(request, "shared/scorer_refused.html", context, status=404)


@never_cache
@require_safe
def my_tables(request: HttpRequest) -> HttpResponse:
    """List the players this browser acts for, by tournament; without any, explain how to start."""
    return render(
        request,
        "league/by_link/my_tables.html",
        {"rows": [my_table_row(mine) for mine in session_links.my_tables(request)]},
    )


@require_safe
def my_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player's seat, next round and scorecard. `?player=`: which one, if the browser acts for several."""
    try:
        access, mine = player_for(visitor_of(request), slug, request.GET.get("player", "")[:20])
    except NoPlayer as missing:
        if missing.ended is None:
            raise
        return ended_player_link(request, missing.ended.tournament)
    if access.tournament.kind == Tournament.Kind.CASUAL:
        return redirect("lobby", slug)  # its own pages lead to the table and the next game
    entry = access.entry
    assert entry is not None
    version = live.version_of(access.tournament)
    my = page_of(access.tournament, entry)
    identity = session_links.identity_of(request, access)
    context: dict[str, Any] = {
        "entry": entry,
        "my": my,
        "call": None if my.table is None else call_box(access, my.table, who=identity, page=MY_TABLE),
        "live_version": version,
        "others": [other for other in mine if other != entry],
        "calendar": calendar.of_entry(request, entry),
        "showings": showings_of(entry),
        "card_prints": card_prints_of(entry),
        # An account can claim the club's record of this player, unless another one has.
        "claims": may_claim(request, entry.player),
    }
    return render_page(request, access, "league/by_link/me.html", page="my_table", title=_("My table"), **context)
