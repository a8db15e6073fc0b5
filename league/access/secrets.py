"""Secrets of invitations: only their hash is stored, and they expire."""

import hashlib
import secrets
from datetime import timedelta
from typing import Any, TypeVar

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.lib.errors import Conflict, Refused
from league.models import ClubInvitation, Invitation, User

DEFAULT_DAYS = 14
MOST_DAYS = 90
MOST_OPEN = 200  # open invitations of a tournament or club

Kind = TypeVar("Kind", Invitation, ClubInvitation)


def new_invitation(*, invitations: QuerySet[Any], email: str, days: int, by: User | None) -> tuple[dict[str, Any], str]:
    """Return the columns of a new invitation and its secret: 192 random bits, not stored.

    invitations: the open ones.
    """
    if not 1 <= days <= MOST_DAYS:
        sentence = _("An invitation can be valid for 1 to %(most)d days.") % {"most": MOST_DAYS}
        raise Refused("days", sentence, fields={"days": [sentence]})
    if invitations.count() >= MOST_OPEN:
        raise Refused("too-many", _("There are %(most)d open invitations. Revoke some first.") % {"most": MOST_OPEN})
    secret, now = secrets.token_urlsafe(24), timezone.now()
    columns = {
        "email": email.strip().lower(),
        "digest": digest_of(secret),
        "created_by": by,
        "created_at": now,
        "expires_at": now + timedelta(days=days),
    }
    return columns, secret


def open_ones(invitations: QuerySet[Kind]) -> QuerySet[Kind]:
    """Return the acceptable invitations, latest first."""
    living = invitations.filter(revoked_at=None, used_at=None, expires_at__gt=timezone.now())
    return living.order_by("-created_at", "-id")


def check_open(invitation: Invitation | ClubInvitation) -> None:
    """Raise `Conflict("gone")` if the invitation was used, revoked or has expired."""
    if invitation.revoked_at or invitation.used_at or invitation.expires_at <= timezone.now():
        raise Conflict("gone", _("This invitation was used, revoked or has expired. Ask for a new one."))


def used_invitation_of(secret: str) -> Invitation | ClubInvitation | None:
    """Return the used invitation with this secret."""
    digest = digest_of(secret)
    to_tournaments = Invitation.objects.select_related("tournament__owner", "created_by").exclude(used_at=None)
    to_clubs = ClubInvitation.objects.select_related("club__owner", "created_by").exclude(used_at=None)
    return to_tournaments.filter(digest=digest).first() or to_clubs.filter(digest=digest).first()


def use_up(invitation: Invitation | ClubInvitation) -> None:
    """Mark an accepted invitation as used."""
    invitation.used_at = timezone.now()
    invitation.save(update_fields=["used_at"])


def take_back(invitation: Invitation | ClubInvitation) -> bool:
    """Revoke an invitation. Return False if it was revoked or used before."""
    living = type(invitation).objects.filter(pk=invitation.pk, revoked_at=None, used_at=None)
    return bool(living.update(revoked_at=timezone.now()))


def account_in_log(user: User) -> dict[str, object]:
    """Return an account's log values."""
    return {"user_id": user.pk, "user": str(user)}


def digest_of(secret: str) -> str:
    """Return the hash of a secret. 160 random bits need no salt and no slow hash: they can't be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()
