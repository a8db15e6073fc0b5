"""The form of the round clock's buttons."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from league.rounds.clock import MOST_MINUTES

WITH_MINUTES = ("start", "add", "extra")


class ClockForm(forms.Form):
    """A button: what to `do`, the clock's state as `shown`, and, if needed, minutes and a table's number."""

    do = forms.ChoiceField(choices=[(name, name) for name in ("start", "pause", "resume", "add", "extra", "stop")])
    shown = forms.CharField(required=False, strip=False, max_length=80)
    minutes = forms.IntegerField(required=False, min_value=0, max_value=MOST_MINUTES)
    table = forms.IntegerField(required=False, min_value=1, max_value=9999)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("do") in WITH_MINUTES and data.get("minutes") is None:
            self.errors.pop("minutes", None)
            self.add_error("minutes", _("Enter 1 to %(most)d minutes.") % {"most": MOST_MINUTES})
        if data.get("do") == "extra" and not data.get("table"):
            self.add_error("table", _("Choose the table that gets extra time."))
        return data
