"""Who may do what in a club, and who is which of its members: inviting, accepting, taking back.

As in league/roles/tournament_roles.py, the caller gets the secret of an invitation once, and it is not stored.
"""

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
from league.by_link.scorers import revoke_scorer_links_of
from league.ledger.locks import lock_club
from league.lib.errors import Conflict, Refused
from league.log.write import member, note_in_club
from league.models import Club, ClubInvitation, ClubRole, Invitation, Player, Role, Tournament, User
from league.roles.tournament_roles import open_invitations, revoke_invitation


@transaction.atomic
def invite_to_club(
    *, club: Club, kind: str, by: User | None, email: str = "", days: int = DEFAULT_DAYS
) -> tuple[ClubInvitation, str]:
    """Invite to a role. Returns the secret too. By e-mail it works once; as a link, until it is revoked or expires."""
    if kind not in ClubRole.Kind.values:
        raise Refused("role", _("Choose one of the roles."), fields={"kind": [_("Choose one of the roles.")]})
    return _save_invitation(ClubInvitation(club=club, kind=kind), by, email, days)


@transaction.atomic
def invite_member(
    *, player: Player, by: User | None, email: str = "", days: int = DEFAULT_DAYS
) -> tuple[ClubInvitation, str]:
    """Invite one account to claim a member. It works once, and ends the invitations before it."""
    if player.club is None or player.erased_at is not None or player.merged_into_id is not None:
        raise Conflict("no-member", _("%(name)s is no member of the club.") % {"name": player})
    if player.user_id is not None:
        raise Conflict("claimed", _("%(name)s has claimed this record already.") % {"name": player})
    for earlier in open_ones(ClubInvitation.objects.filter(player=player)):
        revoke_club_invitation(invitation=earlier, by=by)
    return _save_invitation(ClubInvitation(club=player.club, player=player), by, email, days)


def _save_invitation(invitation: ClubInvitation, by: User | None, email: str, days: int) -> tuple[ClubInvitation, str]:
    columns, secret = new_invitation(invitations=open_club_invitations(invitation.club), email=email, days=days, by=by)
    for column, value in columns.items():
        setattr(invitation, column, value)
    invitation.save()
    note_in_club(club=invitation.club, by=by, action="invite", new=_about(invitation))
    return invitation, secret


def open_club_invitations(club: Club) -> QuerySet[ClubInvitation]:
    """Return the invitations that can be accepted now, the latest first."""
    return open_ones(ClubInvitation.objects.filter(club=club))


def club_invitation_of(secret: str) -> ClubInvitation | None:
    """Return the invitation that a secret opens; None if it is forged, expired, revoked or used."""
    invitations = open_ones(ClubInvitation.objects.filter(digest=digest_of(secret)))
    return invitations.select_related("club", "player__user", "created_by").first()


@transaction.atomic
def accept_in_club(*, invitation: ClubInvitation, user: User) -> ClubRole | Player | None:
    """Take the role that an invitation gives, or claim its member. Returns None for a role if the user is the owner.

    Who has the role already keeps it, and the invitation stays open. Raises `Conflict("gone")` if the invitation was
    used, revoked or expired meanwhile, or if the role was taken back since it was made; and whatever `claim` raises.
    """
    club = lock_club(invitation.club_id)
    invitation = ClubInvitation.objects.select_related("player").get(pk=invitation.pk)
    check_open(invitation)
    if invitation.player is not None:
        player = claim(player=invitation.player, user=user)
        use_up(invitation)
        return player
    if user.pk == club.owner_id:
        return None
    theirs = ClubRole.objects.filter(club=club, kind=invitation.kind, user=user)
    if role := theirs.filter(revoked_at=None).first():
        return role
    if theirs.filter(revoked_at__gt=invitation.created_at).exists():
        raise Conflict("gone", _("This role was taken back from you. Ask for a new invitation."))
    role = ClubRole.objects.create(club=club, user=user, kind=invitation.kind, created_by=invitation.created_by)
    if invitation.email:
        use_up(invitation)
    note_in_club(club=club, by=user, action="accept", new=_about(invitation) | account_in_log(user))
    return role


