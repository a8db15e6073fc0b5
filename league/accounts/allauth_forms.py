"""Changes of django-allauth's forms. (league/accounts/forms.py has the class that allauth builds its form upon.)

For allauth an address belongs to an account as soon as the account asks to change to it. Here it is nobody's until the
link in the mail is opened: its owner may sign up with it, and never gets into somebody else's account.

allauth passes some answers that no passkey gave to the library that reads them, which then fails (500). Here such an
answer is refused like any wrong one.
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
