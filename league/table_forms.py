"""What is posted from the page of the day about tables and rounds. What may be done is decided by the services."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.form_fields import dress
from league.models import Entry, Stage, Tournament
from league.services.amending import AMENDABLE
from league.setup_forms import RulesForm


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)  # the services say what it is for

    def first_fault(self) -> str:
        return next((str(sentences[0]) for sentences in self.errors.values()), "")


def _number(most: int, fault: Any) -> forms.IntegerField:
    messages = dict.fromkeys(("required", "invalid", "min_value", "max_value"), fault)
    return forms.IntegerField(min_value=1, max_value=most, error_messages=messages)


class RoundForm(ReasonForm):
    round = _number(10_000, _("Choose a round."))


class SwapForm(RoundForm):
    """one, other: their public ids; cleaned to entries of the tournament."""

    one = forms.CharField(max_length=12, error_messages={"required": _("Choose two players.")})
    other = forms.CharField(max_length=12, error_messages={"required": _("Choose two players.")})

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament = tournament

    def clean_one(self) -> Entry:
        return self._entry("one")

    def clean_other(self) -> Entry:
        return self._entry("other")

    def _entry(self, field: str) -> Entry:
        entries = self.tournament.entries.select_related("player")
        entry = entries.filter(public_id=self.cleaned_data[field]).first()
        if entry is None:
            raise forms.ValidationError(gettext("There is no such player in this tournament."))
        return entry


class TableForm(RoundForm):
    table = _number(999, _("Choose a table."))


class MoveForm(TableForm):
    to = forms.IntegerField(
        error_messages={"required": _("Give the new number of the table."), "invalid": _("Give a number.")}
    )


class AmendForm(ReasonForm):
    """What may still be changed of a stage's rules after the start."""

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stage = stage
        rules = RulesForm(format=stage.format)
        now = RulesForm.initial_from(stage)
        amendable = {"rounds" if name == "rounds_wanted" else name for name in AMENDABLE[stage.format]}
        for name, field in rules.fields.items():
            if name in amendable or name == "until":
                self.fields[name] = field
                field.required = name not in ("hands_per_round", "until")
                self.initial[name] = now[name]
        dress(self)

    def clean(self) -> dict[str, Any]:
        """Of a points race either hands or target: the other is None."""
        data = super().clean() or {}
        if "until" in self.fields:
            unused = "hands_per_round" if data.get("until") == "target" else "target"
            data[unused] = None
            self.errors.pop(unused, None)
        return data

    @property
    def changes(self) -> bool:
        unused = "hands_per_round" if self.cleaned_data.get("until") == "target" else "target"
        compared = self.initial.keys() - ({unused} if "until" in self.fields else set())
        return any(self.cleaned_data[name] != self.initial[name] for name in compared)
