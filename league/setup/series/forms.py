"""The form for a series."""

from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext_lazy as _

from league.lib.form_fields import dress
from league.setup.series.repeat import Plan

NO_DAY = _("Choose the last day of the series.")


class SeriesForm(forms.Form):
    """Weekday, time and last day of a series, and who is on each list."""

    weekday = forms.TypedChoiceField(
        label=_("Weekday"), choices=list(WEEKDAYS_ABBR.items()), coerce=int, widget=forms.RadioSelect
    )
    starts_at = forms.TimeField(
        label=_("Time"), required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    last_day = forms.DateField(
        label=_("Until"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": NO_DAY},
    )
    who = forms.ChoiceField(
        label=_("Who plays?"),
        choices=[("sign-up", _("People sign up each time")), ("same", _("The same players as last time"))],
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    @staticmethod
    def initial_from(plan: Plan) -> dict[str, object]:
        who = "sign-up" if plan.takes_sign_ups else "same"
        return {"weekday": plan.weekday, "starts_at": plan.starts_at, "last_day": plan.last_day, "who": who}

    def plan(self) -> Plan:
        """Return the plan of a valid form."""
        data = self.cleaned_data
        return Plan(data["weekday"], data["starts_at"], data["last_day"], data["who"] == "sign-up")


def weekday_name(weekday: int) -> str:
    return str(WEEKDAYS[weekday])


class DayForm(forms.Form):
    """A day of a series, to skip or reinstate."""

    day = forms.DateField()
