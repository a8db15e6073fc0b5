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
from games.online.casual_page import casual_now
from games.online.deals import get_ready, settings_of
from games.online.ending import between
from games.online.forms import MoveForm, ReadyForm
from games.online.page import hand_title, page_of
from games.online.show import latest_deal, picture
from games.views import SeeOther
from league.access import Access, entries_held, playing_for
from league.at_table import at_table
from league.errors import Refused
from league.held import players_in
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
    access, table, me = _playing(request, table_id)
    return show(request, access, table, me)


@require_POST
@guides_scorers
def ready(request: HttpRequest, table_id: int) -> HttpResponse:
    """A player says that they are there; their browser adds to the shuffle."""
    access, table, me = _playing(request, table_id)
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
    access, table, me = _playing(request, table_id)
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
        return show(request, access, table, me, refused=refused, status=refused.status)
    return _done(request, access, table, me, moved.deal)


def _playing(request: HttpRequest, table_id: int) -> tuple[Access, Table, Entry | None]:
    """The table, and whom the viewer plays for: whom the request names by `as`, else whose link they used last."""
    access, table, mine = playing_for(request.user, table_id, players_in(request))
    named = request.POST.get("as") or request.GET.get("as")
    if not any(one.public_id == named for one in mine) if named else not mine:
        mine += _dealt_in(request, access, table)
    return access, table, _me(request, mine, named)


def _dealt_in(request: HttpRequest, access: Access, table: Table) -> list[Entry]:
    """Who was dealt in plays the hand to its end, also when somebody else was given the seat meanwhile."""
    held = players_in(request)
    if not held and not request.user.is_authenticated:
        return []
    deal = Deal.objects.filter(table=table, state=Deal.State.PLAYING).first()
    dealt = {place["entry"] for place in deal.places} if deal else set()
    return [one for one in entries_held(request.user, access.tournament, held) if one.pk in dealt] if dealt else []


def _me(request: HttpRequest, mine: list[Entry], named: str | None) -> Entry | None:
    order = [public_id for public_id, _generation in players_in(request)]
    mine = sorted(mine, key=lambda one: order.index(one.public_id) if one.public_id in order else len(order))
    found = next((one for one in mine if one.public_id == named), None)
    if found is None and request.POST.get("as"):
        return None  # what was meant for one player is never done for another
    return found or (mine[0] if mine else None)


def _not_valid(form: Form, me: Entry | None) -> Refused:
    if me is None:
        return Refused("not-seated", _("You do not play at this table. Open it by your own link to play."))
    first = next(iter(form.errors.values()), [_("This is not something that a player can do.")])
    return Refused("unknown-action", str(first[0]))


def _done(request: HttpRequest, access: Access, table: Table, me: Entry, deal: Deal | None = None) -> HttpResponse:
    """A script takes the table as it is now with the answer; without one the browser goes on with GET.

    `deal`: as the move left it.
    """
    if wants_json(request) or "Wild-Live" in request.headers:
        if deal is not None and deal.state == Deal.State.PLAYING:
            return show(request, access, deal.table, me, deal=deal)
        here = at_table(table.pk)
        return show(request, access, here.table if here else table, me)
    return SeeOther(_own_page(table, me))


def _own_page(table: Table, me: Entry | None) -> str:
    page = reverse("play", args=[table.pk])
    return f"{page}?as={me.public_id}" if me else page


def show(
    request: HttpRequest,
    access: Access,
    table: Table,
    me: Entry | None,
    *,
    deal: Deal | None = None,
    refused: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """The table as it is now, with why something was refused, if it was. `deal`: the hand there, if it is known."""
    version = version_of_table(table)
    deal = deal or latest_deal(table)
    settings = settings_of(access.tournament)
    seen = picture(deal, me, settings) if deal else None
    if wants_json(request):
        body: dict[str, Any] = {"table": table.pk, "live": version, "play": seen}
        if refused is not None:
            body |= {"code": refused.code, "message": str(refused)}
        return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
    chosen = request.GET.get("card", "")[:3]
    context: dict[str, Any] = {
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
    }
    if deal is None or deal.state != Deal.State.PLAYING:
        context |= between(table, deal, me) | {"casual": casual_now(request, table)}
        if context["ending"]:
            context["hand_title"] = hand_title(table, context["ending"].deal.number)
    return render(request, "games/play.html", context, status=status)
