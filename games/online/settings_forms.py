"""The organiser's form for online tables."""

from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engine.rules import OPTIONS
from engine.simulation.bots import BOTS
from games.models import OnlineSettings
from games.online.play.settings import LIMITS
from league.lib.form_fields import dress
from league.setup.forms import WherePlayedForm

BOT_NAMES = {
    "easy": pgettext_lazy("bot", "Easy: bluffs, sometimes forgets UNO"),
    "careful": pgettext_lazy("bot", "Careful: honest, calls UNO, catches everyone"),
    "sharp": pgettext_lazy("bot", "Sharp: counts cards, attacks, challenges when it pays"),
    "random": pgettext_lazy("bot", "Random: any card that fits, sometimes forgets UNO"),
}


def _number(label: Any, name: str) -> forms.IntegerField:
    least, most = LIMITS[name]
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, widget=forms.NumberInput(attrs={"inputmode": "numeric"})
    )


def _options() -> list[tuple[str, str]]:
    return [(key, gettext(name)) for key, name in OPTIONS.items()]


def _bots() -> list[tuple[str, Any]]:
    return [(kind, BOT_NAMES.get(kind, kind)) for kind in sorted(BOTS, key=lambda name: list(BOT_NAMES).index(name))]


class OnlineForm(WherePlayedForm):
    """Where the tournament is played, and one field a setting."""

    options = forms.MultipleChoiceField(
        label=_("House rules"), widget=forms.CheckboxSelectMultiple, choices=_options, required=False
    )
    move_seconds = _number(_("Seconds per move"), "move_seconds")
    bank_seconds = _number(_("Reserve seconds per hand"), "bank_seconds")
    absent = forms.ChoiceField(
        label=_("When time runs out"), widget=forms.RadioSelect, choices=OnlineSettings.Absent.choices
    )
    misses = _number(_("Missed moves before a bot takes over"), "misses")
    no_show_seconds = _number(_("Seconds to join"), "no_show_seconds")
    no_show = forms.ChoiceField(
        label=_("If a player doesn’t turn up"), widget=forms.RadioSelect, choices=OnlineSettings.NoShow.choices
    )
    between_seconds = _number(_("Seconds between hands"), "between_seconds")
    bot = forms.ChoiceField(label=_("Bots"), choices=_bots)
    spectator_delay = _number(_("Delay for spectators (moves)"), "spectator_delay")

    def __init__(self, *args: Any, frozen: bool, **kwargs: Any) -> None:
        """`frozen`: the house rules can't change any more."""
        super().__init__(*args, **kwargs)
        self.fields["options"].disabled = frozen
        dress(self)
        self.fields["options"].widget.attrs.pop("class", None)


class _Numbers(forms.TypedMultipleChoiceField):
    """Numbers of tables; the service checks that they exist."""

    def __init__(self) -> None:
        super().__init__(coerce=int, required=False)

    def valid_value(self, value: str) -> bool:
        return value.isascii() and value.isdigit() and len(value) < 4


class TablesForm(forms.Form):
    """Tables of a round to play online or on `paper`, and the page to return to."""

    round = forms.IntegerField(min_value=1, max_value=10_000)
    online = _Numbers()
    paper = _Numbers()
    back = forms.ChoiceField(choices=[("seating", ""), ("rounds", "")], required=False)

    def numbers(self) -> dict[str, list[int]]:
        return {"online": self.cleaned_data["online"], "paper": self.cleaned_data["paper"]}
