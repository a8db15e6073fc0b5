"""Links exchanged for a session: it stores players and scorer links, each with the generation of its link. Every
request checks whether they are still valid.

A phone passed around acts for all players who opened their links in it. A session that may see more than a player acts
at online tables for only one, or it would see two hands of cards: `may_act_for` decides this for the page, its JSON,
the stream and moves, `acts_for_another` for the next opened link. Such sessions have a role in the tournament, score
there by a link, or have seen a player's link.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import Access, Visitor, entries_held, keeps_members, players_of, roles_of
from league.access.members import came_by_merge
from league.access.rights import BEYOND_A_PLAYER
from league.lib.errors import Conflict
from league.models import Entry, Player, Round, ScorerLink, Seat, Table, Tournament

SESSION = "players"  # [[public id, generation of the link], …], latest first
CARDS = "cards"  # {public id of an entry: [public id of a member, generation of the card that opened it]}
LINKS = "scorer_links"  # [[key, generation of the link], …], latest first
SHOWN = "shown_links"  # keys of tournaments whose player links this session has seen, latest first
ACTED = "acted_for"  # {key of a tournament: `Entry.plays_as`}: the player of a restricted session
MOST_HELD = 12
MOST_NOTED = 50  # tournaments in SHOWN, and in ACTED
MOST_CASUAL = 3  # casual tables at a time, so that they don't displace a tournament's link
NAME = "my_name"  # last name used at a casual table


def visitor_of(request: HttpRequest) -> Visitor:
    """Return the visitor of a request, rebuilt when the account or the session's links change.

    Sessions from before scorer links had generations contain bare keys.
    """
    ended = _entries_of_ended_cards(request)
    players = tuple(
        (str(public_id), int(generation))
        for public_id, generation in request.session.get(SESSION, ())
        if public_id not in ended
    )
    links = tuple(
        (item, 1) if isinstance(item, int) else (int(item[0]), int(item[1])) for item in request.session.get(LINKS, ())
    )
    known: Visitor | None = getattr(request, "visitor", None)
    if known is not None and known.account is request.user and (known.players, known.links) == (players, links):
        return known
    visitor = Visitor(request.user, players, links)
    request.visitor = visitor  # type: ignore[attr-defined]
    return visitor


def identity_of(request: HttpRequest, access: Access) -> str:
    """Return the identity a page was rendered for; what a phone stores offline is sent only under the same identity.

    All scorer links share one identity, because a table's new link replaces an ended one.
    """
    if access.link:
        return "link"
    return f"player {access.entry.public_id}" if access.entry else f"account {request.user.pk}"


def forget_visitor(request: HttpRequest) -> None:
    """Reread roles: for a long request, or one that reloads changed data."""
    request.visitor = None  # type: ignore[attr-defined]
    request.ended_cards = None  # type: ignore[attr-defined]


def _entries_of_ended_cards(request: HttpRequest) -> Collection[str]:
    """Return the public ids of entries that this browser opened by a card that no longer works."""
    cards: dict[str, list[Any]] = request.session.get(CARDS) or {}
    if not cards:
        return ()
    known: tuple[dict[str, list[Any]], Collection[str]] | None = getattr(request, "ended_cards", None)
    if known is not None and known[0] == cards:
        return known[1]
    members = Player.objects.filter(public_id__in=[member for member, _generation in cards.values()])
    members = members.filter(merged_into=None, erased_at=None).exclude(club=None)
    valid = dict(members.values_list("public_id", "card_generation"))
    ended = {entry for entry, (member, generation) in cards.items() if valid.get(member) != generation}
    request.ended_cards = {**cards}, ended  # type: ignore[attr-defined]
    return ended


def hold_link(request: HttpRequest, link: ScorerLink) -> None:
    """Let this browser score by this link too."""
    others = [list(pair) for pair in visitor_of(request).links if pair[0] != link.pk]
    request.session[LINKS] = [[link.pk, link.generation], *others][:MOST_HELD]


def hold(request: HttpRequest, entry: Entry, *, instead_of: Collection[str] = ()) -> None:
    """Let this browser act for this player too, and no longer for those in `instead_of` (public ids)."""
    others = [list(pair) for pair in visitor_of(request).players if pair[0] not in (entry.public_id, *instead_of)]
    request.session[SESSION] = [[entry.public_id, entry.link_generation], *others][:MOST_HELD]
    if cards := request.session.get(CARDS):
        held = {pair[0] for pair in others}
        request.session[CARDS] = {opened: card for opened, card in cards.items() if opened in held}


def hold_own(request: HttpRequest, entry: Entry) -> None:
    """Like `hold`, for an opened player link. A session that may act for only one player drops the others."""
    others: list[str] = []
    if _sees_more(request, entry.tournament, roles_of(request.user, entry.tournament)):
        others = [public_id for public_id in _opened_players(request, entry.tournament) if public_id != entry.public_id]
    hold(request, entry, instead_of=others)


def hold_by_card(request: HttpRequest, entry: Entry, member: Player) -> None:
    """Like `hold_own`, for an entry opened by a member's card, until the card is renewed."""
    hold_own(request, entry)
    card = [member.public_id, member.card_generation]
    request.session[CARDS] = {**request.session.get(CARDS, {}), entry.public_id: card}


