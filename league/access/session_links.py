"""What a browser has exchanged links for: its session has the players that it is and the scorer's links that it used,
each with the generation of its link. league.access checks with every request whether they still hold.

A phone that is passed round is all the players who opened their links in it. But a session that may do more than a
player acts at online tables for one of them alone, or it would see the cards of two: `may_act_for` decides for the
page, its JSON, the stream and moves, `acts_for_another` for the next link that is opened. Such sessions are those of
accounts with a role in the tournament, those that score there by a link, and those that were shown a player's link.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import Access, Visitor, entries_held, keeps_members, players_of, roles_of
from league.access.members import came_by_merge
from league.access.rights import BEYOND_A_PLAYER
from league.lib.errors import Conflict
from league.models import Entry, Player, Round, ScorerLink, Seat, Table, Tournament

SESSION = "players"  # [[public id, generation of the link], …], the latest first
LINKS = "scorer_links"  # [[key, generation of the link], …], the latest first
SHOWN = "shown_links"  # the keys of tournaments whose players' links this session was shown, the latest first
ACTED = "acted_for"  # {key of a tournament: `Entry.plays_as`}: the one for whom a session that acts for one alone acted
MOST_HELD = 12
MOST_NOTED = 50  # tournaments in SHOWN, and in ACTED
MOST_CASUAL = 3  # casual tables at once, so that they never push out the link of an evening
NAME = "my_name"  # the name that somebody last had at a casual table


def visitor_of(request: HttpRequest) -> Visitor:
    """Who asks: made once a request, and again when the account or the session's links have changed since.

    Sessions from before scorer's links had generations have bare keys.
    """
    players = tuple((str(public_id), int(generation)) for public_id, generation in request.session.get(SESSION, ()))
    links = tuple(
        (item, 1) if isinstance(item, int) else (int(item[0]), int(item[1])) for item in request.session.get(LINKS, ())
    )
    known: Visitor | None = getattr(request, "visitor", None)
    if known is not None and known.account is request.user and (known.players, known.links) == (players, links):
        return known
    visitor = Visitor(request.user, players, links)
    request.visitor = visitor  # type: ignore[attr-defined]
    return visitor


def forget_visitor(request: HttpRequest) -> None:
    """Let the roles be read again: for a request that lasts, or that loads anew what has changed meanwhile."""
    request.visitor = None  # type: ignore[attr-defined]


def hold_link(request: HttpRequest, link: ScorerLink) -> None:
    """From now on this browser scores by this link too."""
    others = [list(pair) for pair in visitor_of(request).links if pair[0] != link.pk]
    request.session[LINKS] = [[link.pk, link.generation], *others][:MOST_HELD]


def hold(request: HttpRequest, entry: Entry, *, instead_of: Collection[str] = ()) -> None:
    """From now on this browser is this player too, and those with the public ids `instead_of` no more."""
    others = [list(pair) for pair in visitor_of(request).players if pair[0] not in (entry.public_id, *instead_of)]
    request.session[SESSION] = [[entry.public_id, entry.link_generation], *others][:MOST_HELD]


def hold_own(request: HttpRequest, entry: Entry) -> None:
    """As `hold`, for whoever opened the player's own link. A session that may be one player alone gives up others."""
    others: list[str] = []
    if _sees_more(request, entry.tournament, roles_of(request.user, entry.tournament)):
        others = [public_id for public_id in _opened_players(request, entry.tournament) if public_id != entry.public_id]
    hold(request, entry, instead_of=others)


def remember_shown_link(request: HttpRequest, tournament: Tournament) -> None:
    """Remember that this session was shown a player's own link, or several.

    Signing out does not make it forget that (league/accounts/adapter.py).
    """
    keys = [key for key in request.session.get(SHOWN, []) if key != tournament.pk]
    request.session[SHOWN] = [tournament.pk, *keys][:MOST_NOTED]


def may_claim(request: HttpRequest, player: Player) -> bool:
    """Whether nobody has claimed this member of a club yet, and this browser may."""
    mine = players_of(visitor_of(request)) if player.user_id is None else []
    return any(entry.player_id == player.pk and _is_member(request, entry) for entry in mine)


def member_to_claim(request: HttpRequest, club_slug: str, public_id: str) -> Player:
    """The member of a club whom this browser may claim, also where the club is private. Raises Http404."""
    for entry in players_of(visitor_of(request)):
        club = entry.tournament.club
        here = club is not None and club.slug == club_slug and entry.player.public_id == public_id
        if here and _is_member(request, entry):
            return entry.player
    raise Http404


def _is_member(request: HttpRequest, entry: Entry) -> bool:
    """Whether an entry that this browser is makes it a member of the club whose evening that is.

    An entry that an organiser joined with the member doesn't: its link was given to the one who signed up. A session
    that sees more in the evening got other players' links there, so by these it is nobody, unless its account keeps the
    club's members anyway.
    """
    club, evening = entry.tournament.club, entry.tournament
    if club is None or entry.player.club_id != club.pk or came_by_merge(entry):
        return False
    return not _sees_more(request, evening, roles_of(request.user, evening)) or keeps_members(request.user, club)


