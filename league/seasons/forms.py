"""Forms of a season: rules, divisions, name of the next season."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.lib.errors import Refused
from league.lib.form_fields import dress, plain_line, show_refusal
from league.models import Division, Season
from league.seasons.seasons import MOST_DIVISIONS, MOST_PLACES, MOST_POINTS, PLACE_POINTS, DivisionWanted

PLACES_SHOWN, MORE_PLACES = 16, 4
DIVISIONS_SHOWN = 4
MOST = 1000


class DivisionRow(NamedTuple):
    """Fields of one division."""

    name: forms.BoundField
    up: forms.BoundField
    down: forms.BoundField


class SeasonForm(forms.Form):
    """`place_1`, `place_2` … hold points for places, up to the first empty one. `name_1`, `up_1`, `down_1` … hold
    divisions, highest first.
    """

    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    counts = forms.ChoiceField(
        label=_("Points from each tournament"),
        widget=forms.RadioSelect,
        choices=[
            (Season.Counts.PLACES, _("Points by rank")),
            (Season.Counts.POINTS, _("The points scored")),
        ],
        initial=Season.Counts.PLACES,
    )
    best_of = forms.IntegerField(label=_("Best results counted"), min_value=1, max_value=MOST, required=False)
    min_evenings = forms.IntegerField(label=_("Tournaments needed for a rank"), min_value=1, max_value=MOST, initial=1)

    def __init__(
        self,
        data: Any = None,
        *,
        place_points: Sequence[int] = PLACE_POINTS,
        divisions: Sequence[Division] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self._places = _rows(data, "place", max(PLACES_SHOWN, len(place_points) + MORE_PLACES), MOST_PLACES)
        self._divisions = _rows(data, "name", max(DIVISIONS_SHOWN, len(divisions) + 1), MOST_DIVISIONS)
        for row in range(1, self._places + 1):
            points = place_points[row - 1] if row <= len(place_points) else None
            self.fields[f"place_{row}"] = _number(_("Points"), points)
        for row in range(1, self._divisions + 1):
            division = divisions[row - 1] if row <= len(divisions) else None
            self.fields[f"name_{row}"] = forms.CharField(
                label=gettext("Name of division %(number)d") % {"number": row},
                max_length=40,
                required=False,
                initial=division.name if division else "",
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
            for way, label in (
                ("up", _("Promoted from division %(number)d")),
                ("down", _("Relegated from division %(number)d")),
            ):
                self.fields[f"{way}_{row}"] = _number(
                    label % {"number": row}, getattr(division, way) if division else None
                )
        dress(self)

    @property
    def places(self) -> list[forms.BoundField]:
        return [self[f"place_{row}"] for row in range(1, self._places + 1)]

    @property
    def division_rows(self) -> list[DivisionRow]:
        rows = range(1, self._divisions + 1)
        return [DivisionRow(self[f"name_{row}"], self[f"up_{row}"], self[f"down_{row}"]) for row in rows]

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        points = [data.get(f"place_{row}") for row in range(1, self._places + 1)]
        while points and points[-1] is None:
            points.pop()
        gap = next((f"place_{row}" for row, value in enumerate(points, 1) if value is None), None)
        if gap is not None and gap not in self.errors:
            self.add_error(gap, gettext("Fill this in, or clear the later ones."))
        data["place_points"] = points
        names = [plain_line(data.get(f"name_{row}") or "") for row in range(1, self._divisions + 1)]
        named = sum(map(bool, names))
        for row, name in enumerate(names, 1):
            if not name and (row <= named or data.get(f"up_{row}") or data.get(f"down_{row}")):
                self.add_error(f"name_{row}", gettext("Give the division a name."))
            data[f"name_{row}"] = name
        dress(self)
        return data

    def rules(self) -> dict[str, Any]:
        """Return the arguments of the services, except `divisions`."""
        fields = ("name", "counts", "place_points", "best_of", "min_evenings")
        return {field: self.cleaned_data[field] for field in fields}

    def divisions(self) -> list[DivisionWanted]:
        data = self.cleaned_data
        rows = range(1, self._divisions + 1)
        return [
            DivisionWanted(data[f"name_{row}"], data[f"up_{row}"] or 0, data[f"down_{row}"] or 0)
            for row in rows
            if data[f"name_{row}"]
        ]

    def add_refusal(self, refused: Refused) -> None:
        points = self.cleaned_data.get("place_points") or []
        more = next((at for at in range(1, len(points)) if points[at] > points[at - 1]), 0)
        names = [division.name.casefold() for division in self.divisions()]
        last = len(names)
        double = next((row for row, name in enumerate(names, 1) if name in names[: row - 1]), last)
        of_division = {"division-up": "up_1", "division-down": f"down_{last}"}.get(refused.code, f"name_{double}")
        show_refusal(self, refused, at={"place_points": f"place_{more + 1}", "divisions": of_division})


class NextSeasonForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])


class ReopenForm(forms.Form):
    reason = forms.CharField(max_length=200, required=False)


def _rows(data: Any, field: str, least: int, most: int) -> int:
    """Return the number of rows sent, between `least` and `most`."""
    sent = [name.partition("_")[2] for name in data or () if name.startswith(f"{field}_")]
    numbers = [int(number) for number in sent if number.isascii() and number.isdigit() and len(number) < 5]
    return min(max([least, *numbers]), most)


def _number(label: Any, initial: int | None) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=0,
        max_value=MOST_POINTS,
        required=False,
        initial=initial,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