def remember_shown_link(request: HttpRequest, tournament: Tournament) -> None:
    """Record that this session has seen players' links of a tournament.

    Signing out keeps the record (league/accounts/adapter.py).
    """
    keys = [key for key in request.session.get(SHOWN, []) if key != tournament.pk]
    request.session[SHOWN] = [tournament.pk, *keys][:MOST_NOTED]


def may_claim(request: HttpRequest, player: Player) -> bool:
    """Return whether this browser may claim a member who has no account."""
    mine = players_of(visitor_of(request)) if player.user_id is None else []
    return any(entry.player_id == player.pk and _is_member(request, entry) for entry in mine)


def member_to_claim(request: HttpRequest, club_slug: str, public_id: str) -> Player:
    """Return the member this browser may claim, even in a private club. Raises Http404."""
    for entry in players_of(visitor_of(request)):
        club = entry.tournament.club
        here = club is not None and club.slug == club_slug and entry.player.public_id == public_id
        if here and _is_member(request, entry):
            return entry.player
    raise Http404


def _is_member(request: HttpRequest, entry: Entry) -> bool:
    """Return whether an entry held by this browser makes it a member of the entry's club.

    A merged entry doesn't: its link went to the person who signed up. Links of other players seen in the tournament
    don't count either, unless the account manages the club's members. Nor do entries
    opened by a card, which anyone may find.
    """
    club, evening = entry.tournament.club, entry.tournament
    if club is None or entry.player.club_id != club.pk or came_by_merge(entry):
        return False
    if entry.public_id in request.session.get(CARDS, {}):
        return False
    return not _sees_more(request, evening, roles_of(request.user, evening)) or keeps_members(request.user, club)


def acts_for_another(request: HttpRequest, entry: Entry) -> Entry | None:
    """Return the only player this session acts for in the tournament, if not `entry`, whose link is opened.

    Scorers may still hold several players' links: most of their tables have real cards.
    """
    tournament = entry.tournament
    if not _sees_more(request, tournament, roles_of(request.user, tournament)):
        return None
    only = _acting_for(request, tournament).partition(".")[0] or _first_player(request, tournament)
    return tournament.entries.select_related("player").filter(public_id=only).exclude(pk=entry.pk).first()


def may_act_for(request: HttpRequest, access: Access, mine: Sequence[Entry]) -> list[Entry]:
    """Return the entries at this table that the visitor controls: all, or one if the session is restricted."""
    if not mine or not _acts_alone(request, access):
        return list(mine)
    if acted := _acting_for(request, access.tournament):
        return [entry for entry in mine if entry.plays_as == acted]
    only = _first_player(request, access.tournament)
    return [entry for entry in mine if entry.public_id == only]


