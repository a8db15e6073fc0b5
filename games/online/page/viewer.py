"""Who looks at an online table: what they may see of it, and as which of its players."""

from django.http import Http404, HttpRequest
from django.urls import reverse

from games.models import Deal
from games.online.play import presence
from games.online.play.places import places_of
from league.access import Access, OneSeat, entries_held, playing_for
from league.access.session_links import act_for, may_act_for, must_act_first, players_in
from league.models import Entry, Seat, Table

Viewer = tuple[Access, Table, Entry | None]


def viewer_of(request: HttpRequest, table_id: int) -> Viewer:
    """The table, and whom the viewer plays for: whom the request names by `as`, else whose link they used last.

    That they are there is noted. Raises Http404; `OneSeat` for whom they may not act for beside another.
    """
    access, table, me = _viewer(request, table_id)
    if me is not None:
        presence.saw(me, request)
        act_for(request, access, me)
    return access, table, me


def looking(request: HttpRequest, table_id: int) -> Viewer:
    """As `seated`, where the viewer's page did not ask just now, but must have done so before."""
    access, table, me = _viewer(request, table_id)
    if me is not None and must_act_first(request, access, me):
        raise Http404
    return access, table, me


def _viewer(request: HttpRequest, table_id: int) -> Viewer:
    access, table, held = playing_for(request.user, table_id, players_in(request))
    named = request.POST.get("as") or request.GET.get("as")
    if not any(one.plays_as == named for one in held) if named else not held:
        held += _dealt_in(request, access, table)
    mine = may_act_for(request, access, held)
    if any(one.plays_as == named for one in held) and not any(one.plays_as == named for one in mine):
        raise OneSeat(access.tournament)
    return access, table, _me(request, mine, named)


def _dealt_in(request: HttpRequest, access: Access, table: Table) -> list[Entry]:
    """Who was dealt in plays the hand to its end, also when somebody else was given the seat meanwhile."""
    held = players_in(request)
    if not held and not request.user.is_authenticated:
        return []
    deal = Deal.objects.filter(table=table, state=Deal.State.PLAYING).first()
    if deal is None:
        return []
    deal.table = table
    mine = {one.pk for one in entries_held(request.user, access.tournament, held)}
    return [place.entry for place in places_of(deal) if place.entry.pk in mine]


def _me(request: HttpRequest, mine: list[Entry], named: str | None) -> Entry | None:
    order = [public_id for public_id, _generation in players_in(request)]
    mine = sorted(mine, key=lambda one: order.index(one.public_id) if one.public_id in order else len(order))
    found = next((one for one in mine if one.plays_as == named), None)
    if found is None and request.POST.get("as"):
        return None  # what was meant for one player is never done for another
    if found is None and any(one.member for one in mine):
        return None  # nor does who holds a team's link see the cards of one of its two before saying who they are
    return found or (mine[0] if mine else None)


def halves(request: HttpRequest, table: Table, me: Entry | None) -> list[dict[str, str]]:
    """Of a team whose link the viewer holds, as whom else they may open the table: the address and the name."""
    if not table.round.stage.has_teams:
        return []
    access, _table, held = playing_for(request.user, table.pk, players_in(request))
    mine = {one.plays_as for one in may_act_for(request, access, held)}
    seats = Seat.objects.filter(table=table, entry__in=held).select_related("entry", "substitute")
    page = reverse("play", args=[table.pk])
    made = []
    for seat in seats.order_by("member"):
        seat.entry.member = seat.member
        if seat.entry.plays_as in mine and (me is None or seat.entry.plays_as != me.plays_as):
            made.append({"url": f"{page}?as={seat.entry.plays_as}", "name": str(seat.substitute or seat.entry)})
    return made
