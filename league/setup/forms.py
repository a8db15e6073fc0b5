"""Forms to set a tournament up. After an error they still show the input."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.day.table_forms import ReasonForm
from league.formats.setting import MOST_BYE_POINTS
from league.lib.errors import Refused
from league.lib.form_fields import PlaceForm, dress, place_field, plain_line, time_zone_field
from league.lib.wall_time import check_once
from league.models import Club, Division, Season, Stage, Tournament
from league.setup.online import tables_online
from league.setup.stages.rules_form import RulesForm, SettingsForm
from league.standings.tie_breaks import TIE_BREAKS

MOST_TIE_BREAKS = 5
MOST_MINUTES = 1440
DETAILS = ("name", "place", "starts_on", "starts_at", "time_zone", "visibility")


class DetailsForm(PlaceForm):
    """Details that may change at any time. refused: set if a clock change skips or repeats the start."""

    refused: Refused | None = None

    name = forms.CharField(label=_("Name"), max_length=100, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    place = place_field()
    starts_on = forms.DateField(label=_("Date"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    starts_at = forms.TimeField(
        label=_("Time"), required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    time_zone = time_zone_field()
    visibility = forms.ChoiceField(
        label=_("Who can see it"),
        widget=forms.RadioSelect,
        choices=[
            (Tournament.Visibility.PUBLIC, _("Everyone")),
            (Tournament.Visibility.UNLISTED, _("Anyone with the link")),
            (Tournament.Visibility.PRIVATE, _("Only people I invite")),
        ],
        initial=Tournament.Visibility.PUBLIC,
    )

    def clean_starts_on(self) -> date:
        day: date = self.cleaned_data["starts_on"]
        if not 2000 <= day.year <= 2100:
            raise forms.ValidationError(gettext("Choose a day between 2000 and 2100."))
        return day

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        day, at, zone = (data.get(name) for name in ("starts_on", "starts_at", "time_zone"))
        if day and at and zone:
            try:
                check_once(datetime.combine(day, at), ZoneInfo(zone), "starts_at")
            except Refused as refused:
                self.refused = refused
                self.add_error("starts_at", str(refused))
        return data


class ReportingForm(forms.Form):
    """Whether players report hands, and when those count as confirmed."""

    players_report = forms.BooleanField(
        label=_("Players report the hands of their own table"),
        help_text=_("Each player uses their own link. Opponents confirm or dispute each hand; you decide disputes."),
        required=False,
    )
    confirm_after = forms.IntegerField(
        label=_("Confirm automatically after (minutes)"),
        help_text=_("After a table’s last hand. Empty: never."),
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)


class LeavingForm(forms.Form):
    """Whether players leave without a director's answer."""

    players_leave = forms.BooleanField(
        label=_("Players may leave without asking"),
        help_text=_("Each player uses their own link. Otherwise you accept or refuse under Now. You can undo it."),
        required=False,
    )


class OddsForm(forms.Form):
    """Whether pages show the odds of winning."""

    shows_odds = forms.BooleanField(
        label=_("Show everyone the chances of winning"),
        help_text=_("Calculated from simulated endings while the tournament runs."),
        required=False,
    )


