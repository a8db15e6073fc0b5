"""Forms of the organiser's pages: points beside the hands, and the time at which a round publishes itself."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.lib.form_fields import dress


class AdjustmentForm(forms.Form):
    """low_wins: the lowest total is the best, so a penalty adds points."""

    points = forms.IntegerField(
        label=_("Points"), help_text=_("Negative for a penalty"), min_value=-10_000, max_value=10_000
    )
    reason = forms.CharField(label=_("Reason"), max_length=200)

    def __init__(
        self, *args: Any, players: list[tuple[str, str]], rounds: list[int], low_wins: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if low_wins:
            self.fields["points"].help_text = _("A penalty adds points; negative takes points off")
        numbered = [(str(number), gettext("Round %(number)d") % {"number": number}) for number in rounds]
        self.fields["player"] = forms.ChoiceField(label=_("Player"), choices=[("", _("Choose")), *players])
        self.fields["round"] = forms.ChoiceField(
            label=_("Counts from"), choices=[("", _("The start")), *numbered], required=False
        )
        dress(self)


class SetTimeForm(forms.Form):
    """When a round publishes itself: a naive wall time, and a fold for a time that exists twice."""

    round = forms.IntegerField(min_value=1, max_value=10_000, widget=forms.HiddenInput)
    at = forms.CharField(max_length=30)
    fold = forms.TypedChoiceField(
        choices=[("", ""), ("0", ""), ("1", "")], coerce=int, empty_value=None, required=False
    )

    def clean_at(self) -> datetime:
        typed = self.cleaned_data["at"].strip().replace("T", " ")
        try:
            return datetime.strptime(typed[:16], "%Y-%m-%d %H:%M")
        except ValueError:
            raise forms.ValidationError(gettext("Type day and time like this: 2026-11-24 20:15.")) from None
