"""django-allauth's forms for passkeys. They let some of what is no passkey's answer through to the library that reads
it, which then fails in the middle (500); here it does not fit, like any other wrong answer."""

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn import forms

UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)


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
