"""Forms of a club's pages: details, people, members."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.dates import MONTHS
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.entries.forms import RosterForm
from league.entries.roster import parse as roster
from league.entries.roster.rows import MAX_BYTES, Choices, Roster
from league.lib.form_fields import PlaceForm, dress, place_field, plain_line, plain_lines, time_zone_field
from league.lib.names import MAX_NAME
from league.models import Visibility
from league.remarks.forms import notes_field

# Longest lengths of the shorter months: 29 February is a birthday.
LENGTHS = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}


class ClubForm(PlaceForm):
    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    place = place_field()
    time_zone = time_zone_field()
    about = forms.CharField(label=_("About"), max_length=600, required=False, widget=forms.Textarea(attrs={"rows": 4}))

    visibility = forms.ChoiceField(
        label=_("Who can see it"),
        widget=forms.RadioSelect,
        choices=[
            (Visibility.PUBLIC, _("Everyone")),
            (Visibility.UNLISTED, _("Anyone with the link")),
            (Visibility.PRIVATE, _("Members and organisers")),
        ],
        initial=Visibility.PUBLIC,
    )

    field_order = ("name", "place", "time_zone", "about", "visibility")

    def clean_about(self) -> str:
        return plain_lines(self.cleaned_data["about"])


class HandOverForm(forms.Form):
    def __init__(self, *args: Any, heirs: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"] = forms.ChoiceField(label=_("New owner"), choices=[("", _("Choose")), *heirs])
        dress(self)


class MembersForm(RosterForm):
    """Names for the member list, in the same format as a tournament's player list."""

    players = forms.CharField(
        label=_("Names, one per line"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocomplete": "off"}),
    )

    def _read(self, text: str, choices: Choices) -> Roster:
        return roster.parse(text, once=True, choices=choices)


class TeamOfClubForm(MembersForm):
    """Name and players of a team, captain first."""

    name = forms.CharField(label=_("Name of the team"), max_length=MAX_NAME)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["players_file"]
        self.order_fields(["name", "players"])

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])


class MemberForm(forms.Form):
    """Details of a member. The birthday decides who deals first, and is never public."""

    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    club_name = forms.CharField(label=_("Club in results"), max_length=80, required=False)
    email = forms.EmailField(label=_("E-mail"), max_length=254, required=False)
    birth_day = forms.IntegerField(label=_("Birthday"), min_value=1, max_value=31, required=False)
    birth_month = forms.TypedChoiceField(
        label=_("Month"), coerce=int, empty_value=None, choices=[("", "–"), *MONTHS.items()], required=False
    )
    notes = notes_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])

    def clean_club_name(self) -> str:
        return plain_line(self.cleaned_data["club_name"])

    def clean_notes(self) -> str:
        return plain_lines(self.cleaned_data["notes"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        day, month = data.get("birth_day"), data.get("birth_month")
        if bool(day) != bool(month):
            self.add_error("birth_day", gettext("Give day and month, or neither."))
        elif day and month and day > LENGTHS.get(month, 31):
            self.add_error("birth_day", gettext("This month doesn’t have that day."))
        return data

    @property
    def birthday(self) -> tuple[int, int] | None:
        """Return (month, day), or None."""
        month, day = self.cleaned_data.get("birth_month"), self.cleaned_data.get("birth_day")
        return (month, day) if month and day else None


class PrivacyForm(forms.Form):
    profile_is_public = forms.BooleanField(label=_("Public profile"), required=False)
    short_name = forms.BooleanField(label=_("Strangers see first name and initial"), required=False)
    is_rated = forms.BooleanField(label=_("Public rating"), required=False)
