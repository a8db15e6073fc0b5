"""Create and revoke API tokens. The secret is shown once and not stored."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.secrets import digest_of
from league.lib.errors import Refused
from league.models import ApiToken, User

DEFAULT_DAYS = 90
MOST_DAYS = 730
PREFIX = 8


@transaction.atomic
def make_token(
    *, user: User, name: str = "", scope: str = ApiToken.Scope.WRITE, days: int = DEFAULT_DAYS
) -> tuple[ApiToken, str]:
    """Create a token. Return it with its secret, which can't be shown again."""
    if scope not in ApiToken.Scope.values:
        raise Refused("scope", _("The scope is read or write."), fields={"scope": [_("The scope is read or write.")]})
    if not 1 <= days <= MOST_DAYS:
        sentence = _("A token can be valid for 1 to %(most)d days.") % {"most": MOST_DAYS}
        raise Refused("days", sentence, fields={"days": [sentence]})
    secret = secrets.token_hex(20)
    token = ApiToken.objects.create(
        user=user,
        name=name.strip()[:80],
        prefix=secret[:PREFIX],
        digest=digest_of(secret),
        scope=scope,
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token, secret


def revoke_token(*, token: ApiToken) -> None:
    """Revoke a token. Repeating it changes nothing."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def revoke_tokens_of(user: User) -> int:
    """Revoke all tokens of an account; return how many were valid."""
    living = ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())
    return living.update(revoked_at=timezone.now())
