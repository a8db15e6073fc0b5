"""Forms for groups, following stages, and the number of qualifiers."""

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.formats import FORMATS
from league.formats.groups import MOST_GROUPS
from league.lib.form_fields import dress
from league.models import Stage
from league.setup.stages.rules_form import SettingsForm
from league.setup.stages.stage_plan import PlannedStage


def _number(label: Any, most: int, **more: Any) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(label=label, required=False, min_value=1, max_value=most, widget=widget, **more)


def groups_field() -> forms.IntegerField:
    return _number(_("Groups"), MOST_GROUPS)


class CutForm(forms.Form):
    """Who advances to a stage, with how many points, and whether eliminated players play on."""

    takes = _number(_("Number of qualifiers"), 999)
    carries = forms.TypedChoiceField(
        label=_("Points carried over"),
        choices=[(0, _("None")), (50, _("Half")), (100, _("All"))],
        widget=forms.RadioSelect,
        coerce=int,
        initial=0,
        required=False,
    )
    others_play = forms.BooleanField(
        label=_("Second ladder for eliminated players"),
        help_text=_("Only with heats. Eliminated players keep playing until the final."),
        required=False,
    )
    finals = _number(
        _("Parallel finals (A, B, C)"),
        MOST_GROUPS,
        help_text=_("The best play Final A, the next best Final B, and so on. Empty: one final."),
    )

    def who(self) -> dict[str, Any]:
        """Return the fields of a `PlannedStage` that this form sets."""
        data = self.cleaned_data
        who = {name: data.get(name) for name in ("takes", "others_play")}
        finals = data.get("finals") or 1
        return who | {"carries": data.get("carries") or 0, "groups": finals, "by_place": finals > 1}


class AfterForm(CutForm):
    """A short form of the next stage; its rules keep their defaults."""

    groups = groups_field()
    then = forms.ChoiceField(
        label=_("Next stage"),
        choices=lambda: [
            ("", gettext("None")), *((key, gettext(plays.name)) for key, plays in FORMATS.items()),
        ],
        required=False,
    )  # fmt: skip

    def in_groups(self) -> int:
        return self.cleaned_data.get("groups") or 1

    def way(self) -> list[PlannedStage]:
        """Return the stages after the first."""
        then = self.cleaned_data.get("then")
        return [PlannedStage(then, **self.who())] if then else []


class StageForm(CutForm, SettingsForm):
    """A stage after another one, with its rules."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    def stage(self, before: PlannedStage | None = None) -> PlannedStage:
        """Return the planned stage. Fields that the form lacks stay as in `before`."""
        before = before or PlannedStage(self.plays)
        who = self.who()
        if before.groups > 1 and not (before.by_place or who["by_place"]):
            who["groups"] = before.groups
        return replace(before, scoring=self.scoring() or before.scoring, settings=self.settings(), **who)

    @staticmethod
    def initial_from(stage: Stage) -> dict[str, Any]:
        values = {name: getattr(stage, name) for name in ("takes", "carries", "others_play")}
        values["finals"] = stage.finals if stage.by_place else None
        return SettingsForm.initial_from(stage) | values


class GroupsForm(forms.Form):
    """The number of groups in the first stage."""

    groups = groups_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)
