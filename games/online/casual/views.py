"""Casual tables: a new one, the lobby, and the rematch."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.online.casual import end as casual_end
from games.online.casual import seats
from games.online.casual import tables as casual
from games.online.casual.forms import NameForm, NewcomerForm, NewTableForm, RulesForm
from games.online.casual.game import FEWEST, MOST, PRESETS, Game
from games.online.play.deals import leave
from games.online.play.limits import too_often
from league.access import Access, casual_for
from league.access.session_links import default_name, hold_seat, visitor_of
from league.lib import qr
from league.lib.errors import Refused
from league.live import stream as live
from league.models import Entry, Table, Tournament, User
from league.pages.form_key import creates_once
from league.pages.tournament_page import posted_data, this_machine

# A session's limits; an address may do ten times as many, since a class or hall shares one.
TABLES_A_MINUTE = 12
SEATS_A_MINUTE = 20
ACTIONS_A_MINUTE = 60  # of hosts


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def new_table(request: HttpRequest) -> HttpResponse:
    """Show the home page's form alone: play against bots at once, or open a table for friends."""
    form = NewTableForm(posted_data(request), initial={"name": default_name(request)})
    if request.method != "POST":
        return _new_table(request, form)
    if not form.is_valid():
        return _new_table(request, form, status=422)
    if turned_away := too_often(request, "casual", TABLES_A_MINUTE):
        return turned_away
    data, by = form.cleaned_data, _account(request)
    game = form.game()
    if data["what"] == "now":
        entry, table = casual.play_now(name=data["name"], by=by, game=game)
    else:
        entry, table = casual.make_casual(name=data["name"], by=by, game=game), None
    hold_seat(request, entry)
    return to_table(table, entry, "start") if table else _to_lobby(entry.tournament)