def must_act_first(request: HttpRequest, access: Access, entry: Entry) -> bool:
    """Return whether a restricted session hasn't started to act for this player (`act_for`)."""
    return _acting_for(request, access.tournament) != entry.plays_as and _acts_alone(request, access)


def act_for(request: HttpRequest, access: Access, entry: Entry) -> None:
    """Record that an online table was shown to this player: a restricted session is now theirs.

    So it can't act for another player later, nor for both members of a team.
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
    """Return the account's player, else the player whose link was opened first (public id); "" for none."""
    own = entries_held(request.user, tournament)
    if own:
        return min(own, key=lambda entry: entry.pk).public_id
    return next(iter(_opened_players(request, tournament)), "")


def _opened_players(request: HttpRequest, tournament: Tournament) -> list[str]:
    """Return the public ids of a tournament's players whose links were opened, in order."""
    public_ids = [public_id for public_id, _generation in reversed(visitor_of(request).players)]
    here = set(tournament.entries.filter(public_id__in=public_ids).values_list("public_id", flat=True))
    return [public_id for public_id in public_ids if public_id in here]


def hold_seat(request: HttpRequest, entry: Entry, *, instead_of: Collection[str] = ()) -> None:
    """Let this browser act for this player of a casual table. Drops finished and surplus tables."""
    casual = Entry.objects.filter(
        public_id__in=[public_id for public_id, _generation in visitor_of(request).players],
        tournament__kind=Tournament.Kind.CASUAL,
    )
    over = [*casual.filter(tournament__state=Tournament.State.CLOSED).values_list("public_id", flat=True)]
    going_on = casual.exclude(tournament__state=Tournament.State.CLOSED).order_by("-pk")
    too_many = [*going_on.values_list("public_id", flat=True)[MOST_CASUAL - 1 :]]
    hold(request, entry, instead_of=[*instead_of, *over, *too_many])
    request.session[NAME] = entry.player.name
    request.session.cycle_key()  # invalidate the old session key


def default_name(request: HttpRequest) -> str:
    """Return the last name used at a casual table, else the account's name."""
    return str(request.session.get(NAME) or (request.user.name if request.user.is_authenticated else ""))


class MyTable(NamedTuple):
    """A player of this browser or account. seat: None between rounds; without a table for a bye."""

    entry: Entry
    seat: Seat | None


def online_seat(entry: Entry) -> Seat | None:
    """Return a player's current seat at an online table."""
    seats = Seat.objects.filter(
        entry=entry, table__mode=Table.Mode.ONLINE, round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING)
    )
    return seats.select_related("round", "table", "entry").order_by("round__number").first()


def my_online_seat(request: HttpRequest, access: Access) -> Seat | None:
    """Return this browser's or account's current seat at an online table."""
    mine = entries_held(visitor_of(request), access.tournament)
    return next((seat for seat in map(online_seat, mine) if seat is not None), None)


def my_tables(request: HttpRequest) -> list[MyTable]:
    """Return all players of this browser or account, running tournaments first. At most two queries."""
    mine = players_of(visitor_of(request))
    if not mine:
        return []
    seats = Seat.objects.filter(entry__in=mine, round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    # the earliest open round wins
    now = {seat.entry_id: seat for seat in seats.select_related("round__stage", "table").order_by("-round__number")}
    return [MyTable(entry, now.get(entry.pk)) for entry in mine]


def use_link(link: ScorerLink) -> None:
    """Record the use of a link. Raises `Conflict("link-ended")` if it was revoked or has expired."""
    now = timezone.now()
    same = ScorerLink.objects.filter(pk=link.pk, generation=link.generation, revoked_at=None)
    if not same.filter(expires_at__gt=now).update(last_used_at=now):
        raise Conflict("link-ended", _("This link was turned off or has expired. Ask for a new one."))
