"""The page of an online table, and its players' requests. `Accept: application/json` gets JSON."""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from orjson import dumps as to_json  # fast, since each move sends the hand to each player

from games.entry.views import SeeOther
from games.models import Deal, OnlineSettings
from games.online.casual.page import casual_now, hand_before, newcomer_of, table_of_last_two
from games.online.director.bar import bar_of
from games.online.end import Between, between
from games.online.onward import headlines_of, onward_of
from games.online.page.forms import MoveForm, OpenForm, ReadyForm
from games.online.page.page import Page, page_of, top_of
from games.online.page.picture import Picture, picture
from games.online.page.strip import strip_of
from games.online.page.viewer import halves, stream_viewer_of, viewer_of
from games.online.play import moves
from games.online.play.deals import cache_deal, get_ready, latest_deal, open_entropy, settings_of
from games.online.play.limits import too_fast
from games.online.play.replay import BESIDES
from games.online.ready import ready_of
from games.online.start_card import start_card
from league.access import Access
from league.access.session_links import identity_of
from league.access.table_rows import at_table, read_once
from league.by_link.scorer_views import guides_scorers
from league.calls.page import PLAY as CALLS_FROM
from league.calls.page import CallBox, call_box
from league.calls.read import call_at
from league.hooks import Shown
from league.lib.errors import Refused
from league.live.stream import version_of_table
from league.models import Entry, Table

SIGNS = {True: "+", False: "-", None: "?"}
IN_PLAY, WAITING, OVER = "games/online/play.html", "games/online/play_waiting.html", "games/online/play_over.html"
BARE = "games/online/_bare.html"  # without head and foot, since an open page has them


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


