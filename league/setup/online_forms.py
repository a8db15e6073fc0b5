"""The choice of tables that are played online: for a new tournament, and in the settings."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.lib.errors import Refused
from league.setup.online import tables_online


class WherePlayedForm(forms.Form):
    """A part of other forms: two fields that make up a `Tournament.online`, which is `online`."""

    which = forms.ChoiceField(
        label=_("Where is it played?"),
        widget=forms.RadioSelect,
        choices=[
            ("", _("At tables, with real cards")),
            ("all", _("Online, everybody on their own phone or laptop")),
            ("some", _("Some tables online, the others with real cards")),
        ],
        required=False,
    )
    numbers = forms.CharField(
        label=_("Numbers of the online tables"), max_length=300, required=False, widget=forms.TextInput()
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("which") == "some" and "numbers" in data:
            try:
                if not tables_online(data["numbers"]):
                    self.add_error("numbers", gettext("Type the numbers of the tables, for example 1-4, 7."))
            except Refused as refused:
                self.add_error("numbers", str(refused))
        return data

    @staticmethod
    def fields_of(online: str) -> dict[str, str]:
        """The values of the fields for a `Tournament.online`."""
        return {"which": online if online in ("", "all") else "some", "numbers": "" if online == "all" else online}

    @property
    def online(self) -> str:
        which: str = self.cleaned_data["which"]
        return tables_online(self.cleaned_data["numbers"]) if which == "some" else which
