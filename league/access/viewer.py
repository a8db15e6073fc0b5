"""Rights of a viewer in a tournament, by roles and held player links."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

import structlog
from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet, Value
from django.http import Http404

from league.access.rights import OWNER, PLAYER_LINK, RIGHTS, STRANGER, Can, open_to_all
from league.models import (
    Club,
    ClubRole,
    Entry,
    HandScore,
    Role,
    Round,
    ScorerLink,
    SignUp,
    Table,
    TeamMember,
    Tournament,
    User,
)

Viewer = User | AnonymousUser
PlayerUse = tuple[str, int]  # public id, and generation of the exchanged link
LinkUse = tuple[int, int]  # key of a scorer link, and exchanged generation


@dataclass(frozen=True)
class Attribution:
    """Author of a change: an account, or the holder of a scorer or player link; without any, the service.

    Next to an account, `player` is the entry it plays as. `source` and `corrects` matter only for hands.
    """

    user: User | None = None
    link: ScorerLink | None = None
    player: Entry | None = None
    sign_up: SignUp | None = None  # a sign-up, with or without a place
    source: str = HandScore.Source.ORGANISER
    corrects: bool = True  # may correct hands, so their entries need no confirmation

    @property
    def player_id(self) -> str:
        """Return the public id of the player who makes the change, for the log; "" for none."""
        player = self.player or self.sign_up
        return player.public_id if player else ""


@dataclass(frozen=True, eq=False)
class Visitor:
    """The author of a request: an account or an anonymous user, and the links exchanged in the session.

    players: of opened player links, latest first. links: scorer links. Their validity is read each time, roles only
    once, so a visitor must not outlive its request (`visitor_of`). in_browser: False for a program, which acts for its
    account and never as a player.
    """

    account: Viewer
    players: tuple[PlayerUse, ...] = ()
    links: tuple[LinkUse, ...] = ()
    in_browser: bool = True
    _roles: dict[int, frozenset[str]] = field(default_factory=dict, repr=False)

    def roles_in(self, tournament: Tournament) -> frozenset[str]:
        if tournament.pk not in self._roles:
            self._roles[tournament.pk] = roles_of(self.account, tournament)
        return self._roles[tournament.pk]

    def without_links(self) -> "Visitor":
        return replace(self, players=(), links=())


def as_visitor(viewer: Viewer | Visitor) -> Visitor:
    """Return a visitor; an account without links is one too."""
    return viewer if isinstance(viewer, Visitor) else Visitor(viewer, in_browser=False)


@dataclass(frozen=True)
class Access:
    """A tournament as one viewer may see and change it.

    link: scorer link that grants access, if any. entry: player whose link or role it is.
    """

    tournament: Tournament
    roles: frozenset[str]
    rights: frozenset[Can]
    link: ScorerLink | None = None
    entry: Entry | None = None

    def may(self, right: Can) -> bool:
        return right in self.rights

    @property
    def organises(self) -> bool:
        return Can.RUN in self.rights

    @property
    def records(self) -> bool:
        return Can.RECORD in self.rights

    @property
    def corrects(self) -> bool:
        return Can.CORRECT in self.rights

    @property
    def checks_in(self) -> bool:
        return Can.CHECK_IN in self.rights

    @property
    def sees_drafts(self) -> bool:
        return Can.SEE_DRAFTS in self.rights

    def rounds(self) -> QuerySet[Round]:
        """Return the living rounds; without the right to see drafts, only published ones."""
        rounds = self.tournament.rounds.all()
        return rounds.living() if self.sees_drafts else rounds.shown()


def access_to(viewer: Viewer | Visitor, tournament: Tournament, right: Can | None = None) -> Access:
    """Return a viewer's access to a loaded tournament. Raises Http404 without the right.

    The holder of a player link may see the tournament even if it is private.
    """
    visitor = as_visitor(viewer)
    note_in_log(visitor.account, tournament.slug)
    roles = visitor.roles_in(tournament)
    if visitor.players and not open_to_all(tournament) and entries_held(visitor, tournament):
        roles |= {PLAYER_LINK}
    access = Access(tournament, roles, frozenset().union(*(RIGHTS[role] for role in roles)))
    if not access.may(Can.LOOK) and not open_to_all(tournament):
        raise Http404
    if right is not None and not access.may(right):
        raise Http404
    return access


def note_in_log(viewer: Viewer, slug: str) -> None:
    """Add tournament and account to the log lines of this request."""
    structlog.contextvars.bind_contextvars(tournament=slug, user_id=viewer.pk)


def roles_of(viewer: Viewer, tournament: Tournament) -> frozenset[str]:
    """Return the viewer's roles. Casual tables give none, or their host could open the other players' links."""
    if not viewer.is_authenticated or tournament.is_casual:
        return frozenset({STRANGER})
    if viewer.pk == tournament.owner_id or viewer.is_superuser:
        return frozenset({OWNER})
    kinds = Role.objects.filter(tournament=tournament, user_id=viewer.pk, revoked_at=None).values_list(
        "kind", flat=True
    )
    if tournament.club_id is not None:
        kinds = kinds.union(*_kinds_by_club(viewer, tournament))
    return frozenset(kinds) or frozenset({STRANGER})


def _kinds_by_club(viewer: User, tournament: Tournament) -> Iterator[QuerySet[Any, str]]:
    """Yield a user's roles in a club's tournament: by club role, and as a member."""
    yield ClubRole.objects.filter(club=tournament.club_id, user_id=viewer.pk, revoked_at=None).values_list(
        "kind", flat=True
    )
    yield Club.objects.filter(owner_id=viewer.pk, tournaments=tournament).values_list(Value(OWNER), flat=True)
    mine = Entry.objects.filter(tournament=tournament).filter(claimed_by(viewer)).order_by()
    yield mine.values_list(Value(str(Role.Kind.PLAYER)), flat=True)


def claimed_by(viewer: User) -> Q:
    """Return the condition for entries of this account's member, or of their teams, in the member's club."""
    member_of = TeamMember.objects.filter(player__user_id=viewer.pk, player__club_id=F("team__club_id"))
    clubs = member_of.values("team__club_id")
    in_team = Q(player__in=member_of.values("team__player"), tournament__club__in=clubs)
    return Q(player__user_id=viewer.pk, player__club_id=F("tournament__club_id")) | in_team


def entries_held(viewer: Viewer | Visitor, tournament: Tournament) -> list[Entry]:
    """Return the viewer's entries in a tournament: by valid player links in the session, and by roles."""
    return _own_entries(as_visitor(viewer), tournament.entries.all())