@require_safe
@never_cache
@guides_scorers
def play(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the table to a player or spectator."""
    access, table, me = viewer_of(request, table_id)
    whole_page = "Wild-Live" not in request.headers and not wants_json(request)
    if me is not None and whole_page and (following := table_of_last_two(table, me)):
        return SeeOther(_own_page(following, me))
    return show(request, access, table, me, chosen=_chosen_card(request), has=request.headers.get("Wild-Has", ""))


@require_safe
@never_cache
def strip(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the state of the reader's own table on another page; empty for watchers."""
    return render(request, "games/online/_strip.html", strip_of(*viewer_of(request, table_id)))


@require_POST
@guides_scorers
def ready(request: HttpRequest, table_id: int) -> HttpResponse:
    """Record that a player is ready, with their browser's commitment to its share of the shuffle."""

    def commit(me: Entry, data: Mapping[str, Any]) -> Deal:
        return get_ready(table_id=table_id, deal_id=data["deal"], entry=me, promised=data["promised"] or None)

    return _last_handthe_deal(request, table_id, ReadyForm(request.POST), commit)


@require_POST
@guides_scorers
def open_promise(request: HttpRequest, table_id: int) -> HttpResponse:
    """Record the share that a browser reveals automatically, after all have committed."""

    def reveal(me: Entry, data: Mapping[str, Any]) -> Deal:
        return open_entropy(table_id=table_id, deal_id=data["deal"], entry=me, entropy=data["entropy"])

    return _last_handthe_deal(request, table_id, OpenForm(request.POST), reveal)


def _last_handthe_deal(
    request: HttpRequest, table_id: int, form: Form, do: Callable[[Entry, Mapping[str, Any]], Deal]
) -> HttpResponse:
    """Handle a player's request before the deal. `do` gets the player and the form's data; it may raise `Refused`."""
    access, table, me = viewer_of(request, table_id)
    if turned_away := too_fast(request, me):
        return turned_away
    if me is None or not form.is_valid():
        return show(request, access, table, me, refused=_why_invalid(form, me), status=422)
    try:
        deal = do(me, form.cleaned_data)
    except Refused as refused:
        return show(request, access, table, me, refused=refused, status=refused.status)
    return _show_done(request, access, table, me, deal)


@require_POST
@guides_scorers
def act(request: HttpRequest, table_id: int) -> HttpResponse:
    """Make one move of a player."""
    access, table, me = viewer_of(request, table_id)
    if turned_away := too_fast(request, me):
        return turned_away
    form = MoveForm(request.POST)
    if me is None or not form.is_valid():
        return show(request, access, table, me, refused=_why_invalid(form, me), status=422)
    data = form.cleaned_data
    try:
        moved = moves.play(
            table_id=table.pk,
            deal_id=data["deal"],
            entry=me,
            action=form.action(),
            answers=data["answers"],
            key=data["key"],
        )
    except Refused as refused:
        return show(request, access, table, me, chosen=_chosen_card(request), refused=refused, status=refused.status)
    chosen = _chosen_card(request) if data["kind"] in BESIDES else ""
    return _show_done(request, access, table, me, moved.deal, chosen)


def _why_invalid(form: Form, me: Entry | None) -> Refused:
    if me is None:
        return Refused("not-seated", _("You don’t play at this table. To play, use your personal link."))
    first = next(iter(form.errors.values()), [_("You can’t do that now.")])
    return Refused("unknown-action", str(first[0]))


def _chosen_card(request: HttpRequest) -> str:
    """Return the card that still needs a colour or a target."""
    return request.GET.get("card", "")[:3]


def _show_done(
    request: HttpRequest, access: Access, table: Table, me: Entry, deal: Deal, chosen: str = ""
) -> HttpResponse:
    """Answer a script with the table as it is now; redirect other browsers.

    `deal`: its state after the request.
    """
    if wants_json(request) or "Wild-Live" in request.headers:
        if deal.state in (Deal.State.WAITING, Deal.State.PLAYING):
            return show(request, access, deal.table, me, deal=deal, chosen=chosen)
        here = at_table(table.pk)
        return show(request, access, here.table if here else table, me)
    return SeeOther(_own_page(table, me))


@lru_cache(1000)
def _address(name: str, table: int) -> str:
    return reverse(name, args=[table])


def _own_page(table: Table, me: Entry | None) -> str:
    return _as_player(_address("play", table.pk), me)


def _as_player(address: str, me: Entry | None) -> str:
    return f"{address}?as={me.plays_as}" if me else address


def show(
    request: HttpRequest,
    access: Access,
    table: Table,
    me: Entry | None,
    *,
    deal: Deal | None = None,
    chosen: str = "",
    refused: Refused | None = None,
    status: int = 200,
    has: str = "",
) -> HttpResponse:
    """Show the table as it is now, with a refusal, if any. `deal`: the hand there, if known.

    `has`: the `_Now.stamp` of an open page; if it still holds, the answer is 204.
    """
    if deal is not None:
        cache_deal(table, deal)
    now = _now(access, table, me, deal)
    if has == now.stamp:
        return HttpResponse(status=204)
    if wants_json(request):
        refusal = {"code": refused.code, "message": str(refused)} if refused is not None else {}
        headers = {"Cache-Control": "no-store"}
        return HttpResponse(to_json(now.json | refusal), "application/json", status=status, headers=headers)
    context = _context(request, now, chosen) | {"refused": refused}
    if chosen or refused:
        context["stamp"] = ""  # it shows more than a refreshed page
    if "Wild-Live" in request.headers:
        context["layout"] = BARE
    return render(request, _template(context), context, status=status)


def show_pushed(request: HttpRequest, table_id: int) -> Shown | None:
    """Return the answer of `play` for the viewer's stream; None if it would set a form's cookie."""
    access, table, me = stream_viewer_of(request, table_id)
    now = _now(access, table, me)
    if request.GET["show"] == "json":
        return Shown(now.version, to_json(now.json).decode())
    if me is not None and "CSRF_COOKIE" in request.META and not hasattr(request, "form_token"):
        request.form_token = get_token(request)  # type: ignore[attr-defined]  # one for all its views
    page_request = _request_for(request, _own_page(table, me))
    context = _context(page_request, now) | {"layout": BARE}
    text = render_to_string(_template(context), context, page_request)
    has_form = "CSRF_COOKIE_NEEDS_UPDATE" in page_request.META  # `csrf.get_token` sets this when it makes a token
    return None if has_form and "CSRF_COOKIE" not in request.META else Shown(now.version, text, own=has_form)


def _request_for(request: HttpRequest, address: str) -> HttpRequest:
    """Return a copy of the stream's request with the page's address, so links and forms lead back to the page."""
    page_request = copy(request)
    path, _mark, query = address.partition("?")
    page_request.path = page_request.path_info = path
    page_request.GET = QueryDict(query)
    page_request.META = request.META | {"PATH_INFO": path, "QUERY_STRING": query}
    return page_request


@dataclass(frozen=True)
class _Now:
    """A table as one viewer may see it. `version` is read first."""

    access: Access
    table: Table
    me: Entry | None
    deal: Deal | None
    settings: OnlineSettings
    version: str
    seen: Picture | None

    @property
    def stamp(self) -> str:
        """Equal stamps mean equal pages: the version, and which players are connected."""
        places = self.seen["places"] if self.seen else []
        return f"{self.version} {''.join(SIGNS[place['connected']] for place in places)}"

    @property
    def json(self) -> dict[str, Any]:
        return {"table": self.table.pk, "live": self.version, "play": self.seen}


def _now(access: Access, table: Table, me: Entry | None, deal: Deal | None = None) -> _Now:
    version = version_of_table(table)
    deal = deal or latest_deal(table)
    settings = settings_of(access.tournament)
    return _Now(access, table, me, deal, settings, version, picture(deal, me, settings) if deal else None)


def _context(request: HttpRequest, now: _Now, chosen: str = "") -> dict[str, Any]:
    table, me, deal = now.table, now.me, now.deal
    page = page_of(table, now.seen, chosen=chosen, late=now.settings.spectator_delay)
    here, others = _own_page(table, me), halves(request, table, me)
    bar = bar_of(now.access, table, request.user)
    ends, casual, two_left = Between(), None, False
    if deal is None or deal.state != Deal.State.PLAYING:
        before = hand_before(table, deal)
        two_left = before is not None
        ends, casual = between(table, deal, me, elsewhere=before), casual_now(request, table)
    last_hand = ends.ending.deal if ends.ending else None
    ready = ready_of(page, ends, two_left=two_left)
    start = start_card(table, page) if ready and not ends.ending else None
    return {
        "layout": "base.html",
        "access": now.access,
        "tournament": now.access.tournament,
        "table": table,
        "plays_as": me.plays_as if me else "",
        "page": page,
        "top": top_of(table, page, me, others, before=last_hand, here=here, call=_call(request, now)),
        "bar": bar,
        "directs": me is None and bar is not None,
        "css": "felt game game-start"
        if start
        else _css(page, directs=me is None and bar is not None, watches=me is None and bar is None),
        "newcomer": newcomer_of(request, table, me, now.seen),
        "ready": ready,
        "start": start,
        "ending": ends.ending,
        "headlines": headlines_of(ends, casual, tells_after=me is not None or bar is None or not bar.is_on_paper),
        "onward": onward_of(table, me, ends, casual),
        "page_at": _address("play", table.pk),
        "acts_at": _address("play_act", table.pk),
        "hand_at": _as_player(_address("play_hand", table.pk), me),
        "who": _who_fields(request, deal, me) if deal and me else "",
        "live_version": now.version,
        "stamp": now.stamp,
    }


def _call(request: HttpRequest, now: _Now) -> CallBox | None:
    """Return the player's button to call the director. The call is read with the cached rows of the table."""
    if now.me is None:
        return None
    tournament, access = now.table.round.tournament, replace(now.access, entry=now.me)
    read = partial(read_once, tournament, f"call-{now.table.pk}", None)
    who = identity_of(request, access)
    return call_box(access, now.table, who=who, page=CALLS_FROM, read=lambda table: read(partial(call_at, table)))


def _template(context: Mapping[str, Any]) -> str:
    """Return the template for the table's state."""
    if context["page"].state == Deal.State.PLAYING:
        return IN_PLAY
    return WAITING if context["start"] else OVER


def _css(page: Page, *, directs: bool, watches: bool) -> str:
    """Return the CSS class of a hand in play, or of the end of one."""
    if page.state != Deal.State.PLAYING:
        return "felt handend"
    words = {
        "game-ten": page.people.around,
        "game-many": page.hand is not None and page.hand.controls is not None and page.hand.controls.in_rows,
        "game-director": directs,
        "game-watch": watches,
    }
    return " ".join(("felt", "game", *(word for word, holds in words.items() if holds)))


def _who_fields(request: HttpRequest, deal: Deal, me: Entry) -> SafeString:
    """Return the hidden fields of each form: the deal and the player."""
    token = getattr(request, "form_token", None) or get_token(request)
    fields = (("csrfmiddlewaretoken", token), ("deal", deal.pk), ("as", me.plays_as))
    return format_html_join("", '<input type="hidden" name="{}" value="{}">', fields)
