"""A move as sent by a page or a program, and the engine's action made from it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.cards import COLORS
from engine.shuffle import ENTROPY_BYTES
from engine.state import Action

KINDS = ("play", "draw", "pass", "color", "accept", "challenge", "uno", "catch")


class ReadyForm(forms.Form):
    """`promised`: the SHA-256 of the browser's share of the shuffle; empty without scripts."""

    deal = forms.IntegerField(min_value=1)
    promised = forms.RegexField("^[0-9a-f]{64}$", required=False)


class OpenForm(forms.Form):
    deal = forms.IntegerField(min_value=1)
    entropy = forms.RegexField(rf"^([0-9a-fA-F]{{2}}){{1,{ENTROPY_BYTES}}}$")

    def clean_entropy(self) -> bytes:
        return bytes.fromhex(self.cleaned_data["entropy"])


class _Shared(dict[str, forms.Field]):
    """Form fields that never change. Django would copy them, with all choices, for each form."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Shared":
        return self


class MoveForm(forms.Form):
    """`kind` and its arguments. `answers`: the number of the move to answer. A wild card needs its `color`."""

    deal = forms.IntegerField(min_value=1)
    answers = forms.IntegerField(min_value=0)
    key = forms.CharField(max_length=100, required=False)
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS])
    card = forms.CharField(max_length=3, required=False)
    color = forms.ChoiceField(choices=[("", ""), *((color, color) for color in COLORS)], required=False)
    target = forms.IntegerField(min_value=0, max_value=9, required=False)
    uno = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        kind = data.get("kind")
        if kind == "play" and not data.get("card"):
            self.add_error("card", _("Choose a card."))
        if kind == "color" and not data.get("color"):
            self.add_error("color", _("Choose a colour."))
        if kind == "catch" and data.get("target") is None:
            self.add_error("target", _("Choose a player."))
        return data

    def action(self) -> Action:
        """Return the engine's action without the seat; the form must be valid."""
        data = self.cleaned_data
        kind: str = data["kind"]
        if kind == "play":
            return (kind, data["card"], data["color"] or None, data["target"], data["uno"])
        if kind == "color":
            return (kind, data["color"])
        if kind == "catch":
            return (kind, data["target"])
        return (kind,)


MoveForm.base_fields = _Shared(MoveForm.base_fields)
