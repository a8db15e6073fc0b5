"""Load clubs and their objects with the right that the request needs."""

from dataclasses import dataclass
from typing import NamedTuple

import structlog
from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from league.access.members import public_name
from league.access.rights import CLUB_RIGHTS, MEMBER, OWNER, STRANGER, InClub, open_to_all
from league.access.tournaments import runs, tournaments_naming, tournaments_of
from league.access.viewer import Viewer
from league.models import (
    Club,
    ClubInvitation,
    ClubLogEntry,
    ClubRole,
    ListImport,
    Merge,
    Player,
    Season,
    Team,
    Tournament,
    User,
)


@dataclass(frozen=True)
class ClubAccess:
    """A club as one viewer may see and change it. `me`: the member connected with their account."""

    club: Club
    viewer: Viewer
    roles: frozenset[str]
    rights: frozenset[InClub]
    me: Player | None = None

    def may(self, right: InClub) -> bool:
        return right in self.rights

    @property
    def inside(self) -> bool:
        """Return whether the viewer belongs to the club."""
        return InClub.LOOK in self.rights

    @property
    def manages(self) -> bool:
        return InClub.MEMBERS in self.rights

    @property
    def holds(self) -> bool:
        return InClub.HOLD in self.rights

    def name_of(self, player: Player) -> str:
        """Return the player's name as the viewer may see it on the club's pages."""
        return player.name if self.inside else public_name(player)

    def sees_profile(self, player: Player) -> bool:
        return self.inside or player.profile_is_public

    def tournaments(self) -> QuerySet[Tournament]:
        """Return the club's tournaments that the viewer may find here.

        Helpers see all, members those open to members, strangers public ones; everyone sees their own.
        """
        evenings = Tournament.objects.events().filter(club=self.club)
        if self.roles - {MEMBER, STRANGER}:
            return evenings
        hidden = Tournament.Visibility.PRIVATE
        visible = ~Q(visibility=hidden) if self.inside else Q(visibility=Tournament.Visibility.PUBLIC)
        if not self.viewer.is_authenticated:
            return evenings.filter(visible)
        mine = evenings.filter(played_by(self.me) | Q(pk__in=tournaments_of(self.viewer).values("pk"))).values("pk")
        return evenings.filter(visible | Q(pk__in=mine))

    def evenings_of(self, player: Player) -> QuerySet[Tournament]:
        """Return the visible tournaments in which a member, or their team, is entered."""
        tournaments = Tournament.objects.filter(club=self.club)
        return self.tournaments().filter(pk__in=tournaments.filter(played_by(player)).values("pk"))


def played_by(me: Player | None) -> Q:
    """Return the condition for tournaments in which a member, or their team, is entered."""
    return Q(entries__player=me) | Q(entries__player__team__members__player=me) if me else Q(pk__in=())


def club_for(viewer: Viewer, slug: str, right: InClub | None = None) -> ClubAccess:
    """Load a club by slug. Without a right: for anyone who may see it."""
    club = get_object_or_404(Club.objects.select_related("owner"), slug=slug)
    return access_to_club(viewer, club, right)


def access_to_club(viewer: Viewer, club: Club, right: InClub | None = None) -> ClubAccess:
    """Return a viewer's access to a loaded club. Raises Http404 without the right."""
    structlog.contextvars.bind_contextvars(club=club.slug, user_id=viewer.pk)
    me = None
    if viewer.is_authenticated:
        me = Player.objects.filter(club=club, user_id=viewer.pk, merged_into=None).first()
    roles = _roles_in(viewer, club) | ({MEMBER} if me else frozenset())
    roles = roles or frozenset({STRANGER})
    access = ClubAccess(club, viewer, roles, frozenset().union(*(CLUB_RIGHTS[role] for role in roles)), me)
    if not access.inside and not open_to_all(club):
        raise Http404
    if right is not None and not access.may(right):
        raise Http404
    return access


def _roles_in(viewer: Viewer, club: Club) -> frozenset[str]:
    if not viewer.is_authenticated:
        return frozenset()
    if viewer.pk == club.owner_id or viewer.is_superuser:
        return frozenset({OWNER})
    return frozenset(club.roles.filter(user_id=viewer.pk, revoked_at=None).values_list("kind", flat=True))


class ShownClub(NamedTuple):
    """A club in the header of its tournaments."""

    slug: str
    name: str


def club_of(club_id: int | None, viewer: Viewer | None = None) -> ShownClub | None:
    """Return the club with this key, or None if the viewer may not see it. viewer None: a stranger."""
    club = Club.objects.filter(pk=club_id).first() if club_id is not None else None
    if club is None or not (open_to_all(club) or (viewer and clubs_of(viewer).filter(pk=club.pk).exists())):
        return None
    return ShownClub(club.slug, club.name)


