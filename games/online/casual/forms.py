"""The forms of a casual table: a name, and how it is played."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rules import OPTIONS
from games.online.casual.tables import TARGETS
from league.entries.sign_up_forms import LINK
from league.lib.form_fields import dress, plain_line
from league.rulebook.editions import usual_first

NAME = 24  # letters: what fits beside a seat on a phone


class NameForm(forms.Form):
    """A name, cleaned like in a sign-up: one visible line without a link."""

    name = forms.CharField(
        label=_("Your name"), max_length=NAME, widget=forms.TextInput(attrs={"autocomplete": "nickname"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = self.asks_a_name()
        dress(self)

    def asks_a_name(self) -> bool:
        return True

    def clean_name(self) -> str:
        name = plain_line(self.cleaned_data["name"])
        if LINK.search(name):
            raise forms.ValidationError(gettext("A name has no address in it. Type what the others should call you."))
        return name


class NewcomerForm(NameForm):
    """The name of somebody who takes over from a bot; without one they are a guest."""

    def asks_a_name(self) -> bool:
        return False


class NewTableForm(NameForm):
    """From the home page: `what` is "now", with bots and perhaps without a name, or "friends"."""

    what = forms.ChoiceField(choices=[("now", ""), ("friends", "")])
    edition = forms.ChoiceField(label=_("Edition"), initial="classic", choices=usual_first)

    def asks_a_name(self) -> bool:
        return self.data.get("what") != "now"

    def clean_name(self) -> str:
        return super().clean_name() or gettext("Guest")


def _targets() -> list[tuple[int, str]]:
    return [(target, gettext("%(points)d points") % {"points": target}) for target in TARGETS]


def _options() -> list[tuple[str, str]]:
    return [(key, gettext(name)) for key, name in OPTIONS.items()]


class RulesForm(forms.Form):
    """What the host of a waiting table may choose."""

    edition = forms.ChoiceField(label=_("Edition"), choices=usual_first)
    target = forms.TypedChoiceField(label=_("Eliminated at"), coerce=int, choices=_targets)
    options = forms.MultipleChoiceField(
        label=_("House rules"), required=False, widget=forms.CheckboxSelectMultiple, choices=_options
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)
