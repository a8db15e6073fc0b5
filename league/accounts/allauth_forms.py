"""Changed forms of django-allauth. (`forms.py` has the base class for its sign-up form.)

allauth assigns a new address to an account on request. Here it stays free until its link is opened: its owner may sign
up with it, and never gets into another account.

A code of an authenticator app is valid for 90 seconds; allauth rejects reuse only for 30. Here it works once.

allauth passes malformed passkey responses to its library, which crashes (500). Here they are rejected like wrong ones.
"""

from typing import Any

from allauth.account.forms import ResetPasswordForm, SignupForm
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm as AllauthCodeForm
from allauth.mfa.base.forms import BaseAuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as AllauthCodeAgainForm
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.cache import cache
from django.http import HttpRequest

from league.models import User

UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)


class SignUpForm(SignupForm):
    def validate_unique_email(self, value: str) -> Any:
        if not User.objects.filter(email=value).exists():
            return value
        if settings.MAIL_GOES_OUT:  # the e-mail tells, not the page
            self.account_already_exists = True
            return value
        return super().validate_unique_email(value)

    def try_save(self, request: HttpRequest) -> Any:
        if self.account_already_exists:
            make_password(self.cleaned_data["password1"])  # take as long as creating an account
        return super().try_save(request)


class ForgottenPasswordForm(ResetPasswordForm):
    def clean_email(self) -> Any:
        email = super().clean_email()
        self.users = [user for user in self.users if user.email == email.lower()]
        return email


class _OnceForm(BaseAuthenticateForm):
    def clean_code(self) -> Any:
        code = super().clean_code()
        fits_for = (2 * app_settings.TOTP_TOLERANCE + 1) * app_settings.TOTP_PERIOD  # seconds
        if self.authenticator.type == Authenticator.Type.TOTP and not cache.add(
            f"spent-code:{self.user.pk}:{normalize_user_code(code)}", True, timeout=fits_for
        ):
            raise get_adapter().validation_error("incorrect_code")
        return code


class CodeForm(_OnceForm, AllauthCodeForm):
    pass


class CodeAgainForm(_OnceForm, AllauthCodeAgainForm):
    pass


class AddForm(forms.AddWebAuthnForm):
    def clean(self) -> Any:
        try:
            return super().clean()
        except UNREADABLE as error:
            raise get_adapter().validation_error("incorrect_code") from error


class AuthenticateForm(forms.AuthenticateWebAuthnForm):
    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()
        except UNREADABLE as error:
            raise get_adapter().validation_error("incorrect_code") from error


class LoginForm(AuthenticateForm, forms.LoginWebAuthnForm):
    pass


class ReauthenticateForm(AuthenticateForm, forms.ReauthenticateWebAuthnForm):
    pass
