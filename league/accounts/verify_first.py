"""Signing up where mail goes out: the account waits until the link in its mail is opened.

The pages answer alike whether the address has an account or not; only the mail tells.
"""

from typing import Any

from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.conf import settings

from league.models import User


def waits_for_its_link(user: User) -> bool:
    """Whether the account has signed up by mail and nobody has opened the link yet.

    Accounts made by a command, or before mail went out, need no link.
    """
    if not settings.MAIL_GOES_OUT or user.last_login is not None:
        return False
    return EmailAddress.objects.filter(user=user, email=user.email, verified=False).exists()


class VerifyFirstStage(EmailVerificationStage):
    """allauth's step of signing in, which after a sign-up ends here until the link is opened."""

    def handle(self) -> Any:
        if settings.MAIL_GOES_OUT and self.login.signup:
            self.login.email_verification = EmailVerificationMethod.MANDATORY
        return super().handle()  # type: ignore[no-untyped-call]
