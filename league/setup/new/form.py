"""The form of a new tournament. After an error it still shows the input."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.entries.forms import RosterForm
from league.entries.known_people import place_name
from league.entries.roster.files import MOST_SHEET_BYTES, FileError, read_file
from league.entries.roster.parse import parse
from league.entries.roster.rows import RosterRow
from league.formats import FORMATS, Format, nearest
from league.formats.protocol import TEAMS
from league.models import Player
from league.setup.forms import DetailsForm, WherePlayedForm
from league.setup.new.members import typed_twice
from league.setup.new.suggest import endings, partnerings
from league.setup.stages.forms import AfterForm
from league.setup.stages.rules_form import RulesForm, slots
from league.setup.stages.stage_plan import PlannedStage
from league.standings.tie_breaks import DEFAULT_ORDER

MOST_EXPECTED = 1000
PLACES, EMPTY_LIST = "places", "nobody"


class Slots(NamedTuple):
    """The slots of formats that differ on the page in more than their settings."""

    teams: str
    singles: str
    drawn_ahead: str


class NewTournamentForm(DetailsForm, RulesForm, RosterForm, WherePlayedForm, AfterForm):
    """Every field of a new tournament. Without a chosen format, the nearest one is used."""

    name = forms.CharField(
        label=_("Name"), max_length=100, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    expected = forms.IntegerField(
        label=_("How many players?"),
        min_value=1,
        max_value=MOST_EXPECTED,
        initial=8,
        required=False,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _("Choose a number from 1 to 1000.")),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    partnering = forms.ChoiceField(
        label=_("Partners"), choices=partnerings, widget=forms.RadioSelect, required=False, initial=""
    )
    ending = forms.ChoiceField(
        label=_("How do you win?"), choices=endings, widget=forms.RadioSelect, required=False, initial=""
    )
    format = forms.ChoiceField(
        choices=lambda: [("", ""), *((key, plays.name) for key, plays in FORMATS.items())],
        widget=forms.RadioSelect,
        required=False,
        initial="",
    )
    without_names = forms.ChoiceField(
        label=_("If you enter no names"),
        choices=[(PLACES, _("Player 1, Player 2 …")), (EMPTY_LIST, _("No players yet"))],
        widget=forms.RadioSelect,
        initial=PLACES,
        required=False,
    )
    order = forms.ChoiceField(
        label=_("Order of the draw"),
        widget=forms.RadioSelect,
        choices=[("list", _("List order")), ("shuffled", _("Shuffled"))],
        initial="list",
        required=False,
    )
    tie_breaks = DEFAULT_ORDER

    def __init__(self, *args: Any, members: Sequence[Player] = (), **kwargs: Any) -> None:
        """members: ticked members of the club, who play in addition to the typed names."""
        self._ticked = members
        super().__init__(*args, **kwargs)
        self.fields["players"].widget.attrs |= {
            "rows": 3 if members else 5,
            "placeholder": " ",
        }  # the style sheet asks whether it is empty
        self.order_fields([name for name in self.fields if name != "format"])  # it depends on all others

    @property
    def plays(self) -> str:
        chosen: str = getattr(self, "cleaned_data", {}).get("format", "")
        return chosen

    @property
    def of_teams(self) -> bool:
        return bool(self.plays) and FORMATS[self.plays].enters == TEAMS

    @property
    def members(self) -> Sequence[Player]:
        """Return the ticked members; none for team formats."""
        return () if self.of_teams else self._ticked

    @property
    def twice(self) -> set[str]:
        """Return the typed names that are also ticked."""
        return typed_twice([row.name for row in self.roster.rows], self.members)

    def listed(self) -> tuple[RosterRow, ...]:
        """Return the typed rows without ticked members."""
        twice = self.twice
        return tuple(row for row in self.roster.rows if row.name not in twice)

    def entered(self) -> int:
        """Return the number of names, teams and ticked members."""
        return len(self.listed()) + len(self.members)

    def clean_format(self) -> str:
        return self.cleaned_data["format"] or self.ranked[0].key

    @cached_property
    def ranked(self) -> list[Format]:
        """Return all formats, the best fit for the answers and the number first. Needs clean fields."""
        answers = (self.cleaned_data.get("partnering", ""), self.cleaned_data.get("ending", ""))
        return nearest(*answers, people=self.people(), entries=self._lines() + len(self._ticked))

    def people(self) -> int:
        """Return the expected number of players; 0 if unknown."""
        return self.cleaned_data.get("expected") or 0

    def _lines(self) -> int:
        """Return the number of typed names or teams, before the format is known."""
        text, upload = self.cleaned_data.get("players") or "", self.cleaned_data.get("players_file")
        if upload and not text.strip():
            try:
                text = read_file(upload.read(MOST_SHEET_BYTES + 1)).text
            except FileError:
                return 0  # `clean` reports it
            finally:
                upload.seek(0)
        read = parse(text, choices=self._choices()) if text.strip() else None
        return len(read.rows) + len(read.errors) if read else 0

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.plays:
            own = {setting.name for setting in FORMATS[self.plays].settings}
            for name in {setting.name for plays in FORMATS.values() for setting in plays.settings} - own:
                self.errors.pop(name, None)  # the field of another format is hidden
        if self.entered():
            self.errors.pop("expected", None)  # the number isn't used
        return data

    @staticmethod
    def slots_of() -> Slots:
        of_teams = [plays for plays in FORMATS.values() if plays.enters == TEAMS]
        return Slots(
            teams=slots(of_teams),
            singles=slots(plays for plays in FORMATS.values() if plays not in of_teams),
            drawn_ahead=slots(plays for plays in FORMATS.values() if plays.drawn_ahead),
        )

    @property
    def questions(self) -> list[forms.BoundField]:
        """Return the questions that are answered by pictures."""
        return [self["partnering"], self["ending"]]

    @property
    def rules_are_wrong(self) -> bool:
        own = [setting.name for setting in FORMATS[self.plays].settings] if self.plays else []
        return any(name in self.errors for name in ("edition", "scoring", *own))

    @property
    def after_is_wrong(self) -> bool:
        return any(name in self.errors for name in AfterForm.base_fields)

    @property
    def day_is_wrong(self) -> bool:
        return any(name in self.errors for name in ("starts_on", "starts_at", "place", "time_zone"))

    @property
    def where_is_wrong(self) -> bool:
        return any(name in self.errors for name in ("which", "numbers"))

    def first_fault(self) -> str:
        """Return the first error of the players and the chosen format; empty if there is none."""
        own = (setting.name for setting in FORMATS[self.plays].settings)
        faulty = [
            name
            for name in ("expected", "edition", *own, "scoring", *AfterForm.base_fields, "players", "players_file")
            if name in self.errors
        ]
        return str(self.errors[faulty[0]][0]) if faulty else ""

    def rows(self) -> tuple[RosterRow, ...]:
        """Return the typed players. If there are no players at all, return numbered places instead."""
        if self.entered() or self.of_teams or self.cleaned_data.get("without_names") != PLACES:
            return self.listed()
        places = range(1, self.people() + 1)
        return tuple(RosterRow(number, place_name(number)) for number in places)

    def stages(self) -> list[PlannedStage]:
        first = PlannedStage(self.plays, groups=self.in_groups(), scoring=self.scoring(), settings=self.settings())
        return [first, *self.way()]

    def title(self) -> str:
        """Return the name; by default, the format and the day."""
        day = date_format(self.cleaned_data["starts_on"], gettext("j F"))
        words = {"what": gettext(FORMATS[self.plays].name), "day": day}
        return self.cleaned_data["name"] or gettext("%(what)s, %(day)s") % words
