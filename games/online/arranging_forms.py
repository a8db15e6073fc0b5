"""What an organiser chooses for online tables."""

from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engine.bots import BOTS
from engine.rules import OPTIONS
from games.models import OnlineSettings
from league.forms import dress
from league.models import Table

BOT_NAMES = {
    "careful": pgettext_lazy("bot", "Careful: plays honestly, calls UNO, catches everybody"),
    "sharp": pgettext_lazy("bot", "Sharp: counts cards, attacks, challenges when it pays"),
    "random": pgettext_lazy("bot", "Random: any card that fits, forgets UNO now and then"),
}


def _seconds(label: Any, least: int, most: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, widget=forms.NumberInput(attrs={"inputmode": "numeric"})
    )


def _options() -> list[tuple[str, str]]:
    return [(key, gettext(name)) for key, name in OPTIONS.items()]


def _bots() -> list[tuple[str, Any]]:
    return [(kind, BOT_NAMES.get(kind, kind)) for kind in sorted(BOTS, key=lambda one: list(BOT_NAMES).index(one))]


class OnlineForm(forms.Form):
    """`which` and `numbers` together are `Tournament.online`; the others are named as what they set."""

    which = forms.ChoiceField(
        label=_("Played online"),
        widget=forms.RadioSelect,
        choices=[("", _("No table")), ("some", _("Some tables")), ("all", _("All tables"))],
        required=False,
    )
    numbers = forms.CharField(label=_("Numbers of the tables"), max_length=300, required=False)
    options = forms.MultipleChoiceField(
        label=_("House rules"), widget=forms.CheckboxSelectMultiple, choices=_options, required=False
    )
    move_seconds = _seconds(_("Seconds for a move"), 5, 600)
    bank_seconds = _seconds(_("Seconds in reserve a hand"), 0, 1800)
    absent = forms.ChoiceField(
        label=_("When somebody’s time is over"), widget=forms.RadioSelect, choices=OnlineSettings.Absent.choices
    )
    misses = _seconds(_("Missed moves until a bot sits in"), 1, 20)
    no_show_seconds = _seconds(_("Seconds to come to the table"), 10, 3600)
    no_show = forms.ChoiceField(
        label=_("Who does not come"), widget=forms.RadioSelect, choices=OnlineSettings.NoShow.choices
    )
    between_seconds = _seconds(_("Seconds between two hands"), 5, 900)
    bot = forms.ChoiceField(label=_("Bots"), choices=_bots)
    spectator_delay = _seconds(_("Moves by which spectators see later"), 0, 50)

    def __init__(self, *args: Any, frozen: bool, **kwargs: Any) -> None:
        """frozen: the options of the rules stand."""
        super().__init__(*args, **kwargs)
        self.fields["options"].disabled = frozen
        dress(self)
        self.fields["options"].widget.attrs.pop("class", None)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("which") == "some" and not data.get("numbers", "").strip():
            self.add_error("numbers", gettext("Type the numbers of the tables, for example 1-4, 7."))
            dress(self)
            self.fields["options"].widget.attrs.pop("class", None)
        return data

    @staticmethod
    def of_tables(online: str) -> dict[str, str]:
        """The first two fields for what a tournament has."""
        return {"which": online if online in ("", "all") else "some", "numbers": "" if online == "all" else online}

    def online(self) -> str:
        which: str = self.cleaned_data["which"]
        return str(self.cleaned_data["numbers"]) if which == "some" else which


class TablesForm(forms.Form):
    """Which tables of the open round are played online."""

    round = forms.IntegerField(min_value=1, max_value=10_000, widget=forms.HiddenInput)

    def __init__(self, *args: Any, tables: list[Table], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["tables"] = forms.TypedMultipleChoiceField(
            coerce=int, choices=[(str(table.number), "") for table in tables], required=False
        )
