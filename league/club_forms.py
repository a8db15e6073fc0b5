"""Forms of a club's pages: its details, its people, its members."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.dates import MONTHS
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league import roster
from league.errors import Refused
from league.forms import DetailsForm, RosterForm, dress, plain_line
from league.models import Club, ClubRole, Visibility
from league.people_forms import DAYS
from league.services.invitations import DEFAULT_DAYS

# The longest months there are: 29 February is a birthday.
LENGTHS = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}


class ClubForm(DetailsForm):
    """What a club is; as a tournament's details, without its day."""

    starts_on = starts_at = None  # type: ignore[assignment]
    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    about = forms.CharField(label=_("About"), max_length=600, required=False, widget=forms.Textarea(attrs={"rows": 4}))

    visibility = forms.ChoiceField(
        label=_("Who sees it"),
        widget=forms.RadioSelect,
        choices=[
            (Visibility.PUBLIC, _("Everybody")),
            (Visibility.UNLISTED, _("Who has the link")),
            (Visibility.PRIVATE, _("Members and who has a role")),
        ],
        initial=Visibility.PUBLIC,
    )

    field_order = ("name", "place", "time_zone", "about", "visibility")

    def clean_about(self) -> str:
        """Paragraphs stay; nothing in it that cannot be shown."""
        lines = [plain_line(line) if line.strip() else "" for line in self.cleaned_data["about"].splitlines()]
        return "\n".join(lines).strip()


class ClubInvitationForm(forms.Form):
    """A role for somebody: by e-mail, or by a link when no address is given."""

    kind = forms.ChoiceField(label=_("Role"), choices=ClubRole.Kind.choices, initial=ClubRole.Kind.SCORER)
    email = forms.EmailField(
        label=_("E-mail"), required=False, max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "off"})
    )
    days = forms.TypedChoiceField(label=_("Open for"), coerce=int, initial=DEFAULT_DAYS, choices=DAYS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)


class MemberInvitationForm(ClubInvitationForm):
    """For whoever is a member."""

    kind = None  # type: ignore[assignment]


class HandOverForm(forms.Form):
    def __init__(self, *args: Any, heirs: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"] = forms.ChoiceField(label=_("New owner"), choices=[("", _("Choose")), *heirs])
        dress(self)


class MembersForm(RosterForm):
    """Names for the list of members, as a tournament takes them."""

    players = forms.CharField(
        label=_("Names, one a line"),
        required=False,
        strip=False,
        max_length=roster.MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false", "autocomplete": "off"}),
    )


class MemberForm(forms.Form):
    """What the club knows of somebody. The birthday decides who deals first, and is never public."""

    name = forms.CharField(label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    club_name = forms.CharField(label=_("Club, as results show it"), max_length=80, required=False)
    email = forms.EmailField(label=_("E-mail"), max_length=254, required=False)
    birth_day = forms.IntegerField(label=_("Birthday"), min_value=1, max_value=31, required=False)
    birth_month = forms.TypedChoiceField(
        label=_("Month"), coerce=int, empty_value=None, choices=[("", "–"), *MONTHS.items()], required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])

    def clean_club_name(self) -> str:
        return plain_line(self.cleaned_data["club_name"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        day, month = data.get("birth_day"), data.get("birth_month")
        if bool(day) != bool(month):
            self.add_error("birth_day", gettext("Give day and month, or neither."))
        elif day and month and day > LENGTHS.get(month, 31):
            self.add_error("birth_day", gettext("This month has no such day."))
        return data

    @property
    def birthday(self) -> tuple[int, int] | None:
        """(month, day)"""
        month, day = self.cleaned_data.get("birth_month"), self.cleaned_data.get("birth_day")
        return (month, day) if month and day else None

    def add_refusal(self, refused: Refused) -> None:
        for field, sentences in refused.fields.items():
            for sentence in sentences:
                self.add_error(field if field in self.fields else None, sentence)
        if not refused.fields:
            self.add_error(None, str(refused))
        dress(self)


class PrivacyForm(forms.Form):
    profile_is_public = forms.BooleanField(label=_("Everybody may see the profile"), required=False)
    short_name = forms.BooleanField(label=_("Strangers see the first name and an initial"), required=False)
    is_rated = forms.BooleanField(label=_("The rating is shown"), required=False)


class ClubChoiceForm(forms.Form):
    """Whose evening a tournament is: one of the clubs in which somebody may hold them, or nobody's."""

    def __init__(self, *args: Any, clubs: Iterable[Club], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._clubs = {club.slug: club for club in clubs}
        choices = [("", _("No club")), *((slug, club.name) for slug, club in self._clubs.items())]
        self.fields["club"] = forms.ChoiceField(label=_("An evening of"), choices=choices, required=False)
        dress(self)

    @property
    def known(self) -> bool:
        """Whether there is anything to choose."""
        return bool(self._clubs)

    def chosen(self) -> Club | None:
        return self._clubs.get(self.cleaned_data["club"])
