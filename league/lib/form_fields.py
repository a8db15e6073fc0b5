"""Share what all forms need: widget styles, text fields, and the place of a refusal."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.lib.errors import Refused
from league.lib.names import MAX_NAME, has_control_characters, has_link, is_visible, tidy

Choices = Sequence[tuple[str, str]]

NOTHING: Mapping[str, str] = MappingProxyType({})


def dress(form: forms.BaseForm) -> None:
    """Give widgets the design's class, and link errors and hints to their field for screen readers."""
    for name, field in form.fields.items():
        if not isinstance(field.widget, forms.CheckboxInput | forms.RadioSelect | forms.HiddenInput | forms.FileInput):
            field.widget.attrs.setdefault("class", "input")
        if name in form.errors:
            field.widget.attrs["aria-invalid"] = "true"
            field.widget.attrs["aria-describedby"] = f"{form[name].auto_id}-error"


@cache
def time_zones() -> tuple[str, ...]:
    regions = sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    return (*regions, "UTC")


@cache
def known_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def plain_line(text: str) -> str:
    """Return one line of text in the form of a stored name. Refuse text without visible characters."""
    tidied = tidy(text)
    if has_control_characters(tidied):
        raise forms.ValidationError(gettext("This has characters that can’t be shown. Type it again."))
    if text and not is_visible(tidied):
        raise forms.ValidationError(forms.Field.default_error_messages["required"], code="required")
    return tidied


def plain_lines(text: str) -> str:
    """Return the text with its paragraphs, without characters that can't be displayed."""
    return "\n".join(plain_line(line) if line.strip() else "" for line in text.splitlines()).strip()


def without_link(text: str) -> str:
    """Return a text for e-mails. Refuse links, so that our mails can't advertise."""
    if has_link(text):
        raise forms.ValidationError(
            gettext("Links and e-mail addresses aren’t allowed here. In a name, put a space after the dot.")
        )
    return text


def names_between_commas(text: str) -> list[str]:
    """Return the names in a line such as “Ana, Ben”, as in a list of teams."""
    names = [name for name in (plain_line(part) for part in re.split(r"[,;\n]", text) if part.strip()) if name]
    if any(len(name) > MAX_NAME for name in names):
        message = gettext("A name has at most %(most)d characters. Put a comma between two names.")
        raise forms.ValidationError(message % {"most": MAX_NAME})
    return names


def show_refusal(form: forms.BaseForm, refused: Refused, at: Mapping[str, str] = NOTHING) -> None:
    """Show a service's refusal at the fields it names, else at the top. at: {the service's field name: the form's}, if
    different.
    """
    for field, sentences in (refused.fields or {"": [str(refused)]}).items():
        name = at.get(field, field)
        for sentence in sentences:
            form.add_error(name if name in form.fields else None, sentence)
    dress(form)


def add_refusal(form: forms.BaseForm | None, refused: Refused) -> str:
    """Add a refusal to the fields it names. Return its sentence if the form has none of them."""
    if form is None or not form.is_bound:
        return str(refused)
    of_form = {name: sentences for name, sentences in refused.fields.items() if name in form.fields and sentences}
    for name, sentences in of_form.items():
        for sentence in sentences:
            if sentence not in form.errors.get(name, ()):
                form.add_error(name, sentence)
    return "" if of_form else str(refused)


def place_field() -> forms.CharField:
    return forms.CharField(label=_("Place"), max_length=100, required=False)


def time_zone_field() -> forms.CharField:
    widget = forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off"})
    return forms.CharField(label=_("Time zone"), max_length=64, widget=widget)


class PlaceForm(forms.Form):
    """Reads the fields `name`, `place` and `time_zone` of club and tournament forms."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    def clean_name(self) -> str:
        return without_link(plain_line(self.cleaned_data["name"]))

    def clean_place(self) -> str:
        return without_link(plain_line(self.cleaned_data["place"]))

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"].strip()
        if zone not in known_zones():
            raise forms.ValidationError(gettext("Choose a time zone from the list, for example Europe/Paris."))
        return zone
