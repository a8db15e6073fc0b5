"""Form that confirms erasing a person by their name."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.lib.form_fields import dress
from league.lib.names import fold
from league.models import Player


class EraseForm(forms.Form):
    """Name of the person, typed as confirmation. Ignores capitals and accents."""

    name = forms.CharField(
        label=_("Name"),
        max_length=300,
        error_messages={"required": _("Type the name. Nothing was erased.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, person: Player, **kwargs: Any) -> None:
        self.person = person
        super().__init__(*args, **kwargs)
        dress(self)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if fold(name) != fold(self.person.name):
            raise forms.ValidationError(gettext("The name is different. Nothing was erased."))
        return name