def member_for(viewer: Viewer, slug: str, public_id: str, right: InClub | None = None) -> tuple[ClubAccess, Player]:
    """Load a member of a club; for a merged record, its successor."""
    access = club_for(viewer, slug, right)
    if not public_id.isalnum():
        raise Http404
    people = Player.objects.select_related("user", "merged_into").filter(team=None)
    player = people.filter(public_id=public_id).first()
    while player is not None and player.merged_into_id is not None:
        player = people.get(pk=player.merged_into_id)
    if player is None or player.club_id != access.club.pk:
        raise Http404
    return access, player


def team_for(viewer: Viewer, slug: str, public_id: str, right: InClub) -> tuple[ClubAccess, Team]:
    """Load a team of a club by its public id."""
    access = club_for(viewer, slug, right)
    teams = Team.objects.select_related("player", "club").filter(club=access.club, player__erased_at=None)
    if not public_id.isalnum():
        raise Http404
    return access, get_object_or_404(teams, player__public_id=public_id)


def club_role_for(viewer: Viewer, slug: str, role_id: int, right: InClub | None = None) -> tuple[ClubAccess, ClubRole]:
    """Load a current role."""
    access = club_for(viewer, slug, right)
    return access, get_object_or_404(
        ClubRole.objects.select_related("user", "club"), club=access.club, pk=role_id, revoked_at=None
    )


def club_invitation_for(
    viewer: Viewer, slug: str, invitation_id: int, right: InClub | None = None
) -> tuple[ClubAccess, ClubInvitation]:
    access = club_for(viewer, slug, right)
    return access, get_object_or_404(ClubInvitation, club=access.club, pk=invitation_id)


def merge_for(viewer: Viewer, slug: str, merge_id: int, right: InClub | None = None) -> tuple[ClubAccess, Merge]:
    access = club_for(viewer, slug, right)
    of_club = Q(club=access.club) | Q(kept__club=access.club)
    merges = Merge.objects.select_related("kept", "gone").filter(of_club)
    return access, get_object_or_404(merges, pk=merge_id)


def club_import_for(
    viewer: Viewer, slug: str, import_id: int, right: InClub | None = None
) -> tuple[ClubAccess, ListImport]:
    """Load an added list of members or teams."""
    access = club_for(viewer, slug, right)
    return access, get_object_or_404(ListImport, pk=import_id, club=access.club)


def club_log_row_for(
    viewer: Viewer, slug: str, row_id: int, action: str, right: InClub
) -> tuple[ClubAccess, ClubLogEntry]:
    """Load a row of a club's log about something that this viewer did."""
    access = club_for(viewer, slug, right)
    rows = ClubLogEntry.objects.select_related("club").filter(club=access.club, action=action, by=viewer.pk)
    return access, get_object_or_404(rows, pk=row_id)


def season_for(viewer: Viewer, slug: str, season_slug: str, right: InClub | None = None) -> tuple[ClubAccess, Season]:
    """Load a season by slug, with its previous and next seasons."""
    seasons = Season.objects.select_related("club__owner", "before", "after")
    season = get_object_or_404(seasons, club__slug=slug, slug=season_slug)
    return access_to_club(viewer, season.club, right), season


def clubs_of(viewer: Viewer) -> QuerySet[Club]:
    """Return the clubs a viewer owns, has a role in or belongs to, by name."""
    if not viewer.is_authenticated:
        return Club.objects.none()
    as_member = Player.objects.filter(user_id=viewer.pk, merged_into=None).exclude(club=None).values("club_id")
    return Club.objects.filter(_with_role(viewer) | Q(pk__in=as_member)).order_by("name", "pk")


def clubs_to_hold_in(viewer: Viewer) -> QuerySet[Club]:
    """Return the clubs in which a viewer may run tournaments, by name."""
    return clubs_with(viewer, InClub.HOLD)


def may_erase(viewer: Viewer, player: Player) -> bool:
    """Return whether the viewer runs every tournament that names the person, and manages the members of their club."""
    if player.club is not None and not keeps_members(viewer, player.club):
        return False
    return all(runs(viewer, tournament) for tournament in tournaments_naming(player.pk))


def keeps_members(viewer: Viewer, club: Club) -> bool:
    """Return whether the viewer may add, change and remove members of the club."""
    return clubs_with(viewer, InClub.MEMBERS).filter(pk=club.pk).exists()


def clubs_with(viewer: Viewer, right: InClub) -> QuerySet[Club]:
    """Return the clubs in which the viewer's role has a right, by name."""
    if not viewer.is_authenticated:
        return Club.objects.none()
    kinds = [role for role, rights in CLUB_RIGHTS.items() if right in rights]
    return Club.objects.filter(_with_role(viewer, kinds)).order_by("name", "pk")


def _with_role(viewer: User, kinds: list[str] | None = None) -> Q:
    roles = ClubRole.objects.filter(user_id=viewer.pk, revoked_at=None)
    if kinds is not None:
        roles = roles.filter(kind__in=kinds)
    return Q(owner=viewer.pk) | Q(pk__in=roles.values("club_id"))