@transaction.atomic
def claim(*, player: Player, user: User) -> Player:
    """Make an account a member, in all evenings of the club. If it is that member already, nothing happens.

    The caller has checked that this is true: by an invitation, or by the player's own link. Raises
    `Conflict("taken")` if somebody else has claimed the record or the account another one, and `Conflict("no-member")`.
    """
    if player.club_id is None:
        raise Conflict("no-member", _("%(name)s is no member of the club.") % {"name": player})
    club = lock_club(player.club_id)
    player = Player.objects.get(pk=player.pk)
    if player.club_id != club.pk or player.erased_at is not None or player.merged_into_id is not None:
        raise Conflict("no-member", _("%(name)s is no member of the club.") % {"name": player})
    if player.user_id == user.pk:
        return player
    if player.user_id is not None:
        raise Conflict("taken", _("Somebody else is %(name)s here already. Ask the organiser.") % {"name": player.name})
    if other := Player.objects.filter(club=club, user=user).first():
        raise Conflict("taken", _("You are %(name)s here already. Ask the organiser.") % {"name": other.name})
    player.user = user
    player.save(update_fields=["user"])
    ClubInvitation.objects.filter(player=player, revoked_at=None, used_at=None).update(revoked_at=timezone.now())
    note_in_club(club=club, by=user, action="claim", new=member(player) | account_in_log(user))
    return player


@transaction.atomic
def let_go(*, player: Player, by: User | None) -> None:
    """Part a member from the account that claimed it. If there is none, nothing happens."""
    if player.club_id is None:
        return
    club = lock_club(player.club_id)
    player = Player.objects.select_related("user").get(pk=player.pk)
    if player.user is None:
        return
    old = member(player) | account_in_log(player.user)
    player.user = None
    player.save(update_fields=["user"])
    note_in_club(club=club, by=by, action="let-go", old=old)


@transaction.atomic
def revoke_club_invitation(*, invitation: ClubInvitation, by: User | None) -> None:
    """Let an invitation open nothing from now on; what came from it stays. Revoked or used already: nothing happens."""
    if take_back(invitation):
        note_in_club(club=invitation.club, by=by, action="revoke-invitation", old=_about(invitation))


@transaction.atomic
def take_back_club_role(*, role: ClubRole, by: User | None) -> None:
    """Take a role from an account, in all tournaments of the club. If it was taken back already, nothing happens.

    If somebody else takes it, the account's open invitations and scorers' links end too, where no other role allowed
    them: else they would be a way back in, under another name.
    """
    if not ClubRole.objects.filter(pk=role.pk, revoked_at=None).update(revoked_at=timezone.now()):
        return
    about = {"role": role.kind} | account_in_log(role.user)
    note_in_club(club=role.club, by=by, action="take-back-role", old=about)
    if role.kind == ClubRole.Kind.ORGANISER and (by is None or by.pk != role.user_id):
        for invitation in open_club_invitations(role.club).filter(created_by=role.user_id):
            revoke_club_invitation(invitation=invitation, by=by)
        _close_ways_in(role, by)


def _close_ways_in(role: ClubRole, by: User | None) -> None:
    """End the links and invitations that the account made in tournaments which it organises no more."""
    still = Role.objects.filter(user=role.user, kind=Role.Kind.ORGANISER, revoked_at=None).values("tournament")
    evenings = Tournament.objects.filter(club=role.club).exclude(owner=role.user).exclude(pk__in=still)
    links = Q(scorer_links__created_by=role.user, scorer_links__revoked_at=None)
    invitations = Q(pk__in=open_ones(Invitation.objects.filter(created_by=role.user)).values("tournament"))
    for tournament in evenings.filter(links | invitations).distinct().order_by("pk"):
        revoke_scorer_links_of(tournament=tournament, maker=role.user, by=by)
        for invitation in open_invitations(tournament).filter(created_by=role.user):
            revoke_invitation(invitation=invitation, by=by)


def living_club_roles(club: Club) -> list[ClubRole]:
    """Return the roles that hold now, by kind in the order of the table, then by name."""
    kinds = {kind: number for number, kind in enumerate(ClubRole.Kind.values)}
    roles = ClubRole.objects.filter(club=club, revoked_at=None).select_related("user", "created_by")
    return sorted(roles, key=lambda role: (kinds[role.kind], str(role.user).casefold(), role.pk))


def _about(invitation: ClubInvitation) -> dict[str, str]:
    """Describe an invitation for the log."""
    by_mail = {"email": invitation.email} if invitation.email else {}
    about = member(invitation.player) if invitation.player else {"role": invitation.kind}
    return about | by_mail