class FeeForm(forms.Form):
    """What each entry pays, in words. Empty: nothing."""

    fee = forms.CharField(
        label=_("Fee"),
        help_text=_("For example 5 €. Check-in then has a tick for each player who paid. Empty: no fee."),
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    def clean_fee(self) -> str:
        return plain_line(self.cleaned_data["fee"])


class TieBreaksForm(forms.Form):
    """An ordered list in up to five fields; empty ones are skipped."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", "—"), *((code, gettext(tie_break.name)) for code, tie_break in TIE_BREAKS.items())]
        for number in range(1, MOST_TIE_BREAKS + 1):
            self.fields[f"tb{number}"] = forms.ChoiceField(label=str(number), choices=choices, required=False)
        dress(self)

    @staticmethod
    def initial_from(order: Iterable[str]) -> dict[str, str]:
        return {f"tb{number}": code for number, code in enumerate(order, 1)}

    def order(self) -> tuple[str, ...]:
        chosen = [self.cleaned_data[f"tb{number}"] for number in range(1, MOST_TIE_BREAKS + 1)]
        return tuple(dict.fromkeys(code for code in chosen if code))


class AmendForm(SettingsForm, ReasonForm):
    """The settings of a stage that may change after the start."""

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        initial = RulesForm.initial_from(stage)
        super().__init__(*args, format=stage.format, amending=True, initial=initial, **kwargs)
        self.stage = stage

    @property
    def changes(self) -> bool:
        return any(self.stage.values[name] != value for name, value in self.settings().items())


class ClubChoiceForm(forms.Form):
    """The club of a tournament, or none, and optionally a season of that club with a division."""

    def __init__(
        self, *args: Any, clubs: Iterable[Club], tournament: Tournament | None = None, season: str = "", **kwargs: Any
    ) -> None:
        """tournament: None for a new one. season: slug of the season to suggest, in the club in `initial`.

        Without `season`, the only open season of a club is suggested.
        """
        super().__init__(*args, **kwargs)
        self._clubs = {club.slug: club for club in clubs}
        self._seasons = _seasons_to_choose(self._clubs.values(), tournament)
        self.fields["club"] = forms.ChoiceField(label=_("Club"), choices=self._choices(), required=False)
        if tournament is not None and tournament.season is not None:
            self.initial["club"] = _key(tournament.season, tournament.division)
        elif tournament is None:
            self.initial["club"] = self._suggest(self.initial.get("club", ""), season)
        dress(self)

    def _suggest(self, club: str, season: str) -> str:
        own = [
            key
            for key, (candidate, division) in self._seasons.items()
            if candidate.club.slug == club and division is None
        ]
        if f"{club}/{season}" in own:
            return f"{club}/{season}"
        return own[0] if len(own) == 1 else club

    def _choices(self) -> list[tuple[str, Any]]:
        choices: list[tuple[str, Any]] = [("", _("No club"))]
        for slug, club in self._clubs.items():
            choices.append((slug, club.name))
            for key, (season, division) in self._seasons.items():
                if season.club_id == club.pk:
                    choices.append((key, ", ".join(str(part) for part in (club, season, division) if part)))
        return choices

    @property
    def has_choices(self) -> bool:
        return bool(self._clubs)

    @property
    def about_seasons(self) -> str:
        """Return a hint on seasons; empty if there is none to choose."""
        words = gettext("Choose a season to count the tournament in it.")
        return words if self._seasons else ""

    def club(self) -> Club | None:
        return self._clubs.get(self.cleaned_data["club"].partition("/")[0])

    def season(self) -> tuple[Season | None, Division | None]:
        return self._seasons.get(self.cleaned_data["club"], (None, None))


def _key(season: Season, division: Division | None) -> str:
    """Return the value of a choice: “cafe-ludo/autumn” or, for one division, “cafe-ludo/autumn/2”."""
    return f"{season.club.slug}/{season.slug}" + (f"/{division.number}" if division else "")


def _seasons_to_choose(
    clubs: Iterable[Club], tournament: Tournament | None
) -> dict[str, tuple[Season, Division | None]]:
    """Return by key the open seasons and the tournament's own, each first for all divisions."""
    goes_on = Q(closed_at=None) | (Q(tournaments=tournament) if tournament else Q(pk__in=()))
    seasons = Season.objects.filter(goes_on, club__in=list(clubs)).select_related("club").distinct()
    choices: dict[str, tuple[Season, Division | None]] = {}
    for season in seasons.prefetch_related("divisions"):
        for division in (None, *season.divisions.all()):
            choices[_key(season, division)] = season, division
    return choices


class CallOffForm(forms.Form):
    """The public reason for cancelling."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        error_messages={"required": _("Give a reason. Everyone can read it.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)


class CountsForm(forms.Form):
    counts = forms.BooleanField(
        label=_("Count it in club ratings and seasons"),
        help_text=_("Otherwise ratings leave its hands out, and it leaves its season."),
        required=False,
    )


class DeleteForm(forms.Form):
    """The name of the tournament, typed again."""

    name = forms.CharField(
        label=_("Name"),
        max_length=300,
        error_messages={"required": _("Nothing was deleted. Type the name.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)


class WherePlayedForm(forms.Form):
    """Two fields of other forms that make up `Tournament.online`."""

    which = forms.ChoiceField(
        label=_("Real cards or online?"),
        widget=forms.RadioSelect,
        choices=[
            ("", _("With real cards")),
            ("all", _("Online, everyone on their own device")),
            ("some", _("Some tables online")),
        ],
        required=False,
    )
    numbers = forms.CharField(label=_("Online tables"), max_length=300, required=False, widget=forms.TextInput())

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("which") == "some" and "numbers" in data:
            try:
                if not tables_online(data["numbers"]):
                    self.add_error("numbers", gettext("Type table numbers, for example 1-4, 7."))
            except Refused as refused:
                self.add_error("numbers", str(refused))
        return data

    @staticmethod
    def fields_of(online: str) -> dict[str, str]:
        """Return the field values for a `Tournament.online`."""
        return {"which": online if online in ("", "all") else "some", "numbers": "" if online == "all" else online}

    @property
    def online(self) -> str:
        which: str = self.cleaned_data["which"]
        return tables_online(self.cleaned_data["numbers"]) if which == "some" else which


class ByeWorthForm(forms.Form):
    """The points for a bye, in the `round` with the first byes."""

    round = forms.IntegerField(min_value=1, max_value=10_000)
    points = forms.IntegerField(min_value=0, max_value=MOST_BYE_POINTS)


class SetTimeForm(forms.Form):
    """The time at which a round is published: a naive wall time, and a fold for a repeated time."""

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
