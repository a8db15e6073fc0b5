"""Pages of helpers and invitations as values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.access import clubs_with
from league.access.rights import RIGHTS, InClub, club_meanings_of, meanings_of
from league.access.viewer import Viewer
from league.lib.translate import label_text
from league.lib.wall_time import when
from league.models import Club, ClubInvitation, ClubRole, Tournament, User
from league.pages.confirm import Confirmation, Way
from league.roles.roles import AnyInvitation, AnyRole, kinds_in, living_roles, open_invitations, place_of


@dataclass(frozen=True)
class RoleLine:
    """A role of an account. take_back: address of a button."""

    role: AnyRole
    take_back: str


@dataclass(frozen=True)
class InvitationLine:
    """An open invitation.

    title: role or member, with the player. name: without the player. revoke: address of a button.
    """

    invitation: AnyInvitation
    title: str
    name: str
    revoke: str


@dataclass(frozen=True)
class ThroughClub:
    """Roles in a tournament's club. address: of the club's helpers, for viewers who may invite there."""

    club: Club
    roles: Sequence[ClubRole]
    address: str


@dataclass(frozen=True)
class HelpersPage:
    """Roles, open invitations, and rights of each role in a tournament or club.

    reach: where the roles apply, if not only here. codes: address of the codes for scorers, or "".
    """

    owner: User
    zone: ZoneInfo
    reach: str
    roles: Sequence[RoleLine]
    through_club: ThroughClub | None
    invitations: Sequence[InvitationLine]
    codes: str
    meanings: Sequence[tuple[str | Promise, Sequence[str | Promise]]]


def helpers_page(place: Tournament | Club, viewer: Viewer) -> HelpersPage:
    roles, through_club, codes = living_roles(place), None, ""
    if isinstance(place, Club):
        take_back, revoke = "take_back_club_role", "revoke_club_invitation"
        reach = _("in all tournaments of the club")
    else:
        take_back, revoke, reach = "take_back_role", "revoke_invitation", ""
        through_club = _through_club(place.club, viewer) if place.club else None
        codes = reverse("scorers", args=[place.slug])
    return HelpersPage(
        owner=place.owner,
        zone=place.zone,
        reach=reach,
        roles=[RoleLine(role, reverse(take_back, args=[place.slug, role.pk])) for role in roles],
        through_club=through_club,
        invitations=[
            InvitationLine(invitation, *_words_of(invitation), revoke=reverse(revoke, args=[place.slug, invitation.pk]))
            for invitation in _invitations(place)
        ],
        codes=codes,
        meanings=[(kind.label, _meanings(place, kind)) for kind in kinds_in(place)],
    )


def _through_club(club: Club, viewer: Viewer) -> ThroughClub:
    may_invite = clubs_with(viewer, InClub.INVITE).filter(pk=club.pk).exists()
    return ThroughClub(club, living_roles(club), reverse("club_people", args=[club.slug]) if may_invite else "")


def _invitations(place: Tournament | Club) -> QuerySet[Any]:
    whose = "player" if isinstance(place, Club) else "entry__player"
    return open_invitations(place).select_related(whose, "created_by")


def _words_of(invitation: AnyInvitation) -> tuple[str, str]:
    """Return title and name of an `InvitationLine`."""
    kind = invitation.get_kind_display()
    if isinstance(invitation, ClubInvitation):
        if invitation.player is None:
            return kind, kind
        name = invitation.player.name
        return _("Member %(name)s") % {"name": name}, name
    return label_text(kind, invitation.entry.name) if invitation.entry else kind, kind


def _meanings(place: Tournament | Club, kind: str) -> list[str | Promise]:
    """Return the rights of a role as sentences."""
    if not isinstance(place, Club):
        return meanings_of(kind)
    if RIGHTS[kind] == RIGHTS[ClubRole.Kind.ORGANISER]:
        return [*club_meanings_of(kind), _("Everything in all its tournaments")]
    in_each = [_("In all its tournaments: %(what)s") % {"what": meaning} for meaning in meanings_of(kind)]
    return [*club_meanings_of(kind), *in_each]


@dataclass(frozen=True)
class Offer:
    """An invitation to accept.

    where: tournament or club. lead: text above `lines`.
    """

    title: str
    where: str
    heading: str
    plays_as: str
    lead: str
    lines: Sequence[str | Promise]
    invited_by: str
    button: str


def offer_of(invitation: AnyInvitation) -> Offer:
    place, maker = place_of(invitation), invitation.created_by
    where = [place.name, place.place] if isinstance(place, Club) else [place.name, place.place, when(place)]
    entry = None if isinstance(invitation, ClubInvitation) else invitation.entry
    member = invitation.player if isinstance(invitation, ClubInvitation) else None
    if member is not None:
        title, heading, lead = _("Are you %(name)s?") % {"name": member.name}, _("What you get"), ""
        lines: list[str | Promise] = [
            _("All your tournaments in this club on one page"),
            _("Your table in its tournaments, without a link"),
            _("You choose what strangers see"),
        ]
    else:
        title, lead = _("Invitation"), _("You’ll be able to:")
        heading = _("Your role: %(role)s") % {"role": invitation.get_kind_display()}
        lines = _meanings(place, invitation.kind)
    return Offer(
        title=title,
        where=", ".join(part for part in where if part),
        heading=heading,
        plays_as=_("You play as %(name)s.") % {"name": entry.name} if entry else "",
        lead=lead,
        lines=lines,
        invited_by=_("Invited by %(who)s.") % {"who": maker} if maker else "",
        button=_("Yes, that is me") if member else _("Accept the invitation"),
    )


def give_up_question(role: AnyRole) -> Confirmation:
    """Confirm before viewers give up their own role: they may lose access to the page."""
    place, about = place_of(role), {"role": role.get_kind_display()}
    if isinstance(place, Club):
        url, back = "take_back_club_role", "club_people"
        text = _("You lose this role in the club and all its tournaments. The owner, %(owner)s, can invite you again.")
    else:
        url, back = "take_back_role", "people"
        text = _("You lose this role, perhaps also access to this page. The owner, %(owner)s, can invite you again.")
    return Confirmation(
        title=_("Give up your role: %(role)s?") % about,
        text=text % {"owner": place.owner},
        ways=(Way(_("Keep it"), reverse(back, args=[place.slug])),),
        button=_("Give up: %(role)s") % about,
        hidden=(("sure", "yes"),),
        url=reverse(url, args=[place.slug, role.pk]),
    )
