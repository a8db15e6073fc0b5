"""django-allauth's forms, where they are not enough. (What it builds them upon stands in league/accounts/forms.py.)

To allauth also the address belongs to an account that it only asked to change to. Here that is nobody's until the link
in the mail was opened: whoever has it may sign up with it, and is never led into somebody else's account.

Of what is no passkey's answer allauth lets some through to the library that reads it, which then fails in the middle
(500); here it does not fit, like any other wrong answer.
"""

from typing import Any

from allauth.account.forms import ResetPasswordForm, SignupForm
from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn import forms

from league.models import User

UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)


class SignUpForm(SignupForm):
    def validate_unique_email(self, value: str) -> Any:
        return super().validate_unique_email(value) if User.objects.filter(email=value).exists() else value


class ForgottenPasswordForm(ResetPasswordForm):
    def clean_email(self) -> Any:
        email = super().clean_email()
        self.users = [user for user in self.users if user.email == email.lower()]
        return email


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
