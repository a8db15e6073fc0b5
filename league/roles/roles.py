"""Roles in tournaments and clubs: invite, accept, remove.

The caller gets an invitation's secret once. It isn't stored or logged.
"""

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.secrets import (
    DEFAULT_DAYS,
    account_in_log,
    check_open,
    digest_of,
    new_invitation,
    open_ones,
    take_back,
    use_up,
)
from league.access.signed_links import OF_EVENTS
from league.ledger.locks import lock_club, lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import member, note, note_in_club, player_in_log
from league.models import Club, ClubInvitation, ClubRole, Entry, Invitation, Player, Role, Tournament, User
from league.roles.claims import claim
from league.roles.scorer_links import revoke_scorer_links_of

AnyRole = Role | ClubRole
AnyInvitation = Invitation | ClubInvitation


def kinds_in(place: Tournament | Club) -> type[Role.Kind] | type[ClubRole.Kind]:
    """Return the possible roles, in the order of the table of rights."""
    return ClubRole.Kind if isinstance(place, Club) else Role.Kind


def place_of(of: AnyRole | AnyInvitation) -> Tournament | Club:
    """Return the tournament or club of a role or invitation."""
    return of.club if isinstance(of, ClubRole | ClubInvitation) else of.tournament


@transaction.atomic
def invite(
    *,
    to: Tournament | Club,
    kind: str,
    by: User | None,
    email: str = "",
    entry: Entry | None = None,
    days: int = DEFAULT_DAYS,
) -> tuple[AnyInvitation, str]:
    """Create an invitation. Return it with its secret, 192 random bits, which can't be shown again.

    With an e-mail address it works once; without one, until it is revoked or expires. entry: the player, for the role
    Player.
    """
    if kind not in kinds_in(to).values:
        raise Refused("role", _("Choose one of the roles."), fields={"kind": [_("Choose one of the roles.")]})
    if entry is not None and (kind != Role.Kind.PLAYER or entry.tournament_id != to.pk):
        sentence = _("Only an invitation with the role Player can have a player.")
        raise Refused("entry", sentence, fields={"entry": [sentence]})
    if isinstance(to, Club):
        return _save(ClubInvitation(club=to, kind=kind), by, email, days)
    return _save(Invitation(tournament=to, kind=kind, entry=entry), by, email, days)


@transaction.atomic
def invite_member(
    *, player: Player, by: User | None, email: str = "", days: int = DEFAULT_DAYS
) -> tuple[AnyInvitation, str]:
    """Invite an account to claim a member. Works once, and revokes earlier invitations."""
    if player.club is None or player.erased_at is not None or player.merged_into_id is not None:
        raise Conflict("no-member", _("%(name)s isn’t a member of the club.") % {"name": player})
    if player.user_id is not None:
        raise Conflict("claimed", _("%(name)s already has an account.") % {"name": player})
    for earlier in open_ones(ClubInvitation.objects.filter(player=player)):
        revoke_invitation(invitation=earlier, by=by)
    return _save(ClubInvitation(club=player.club, player=player), by, email, days)


def _save(invitation: AnyInvitation, by: User | None, email: str, days: int) -> tuple[AnyInvitation, str]:
    others = open_invitations(place_of(invitation))
    columns, secret = new_invitation(invitations=others, email=email, days=days, by=by)
    for column, value in columns.items():
        setattr(invitation, column, value)
    invitation.save()
    _note(invitation, by, "invite", new=_about(invitation))
    return invitation, secret


def open_invitations(place: Tournament | Club) -> QuerySet[Any]:
    """Return the acceptable invitations, latest first."""
    if isinstance(place, Club):
        return open_ones(ClubInvitation.objects.filter(club=place))
    return open_ones(Invitation.objects.filter(tournament=place))


def invitation_of(secret: str) -> AnyInvitation | None:
    """Return the invitation for a secret; None if forged, expired, revoked or used."""
    digest = digest_of(secret)
    to_events = open_ones(Invitation.objects.filter(OF_EVENTS, digest=digest))
    if invitation := to_events.select_related("tournament", "entry__player", "created_by").first():
        return invitation
    to_clubs = open_ones(ClubInvitation.objects.filter(digest=digest))
    return to_clubs.select_related("club", "player__user", "created_by").first()


