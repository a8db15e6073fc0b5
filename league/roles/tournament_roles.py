"""Who may do what in a tournament: inviting people, accepting, taking a role back.

The caller gets the secret of an invitation once. It is not stored, and not in the log.
"""

from django.db import transaction
from django.db.models import QuerySet
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
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Entry, Invitation, Role, Tournament, User


@transaction.atomic
def invite(
    *,
    tournament: Tournament,
    kind: str,
    by: User | None,
    email: str = "",
    entry: Entry | None = None,
    days: int = DEFAULT_DAYS,
) -> tuple[Invitation, str]:
    """Make an invitation. Returns it with its secret, 192 random bits, which cannot be shown again.

    With an e-mail address it works once; without one it is a link that works until it is revoked or expires. entry: for
    a role of the kind player, who it is.
    """
    if kind not in Role.Kind.values:
        raise Refused("role", _("Choose one of the roles."), fields={"kind": [_("Choose one of the roles.")]})
    if entry is not None and (kind != Role.Kind.PLAYER or entry.tournament_id != tournament.pk):
        sentence = _("Only an invitation for a player belongs to one of the players.")
        raise Refused("entry", sentence, fields={"entry": [sentence]})
    columns, secret = new_invitation(invitations=open_invitations(tournament), email=email, days=days, by=by)
    invitation = Invitation.objects.create(tournament=tournament, kind=kind, entry=entry, **columns)
    note(tournament=tournament, by=by, action="invite", new=_about(invitation))
    return invitation, secret


def open_invitations(tournament: Tournament) -> QuerySet[Invitation]:
    """Return the invitations that can be accepted now, the latest first."""
    return open_ones(Invitation.objects.filter(tournament=tournament))


def invitation_of(secret: str) -> Invitation | None:
    """Return the invitation that a secret opens; None if it is forged, expired, revoked or used."""
    invitations = open_ones(Invitation.objects.filter(digest=digest_of(secret)))
    return invitations.select_related("tournament", "entry__player", "created_by").first()


@transaction.atomic
def accept(*, invitation: Invitation, user: User) -> Role | None:
    """Take the role that an invitation gives. Returns None for the owner, who has every right already.

    Who has the role already keeps it, and the invitation stays open. Raises `Conflict("gone")` if the invitation was
    used, revoked or expired meanwhile, or if the role was taken back since it was made; `Conflict("taken")` if somebody
    else is its player, or the account is another player.
    """
    lock_tournament(invitation.tournament_id)  # so that of two who accept at once, one is first
    invitation = Invitation.objects.select_related("tournament", "entry__player").get(pk=invitation.pk)
    tournament, entry = invitation.tournament, invitation.entry
    check_open(invitation)
    if user.pk == tournament.owner_id:
        return None
    living = Role.objects.filter(tournament=tournament, kind=invitation.kind, revoked_at=None)
    if entry is not None and living.filter(entry=entry).exclude(user=user).exists():
        raise Conflict(
            "taken", _("Somebody else is %(name)s here already. Ask the organiser.") % {"name": entry.player.name}
        )
    role = living.filter(user=user).select_related("entry__player").first()
    if role is not None and (entry is None or role.entry_id == entry.pk):
        return role
    if role is not None and role.entry is not None:
        raise Conflict(
            "taken", _("You are %(name)s here already. Ask the organiser.") % {"name": role.entry.player.name}
        )
    if role is None:
        taken_back = Role.objects.filter(tournament=tournament, kind=invitation.kind, user=user)
        if taken_back.filter(revoked_at__gt=invitation.created_at).exists():
            raise Conflict("gone", _("This role was taken back from you. Ask for a new invitation."))
        role = Role(tournament=tournament, user=user, kind=invitation.kind, created_by=invitation.created_by)
    role.entry = entry
    role.save()
    if invitation.email:
        use_up(invitation)
    note(tournament=tournament, by=user, action="accept", new=_about(invitation) | account_in_log(user))
    return role


@transaction.atomic
def revoke_invitation(*, invitation: Invitation, by: User | None) -> None:
    """Let an invitation open nothing from now on; roles from it stay. If it is revoked or used, nothing happens."""
    if take_back(invitation):
        note(tournament=invitation.tournament, by=by, action="revoke-invitation", old=_about(invitation))


@transaction.atomic
def take_back_role(*, role: Role, by: User | None, reason: str = "") -> None:
    """Take a role from an account. If it was taken back already, nothing happens.

    If somebody else takes it, the account's open invitations and scorers' links end too: they would be a way back in,
    under another name.
    """
    if not Role.objects.filter(pk=role.pk, revoked_at=None).update(revoked_at=timezone.now()):
        return
    by_another = by is None or by.pk != role.user_id
    if role.kind == Role.Kind.ORGANISER and by_another:
        revoke_scorer_links_of(tournament=role.tournament, maker=role.user, by=by)
    about = {"role": role.kind} | _player(role.entry) | account_in_log(role.user)
    note(tournament=role.tournament, by=by, action="take-back-role", old=about, reason=reason.strip()[:200])
    if role.kind == Role.Kind.ORGANISER and by_another:
        for invitation in open_invitations(role.tournament).filter(created_by=role.user_id):
            revoke_invitation(invitation=invitation, by=by)


def living_roles(tournament: Tournament) -> list[Role]:
    """Return the roles that hold now, by kind in the order of the table, then by name."""
    kinds = {kind: number for number, kind in enumerate(Role.Kind.values)}
    roles = Role.objects.filter(tournament=tournament, revoked_at=None).select_related(
        "user", "entry__player", "created_by"
    )
    return sorted(roles, key=lambda role: (kinds[role.kind], str(role.user).casefold(), role.pk))


def _about(invitation: Invitation) -> dict[str, str]:
    """Describe an invitation for the log."""
    by_mail = {"email": invitation.email} if invitation.email else {}
    return {"role": invitation.kind} | by_mail | _player(invitation.entry)


def _player(entry: Entry | None) -> dict[str, str]:
    return {"player_id": entry.public_id, "player": entry.player.name} if entry else {}
