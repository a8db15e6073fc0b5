"""The forms of a casual table: a name, and how it is played."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rules import OPTIONS
from games.online.casual.tables import TARGETS
from league.lib.form_fields import dress, plain_line
from league.lib.names import has_link, looks, mixes_alphabets
from league.rulebook.editions import usual_first

BOT = "Bot"  # the names of bots begin with it, in all our languages
NAME = 24  # letters: what fits beside a seat on a phone


class NameForm(forms.Form):
    """A name, cleaned like in a sign-up: one visible line without a link. It cannot pass for a bot's."""

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
        if has_link(name):
            raise forms.ValidationError(gettext("A name can’t contain a link. Type your name only."))
        if looks(name).split()[:1] == [looks(BOT)]:
            raise forms.ValidationError(gettext("Only bots’ names start like this. Choose another name."))
        if mixes_alphabets(name):
            sentence = gettext("Use one alphabet for each word.")
            raise forms.ValidationError(sentence)
        return name


class NewcomerForm(NameForm):
    """The name of somebody who takes over from a bot; without one they are a guest."""

    def asks_a_name(self) -> bool:
        return False


class NewTableForm(NameForm):
    """From the home page: `what` is "now", with bots, or "friends". Without a name the player is a guest."""

    what = forms.ChoiceField(choices=[("now", ""), ("friends", "")])
    edition = forms.ChoiceField(label=_("Edition"), initial="classic", choices=usual_first)

    def asks_a_name(self) -> bool:
        return False

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
