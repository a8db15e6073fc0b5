"""Forms for late entries, departures, substitutes and seating requests."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.lib.form_fields import Choices, dress, names_between_commas, plain_line

MOST = 10_000
OF_THE_CLUB = {"list": "members", "autocomplete": "off"}  # suggests members; the page needs `members_list`

WITHOUT_SEAT = {"list": "without-seat", "autocomplete": "off"}  # suggests people without a seat in these rounds
FREE_TO_PLAY = {"list": "free-to-play", "autocomplete": "off"}


class DayForm(forms.Form):
    """Base form; names are stored as the roster stores them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)


def _another() -> forms.BooleanField:
    """Return a checkbox for “another person of this name”; pages offer it after a refusal."""
    return forms.BooleanField(label=_("This is another person with the same name"), required=False)


def _name(label: Any, **settings: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=80, **settings)


def _reason(**settings: Any) -> forms.CharField:
    return forms.CharField(label=_("Reason"), max_length=200, **settings)


class LateForm(DayForm):
    asks_another = False  # whether the page offers `another`
    name = _name(_("Name"), widget=forms.TextInput(attrs=OF_THE_CLUB))
    club = _name(_("Club"), required=False)
    total = forms.IntegerField(label=_("Starting points"), min_value=-MOST, max_value=MOST, required=False)
    reason = _reason(required=False)
    another = _another()

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])

    def clean_club(self) -> str:
        return plain_line(self.cleaned_data["club"])


class LateTeamForm(LateForm):
    members = forms.CharField(label=_("Players"), max_length=1000)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the team")
        self.order_fields(["name", "members", "club", "total", "reason"])

    def clean_members(self) -> list[str]:
        return names_between_commas(self.cleaned_data["members"])


class LeaveForm(DayForm):
    stand_in = _name(_("Stand-in"), required=False, widget=forms.TextInput(attrs=WITHOUT_SEAT))
    another = _another()
    reason = _reason(required=False)

    def clean_stand_in(self) -> str:
        return plain_line(self.cleaned_data["stand_in"])


class ReasonForm(DayForm):
    reason = _reason(required=False)


class ReinstateForm(DayForm):
    reason = _reason()


class SubstituteForm(forms.Form):
    """places: of a team, the choice of the member to replace."""

    name = _name(_("Substitute"), widget=forms.TextInput(attrs=FREE_TO_PLAY))
    another = _another()

    def __init__(self, *args: Any, tables: Choices, places: Choices = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if places:
            self.fields["member"] = forms.TypedChoiceField(label=_("Replaced player"), choices=places, coerce=int)
        self.fields["table"] = forms.ChoiceField(
            label=_("Table"), choices=[("", _("All remaining tables")), *tables], required=False
        )
        dress(self)

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])


class FixedTableForm(DayForm):
    number = forms.IntegerField(label=_("Table"), min_value=1, max_value=1000, required=False)


class ApartForm(forms.Form):
    def __init__(self, *args: Any, players: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["other"] = forms.ChoiceField(label=_("Player"), choices=[("", _("Choose")), *players])
        dress(self)


class ByeForm(forms.Form):
    points = forms.IntegerField(label=_("Points"), min_value=0, max_value=MOST)
    reason = _reason(required=False)

    def __init__(self, *args: Any, rounds: Sequence[tuple[int, int]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        worth = gettext("Round %(number)d, now %(points)d")
        numbered = [(str(number), worth % {"number": number, "points": points}) for number, points in rounds]
        self.fields["round"] = forms.ChoiceField(label=_("Round"), choices=numbered)
        self.order_fields(["round", "points", "reason"])
        dress(self)