def acts_for_another(request: HttpRequest, entry: Entry) -> Entry | None:
    """The only player for whom this session acts in this tournament, if that is not `entry`, whose link is opened.

    Whoever scores by a link may still hold several players' links: most of their tables have real cards.
    """
    tournament = entry.tournament
    if not _sees_more(request, tournament, roles_of(request.user, tournament)):
        return None
    only = _acting_for(request, tournament).partition(".")[0] or _first_player(request, tournament)
    return tournament.entries.select_related("player").filter(public_id=only).exclude(pk=entry.pk).first()


def may_act_for(request: HttpRequest, access: Access, mine: Sequence[Entry]) -> list[Entry]:
    """Those of a visitor's players at an online table for whom they may act and see cards: all of them, or the only
    one for whom their session acts."""
    if not mine or not _acts_alone(request, access):
        return list(mine)
    if acted := _acting_for(request, access.tournament):
        return [entry for entry in mine if entry.plays_as == acted]
    only = _first_player(request, access.tournament)
    return [entry for entry in mine if entry.public_id == only]


def must_act_first(request: HttpRequest, access: Access, entry: Entry) -> bool:
    """Whether a session acts for one player alone and has not begun to act for this one (`act_for`)."""
    return _acting_for(request, access.tournament) != entry.plays_as and _acts_alone(request, access)


def act_for(request: HttpRequest, access: Access, entry: Entry) -> None:
    """Note that a page of an online table is made for this player: a session that acts for one alone is now theirs.

    So it cannot act for one player now and for another later, nor for both members of a team.
    """
    if must_act_first(request, access, entry):
        acted = request.session.get(ACTED, {}) | {str(access.tournament.pk): entry.plays_as}
        request.session[ACTED] = dict([*acted.items()][-MOST_NOTED:])


def _acts_alone(request: HttpRequest, access: Access) -> bool:
    tournament, generations = access.tournament, dict(visitor_of(request).links)
    if _sees_more(request, tournament, access.roles):
        return True
    links = ScorerLink.objects.filter(tournament=tournament, pk__in=generations) if generations else ()
    return any(link.holds and link.generation == generations[link.pk] for link in links)


def _sees_more(request: HttpRequest, tournament: Tournament, roles: frozenset[str]) -> bool:
    return not roles.isdisjoint(BEYOND_A_PLAYER) or tournament.pk in request.session.get(SHOWN, [])


def _acting_for(request: HttpRequest, tournament: Tournament) -> str:
    return str(request.session.get(ACTED, {}).get(str(tournament.pk), ""))


def _first_player(request: HttpRequest, tournament: Tournament) -> str:
    """The public id of the account's own player, else of the player whose link was opened first; empty for none."""
    own = entries_held(request.user, tournament)
    if own:
        return min(own, key=lambda entry: entry.pk).public_id
    return next(iter(_opened_players(request, tournament)), "")


def _opened_players(request: HttpRequest, tournament: Tournament) -> list[str]:
    """The public ids of a tournament's players whose links were opened, in the order of opening."""
    public_ids = [public_id for public_id, _generation in reversed(visitor_of(request).players)]
    here = set(tournament.entries.filter(public_id__in=public_ids).values_list("public_id", flat=True))
    return [public_id for public_id in public_ids if public_id in here]


def hold_seat(request: HttpRequest, entry: Entry, *, instead_of: Collection[str] = ()) -> None:
    """From now on this browser is this player of a casual table. It forgets tables that are over or too many."""
    casual = Entry.objects.filter(
        public_id__in=[public_id for public_id, _generation in visitor_of(request).players],
        tournament__kind=Tournament.Kind.CASUAL,
    )
    over = [*casual.filter(tournament__state=Tournament.State.CLOSED).values_list("public_id", flat=True)]
    going_on = casual.exclude(tournament__state=Tournament.State.CLOSED).order_by("-pk")
    too_many = [*going_on.values_list("public_id", flat=True)[MOST_CASUAL - 1 :]]
    hold(request, entry, instead_of=[*instead_of, *over, *too_many])
    request.session[NAME] = entry.player.name
    request.session.cycle_key()  # whoever knew this browser's session before cannot be this player with it


def default_name(request: HttpRequest) -> str:
    """The name that somebody last had at a casual table, else the name of their account."""
    return str(request.session.get(NAME) or (request.user.name if request.user.is_authenticated else ""))


class MyTable(NamedTuple):
    """A player who this browser or account is; `seat` is None between rounds, and has no table for a bye."""

    entry: Entry
    seat: Seat | None


def online_seat(entry: Entry) -> Seat | None:
    """The seat at which somebody plays online now."""
    seats = Seat.objects.filter(
        entry=entry, table__mode=Table.Mode.ONLINE, round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING)
    )
    return seats.select_related("round", "table", "entry").order_by("round__number").first()


def my_online_seat(request: HttpRequest, access: Access) -> Seat | None:
    """The seat at which this browser or account plays online now in a tournament."""
    mine = entries_held(visitor_of(request), access.tournament)
    return next((seat for seat in map(online_seat, mine) if seat is not None), None)


def my_tables(request: HttpRequest) -> list[MyTable]:
    """Everybody who this browser or account is, in tournaments that go on first; two queries, or none for nobody."""
    mine = players_of(visitor_of(request))
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
