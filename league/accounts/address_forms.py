"""django-allauth's forms that look for an account by its address.

To allauth also the address belongs to an account that it only asked to change to. Here that is nobody's until the link
in the mail was opened: whoever has it may sign up with it, and is never led into somebody else's account.
"""

from typing import Any

from allauth.account.forms import ResetPasswordForm, SignupForm

from league.models import User


class SignUpForm(SignupForm):
    def validate_unique_email(self, value: str) -> Any:
        return super().validate_unique_email(value) if User.objects.filter(email=value).exists() else value


class ForgottenPasswordForm(ResetPasswordForm):
    def clean_email(self) -> Any:
        email = super().clean_email()
        self.users = [user for user in self.users if user.email == email.lower()]
        return email
