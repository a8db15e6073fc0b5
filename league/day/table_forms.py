"""Forms of the page Manage."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models import Entry, Tournament


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)  # services check it

    def first_fault(self) -> str:
        return next((str(sentences[0]) for sentences in self.errors.values()), "")


def _number(most: int, fault: Any) -> forms.IntegerField:
    messages = dict.fromkeys(("required", "invalid", "min_value", "max_value"), fault)
    return forms.IntegerField(min_value=1, max_value=most, error_messages=messages)


class ActionForm(ReasonForm):
    """names: maps fields to the service's argument names where they differ."""

    names = {"round": "round_number"}

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament

    def arguments(self) -> dict[str, Any]:
        """Return the posted values by the service's argument names."""
        return {self.names.get(field, field): value for field, value in self.cleaned_data.items()}


class RoundForm(ActionForm):
    round = _number(10_000, _("Choose a round."))


class SwapForm(RoundForm):
    """one, other: public ids, cleaned to entries of the tournament."""

    one = forms.CharField(max_length=12, error_messages={"required": _("Choose two players.")})
    other = forms.CharField(max_length=12, error_messages={"required": _("Choose two players.")})

    def clean_one(self) -> Entry:
        return self._entry("one")

    def clean_other(self) -> Entry:
        return self._entry("other")

    def _entry(self, field: str) -> Entry:
        entries = self.tournament.entries.select_related("player")
        entry = entries.filter(public_id=self.cleaned_data[field]).first()
        if entry is None:
            raise forms.ValidationError(gettext("This player isn’t in this tournament."))
        return entry
