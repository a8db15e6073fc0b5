"""Name of an account. (All other forms are django-allauth's.)"""

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from league.lib.form_fields import plain_line, without_link
from league.models import User


class NameForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "name"}))

    def clean_name(self) -> str:
        return without_link(plain_line(self.cleaned_data["name"]))

    def save(self, user: User) -> None:
        user.name = self.cleaned_data["name"]
        user.save(update_fields=["name"])


class SignUpFields(NameForm):
    """Base of django-allauth's sign-up form (ACCOUNT_SIGNUP_FORM_CLASS), which has its own `save`."""

    def signup(self, request: HttpRequest, user: User) -> None:
        NameForm.save(self, user)
