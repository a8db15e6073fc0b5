"""Forms of the director's pages. They offer the deal's players; the services decide what is allowed."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import Deal
from games.online.play.places import Place, places_of
from league.day.stand_in import people_without_seat
from league.lib.form_fields import dress, plain_line

AWAY, BACK = "away", "back"


class ActionForm(forms.Form):
    """The fields of every action: hand and reason. The service gets `arguments()`."""

    deal = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=200)

    def __init__(self, *args: Any, of: Deal, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.of, self.hand = of, of.number
        self.places = places_of(of)
        self.initial["deal"] = of.pk
        self.add_choices()
        dress(self)

    def add_choices(self) -> None: ...

    def people(self) -> list[Place]:
        return [place for place in self.places if not place.is_bot]

    def clean_reason(self) -> str:
        return plain_line(self.cleaned_data["reason"])

    def arguments(self) -> dict[str, Any]:
        return {"deal_id": self.cleaned_data["deal"], "reason": self.cleaned_data["reason"]}

    @property
    def fields_in_order(self) -> list[forms.BoundField]:
        """Return the visible fields, with the common reason last."""
        fields = self.visible_fields()
        return sorted(fields, key=lambda field: field.name == "reason")


class PaperForm(ActionForm):
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class PauseForm(forms.Form):
    """The reason, if any, is shown to everyone at the table."""

    reason = forms.CharField(max_length=200, required=False)

    def clean_reason(self) -> str:
        return plain_line(self.cleaned_data["reason"])


class AwayForm(ActionForm):
    """`who` is a place and the player's new state: `0-away`, `2-back`."""

    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)
    who = forms.ChoiceField(label=_("What happened"))

    def add_choices(self) -> None:
        people = [
            (f"{place.at}-{BACK}", gettext("%(name)s is back") % {"name": place.name})
            if place.bot
            else (f"{place.at}-{AWAY}", gettext("%(name)s is away") % {"name": place.name})
            for place in self.people()
        ]
        self.fields["who"].choices = [("", gettext("Choose")), *people]  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        at, state = self.cleaned_data["who"].split("-")
        return super().arguments() | {"at": int(at), "is_back": state == BACK}


class AtForm(ActionForm):
    at = forms.TypedChoiceField(label=_("Player"), coerce=int)

    def add_choices(self) -> None:
        people = [(str(place.at), place.name) for place in self.at_stake()]
        self.fields["at"].choices = [("", gettext("Choose")), *people]  # type: ignore[attr-defined]

    def at_stake(self) -> list[Place]:
        return self.places

    def arguments(self) -> dict[str, Any]:
        return super().arguments() | {"at": self.cleaned_data["at"]}


class SubstituteForm(AtForm):
    """An empty name: the player returns."""

    reason = None  # type: ignore[assignment]
    name = forms.CharField(
        label=_("Who plays"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"list": "free-to-play", "autocomplete": "off"}),
    )
    another = forms.BooleanField(label=_("This is another person with the same name"), required=False)
    asks_another = False  # after a listed person's name was refused

    def add_choices(self) -> None:
        super().add_choices()
        table = self.of.table
        seats = list(table.seats.all())
        self.free_to_play = people_without_seat(table.round.tournament, seats, listed=True)

    @property
    def fields_in_order(self) -> list[forms.BoundField]:
        return [field for field in super().fields_in_order if field.name != "another" or self.asks_another]

    def at_stake(self) -> list[Place]:
        return self.people()

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        at = data.get("at")
        if at is not None and not data.get("name") and not self.places[at].data["played_by"]:
            self.add_error("name", gettext("Type a name."))
        return data

    def arguments(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {"deal_id": data["deal"], "at": data["at"], "name": data["name"], "another": data["another"]}


class PenaltyForm(AtForm):
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)
    key = forms.CharField(max_length=100, widget=forms.HiddenInput, initial=lambda: str(uuid.uuid4()))

    def arguments(self) -> dict[str, Any]:
        return super().arguments() | {"key": self.cleaned_data["key"]}


class UndoForm(ActionForm):
    """`to`: a line of the hand's log. `moves_made`: the hand's progress when the page was shown."""

    to = forms.IntegerField(widget=forms.HiddenInput)
    moves_made = forms.IntegerField(widget=forms.HiddenInput)

    def arguments(self) -> dict[str, Any]:
        data = self.cleaned_data
        return super().arguments() | {"to": data["to"], "moves_made": data["moves_made"]}
