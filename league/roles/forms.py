"""Forms that invite somebody to a role, or to be a member."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.access.secrets import DEFAULT_DAYS
from league.lib.form_fields import dress
from league.models import ClubRole, Role

DAYS = [(1, _("1 day")), (7, _("7 days")), (14, _("14 days")), (30, _("30 days")), (90, _("90 days"))]


class InvitationForm(forms.Form):
    """A role for somebody: by e-mail, or by a link when no address is given."""

    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices, initial=Role.Kind.SCORER)
    email = forms.EmailField(
        label=_("E-mail"), required=False, max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "off"})
    )
    days = forms.TypedChoiceField(
        label=_("Open for"),
        coerce=int,
        initial=DEFAULT_DAYS,
        choices=DAYS,
    )

    def __init__(self, *args: Any, players: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        nobody = ("", _("Nobody in particular"))
        self.fields["player"] = forms.ChoiceField(label=_("Who plays as"), choices=[nobody, *players], required=False)
        dress(self)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("player") and data.get("kind") != Role.Kind.PLAYER:
            self.add_error("player", gettext("Only a player plays as somebody. Choose the role Player, or nobody."))
        return data


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
    """Invites the person who is a member."""

    kind = None  # type: ignore[assignment]
