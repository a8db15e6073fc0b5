"""The viewer of an online table: what they may see, and as which player."""

from typing import NamedTuple

from django.http import Http404, HttpRequest
from django.urls import reverse

from games.models import Deal
from games.online.play import presence
from games.online.play.places import places_of
from league.access import Access, OneSeat, entries_held, playing_for
from league.access.session_links import act_for, may_act_for, must_act_first, visitor_of
from league.access.table_rows import AtTable, at_table
from league.models import Entry, Seat, Table

Viewer = tuple[Access, Table, Entry | None]


class Half(NamedTuple):
    """One player of a team's two: the table's address for them, and their name."""

    url: str
    name: str


def viewer_of(request: HttpRequest, table_id: int) -> Viewer:
    """Return the table and the viewer's entry: the one named by `as`, or of the last used link.

    Records the player's presence. Raises Http404, and `OneSeat` if the session may act only for another entry.
    """
    access, table, me = _viewer(request, table_id)
    if me is not None:
        presence.saw(me, request)
        act_for(request, access, me)
    return access, table, me


def stream_viewer_of(request: HttpRequest, table_id: int) -> Viewer:
    """Return the same for a stream. The viewer's page must have sent a request before.

    The result is cached on the request, for as long as the rows that it came from.
    """
    here, known = at_table(table_id), getattr(request, "stream_viewer", None)
    if here is not None and known is not None and known[0] is here.table.round.tournament.kept:  # type: ignore[attr-defined]
        return known[1], here.table, known[2]
    access, table, me = _viewer(request, table_id)
    if me is not None and must_act_first(request, access, me):
        raise Http404
    if here is not None and _rests_on_rows(request, me, here):
        kept = here.table.round.tournament.kept  # type: ignore[attr-defined]
        request.stream_viewer = kept, access, me  # type: ignore[attr-defined]
    return access, table, me


def _rests_on_rows(request: HttpRequest, me: Entry | None, here: AtTable) -> bool:
    """Return whether the table's rows alone identify the viewer: no account, scorer link or reassigned seat."""
    if request.user.is_authenticated or visitor_of(request).links:
        return False
    return me in here.seated if me is not None else not visitor_of(request).players


def _viewer(request: HttpRequest, table_id: int) -> Viewer:
    access, table, entries = playing_for(visitor_of(request), table_id)
    named = request.POST.get("as") or request.GET.get("as")
    if not any(entry.plays_as == named for entry in entries) if named else not entries:
        entries += _entries_dealt_in(request, access, table)
    mine = may_act_for(request, access, entries)
    if any(entry.plays_as == named for entry in entries) and not any(entry.plays_as == named for entry in mine):
        raise OneSeat(access.tournament)
    return access, table, _me(request, mine, named)


def _entries_dealt_in(request: HttpRequest, access: Access, table: Table) -> list[Entry]:
    """Return the viewer's entries in the current hand. They play it to the end, even after losing their seats."""
    visitor = visitor_of(request)
    if not visitor.players and not request.user.is_authenticated:
        return []
    deal = Deal.objects.filter(table=table, state=Deal.State.PLAYING).first()
    if deal is None:
        return []
    deal.table = table
    mine = {entry.pk for entry in entries_held(visitor, access.tournament)}
    return [place.entry for place in places_of(deal) if place.entry.pk in mine]


def _me(request: HttpRequest, mine: list[Entry], named: str | None) -> Entry | None:
    order = [public_id for public_id, _generation in visitor_of(request).players]
    mine = sorted(mine, key=lambda entry: order.index(entry.public_id) if entry.public_id in order else len(order))
    chosen = next((entry for entry in mine if entry.plays_as == named), None)
    if chosen is None and request.POST.get("as"):
        return None  # a request for one player must not act for another
    if chosen is None and any(entry.member for entry in mine):
        return None  # a team link shows cards only after choosing one of its two players
    return chosen or (mine[0] if mine else None)


def halves(request: HttpRequest, table: Table, me: Entry | None) -> tuple[Half, ...]:
    """Return the other players of the viewer's team link, as links to the table."""
    if not table.round.stage.has_teams:
        return ()
    access, _table, entries = playing_for(visitor_of(request), table.pk)
    mine = {entry.plays_as for entry in may_act_for(request, access, entries)}
    seats = Seat.objects.filter(table=table, entry__in=entries).select_related("entry", "substitute")
    page = reverse("play", args=[table.pk])
    links = []
    for seat in seats.order_by("member"):
        seat.entry.member = seat.member
        if seat.entry.plays_as in mine and (me is None or seat.entry.plays_as != me.plays_as):
            links.append(Half(f"{page}?as={seat.entry.plays_as}", str(seat.substitute or seat.entry)))
    return tuple(links)
