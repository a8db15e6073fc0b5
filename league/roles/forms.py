"""Form that invites a helper or a member."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.access.secrets import DEFAULT_DAYS
from league.lib.form_fields import dress
from league.models import Role

DAYS = [(1, _("1 day")), (7, _("7 days")), (14, _("14 days")), (30, _("30 days")), (90, _("90 days"))]


class InvitationForm(forms.Form):
    """A role, or without `kinds` a member to claim.

    Invites by e-mail, or by link without an address. players: choices of a tournament's players.
    """

    email = forms.EmailField(
        label=_("E-mail"), required=False, max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "off"})
    )
    days = forms.TypedChoiceField(label=_("Expires after"), coerce=int, initial=DEFAULT_DAYS, choices=DAYS)

    def __init__(
        self,
        *args: Any,
        kinds: Sequence[tuple[str, Any]] = (),
        players: Sequence[tuple[str, str]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if kinds:
            self.fields["kind"] = forms.ChoiceField(label=_("Role"), choices=kinds, initial=Role.Kind.SCORER)
        if players is not None:
            choices = [("", _("No")), *players]
            self.fields["player"] = forms.ChoiceField(label=_("Also a player?"), choices=choices, required=False)
        dress(self)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("player") and data.get("kind") != Role.Kind.PLAYER:
            self.add_error("player", gettext("Only the role Player can have a player. Choose that role, or no player."))
        return data