@transaction.atomic
def accept(*, invitation: AnyInvitation, user: User) -> AnyRole | Player | None:
    """Grant the invitation's role, or claim its member. Return None for the owner, who needs no role.

    An existing role stays, and the invitation stays open. Raises `Conflict("gone")` if the invitation is no longer
    valid or the role was removed since; `Conflict("taken")` if the player has another account or the account another
    player; and the errors of `claim`.
    """
    invitation = _locked(invitation)
    check_open(invitation)
    if isinstance(invitation, ClubInvitation) and invitation.player is not None:
        player = claim(player=invitation.player, user=user)
        use_up(invitation)
        return player
    place, entry = place_of(invitation), invitation.entry if isinstance(invitation, Invitation) else None
    if user.pk == place.owner_id:
        return None
    if entry is not None and entry.roles.filter(kind=invitation.kind, revoked_at=None).exclude(user=user).exists():
        raise Conflict("taken", _("Another account is already %(name)s. Ask the organiser.") % {"name": entry.name})
    theirs: QuerySet[Any] = place.roles.filter(kind=invitation.kind, user=user)
    role: AnyRole | None = theirs.filter(revoked_at=None).first()
    if role is None:
        if theirs.filter(revoked_at__gt=invitation.created_at).exists():
            raise Conflict("gone", _("This role was removed. Ask for a new invitation."))
        role = place.roles.create(user=user, kind=invitation.kind, created_by=invitation.created_by)
    elif entry is None or (isinstance(role, Role) and role.entry_id == entry.pk):
        return role
    elif isinstance(role, Role) and role.entry is not None:
        raise Conflict("taken", _("You’re already %(name)s here. Ask the organiser.") % {"name": role.entry.name})
    if entry is not None and isinstance(role, Role):
        role.entry = entry
        role.save(update_fields=["entry"])
    if invitation.email:
        use_up(invitation)
    _note(invitation, user, "accept", new=_about(invitation) | account_in_log(user))
    return role


def _locked(invitation: AnyInvitation) -> AnyInvitation:
    """Read an invitation under the lock of its place, so that simultaneous accepts run one by one."""
    if isinstance(invitation, ClubInvitation):
        lock_club(invitation.club_id)
        return ClubInvitation.objects.select_related("club", "player").get(pk=invitation.pk)
    lock_tournament(invitation.tournament_id)
    return Invitation.objects.select_related("tournament", "entry__player").get(pk=invitation.pk)


@transaction.atomic
def revoke_invitation(*, invitation: AnyInvitation, by: User | None) -> None:
    """Revoke an invitation; accepted roles stay. Repeating it changes nothing."""
    if take_back(invitation):
        _note(invitation, by, "revoke-invitation", old=_about(invitation))


@transaction.atomic
def take_back_role(*, role: AnyRole, by: User | None, reason: str = "") -> None:
    """Remove a role from an account. Repeating it changes nothing.

    If another account removes it, the holder's open invitations and scorer links end too, unless another role allows
    them: they would be a way back in. A club role covers all of its tournaments.
    """
    if not type(role).objects.filter(pk=role.pk, revoked_at=None).update(revoked_at=timezone.now()):
        return
    shuts_out = role.kind == Role.Kind.ORGANISER and (by is None or by.pk != role.user_id)
    if shuts_out and isinstance(role, Role):
        revoke_scorer_links_of(tournament=role.tournament, maker=role.user, by=by)
    entry = role.entry if isinstance(role, Role) else None
    about = {"role": role.kind} | (player_in_log(entry) if entry else {}) | account_in_log(role.user)
    _note(role, by, "take-back-role", old=about, reason=reason.strip()[:200])
    if shuts_out:
        _revoke_invitations_of(role.user, place_of(role), by)
        if isinstance(role, ClubRole):
            _close_ways_in(role, by)


def _revoke_invitations_of(maker: User, place: Tournament | Club, by: User | None) -> None:
    for invitation in open_invitations(place).filter(created_by=maker):
        revoke_invitation(invitation=invitation, by=by)


def _close_ways_in(role: ClubRole, by: User | None) -> None:
    """End the account's links and invitations in tournaments it no longer organises."""
    still = Role.objects.filter(user=role.user, kind=Role.Kind.ORGANISER, revoked_at=None).values("tournament")
    events = Tournament.objects.filter(club=role.club).exclude(owner=role.user).exclude(pk__in=still)
    links = Q(scorer_links__created_by=role.user, scorer_links__revoked_at=None)
    invitations = Q(pk__in=open_ones(Invitation.objects.filter(created_by=role.user)).values("tournament"))
    for tournament in events.filter(links | invitations).distinct().order_by("pk"):
        revoke_scorer_links_of(tournament=tournament, maker=role.user, by=by)
        _revoke_invitations_of(role.user, tournament, by)


def living_roles(place: Tournament | Club) -> list[Any]:
    """Return the current roles, by kind in the order of the table, then by name."""
    kinds = {kind: number for number, kind in enumerate(kinds_in(place).values)}
    related = ("user", "created_by") if isinstance(place, Club) else ("user", "entry__player", "created_by")
    roles: QuerySet[Any] = place.roles.filter(revoked_at=None)
    return sorted(
        roles.select_related(*related), key=lambda role: (kinds[role.kind], str(role.user).casefold(), role.pk)
    )


def _about(invitation: AnyInvitation) -> dict[str, str]:
    """Return an invitation's log values."""
    by_mail = {"email": invitation.email} if invitation.email else {}
    if isinstance(invitation, ClubInvitation):
        return (member(invitation.player) if invitation.player else {"role": invitation.kind}) | by_mail
    return {"role": invitation.kind} | by_mail | (player_in_log(invitation.entry) if invitation.entry else {})


def _note(of: AnyRole | AnyInvitation, by: User | None, action: str, **values: Any) -> None:
    """Log in the tournament or club."""
    place = place_of(of)
    if isinstance(place, Club):
        note_in_club(club=place, by=by, action=action, **values)
    else:
        note(tournament=place, by=by, action=action, **values)