def entries_held_at(visitor: Visitor, table: Table) -> list[Entry]:
    """Return the visitor's entries at a table, by seat."""
    seated = table.round.tournament.entries.filter(seats__table=table).annotate(seat_number=F("seats__number"))
    return sorted(_own_entries(visitor, seated), key=attrgetter("seat_number"))


def players_of(visitor: Visitor) -> list[Entry]:
    """Return the visitor's entries in all tournaments, running ones first, then the latest."""
    order = [Tournament.State.RUNNING, Tournament.State.PLANNED, Tournament.State.CLOSED]
    mine = _own_entries(visitor, Entry.objects.order_by("-tournament__starts_on", "-tournament", "number"))
    return sorted(mine, key=lambda entry: order.index(Tournament.State(entry.tournament.state)))


def _own_entries(visitor: Visitor, entries: QuerySet[Entry]) -> list[Entry]:
    generations, account = dict(visitor.players), visitor.account
    entries = entries.select_related("tournament", "player")
    by_link = [
        entry
        for entry in (entries.filter(public_id__in=generations) if generations else ())
        if generations[entry.public_id] == entry.link_generation
    ]
    if not account.is_authenticated:
        return by_link
    roles = Role.objects.filter(user_id=account.pk, revoked_at=None, kind=Role.Kind.PLAYER)
    events = entries.exclude(tournament__kind=Tournament.Kind.CASUAL)
    by_role = events.filter(Q(roles__in=roles) | claimed_by(account)).distinct()
    return by_link + [entry for entry in by_role if entry not in by_link]


def as_player(viewer: Viewer, entry: Entry, also: frozenset[Can] = frozenset()) -> Access:
    note_in_log(viewer, entry.tournament.slug)
    return Access(entry.tournament, frozenset({PLAYER_LINK}), RIGHTS[PLAYER_LINK] | also, entry=entry)
