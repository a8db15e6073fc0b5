"""What a browser has exchanged links for, kept in its session: the players that it is and the scorer's links that it
used, each with the generation of its link. league.access asks with every request whether they still hold.

A phone that is passed round is as many players as opened their links in it. But one in which somebody may do more than
a player acts at online tables for one of them alone, or it would show them the cards of two: `may_act_for` decides for
the page, its JSON, the stream and moves, `acts_for_another` for the next link that is opened. Such are the sessions of
accounts with a role in the tournament, of who scores there by a link, and those that were shown a player's link.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import Access, HeldLink, HeldPlayer, entries_held, players_of, roles_of
from league.access.rights import BEYOND_A_PLAYER
from league.lib.errors import Conflict
from league.models import Entry, Round, ScorerLink, Seat, Table, Tournament

SESSION = "players"  # [[public id, generation of the link], …], the latest first
LINKS = "scorer_links"  # [[key, generation of the link], …], the latest first
SHOWN = "shown_links"  # the keys of tournaments of which this session was shown players' links, the latest first
ACTED = "acted_for"  # {key of a tournament: `Entry.plays_as`}: for whom a session acted that acts for one alone
MOST_HELD = 12
MOST_NOTED = 50  # tournaments in SHOWN, and in ACTED
MOST_CASUAL = 3  # casual tables at once, so that they never push out the link of an evening
NAME = "my_name"  # what somebody was called at a casual table last


def links_in(request: HttpRequest) -> list[HeldLink]:
    """The scorer's links that a visitor has exchanged. Sessions from before they had generations have bare keys."""
    held = request.session.get(LINKS, [])
    return [(one, 1) if isinstance(one, int) else (int(one[0]), int(one[1])) for one in held]


def hold_link(request: HttpRequest, link: ScorerLink) -> None:
    """From now on this browser scores by this link too."""
    others = [list(one) for one in links_in(request) if one[0] != link.pk]
    request.session[LINKS] = [[link.pk, link.generation], *others][:MOST_HELD]


def players_in(request: HttpRequest) -> list[HeldPlayer]:
    """The players whose own links this visitor has exchanged. league.access asks whether they still hold."""
    held = request.session.get(SESSION, [])
    return [(str(public_id), int(generation)) for public_id, generation in held]


def hold(request: HttpRequest, entry: Entry, *, instead_of: Collection[str] = ()) -> None:
    """From now on this browser is this player too, and those with the public ids `instead_of` no more."""
    others = [list(one) for one in players_in(request) if one[0] not in (entry.public_id, *instead_of)]
    request.session[SESSION] = [[entry.public_id, entry.link_generation], *others][:MOST_HELD]


def hold_own(request: HttpRequest, entry: Entry) -> None:
    """As `hold`, for who opened the player's own link; where that may be one player alone, it is no other any more."""
    others: list[str] = []
    if _sees_more(request, entry.tournament, roles_of(request.user, entry.tournament)):
        others = [one for one in _opened(request, entry.tournament) if one != entry.public_id]
    hold(request, entry, instead_of=others)


def was_shown(request: HttpRequest, tournament: Tournament) -> None:
    """This session was shown a player's own link, or several.

    Signing out does not take that from it (league/accounts/adapter.py).
    """
    shown = [key for key in request.session.get(SHOWN, []) if key != tournament.pk]
    request.session[SHOWN] = [tournament.pk, *shown][:MOST_NOTED]


def acts_for_another(request: HttpRequest, entry: Entry) -> Entry | None:
    """For whom alone this session acts in the tournament of a player whose link is opened, if it is somebody else.

    Who scores by a link may hold several players' links all the same: most of their tables have real cards.
    """
    tournament = entry.tournament
    if not _sees_more(request, tournament, roles_of(request.user, tournament)):
        return None
    only = _acted(request, tournament).partition(".")[0] or _first(request, tournament)
    return tournament.entries.select_related("player").filter(public_id=only).exclude(pk=entry.pk).first()


def may_act_for(request: HttpRequest, access: Access, mine: Sequence[Entry]) -> list[Entry]:
    """Of those whom a visitor is at an online table, for whom they may act there and see cards: for each, or for the
    one for whom their session acts alone."""
    if not mine or not _acts_alone(request, access):
        return list(mine)
    if acted := _acted(request, access.tournament):
        return [one for one in mine if one.plays_as == acted]
    only = _first(request, access.tournament)
    return [one for one in mine if one.public_id == only]


def must_act_first(request: HttpRequest, access: Access, entry: Entry) -> bool:
    """Whether a session acts for one player alone, and has not begun to act for this one (`act_for`)."""
    return _acted(request, access.tournament) != entry.plays_as and _acts_alone(request, access)


def act_for(request: HttpRequest, access: Access, entry: Entry) -> None:
    """A page of an online table is made for this player: a session that acts for one alone is theirs from now on.

    So it is not for one player now and for another one later; nor for the one of a team and then for the other.
    """
    if must_act_first(request, access, entry):
        acted = request.session.get(ACTED, {}) | {str(access.tournament.pk): entry.plays_as}
        request.session[ACTED] = dict([*acted.items()][-MOST_NOTED:])


def _acts_alone(request: HttpRequest, access: Access) -> bool:
    tournament, held = access.tournament, dict(links_in(request))
    if _sees_more(request, tournament, access.roles):
        return True
    links = ScorerLink.objects.filter(tournament=tournament, pk__in=held) if held else ()
    return any(link.holds and link.generation == held[link.pk] for link in links)


def _sees_more(request: HttpRequest, tournament: Tournament, roles: frozenset[str]) -> bool:
    return not roles.isdisjoint(BEYOND_A_PLAYER) or tournament.pk in request.session.get(SHOWN, [])


def _acted(request: HttpRequest, tournament: Tournament) -> str:
    return str(request.session.get(ACTED, {}).get(str(tournament.pk), ""))


def _first(request: HttpRequest, tournament: Tournament) -> str:
    """The public id of the account's own player, else of the one whose link was opened first; empty for nobody."""
    own = entries_held(request.user, tournament, ())
    if own:
        return min(own, key=lambda entry: entry.pk).public_id
    return next(iter(_opened(request, tournament)), "")


def _opened(request: HttpRequest, tournament: Tournament) -> list[str]:
    """The public ids of players of a tournament whose links were opened, the first one first."""
    held = [public_id for public_id, _generation in reversed(players_in(request))]
    here = set(tournament.entries.filter(public_id__in=held).values_list("public_id", flat=True))
    return [one for one in held if one in here]


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


def use_link(link: ScorerLink) -> None:
    """Note that a link is being used. Raises `Conflict("link-ended")` when it was revoked or expired meanwhile."""
    now = timezone.now()
    same = ScorerLink.objects.filter(pk=link.pk, generation=link.generation, revoked_at=None)
    if not same.filter(expires_at__gt=now).update(last_used_at=now):
        raise Conflict("link-ended", _("The organiser ended this link, or its time is over. Ask for a new one."))
