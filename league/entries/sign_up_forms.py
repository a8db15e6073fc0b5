"""Forms of sign-up, for players and organisers."""

from copy import deepcopy
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.entries.forms import PlayerForm
from league.entries.list_order import MOST_PLAYERS
from league.entries.places import TIMES
from league.entries.reminders import CHOICES, NONE
from league.lib.errors import Refused
from league.lib.form_fields import dress, names_between_commas, plain_line, without_link
from league.lib.wall_time import moment_of
from league.log.in_words import REMINDERS
from league.models import SignUpPage

TYPED = "%Y-%m-%dT%H:%M"


class OwnNameForm(PlayerForm):
    """A public form's name and club. They are sent by e-mail to any address, so links are refused."""

    def clean_name(self) -> str:
        return without_link(super().clean_name())

    def clean_club(self) -> str:
        return without_link(super().clean_club())


class SignUpForm(OwnNameForm):
    """Name, address, club. `website` is hidden: only robots fill it in."""

    email = forms.EmailField(
        label=_("E-mail"),
        max_length=254,  # the length of the column
        widget=forms.EmailInput(attrs={"autocomplete": "email", "inputmode": "email"}),
        error_messages={"invalid": _("Type an address like name@example.org.")},
    )
    website = forms.CharField(
        label=_("Leave this empty"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, needs_address: bool, **kwargs: Any) -> None:
        # Without e-mail, the address is optional. Set it before the form is built, which validates at once.
        email = deepcopy(self.base_fields["email"])
        email.required = needs_address
        self.base_fields = self.base_fields | {"email": email}  # type: ignore[misc]
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        self.fields["club"].widget.attrs["autocomplete"] = "organization"
        dress(self)

    def clean_email(self) -> str:
        """Return the address in one spelling, even with an xn-- domain; refuse undeliverable ones."""
        email: str = self.cleaned_data["email"]
        if not email:
            return ""
        user, _at, domain = email.rpartition("@")
        try:
            return f"{user}@{domain.encode('idna').decode('idna')}".lower()
        except UnicodeError:
            raise forms.ValidationError(self.fields["email"].error_messages["invalid"]) from None

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("website"):  # hidden, so the error appears on top; a second post has it empty
            self.add_error(None, gettext("This looked like a robot. Check the form and send it again."))
            self.data = {name: self.data.get(name, "") for name in ("name", "email", "club")}
        return data


class TeamSignUpForm(SignUpForm):
    """A team: name, members and the captain's address."""

    members = forms.CharField(label=_("Players"), max_length=1000)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the team")
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        self.order_fields(["name", "members", "email", "club", "website"])

    def clean_members(self) -> list[str]:
        return [without_link(name) for name in names_between_commas(self.cleaned_data["members"])]


class SignUpPageForm(forms.Form):
    """Settings of sign-up. Times are wall times in the tournament's zone."""

    capacity = forms.IntegerField(
        label=_("Places"), min_value=1, max_value=MOST_PLAYERS, widget=forms.NumberInput(attrs={"inputmode": "numeric"})
    )
    opens_at = forms.CharField(label=_("Sign-up opens"), required=False, max_length=30)
    closes_at = forms.CharField(label=_("Sign-up closes"), required=False, max_length=30)
    check_in_opens_at = forms.CharField(label=_("Check-in opens"), required=False, max_length=30)
    check_in_closes_at = forms.CharField(label=_("Check-in closes"), required=False, max_length=30)
    note = forms.CharField(
        label=_("Note for players"),
        required=False,
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    reminder = forms.ChoiceField(label=_("Reminder by e-mail"), required=False)
    many_at_once = forms.BooleanField(label=_("Accept many sign-ups from one place, such as a school"), required=False)

    def __init__(self, *args: Any, page: SignUpPage | None, zone: ZoneInfo, now: datetime, **kwargs: Any) -> None:
        self.page, self.zone, self.now = page, zone, now
        self.twice: list[str] = []  # fields with an ambiguous time (end of summer time)
        initial: dict[str, Any] = (
            {"capacity": page.capacity, "note": page.note, "many_at_once": page.many_at_once} if page else {}
        )
        for name in TIMES:
            initial[name] = self._wall_time(name)
        kwargs["initial"] = initial | (kwargs.get("initial") or {})
        super().__init__(*args, **kwargs)
        choices = [(key, REMINDERS[key].capitalize()) for key in CHOICES]
        self.fields["reminder"].choices = [*choices, (NONE, _("None"))]  # type: ignore[attr-defined]
        for name in TIMES:
            self.fields[name].widget = forms.TextInput(
                attrs={"type": "datetime-local", "placeholder": "2026-11-24 20:15"}
            )
            self.fields[f"{name}_fold"] = forms.TypedChoiceField(
                label=_("Which one"),
                choices=[("", "—"), ("0", _("The first")), ("1", _("The second, later"))],
                coerce=int,
                empty_value=None,
                required=False,
            )
        dress(self)

    def _old_moment(self, name: str) -> datetime | None:
        return getattr(self.page, name) if self.page else None

    def _wall_time(self, name: str) -> str:
        before = self._old_moment(name)
        return f"{before.astimezone(self.zone):{TYPED}}" if before else ""

    def clean_note(self) -> str:
        return plain_line(self.cleaned_data["note"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        data["times"] = {name: self._moment(name, data) for name in TIMES}
        return data

    def _moment(self, name: str, data: dict[str, Any]) -> datetime | None:
        """Return the typed time as a moment. An unchanged time may have passed."""
        typed = (data.get(name) or "").strip().replace(" ", "T")[:16]
        fold = data.get(f"{name}_fold")
        if not typed:
            return None
        if typed == self._wall_time(name) and fold is None:
            return self._old_moment(name)
        try:
            wall = datetime.strptime(typed, TYPED)
            if name.endswith("opens_at") and self._earlier_today(wall):
                return self.now.replace(second=0, microsecond=0)
            return moment_of(wall, self.zone, self.now, fold)
        except ValueError:
            self.add_error(name, gettext("Type day and time like this: 2026-11-24 20:15."))
        except Refused as refused:
            if refused.code == "twice":
                self.twice.append(name)
            self.add_error(name, str(refused))
        return None

    def _earlier_today(self, wall: datetime) -> bool:
        """Return whether a time was earlier today, which means from now on; an earlier day is a typing error."""
        local = self.now.astimezone(self.zone).replace(tzinfo=None)
        return wall.date() == local.date() and wall <= local

    def windows(self) -> list[tuple[Any, Any]]:
        """Return the time fields, each with a choice between two moments if its time exists twice."""
        return [(self[name], self[f"{name}_fold"] if name in self.twice else None) for name in TIMES]
