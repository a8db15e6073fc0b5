"""What players type about leaving and coming late."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.leaving.requests import MOST_CHARACTERS, Kind
from league.lib.form_fields import dress


class LeaveForm(forms.Form):
    """When a player leaves, and the open round that they saw."""

    when = forms.ChoiceField(choices=[(kind, kind) for kind in (Kind.AFTER, Kind.NOW)])
    round = forms.IntegerField(min_value=1)


class LateForm(forms.Form):
    text = forms.CharField(
        label=_("How late?"),
        help_text=_("For example: 20 minutes."),
        required=False,
        max_length=MOST_CHARACTERS,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        dress(self)
