"""What the page of helpers and the page behind an invitation show, ready to lay out."""

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
    """A role that somebody has. take_back: the address of a button."""

    role: AnyRole
    take_back: str


@dataclass(frozen=True)
class InvitationLine:
    """An invitation that nobody took yet.

    title: the role or member it is for, and as whom they play. name: without the latter. revoke: the address of a
    button.
    """

    invitation: AnyInvitation
    title: str
    name: str
    revoke: str


@dataclass(frozen=True)
class ThroughClub:
    """Who has a role in the club of a tournament. address: of the club's helpers, for viewers who may invite there."""

    club: Club
    roles: Sequence[ClubRole]
    address: str


@dataclass(frozen=True)
class Aside:
    """Who needs no role."""

    title: str
    text: str
    way: Way


@dataclass(frozen=True)
class HelpersPage:
    """Who has which role in a tournament or club, who is invited, and what each role may do.

    reach: where the roles hold, if that is not only here. nobody: says so where no account has a role.
    """

    owner: User
    zone: ZoneInfo
    reach: str
    roles: Sequence[RoleLine]
    nobody: str
    through_club: ThroughClub | None
    invitations: Sequence[InvitationLine]
    aside: Aside
    meanings: Sequence[tuple[str | Promise, Sequence[str | Promise]]]


def helpers_page(place: Tournament | Club, viewer: Viewer) -> HelpersPage:
    roles, through_club = living_roles(place), None
    if isinstance(place, Club):
        take_back, revoke = "take_back_club_role", "revoke_club_invitation"
        reach = _("in all evenings of the club")
        nobody = _(
            "Nobody else yet. Invite whoever runs evenings with you: they need no invitation to each of them any more."
        )
        aside = Aside(
            _("Members"),
            _(
                "Who plays needs no role. Each member can be invited to connect an account with their evenings: under"
                " Players, Edit."
            ),
            Way(_("To the players"), reverse("members", args=[place.slug])),
        )
    else:
        take_back, revoke, reach = "take_back_role", "revoke_invitation", ""
        through_club = _through_club(place.club, viewer) if place.club else None
        nobody = _("Nobody else yet. Invite a scorer for each table, or somebody who runs the evening with you.")
        aside = Aside(
            _("Scorers without an account"),
            _("A code on each table: whoever scans it enters that table’s hands on their own phone."),
            Way(_("Codes for scorers"), reverse("scorers", args=[place.slug])),
        )
    return HelpersPage(
        owner=place.owner,
        zone=place.zone,
        reach=reach,
        roles=[RoleLine(role, reverse(take_back, args=[place.slug, role.pk])) for role in roles],
        nobody="" if roles or (through_club and through_club.roles) else nobody,
        through_club=through_club,
        invitations=[
            InvitationLine(invitation, *_words_of(invitation), revoke=reverse(revoke, args=[place.slug, invitation.pk]))
            for invitation in _invitations(place)
        ],
        aside=aside,
        meanings=[(kind.label, _meanings(place, kind)) for kind in kinds_in(place)],
    )


def _through_club(club: Club, viewer: Viewer) -> ThroughClub:
    may_invite = clubs_with(viewer, InClub.INVITE).filter(pk=club.pk).exists()
    return ThroughClub(club, living_roles(club), reverse("club_people", args=[club.slug]) if may_invite else "")


def _invitations(place: Tournament | Club) -> QuerySet[Any]:
    whose = "player" if isinstance(place, Club) else "entry__player"
    return open_invitations(place).select_related(whose, "created_by")


def _words_of(invitation: AnyInvitation) -> tuple[str, str]:
    """Return the title and the name of an `InvitationLine`."""
    kind = invitation.get_kind_display()
    if isinstance(invitation, ClubInvitation):
        if invitation.player is None:
            return kind, kind
        name = invitation.player.name
        return _("To be %(name)s") % {"name": name}, name
    return label_text(kind, invitation.entry.name) if invitation.entry else kind, kind


def _meanings(place: Tournament | Club, kind: str) -> list[str | Promise]:
    """Return in sentences what a role allows."""
    if not isinstance(place, Club):
        return meanings_of(kind)
    if RIGHTS[kind] == RIGHTS[ClubRole.Kind.ORGANISER]:
        return [*club_meanings_of(kind), _("Everything in each of its tournaments")]
    in_each = [_("In each of its tournaments: %(what)s") % {"what": meaning} for meaning in meanings_of(kind)]
    return [*club_meanings_of(kind), *in_each]


@dataclass(frozen=True)
class Offer:
    """What an invitation offers. Nothing happens before its button is pressed.

    where: the tournament or club. lead: what stands above `lines`.
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
        title, heading, lead = _("Are you %(name)s?") % {"name": member.name}, _("What this changes"), ""
        lines: list[str | Promise] = [
            _("All your evenings in this club stand on one page, with places, points and partners."),
            _("In its evenings you are known by your account: you need no link of your own to find your table."),
            _("You say what strangers see of you. To begin with they do not see that page."),
        ]
    else:
        title, lead = _("You are invited"), _("It allows you to:")
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
    """Ask before the viewer's own role is gone: without it they may lose the page."""
    place, about = place_of(role), {"role": role.get_kind_display()}
    if isinstance(place, Club):
        url, back = "take_back_club_role", "club_people"
        text = _(
            "What this role allows, in the club and in all its evenings, is closed to you from then on. %(owner)s, who"
            " owns the club, can invite you again."
        )
    else:
        url, back = "take_back_role", "people"
        text = _(
            "What this role allows, this page perhaps too, is closed to you from then on. %(owner)s, who owns the"
            " tournament, can invite you again."
        )
    return Confirmation(
        title=_("Give up your role: %(role)s?") % about,
        text=text % {"owner": place.owner},
        ways=(Way(_("Keep it"), reverse(back, args=[place.slug])),),
        button=_("Give up: %(role)s") % about,
        hidden=(("sure", "yes"),),
        url=reverse(url, args=[place.slug, role.pk]),
    )
