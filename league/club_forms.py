"""Forms of a club's pages: its details, its people, its members."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.dates import MONTHS
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league import roster
from league.form_fields import dress, plain_line
from league.models import Club, ClubRole, Division, Season, Tournament, Visibility
from league.names import MAX_NAME
from league.people_forms import DAYS
from league.roster_forms import RosterForm
from league.roster_rows import Roster
from league.services.invitations import DEFAULT_DAYS
from league.setup_forms import DetailsForm

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

    def _read(self, text: str) -> Roster:
        return roster.parse(text, once=True)


class TeamOfClubForm(MembersForm):
    """A team's name and its players, the captain first."""

    name = forms.CharField(label=_("Name of the team"), max_length=MAX_NAME)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["players_file"]
        self.order_fields(["name", "players"])

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])


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


class PrivacyForm(forms.Form):
    profile_is_public = forms.BooleanField(label=_("Everybody may see the profile"), required=False)
    short_name = forms.BooleanField(label=_("Strangers see the first name and an initial"), required=False)
    is_rated = forms.BooleanField(label=_("The rating is shown"), required=False)


class ClubChoiceForm(forms.Form):
    """Whose evening a tournament is: of one of the clubs in which somebody may hold them, or nobody's; and in which
    season of the club it counts, for which division."""

    def __init__(
        self, *args: Any, clubs: Iterable[Club], tournament: Tournament | None = None, season: str = "", **kwargs: Any
    ) -> None:
        """tournament: the one that is asked about. season: the slug of the one to suggest of the club in `initial`;
        of a club with one season that goes on, that one is suggested anyway."""
        super().__init__(*args, **kwargs)
        self._clubs = {club.slug: club for club in clubs}
        self._seasons = _seasons_to_choose(self._clubs.values(), tournament)
        self.fields["club"] = forms.ChoiceField(label=_("An evening of"), choices=self._choices(), required=False)
        if tournament is not None and tournament.season is not None:
            self.initial["club"] = _key(tournament.season, tournament.division)
        elif tournament is None:
            self.initial["club"] = self._suggested(self.initial.get("club", ""), season)
        dress(self)

    def _suggested(self, club: str, season: str) -> str:
        own = [key for key, (one, division) in self._seasons.items() if one.club.slug == club and division is None]
        if f"{club}/{season}" in own:
            return f"{club}/{season}"
        return own[0] if len(own) == 1 else club

    def _choices(self) -> list[tuple[str, Any]]:
        choices: list[tuple[str, Any]] = [("", _("No club"))]
        for slug, club in self._clubs.items():
            choices.append((slug, club.name))
            for key, (season, division) in self._seasons.items():
                if season.club_id == club.pk:
                    choices.append((key, ", ".join(str(one) for one in (club, season, division) if one)))
        return choices

    @property
    def known(self) -> bool:
        """Whether there is anything to choose."""
        return bool(self._clubs)

    @property
    def knows_seasons(self) -> bool:
        return bool(self._seasons)

    def chosen(self) -> Club | None:
        return self._clubs.get(self.cleaned_data["club"].partition("/")[0])

    def season(self) -> tuple[Season | None, Division | None]:
        return self._seasons.get(self.cleaned_data["club"], (None, None))


def _key(season: Season, division: Division | None) -> str:
    """“cafe-ludo/autumn” or, for one division, “cafe-ludo/autumn/2”."""
    return f"{season.club.slug}/{season.slug}" + (f"/{division.number}" if division else "")


def _seasons_to_choose(
    clubs: Iterable[Club], tournament: Tournament | None
) -> dict[str, tuple[Season, Division | None]]:
    """By their keys: the seasons that go on and the one in which the tournament counts, first for all divisions."""
    goes_on = Q(closed_at=None) | (Q(tournaments=tournament) if tournament else Q(pk__in=()))
    seasons = Season.objects.filter(goes_on, club__in=list(clubs)).select_related("club").distinct()
    found: dict[str, tuple[Season, Division | None]] = {}
    for season in seasons.prefetch_related("divisions"):
        for division in (None, *season.divisions.all()):
            found[_key(season, division)] = season, division
    return found
