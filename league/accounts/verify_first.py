"""Sign-up with e-mail: the account is disabled until its link is opened.

The pages don't reveal whether an address has an account; only the e-mail does.
"""

from typing import Any

from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.conf import settings

from league.models import User


def waits_for_its_link(user: User) -> bool:
    """Return whether the account was created by e-mail sign-up and its link hasn't been opened.

    Accounts created by a command, or while the service sent no mail, need no link.
    """
    if not settings.MAIL_GOES_OUT or user.last_login is not None:
        return False
    return EmailAddress.objects.filter(user=user, email=user.email, verified=False).exists()


class VerifyFirstStage(EmailVerificationStage):
    """allauth's sign-in stage that stops after a sign-up until the link is opened."""

    def handle(self) -> Any:
        if settings.MAIL_GOES_OUT and self.login.signup:
            self.login.email_verification = EmailVerificationMethod.MANDATORY
        return super().handle()  # type: ignore[no-untyped-call]
