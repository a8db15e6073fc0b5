"""Block an account, and make one an owner of the server: for the owner's page and the command `users`."""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts.tokens import revoke_tokens_of
from league.erasure.sessions import clean_sessions
from league.lib.errors import Refused
from league.models import AccountLogEntry, User


@transaction.atomic
def block_account(*, user: User, by: User | None) -> bool:
    """Disable an account and end its sessions and API tokens. What it owns stays. Return False if it is blocked.

    Raises Refused for the account of `by`, the last owner and a closed account.
    """
    user = _locked(user)
    if user.blocked_at:
        return False
    if by and user.pk == by.pk:
        raise Refused("self", _("You can’t block your own account."))
    if not user.is_active:
        raise Refused("closed", _("This account is closed. There is nothing to block."))
    if user.is_superuser and not User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk).exists():
        raise Refused("last-owner", _("This is the last owner of the server. Make another account an owner first."))
    user.is_active, user.blocked_at = False, timezone.now()
    user.save(update_fields=["is_active", "blocked_at"])
    revoke_tokens_of(user)
    clean_sessions((), of=user)
    AccountLogEntry.objects.create(user=user, by=by, action=AccountLogEntry.BLOCK)
    return True


@transaction.atomic
def unblock_account(*, user: User, by: User | None) -> bool:
    """Let a blocked account sign in again. Return False if it isn't blocked."""
    user = _locked(user)
    if not user.blocked_at:
        return False
    user.is_active, user.blocked_at = True, None
    user.save(update_fields=["is_active", "blocked_at"])
    AccountLogEntry.objects.create(user=user, by=by, action=AccountLogEntry.UNBLOCK)
    return True


@transaction.atomic
def make_owner(*, user: User) -> bool:
    """Make an account an owner of the server. Return False if it is one. Raises Refused if it can't sign in."""
    user = _locked(user)
    if not user.is_active:
        raise Refused("inactive", _("This account is blocked or closed. Unblock it first, or use another one."))
    if user.is_superuser:
        return False
    user.is_superuser = user.is_staff = True
    user.save(update_fields=["is_superuser", "is_staff"])
    return True


def _locked(user: User) -> User:
    """Return the account, locked together with all owners, so that two can't block each other."""
    rows = User.objects.select_for_update().filter(Q(is_superuser=True) | Q(pk=user.pk)).order_by("pk")
    return next(row for row in rows if row.pk == user.pk)