def _new_table(request: HttpRequest, form: NewTableForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "presets": PRESETS.items(), "selects": (form["edition"], form["bot"])}
    return render(request, "games/casual/new_table.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lobby(request: HttpRequest, slug: str) -> HttpResponse:
    """Show or change a waiting table: its places, link and rules."""
    access, me = casual_for(visitor_of(request), slug)
    if request.method == "POST":
        return _run_action(request, access, me)
    return _redirect_to_table(request, access.tournament, me) or _lobby(request, access, me)


def _redirect_to_table(request: HttpRequest, tournament: Tournament, me: Entry | None) -> HttpResponse | None:
    """Redirect to a started table. A page that refreshes itself stays, and reloads as a whole."""
    table = casual.table_of(tournament)
    if table is None or "Wild-Live" in request.headers:
        return None
    return to_table(table, me)


def _run_action(request: HttpRequest, access: Access, me: Entry | None) -> HttpResponse:
    action = request.POST.get("what", "").partition(":")[0]
    if action == "join" and me is None:
        return _join(request, access)
    if action == "take-over":
        return _take_over(request, access, me)
    if me is None or action not in ACTIONS:
        if action == "join":  # pressed twice
            return _to_lobby(access.tournament)
        raise Http404
    if turned_away := too_often(request, "casual-deed", ACTIONS_A_MINUTE):
        return turned_away
    on_change = action == "rules" and request.htmx  # type: ignore[attr-defined]
    try:
        table = ACTIONS[action](request, access.tournament, me)
    except Refused as refused:
        if on_change:
            return HttpResponse(escape(refused), status=refused.status)
        return _redirect_to_table(request, access.tournament, me) or _lobby(
            request, access, me, message=str(refused), status=refused.status
        )
    if on_change:
        return HttpResponse(escape(_("Saved.")))
    if action == "rules":
        messages.success(request, _("Saved."))
    if action == "leave":
        return _see_other(reverse("home"))
    return to_table(table, me) if table else _to_lobby(access.tournament)


def _join(request: HttpRequest, access: Access) -> HttpResponse:
    form = NameForm(request.POST)
    if not form.is_valid():
        return _lobby(request, access, None, form=form, status=422)
    if turned_away := too_often(request, "casual-seat", SEATS_A_MINUTE):
        return turned_away
    name = form.cleaned_data["name"]
    try:
        entry = casual.join(tournament=access.tournament, name=name, by=_account(request))
    except Refused as refused:
        form.add_error("name" if "name" in refused.fields else None, str(refused))
        answer = _redirect_to_table(request, access.tournament, None)
        return answer or _lobby(request, access, None, form=form, status=refused.status)
    hold_seat(request, entry)
    return _to_lobby(access.tournament)


def _take_over(request: HttpRequest, access: Access, me: Entry | None) -> HttpResponse:
    """Let a watcher of a started table take over a bot's seat from the next hand."""
    table = casual.table_of(access.tournament)
    if me is not None or table is None:  # pressed twice, or pressed before the start
        return to_table(table, me) if table else _to_lobby(access.tournament)
    if turned_away := too_often(request, "casual-seat", SEATS_A_MINUTE):
        return turned_away
    form = NewcomerForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return to_table(table, None)
    try:
        entry, table = seats.take_over(
            tournament=access.tournament, name=form.cleaned_data["name"], by=_account(request)
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return to_table(table, None)
    hold_seat(request, entry)
    return to_table(table, entry)


def _choose_rules(request: HttpRequest, tournament: Tournament, me: Entry) -> Table | None:
    form = RulesForm(request.POST)
    if not form.is_valid():
        raise Refused("settings", " ".join(str(error) for errors in form.errors.values() for error in errors))
    game = Game(**form.cleaned_data)
    if usual := PRESETS.get(request.POST.get("what", "").partition(":")[2]):
        game = usual.applied_to(game)
    casual.choose_rules(tournament=tournament, host=me, game=game, by=_account(request))
    return None


@transaction.atomic
def _add_bot(request: HttpRequest, tournament: Tournament, me: Entry) -> Table | None:
    _choose_sent_rules(request, tournament, me)
    casual.add_bot(tournament=tournament, host=me, by=_account(request))
    return None


def _stand_up(request: HttpRequest, tournament: Tournament, me: Entry) -> Table | None:
    who = request.POST.get("who", "")
    casual.stand_up(tournament=tournament, public_id=who if who.isalnum() else "", entry=me, by=_account(request))
    return None


def _begin(request: HttpRequest, tournament: Tournament, me: Entry) -> Table | None:
    return _begin_with(request, tournament, me, fill=False)


def _fill(request: HttpRequest, tournament: Tournament, me: Entry) -> Table | None:
    return _begin_with(request, tournament, me, fill=True)


@transaction.atomic
def _begin_with(request: HttpRequest, tournament: Tournament, me: Entry, *, fill: bool) -> Table:
    _choose_sent_rules(request, tournament, me)
    return casual.begin(tournament=tournament, host=me, by=_account(request), fill=fill)


def _choose_sent_rules(request: HttpRequest, tournament: Tournament, me: Entry) -> None:
    """Save the shown rules, which each of the host's buttons sends."""
    if "edition" in request.POST:
        _choose_rules(request, tournament, me)


def _leave(request: HttpRequest, tournament: Tournament, me: Entry) -> Table | None:
    """Let a bot play for a player who leaves a started table."""
    table = casual.table_of(tournament)
    if table is not None and leave(table_id=table.pk, entry=me):
        messages.success(request, _("A bot plays for you. To return, tap “Play on”."))
    return None


ACTIONS: dict[str, Callable[[HttpRequest, Tournament, Entry], Table | None]] = {
    "add-bot": _add_bot,
    "stand-up": _stand_up,
    "leave": _leave,
    "rules": _choose_rules,
    "begin": _begin,
    "fill": _fill,
}


def _lobby(
    request: HttpRequest,
    access: Access,
    me: Entry | None,
    *,
    form: NameForm | None = None,
    message: str = "",
    status: int = 200,
) -> HttpResponse:
    tournament, game = access.tournament, casual.game_at(access.tournament)
    # A POST response has no URL to poll, so don't make it live.
    version = live.version_of(tournament) if request.method != "POST" else None
    places = list(tournament.entries.select_related("player").order_by("number"))
    host = next((entry for entry in places if not entry.bot), None)
    waits = tournament.state == Tournament.State.PLANNED
    address = request.build_absolute_uri(reverse("lobby", args=[tournament.slug]))
    context: dict[str, Any] = {
        "access": access,
        "tournament": tournament,
        "page_title": _("%(name)s’s table") % {"name": host.name} if host else _("Casual table"),
        "live_version": version,
        "waits": waits,
        "shows": ("host" if me and me == host else "guest") if waits else "over",
        "game": game,
        "presets": [(key, preset, preset.fits(game)) for key, preset in PRESETS.items()],
        "what_is_played": game.in_words(),
        "places": places,
        "most": MOST,
        "free": MOST - len(places),
        "bots": any(entry.bot for entry in places),
        "missing": max(FEWEST - len(places), 0),
        "to_fill": max(casual.USUAL - len(places), 0),
        "host": host,
        "me": me,
        "is_host": me is not None and me == host,
        "address": address,
        "drawing": qr.drawing(address),
        "this_machine": this_machine(request),
        "form": form or NameForm(initial={"name": default_name(request)}),
        "rules": RulesForm(initial=asdict(game)),
        "said": message,
    }
    return render(request, "games/casual/lobby.html", context, status=status)


@require_POST
def rematch(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a player their seat in the rematch; the first one creates it."""
    access, me = casual_for(visitor_of(request), slug)
    if me is None:
        return _follow_rematch(request, access.tournament)
    try:
        mine, table = casual_end.rematch(tournament=access.tournament, entry=me, by=_account(request))
    except Refused as refused:
        messages.error(request, str(refused))
        table_before = casual.table_of(access.tournament)
        return to_table(table_before, me) if table_before else _to_lobby(access.tournament)
    hold_seat(request, mine, instead_of=[me.public_id])
    return to_table(table, mine)


def _follow_rematch(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Redirect a tab whose player joined the rematch in another tab."""
    following = casual_end.rematch_of(tournament)
    if following is None:
        raise Http404
    _access, me = casual_for(visitor_of(request), following.slug)
    table = casual.table_of(following)
    if me is None or table is None:
        raise Http404
    return to_table(table, me)


def to_table(table: Table, me: Entry | None, arrives: str = "deal") -> HttpResponse:
    """Redirect to the table. “#deal” lets the browser report the player as ready (play.js); “#start” only if it has
    shown the player before what is played."""
    address = reverse("play", args=[table.pk])
    return _see_other(f"{address}?as={me.public_id}#{arrives}" if me else address)


def _to_lobby(tournament: Tournament) -> HttpResponse:
    return _see_other(reverse("lobby", args=[tournament.slug]))


def _see_other(address: str) -> HttpResponse:
    answer = redirect(address)
    answer.status_code = 303
    return answer


def _account(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None
