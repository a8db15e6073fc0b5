"""What a browser has exchanged links for, kept in its session: the players that it is, by id and generation, and the
scorer's links that it used, by their keys. league.access asks with every request whether they still hold."""

from typing import NamedTuple

from django.http import HttpRequest

from league.access import HeldPlayer, players_of
from league.models import Entry, Round, ScorerLink, Seat

SESSION = "players"  # [[public id, generation of the link], …], the latest first
LINKS = "scorer_links"  # the keys of the scorer's links, the latest first
MOST_HELD = 12


def links_in(request: HttpRequest) -> list[int]:
    """The keys of the scorer's links that a visitor has exchanged."""
    return [key for key in request.session.get(LINKS, []) if isinstance(key, int)]


def hold_link(request: HttpRequest, link: ScorerLink) -> None:
    """From now on this browser scores by this link too."""
    request.session[LINKS] = [link.pk, *(key for key in links_in(request) if key != link.pk)][:MOST_HELD]


def players_in(request: HttpRequest) -> list[HeldPlayer]:
    """The players whose own links this visitor has exchanged. league.access asks whether they still hold."""
    held = request.session.get(SESSION, [])
    return [(str(public_id), int(generation)) for public_id, generation in held]


def hold(request: HttpRequest, entry: Entry) -> None:
    """From now on this browser is this player too."""
    others = [list(one) for one in players_in(request) if one[0] != entry.public_id]
    request.session[SESSION] = [[entry.public_id, entry.link_generation], *others][:MOST_HELD]


class MyTable(NamedTuple):
    """Somebody that this browser, or this account, is; `seat` is None between rounds, and has no table for a bye."""

    entry: Entry
    seat: Seat | None


def my_tables(request: HttpRequest) -> list[MyTable]:
    """In tournaments that go on first; two queries, and none for who is nobody."""
    mine = players_of(request.user, players_in(request))
    if not mine:
        return []
    seats = Seat.objects.filter(entry__in=mine, round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    # The earliest open round wins.
    now = {seat.entry_id: seat for seat in seats.select_related("round", "table").order_by("-round__number")}
    return [MyTable(entry, now.get(entry.pk)) for entry in mine]
