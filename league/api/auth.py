"""Authentication of the API: `Authorization: Token <secret>`."""

from contextlib import nullcontext, suppress
from datetime import timedelta

from django.conf import settings
from django.db import OperationalError
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied, Throttled
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from league.access.secrets import digest_of
from league.lib.rate_limits import MINUTE, address_of, wait_after
from league.models import ApiToken, User

BAD_TOKENS_A_MINUTE = 10


class TokenAuthentication(BaseAuthentication):
    """Reject a wrong token even if none is needed, so that its owner notices.

    After ten wrong ones a minute, an address has to wait. Valid tokens from it still work, so one broken program
    doesn't stop a venue.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        word, _space, secret = get_authorization_header(request).strip().partition(b" ")
        if word.lower() != b"token":
            return None
        token = (
            ApiToken.objects.select_related("user")
            .filter(digest=digest_of(secret.strip().decode("latin-1")), user__is_active=True)
            .filter(revoked_at=None, expires_at__gt=timezone.now())
            .first()
        )
        if token is None:
            if wait := wait_after("bad-token", address_of(request), BAD_TOKENS_A_MINUTE):
                raise Throttled(wait, _("Too many wrong tokens from this address."))
            raise AuthenticationFailed(_("This token is unknown, revoked or expired. Create a new one."))
        _stamp(token, request)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Token"


def _stamp(token: ApiToken, request: Request) -> None:
    """Store the last use of a token, at most once a minute. A read succeeds even if this fails."""
    now = timezone.now()
    if token.last_used_at is not None and token.last_used_at >= now - timedelta(seconds=MINUTE):
        return
    with suppress(OperationalError) if request.method in SAFE_METHODS else nullcontext():
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


class MayWrite(BasePermission):
    """Require a token with write scope, or a session, for writing. Reading needs none; league/access/ checks rights."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method in SAFE_METHODS:
            return True
        if not request.user.is_authenticated:
            raise NotAuthenticated
        if isinstance(request.auth, ApiToken) and request.auth.scope != ApiToken.Scope.WRITE:
            raise PermissionDenied(_("This token is read-only. Create one with the scope write."))
        return True


class WritesThrottle(BaseThrottle):
    """Limit writes to `API_WRITES_A_MINUTE` a token (or signed-in account); 0: no limit."""

    seconds: int | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        if request.method in SAFE_METHODS or not settings.API_WRITES_A_MINUTE:
            return True
        caller = f"token-{request.auth.pk}" if isinstance(request.auth, ApiToken) else f"user-{request.user.pk}"
        self.seconds = wait_after("writes", caller, settings.API_WRITES_A_MINUTE)
        return self.seconds is None

    def wait(self) -> float | None:
        return self.seconds
