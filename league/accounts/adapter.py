"""Adapt django-allauth: our messages, our page for too many tries, tolerance of mail failures."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from allauth.core.ratelimit import respond_429
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.access.server import sign_up_is_open
from league.access.session_links import SHOWN
from league.accounts.invited import is_invited
from league.accounts.known_devices import known_device, remember_device
from league.accounts.verify_first import waits_for_its_link
from league.letters import limits
from league.models import User

logger = logging.getLogger(__name__)

LONGEST_ADDRESS = User._meta.get_field("email").max_length or 254
TO_TYPED = ("account/email/email_confirmation", "account/email/account_already_exists", "account/email/unknown_account")
TOO_MANY = {"too_many_login_attempts", "rate_limited"}

REAUTHENTICATION: dict[str, str | Promise] = {
    "reauthenticate": _("Use your password"),
    "mfa_reauthenticate": _("Use a code"),
    "mfa_reauthenticate:webauthn": _("Use a passkey"),
}


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("This account is disabled."),
        "duplicate_email": _("This address already belongs to your account."),
        "email_password_mismatch": _("Wrong e-mail or password. Passwords are case-sensitive."),
        "email_password_mismatch_or_new": _(
            "Wrong e-mail or password. If your account is new, open the link in its e-mail first."
        ),
        "email_taken": _("An account with this address exists. Sign in, or reset your password."),
        "enter_current_password": _("Wrong current password."),
        "incorrect_code": _("Wrong code. Wait for the next one and try again."),
        "incorrect_password": _("Wrong password."),
        "invalid_password_reset": _("This link was used or has expired."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether this visitor can create an account: anyone, or a person with a valid invitation."""
        return sign_up_is_open() or is_invited(request)

    def clean_email(self, email: str) -> str:
        if len(email) > LONGEST_ADDRESS:
            raise ValidationError(
                gettext("An address can have at most %(most)d characters.") % {"most": LONGEST_ADDRESS}
            )
        return str(super().clean_email(email))

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """Answer a form's rate limit like a page's: with 429 and our page."""
        if code in TOO_MANY:
            raise ImmediateHttpResponse(respond_429(context.request))
        if code == "email_password_mismatch" and settings.MAIL_GOES_OUT:
            code = "email_password_mismatch_or_new"
        error: ValidationError = super().validation_error(code, *args)
        return error

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a sign-in attempt. Answer with 429 after too many wrong ones, or too many in all."""
        email, used = credentials.get("email", ""), []
        device = known_device(request, email)
        for action, key in _tries(request, email, device):
            usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
            if usage is None:
                raise self.validation_error("too_many_login_attempts")
            used += usage.usage if action.startswith("wrong") else []
        self._login_failed_rl_usage = ratelimit.RateLimitUsage(used)  # rolled back if the password is right

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Treat an account that waits for its link like a wrong password: a stranger may have created it."""
        user = super().authenticate(request, **credentials)
        if not isinstance(user, User) or waits_for_its_link(user):
            return None
        if self._login_failed_rl_usage:
            self._login_failed_rl_usage.rollback()
        return user

    def _rollback_login_failed_rl_usage(self) -> None:
        """Leave this to `authenticate`."""

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Clear the failed attempts of an account with a new password."""
        for action, key in _tries(request, credentials.get("email", ""), None):
            if key:
                ratelimit.clear(request, app="allauth.account", action=action, key=key)

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **options)
        remember_device(request, response, user)
        return response

    def logout(self, request: HttpRequest) -> None:
        """Keep the record of displayed player links: otherwise signing out would let one person play for several."""
        shown_links = request.session.get(SHOWN)
        super().logout(request)
        if shown_links:
            request.session[SHOWN] = shown_links

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        return bool(email_address.email != email_address.user.email)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Verify the account's address, or make a new one its address.

        Refuse an address that another account has taken since: an address is an account's key.
        """
        words = {"email": email_address.email}
        if email_address.email == email_address.user.email and email_address.set_verified():
            self.add_message(request, messages.SUCCESS, "account/messages/email_confirmed.txt", words)
            return True
        other_users = User.objects.exclude(pk=email_address.user_id)
        if other_users.filter(email=email_address.email).exists():
            self.add_message(request, messages.ERROR, "account/messages/email_confirmation_failed.txt", words)
            return False
        return bool(super().confirm_email(request, email_address))

    def get_login_stages(self) -> list[str]:
        ours = {"allauth.account.stages.EmailVerificationStage": "league.accounts.verify_first.VerifyFirstStage"}
        return [ours.get(stage, stage) for stage in super().get_login_stages()]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Report a mail server that doesn't answer, but finish the user's request.

        E-mails about a new account or address go to unverified addresses, so they count towards that limit.
        """
        typed = template_prefix.startswith(TO_TYPED)
        if typed and limits.is_full(email, typed=True, now=timezone.now()):
            messages.error(self.request, limits.why_full())
            return
        try:
            super().send_mail(template_prefix, email, context)
            if typed:
                limits.count_recipient(email, typed=True, now=timezone.now())
        except OSError:  # base of all smtplib errors
            logger.exception("A mail could not be sent: %s", template_prefix)
            sentence = gettext("The e-mail couldn’t be sent: the mail server doesn’t answer. Try again later.")
            messages.error(self.request, sentence)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [method | {"description": REAUTHENTICATION[method["id"]]} for method in methods]


def _tries(request: HttpRequest, email: str, device: str | None) -> list[tuple[str, str | None]]:
    """Return the rate limits of a sign-in attempt: actions of ACCOUNT_RATE_LIMITS with keys; None: by IP address.

    A stranger can exhaust an account's limits only for devices in which it has never signed in.
    """
    email = email.lower()
    if device:
        return [("sign_in_known", device), ("wrong_known", f"{email} {device}")]
    by_address = f"{email} {ratelimit.get_ip(request)}"
    return [("sign_in", None), ("wrong_address", None), ("wrong", by_address), ("wrong_account", email)]


class MfaAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "add_email_blocked": _("Turn off two-step sign-in before you change the address."),
        "cannot_generate_recovery_codes": _("Add an authenticator app or a passkey first."),
        "incorrect_code": _("Wrong code. Wait for the next one and try again."),
        "unverified_email": _("Verify your e-mail address first: open the link we sent."),
    }

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        """Number passkeys until their owner names them."""
        count = user.authenticator_set.filter(type=type).count()
        return gettext("Passkey %(number)d") % {"number": count + 1}

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return super().get_public_key_credential_rp_entity() | {"name": settings.MFA_TOTP_ISSUER}
