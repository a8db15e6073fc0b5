"""The page of an online table, and what its players send. Who asks with `Accept: application/json` gets JSON."""

from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.online import moves
from games.online.deals import get_ready, settings_of
from games.online.forms import MoveForm, ReadyForm
from games.online.show import latest_deal, picture
from league.access import Access, playing_for
from league.errors import Refused
from league.held import players_in
from league.models import Entry, Table
from league.views.scorers import guides_scorers


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


@require_safe
@never_cache
@guides_scorers
def play(request: HttpRequest, table_id: int) -> HttpResponse:
    """The table as its viewer may see it: a player, a spectator."""
    access, table, mine = playing_for(request.user, table_id, players_in(request))
    return show(request, access, table, _me(request, mine))


@require_POST
@guides_scorers
def ready(request: HttpRequest, table_id: int) -> HttpResponse:
    """A player says that they are there; their browser adds to the shuffle."""
    access, table, mine = playing_for(request.user, table_id, players_in(request))
    form = ReadyForm(request.POST)
    me = _me(request, mine)
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
    access, table, mine = playing_for(request.user, table_id, players_in(request))
    form = MoveForm(request.POST)
    me = _me(request, mine)
    if me is None or not form.is_valid():
        return show(request, access, table, me, refused=_not_valid(form, me), status=422)
    data = form.cleaned_data
    try:
        moves.play(
            table_id=table.pk,
            deal_id=data["deal"],
            entry=me,
            what=form.what(),
            answers=data["answers"],
            key=data["key"],
        )
    except Refused as refused:
        return show(request, access, table, me, refused=refused, status=refused.status)
    return _done(request, access, table, me)


def _me(request: HttpRequest, mine: list[Entry]) -> Entry | None:
    """Whom the viewer plays for: whom the request names by `as`, else the one whose link they used last."""
    named = request.POST.get("as") or request.GET.get("as")
    order = [public_id for public_id, _generation in players_in(request)]
    mine = sorted(mine, key=lambda one: order.index(one.public_id) if one.public_id in order else len(order))
    return next((one for one in mine if one.public_id == named), mine[0] if mine else None)


def _not_valid(form: Form, me: Entry | None) -> Refused:
    if me is None:
        return Refused("not-seated", _("You do not play at this table. Open it by your own link to play."))
    first = next(iter(form.errors.values()), [_("This is not something that a player can do.")])
    return Refused("unknown-action", str(first[0]))


def _done(request: HttpRequest, access: Access, table: Table, me: Entry) -> HttpResponse:
    if wants_json(request):
        return show(request, access, table, me)
    return HttpResponseRedirect(f"{reverse('play', args=[table.pk])}?as={me.public_id}")


def show(
    request: HttpRequest,
    access: Access,
    table: Table,
    me: Entry | None,
    *,
    refused: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """The table as it is now, with why something was refused, if it was."""
    deal = latest_deal(table)
    seen = picture(deal, me, settings_of(access.tournament)) if deal else None
    if wants_json(request):
        body: dict[str, Any] = {"table": table.pk, "play": seen}
        if refused is not None:
            body |= {"code": refused.code, "message": str(refused)}
        return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
    context = {"access": access, "tournament": access.tournament, "table": table, "seen": seen, "refused": refused}
    return render(request, "games/play.html", context, status=status)
