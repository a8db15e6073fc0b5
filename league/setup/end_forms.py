"""Forms for a tournament that does not go as planned."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.lib.form_fields import dress


class CallOffForm(forms.Form):
    """The reason why it is called off, which everybody reads."""

    reason = forms.CharField(
        label=_("Why"),
        max_length=200,
        error_messages={"required": _("Say why: every page shows it, and whoever signed up reads it.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)


class CountsForm(forms.Form):
    counts = forms.BooleanField(
        label=_("It counts in the ratings of its club, and may count in a season"), required=False
    )


class DeleteForm(forms.Form):
    """The name of the tournament to delete, typed once more."""

    name = forms.CharField(
        label=_("Its name"),
        max_length=300,
        error_messages={"required": _("Type its name. Nothing was deleted.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)
