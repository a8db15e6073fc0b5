"""The form fields of a hand. Taps on cards (scorer.js) fill the same fields."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from engine.paper import SeatReport
from games.hands.judge import HandInput, HandRefused
from games.hands.record import MOST_KEY
from games.hands.seats import person
from games.models import Hand
from league.formats.challenge import LARGEST_TABLE
from league.lib.translate import label_text
from league.models import Seat

BLOCKED = "none"  # the value of `went_out` in a blocked hand
TIME = "time"  # the value of `went_out` if time was up: the hand doesn't count
MOST_TYPED = 99_999  # a larger number is a typing error; below it the engine decides

NUMBER_ERRORS = {
    "invalid": _("Enter a whole number."),
    "max_value": _("This number is too large for one hand."),
}


class ReportForm(forms.Form):
    """The result of a hand: `went_out` is a seat, `none` or `time`. Each seat s has `cards_s`, or `count_s` and
    `points_s`.

    `seats` are the seats dealt in, or a function that reads them on demand. Values typed for another seat are reported
    as well, so that the engine refuses them.
    """

    went_out = forms.CharField(max_length=4, error_messages={"required": _("Choose who went out, or that no one did.")})

    def __init__(
        self,
        data: Any = None,
        *,
        seats: Sequence[Seat] | Callable[[], Sequence[Seat]],
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self._seats = seats
        for number in range(LARGEST_TABLE):
            self.fields[f"cards_{number}"] = forms.CharField(required=False, max_length=600)
            for name in ("count", "points"):
                self.fields[f"{name}_{number}"] = forms.IntegerField(
                    required=False, max_value=MOST_TYPED, error_messages=NUMBER_ERRORS
                )

    @cached_property
    def seats(self) -> list[Seat]:
        return list(self._seats() if callable(self._seats) else self._seats)

    @cached_property
    def by_number(self) -> dict[int, Seat]:
        return {seat.number or 0: seat for seat in self.seats}

    def _is_typed(self, number: int) -> bool:
        return any(str(self.data.get(f"{name}_{number}") or "").strip() for name in ("cards", "count", "points"))

    @property
    def counts(self) -> bool:
        """Return whether the hand was played to its end."""
        return str(self["went_out"].value() or "").lower() != TIME

    def clean_went_out(self) -> int | None:
        text = self.cleaned_data["went_out"].lower()
        if text in (BLOCKED, TIME):
            return None
        if not re.fullmatch("[0-9]+", text):
            raise forms.ValidationError(_("Choose who went out, or that no one did."))
        return int(text)

    def reports(self) -> list[SeatReport]:
        """Return a report for each seat with typed values. A 0 for the seat that went out is ignored.

        A hand that doesn't count has no reports, whatever the fields hold.
        """
        if not self.counts:
            return []
        seat_reports = []
        for number in range(LARGEST_TABLE):
            codes = tuple(
                code.upper() for code in re.split(r"[\s,;]+", self.cleaned_data.get(f"cards_{number}", "")) if code
            )
            count, points = (self.cleaned_data.get(f"{name}_{number}") for name in ("count", "points"))
            out = number == self.cleaned_data.get("went_out")
            if codes or (count or points if out else count is not None or points is not None):
                seat_reports.append(SeatReport(number, codes or None, count, points))
        return seat_reports

    def hand_input(self, number: int) -> HandInput:
        """Return the content of a valid form as hand `number`."""
        return HandInput(number, self.cleaned_data["went_out"], self.reports(), self.counts)

    def typed_fields(self) -> list[str]:
        """Return the names of the fields that describe the result."""
        strangers = (number for number in range(LARGEST_TABLE) if number not in self.by_number)
        numbers = [*self.by_number, *(number for number in strangers if self._is_typed(number))]
        return ["went_out", *(f"{name}_{seat}" for seat in numbers for name in ("cards", "count", "points"))]

    def refuse(self, refused: HandRefused) -> None:
        """Attach the engine's message to the seat at fault, or to the form."""
        field = f"cards_{refused.seat}" if refused.seat in self.by_number else None
        self.add_error(field, str(refused))

    def typed(self, field: str) -> str:
        """Return the content of a field as text."""
        value = self[field].value()
        return "" if value is None else str(value)

    def errors_of(self, seat: int) -> list[str]:
        """Return the errors of a seat; empty for an unbound form."""
        if not self.is_bound:
            return []
        fields = (f"{name}_{seat}" for name in ("cards", "count", "points"))
        return [str(sentence) for field in fields for sentence in self.errors.get(field, [])]

    def sentences(self) -> list[str]:
        """Return every error; errors of a seat start with the player's name."""
        lines = []
        for field, errors in self.errors.items():
            stem, _sep, number = field.rpartition("_")
            seat = self.by_number.get(int(number)) if stem in ("cards", "count", "points") else None
            name = person(seat) if seat else ""
            for error in map(str, errors):
                lines.append(error if not name or error.startswith(name) else label_text(name, error))
        return lines


class HandForm(ReportForm):
    """A hand for a slot, with the seating version it was typed for and an idempotency key."""

    damaged = _("This form is incomplete. Open the table again.")
    hand = forms.IntegerField(max_value=MOST_TYPED, error_messages={"required": damaged, "invalid": damaged})
    seating_version = forms.IntegerField(error_messages={"required": damaged, "invalid": damaged})
    key = forms.CharField(required=False, max_length=MOST_KEY)


class CorrectionForm(ReportForm):
    """A hand that replaces another. `version` is the table's version when the form was rendered."""

    version = forms.IntegerField(error_messages={"required": HandForm.damaged, "invalid": HandForm.damaged})
    reason = forms.CharField(max_length=200, required=False)

    def clean_went_out(self) -> int | None:
        if not self.counts:
            raise forms.ValidationError(_("Choose who went out, or that no one did."))
        return super().clean_went_out()


class DisputeForm(CorrectionForm):
    """A player's version of a reported hand, or only a reason."""


def fields_of(hand: Hand) -> dict[str, Any]:
    """Return a recorded hand as initial field values."""
    if not hand.counts:
        return {}
    fields: dict[str, Any] = {"went_out": BLOCKED if hand.went_out is None else str(hand.went_out)}
    for row in hand.seats:
        seat = row["seat"]
        if seat == hand.went_out:
            continue
        if row["cards"] is not None:
            fields[f"cards_{seat}"] = " ".join(row["cards"])
        else:
            fields[f"count_{seat}"], fields[f"points_{seat}"] = row["cards_left"], row["points_left"]
    return fields
