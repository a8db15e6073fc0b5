"""The form of a stage's rules, generated from the settings of the formats."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rules import EDITIONS, SCORINGS
from league.formats import FORMATS, Format, Setting
from league.lib.form_fields import dress
from league.lib.translate import translate
from league.models import Stage
from league.standings.tie_breaks import TIE_BREAKS


def _editions() -> list[tuple[str, str]]:
    return [(key, f"{gettext(edition.name)}, {len(edition.deck)}") for key, edition in EDITIONS.items()]


INSTEAD = "until"


@dataclass(frozen=True)
class Words:
    """A text of a field, and the slots of its formats."""

    text: str
    of: str


@dataclass(frozen=True)
class SettingField:
    """A field for settings with one name. `of`: slots of their formats, `formats`: names of the formats.

    `either`: index among settings that exclude each other, from 0; otherwise empty.
    """

    field: forms.BoundField
    of: str
    formats: str
    labels: tuple[Words, ...]
    hints: tuple[Words, ...]
    is_choice: bool = False
    either: str = ""


def slots(formats: Iterable[Format]) -> str:
    """Return the numbers of the formats, from 1. The style sheet uses them to show the fields of the chosen format."""
    numbers = {key: number for number, key in enumerate(FORMATS, 1)}
    return " ".join(str(numbers[plays.key]) for plays in formats if plays.key in numbers)


def has_exclusive(plays: Format) -> bool:
    """Return whether some settings exclude each other."""
    return any(setting.one_of for setting in plays.settings)


class SettingsForm(forms.Form):
    """The settings of formats. format: limits the form to its fields; None: fields of all formats.

    amending: only settings that may change after the start. Each format checks its own limits.
    """

    def __init__(self, *args: Any, format: str | None = None, amending: bool = False, **kwargs: Any) -> None:
        self._plays, self.amending = format or "", amending
        self._formats = [FORMATS[format]] if format is not None else list(FORMATS.values())
        # Another base class may validate during `__init__`, so add the fields before it.
        self.base_fields = self.base_fields | _fields_of(self._formats, amending)  # type: ignore[misc]
        super().__init__(*args, **kwargs)
        dress(self)

    @property
    def plays(self) -> str:
        """Return the key of the format; empty if none was chosen."""
        return self._plays

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        instead = data.pop(INSTEAD, "")
        exclusive = [setting for setting in FORMATS[self.plays].settings if setting.one_of]
        for setting in exclusive:
            if setting.option != (instead or exclusive[0].option):
                data[setting.name] = None
                self.errors.pop(setting.name, None)  # the field is hidden
        return data

    def settings(self) -> dict[str, Any]:
        """Return the chosen settings. An empty field means the default, unless empty is a valid answer."""
        settings = [setting for setting in FORMATS[self.plays].settings if setting.name in self.fields]
        chosen = {setting.name: (setting, self.cleaned_data.get(setting.name)) for setting in settings}
        return {name: value for name, (setting, value) in chosen.items() if value is not None or may_be_empty(setting)}

    def scoring(self) -> str:
        """Return the scoring; empty if the format has only one."""
        return self.cleaned_data.get("scoring", "") if len(FORMATS[self.plays].scorings) > 1 else ""

    def setting_fields(self) -> list[SettingField]:
        """Return the fields of settings, ready to render."""
        shown = []
        for name in self.fields:
            having = [(plays, setting) for plays in self._formats if (setting := plays.setting(name)) is not None]
            if having:
                shown.append(self._shown(name, having))
            elif name == INSTEAD:
                shown.append(self._choice(name, filter(has_exclusive, self._formats)))
            elif name == "scoring":
                shown.append(self._choice(name, (plays for plays in self._formats if len(plays.scorings) > 1)))
        return shown

    def _shown(self, name: str, having: Sequence[tuple[Format, Setting]]) -> SettingField:
        formats = [plays for plays, _setting in having]
        exclusive = [setting for plays in formats for setting in plays.settings if setting.one_of]
        places = [str(place) for place, setting in enumerate(exclusive) if setting.name == name]
        return SettingField(
            self[name],
            slots(formats),
            _names(formats),
            _words((plays, setting.label) for plays, setting in having),
            _words((plays, setting.amend_help if self.amending else setting.help) for plays, setting in having),
            is_choice=bool(having[0][1].named),
            either=next(iter(places), ""),
        )

    def _choice(self, name: str, formats: Iterable[Format]) -> SettingField:
        formats = list(formats)
        return SettingField(self[name], slots(formats), _names(formats), (), (), is_choice=True)

    @staticmethod
    def initial_from(stage: Stage) -> dict[str, Any]:
        """Return the field values for a stage."""
        initial: dict[str, Any] = {"edition": stage.edition, "scoring": stage.scoring}
        for setting in stage.plays.settings:
            value = stage.values[setting.name]
            initial[setting.name] = _suggested(setting) if value is None and setting.one_of else value
            if setting.one_of and value is not None:
                initial[INSTEAD] = setting.option
        return initial


class RulesForm(SettingsForm):
    """Rules that are fixed from the start of round 1."""

    edition = forms.ChoiceField(
        label=_("Cards"),
        choices=_editions,
        initial="classic",
    )


def may_be_empty(setting: Setting) -> bool:
    """Return whether an empty field is valid or is left to the format to refuse."""
    return bool(setting.empty or setting.needed or setting.one_of)


def _fields_of(formats: Sequence[Format], amending: bool) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {}
    for plays in filter(has_exclusive, formats):
        fields.setdefault(INSTEAD, _choice_between(plays))
    for plays in formats:
        for setting in plays.settings:
            if setting.amended or not amending:
                fields.setdefault(setting.name, _number(setting, amending))
    if not amending and any(len(plays.scorings) > 1 for plays in formats):
        fields["scoring"] = _choice_of_scoring(formats)
    return fields


def _suggested(setting: Setting) -> int | None:
    return setting.usual if setting.default is None else setting.default


def _number(setting: Setting, amending: bool) -> forms.Field:
    if setting.named:
        return forms.TypedChoiceField(
            label=gettext(setting.label),
            choices=[(number, gettext(name)) for number, name in enumerate(setting.named, setting.least)],
            coerce=int,
            empty_value=None,
            initial=_suggested(setting),
            required=False,
            widget=forms.RadioSelect,
        )
    return forms.IntegerField(
        label=gettext(setting.label),
        initial=_suggested(setting),
        required=amending and not may_be_empty(setting),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


def _choice_between(plays: Format) -> forms.ChoiceField:
    settings = [setting for setting in plays.settings if setting.one_of]
    return forms.ChoiceField(
        label=gettext("A round is"),
        widget=forms.RadioSelect,
        choices=[(setting.option, gettext(setting.one_of)) for setting in settings],
        initial=settings[0].option,
        required=False,
    )


def _choice_of_scoring(formats: Iterable[Format]) -> forms.ChoiceField:
    codes = list(dict.fromkeys(code for plays in formats if len(plays.scorings) > 1 for code in plays.scorings))
    return forms.ChoiceField(
        label=gettext("Scoring"),
        widget=forms.RadioSelect,
        choices=[(code, gettext(SCORINGS[code])) for code in codes],
        initial=codes[0],
        required=False,
    )


def _names(formats: Sequence[Format]) -> str:
    """Return the names of the formats; empty if these are all."""
    return ", ".join(gettext(plays.name) for plays in formats) if len(formats) < len(FORMATS) else ""


def _words(texts: Iterable[tuple[Format, str]]) -> tuple[Words, ...]:
    """Return the different texts, each with the slots of its formats."""
    formats: dict[str, list[Format]] = {}
    for plays, text in texts:
        if text:
            formats.setdefault(text, []).append(plays)
    return tuple(Words(gettext(text), slots(of)) for text, of in formats.items())


def facts_of(stage: Stage) -> list[tuple[str, str]]:
    """Return the rules in words: format, cards, settings, scoring, tie-breaks."""
    edition = EDITIONS.get(stage.edition)
    facts = [(gettext("Format"), gettext(stage.plays.name))]
    facts.append((gettext("Cards"), gettext(edition.name) if edition else stage.edition))
    for setting in stage.plays.settings:
        value = stage.values[setting.name]
        if stage.plays.is_needed(setting, stage.values) and (value is not None or setting.empty):
            facts.append((gettext(setting.label), translate(setting.in_words(value))))
    if len(stage.plays.scorings) > 1:
        facts.append((gettext("Scoring"), gettext(SCORINGS[stage.scoring])))
    if stage.plays.tie_breaks:
        order = ", ".join(gettext(TIE_BREAKS[code].name) if code in TIE_BREAKS else code for code in stage.tie_breaks)
        facts.append((gettext("Tie-breaks"), order or gettext("None")))
    return facts
