"""The page of an online table, and what its players send. Who asks with `Accept: application/json` gets JSON."""

from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.models import Deal
from games.online import director_page, moves
from games.online.casual_page import casual_now, newcomer
from games.online.deals import get_ready, settings_of
from games.online.ending import between
from games.online.forms import MoveForm, ReadyForm
from games.online.limits import too_fast
from games.online.page import hand_title, page_of
from games.online.replay import BESIDES
from games.online.seated import halves, seated
from games.online.show import keep_deal, latest_deal, picture
from games.online.strip import strip_of
from games.views import SeeOther
from league.access import Access
from league.at_table import at_table
from league.errors import Refused
from league.live import version_of_table
from league.models import Entry, Table
from league.views.scorers import guides_scorers


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


@require_safe
@never_cache
@guides_scorers
def play(request: HttpRequest, table_id: int) -> HttpResponse:
    """The table as its viewer may see it: a player, a spectator."""
    access, table, me = seated(request, table_id)
    return show(request, access, table, me, chosen=_chosen(request))


@require_safe
@never_cache
def strip(request: HttpRequest, table_id: int) -> HttpResponse:
    """What goes on at the reader's own table, for a page that shows something else. Nothing for who only watches."""
    return render(request, "games/_strip.html", strip_of(*seated(request, table_id)))


@require_POST
@guides_scorers
def ready(request: HttpRequest, table_id: int) -> HttpResponse:
    """A player says that they are there; their browser adds to the shuffle."""
    access, table, me = seated(request, table_id)
    if turned_away := too_fast(request, me):
        return turned_away
    form = ReadyForm(request.POST)
    if me is None or not form.is_valid():
        return show(request, access, table, me, refused=_not_valid(form, me), status=422)
    try:
        data = form.cleaned_data
        get_ready(table_id=table.pk, deal_id=data["deal"], entry=me, entropy=data["entropy"])
    except Refused as refused:
        return show(request, access, table, me, refused=refused, status=refused.status)
    return _done(request, access, table, me)


@require_POST
@guides_scorers
def act(request: HttpRequest, table_id: int) -> HttpResponse:
    """One move of a player."""
    access, table, me = seated(request, table_id)
    if turned_away := too_fast(request, me):
        return turned_away
    form = MoveForm(request.POST)
    if me is None or not form.is_valid():
        return show(request, access, table, me, refused=_not_valid(form, me), status=422)
    data = form.cleaned_data
    try:
        moved = moves.play(
            table_id=table.pk,
            deal_id=data["deal"],
            entry=me,
            what=form.what(),
            answers=data["answers"],
            key=data["key"],
        )
    except Refused as refused:
        return show(request, access, table, me, chosen=_chosen(request), refused=refused, status=refused.status)
    chosen = _chosen(request) if data["kind"] in BESIDES else ""
    return _done(request, access, table, me, moved.deal, chosen)


def _not_valid(form: Form, me: Entry | None) -> Refused:
    if me is None:
        return Refused("not-seated", _("You do not play at this table. Open it by your own link to play."))
    first = next(iter(form.errors.values()), [_("This is not something that a player can do.")])
    return Refused("unknown-action", str(first[0]))


def _chosen(request: HttpRequest) -> str:
    """The card of which the player must say more, a colour or whom it is for."""
    return request.GET.get("card", "")[:3]


def _done(
    request: HttpRequest, access: Access, table: Table, me: Entry, deal: Deal | None = None, chosen: str = ""
) -> HttpResponse:
    """A script takes the table as it is now with the answer; without one the browser goes on with GET.

    `deal`: as the move left it.
    """
    if wants_json(request) or "Wild-Live" in request.headers:
        if deal is not None and deal.state == Deal.State.PLAYING:
            return show(request, access, deal.table, me, deal=deal, chosen=chosen)
        here = at_table(table.pk)
        return show(request, access, here.table if here else table, me)
    return SeeOther(_own_page(table, me))


def _own_page(table: Table, me: Entry | None) -> str:
    page = reverse("play", args=[table.pk])
    return f"{page}?as={me.plays_as}" if me else page


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
) -> HttpResponse:
    """The table as it is now, with why something was refused, if it was. `deal`: the hand there, if it is known."""
    version = version_of_table(table)
    if deal is None:
        deal = latest_deal(table)
    else:
        keep_deal(table, deal)
    settings = settings_of(access.tournament)
    seen = picture(deal, me, settings) if deal else None
    if wants_json(request):
        body: dict[str, Any] = {"table": table.pk, "live": version, "play": seen}
        if refused is not None:
            body |= {"code": refused.code, "message": str(refused)}
        return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
    context: dict[str, Any] = {
        "layout": "games/_play_alone.html" if "Wild-Live" in request.headers else "base.html",
        "access": access,
        "tournament": access.tournament,
        "table": table,
        "round": table.round,
        "stage": table.round.stage,
        "me": me,
        "deal": deal,
        "seen": seen,
        "page": page_of(table, seen, chosen=chosen, late=settings.spectator_delay),
        "here": _own_page(table, me),
        "live_version": version,
        "refused": refused,
        **director_page.context(access, table, request.user),
        **newcomer(request, table, me, seen),
        "halves": halves(request, table, me),
    }
    if deal is None or deal.state != Deal.State.PLAYING:
        context |= between(table, deal, me) | {"casual": casual_now(request, table)}
        if context["ending"]:
            context["hand_title"] = hand_title(table, context["ending"].deal.number)
    return render(request, "games/play.html", context, status=status)
