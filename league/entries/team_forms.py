"""Forms for team members and line-ups."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.entries.forms import ShownAsForm
from league.entries.team_members import Line
from league.lib.form_fields import Choices, dress, plain_line
from league.lib.names import MAX_NAME
from league.models import TeamMember

MORE = 2  # empty lines below the members


class MemberLine(NamedTuple):
    """The two fields of a line; `person` is empty for a new member."""

    person: str
    name: forms.BoundField
    number: forms.BoundField


class TeamForm(ShownAsForm):
    """A team's name, club and ordered members: an empty name removes a member, a new name adds one."""

    name = forms.CharField(label=_("Name of the team"), max_length=MAX_NAME)
    club = forms.CharField(label=_("Club"), max_length=MAX_NAME, required=False)

    def __init__(self, *args: Any, members: Sequence[TeamMember], **kwargs: Any) -> None:
        self.people = {f"p{member.player_id}": member.player for member in members}
        self.lines = [*self.people, *(f"new{number}" for number in range(1, MORE + 1))]
        super().__init__(*args, **kwargs)
        for place, line in enumerate(self.lines, 1):
            known = self.people.get(line)
            number = forms.NumberInput(attrs={"inputmode": "numeric"})
            self.fields[f"{line}_name"] = forms.CharField(
                label=_("Name"), max_length=MAX_NAME, required=False, initial=known.name if known else ""
            )
            self.fields[f"{line}_number"] = forms.IntegerField(
                label=_("Place"), min_value=1, max_value=99, initial=place, required=False, widget=number
            )
        dress(self)

    def member_lines(self) -> list[MemberLine]:
        return [
            MemberLine(str(self.people.get(line, "")), self[f"{line}_name"], self[f"{line}_number"])
            for line in self.lines
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for field in ("name", "club", *(f"{line}_name" for line in self.lines)):
            try:
                data[field] = plain_line(data.get(field) or "")
            except forms.ValidationError as refused:
                self.add_error(field, refused)
        return data

    def members(self) -> list[Line]:
        """Return the members by number; those without a number come last."""
        placed = []
        for at, line in enumerate(self.lines):
            name, number = self.cleaned_data[f"{line}_name"], self.cleaned_data[f"{line}_number"]
            if name:
                known = self.people.get(line)
                placed.append(((number or 100, at), Line(known.pk if known else None, name)))
        return [line for _place, line in sorted(placed, key=lambda item: item[0])]


class LineUpForm(forms.Form):
    """The player at one of a team's two places. swaps: (value, words), values `place-player key`."""

    def __init__(self, *args: Any, swaps: Choices, tables: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["who"] = forms.ChoiceField(label=_("Who plays"), choices=swaps)
        self.fields["table"] = forms.ChoiceField(
            label=_("Where"), choices=[("", gettext("All remaining tables")), *tables], required=False
        )
        dress(self)

    def place(self) -> int:
        return int(str(self.cleaned_data["who"]).partition("-")[0])

    def player(self) -> int:
        return int(str(self.cleaned_data["who"]).partition("-")[2])
