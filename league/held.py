"""What a browser has exchanged links for, kept in its session: the players that it is, by id and generation, and the
scorer's links that it used, by their keys. league.access asks with every request whether they still hold."""

from collections.abc import Collection
from typing import NamedTuple

from django.http import HttpRequest

from league.access import Access, HeldPlayer, entries_held, players_of
from league.models import Entry, Round, ScorerLink, Seat, Table, Tournament

SESSION = "players"  # [[public id, generation of the link], …], the latest first
LINKS = "scorer_links"  # the keys of the scorer's links, the latest first
MOST_HELD = 12
MOST_CASUAL = 3  # casual tables at once, so that they never push out the link of an evening
NAME = "my_name"  # what somebody was called at a casual table last


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


def hold(request: HttpRequest, entry: Entry, *, instead_of: Collection[str] = ()) -> None:
    """From now on this browser is this player too, and those with the public ids `instead_of` no more."""
    others = [list(one) for one in players_in(request) if one[0] not in (entry.public_id, *instead_of)]
    request.session[SESSION] = [[entry.public_id, entry.link_generation], *others][:MOST_HELD]


def hold_seat(request: HttpRequest, entry: Entry, *, instead_of: Collection[str] = ()) -> None:
    """From now on this browser is this player of a casual table. Those that are over, or too many, it forgets."""
    casual = Entry.objects.filter(
        public_id__in=[one for one, _generation in players_in(request)], tournament__kind=Tournament.Kind.CASUAL
    )
    over = [*casual.filter(tournament__state=Tournament.State.CLOSED).values_list("public_id", flat=True)]
    going_on = casual.exclude(tournament__state=Tournament.State.CLOSED).order_by("-pk")
    too_many = [*going_on.values_list("public_id", flat=True)[MOST_CASUAL - 1 :]]
    hold(request, entry, instead_of=[*instead_of, *over, *too_many])
    request.session[NAME] = entry.player.name
    request.session.cycle_key()  # who knew this browser's session before is not this player with it


def called(request: HttpRequest) -> str:
    """What somebody was called at a table last, else what their account is called."""
    return str(request.session.get(NAME) or (request.user.name if request.user.is_authenticated else ""))


class MyTable(NamedTuple):
    """Somebody that this browser, or this account, is; `seat` is None between rounds, and has no table for a bye."""

    entry: Entry
    seat: Seat | None


def online_seat(entry: Entry) -> Seat | None:
    """Where somebody plays online now."""
    seats = Seat.objects.filter(
        entry=entry, table__mode=Table.Mode.ONLINE, round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING)
    )
    return seats.select_related("round", "table", "entry").order_by("round__number").first()


def my_online_seat(request: HttpRequest, access: Access) -> Seat | None:
    """Where this browser, or this account, plays online now in a tournament."""
    mine = entries_held(request.user, access.tournament, players_in(request))
    return next((seat for seat in map(online_seat, mine) if seat is not None), None)


def my_tables(request: HttpRequest) -> list[MyTable]:
    """In tournaments that go on first; two queries, and none for who is nobody."""
    mine = players_of(request.user, players_in(request))
    if not mine:
        return []
    seats = Seat.objects.filter(entry__in=mine, round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    # The earliest open round wins.
    now = {seat.entry_id: seat for seat in seats.select_related("round__stage", "table").order_by("-round__number")}
    return [MyTable(entry, now.get(entry.pk)) for entry in mine]
