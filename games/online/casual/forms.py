"""The forms of a casual table: a name, and the rules."""

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rules import OPTIONS
from games.online.casual.game import BOT_LEVELS, CHALLENGE, POINTS, PRESETS, TARGETS, Game
from league.lib.form_fields import dress, plain_line
from league.lib.names import has_link, looks, mixes_alphabets
from league.rulebook.editions import usual_first

BOT = "Bot"  # bots' names start with it in all languages
NAME = 24  # letters that fit next to a seat on a phone


class NameForm(forms.Form):
    """A name, cleaned as in a sign-up: one visible line without a link, unlike a bot's name."""

    name = forms.CharField(
        label=_("Your name"), max_length=NAME, widget=forms.TextInput(attrs={"autocomplete": "nickname"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = self.needs_name()
        dress(self)

    def needs_name(self) -> bool:
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
    """The name of a player who takes over from a bot; empty for a guest."""

    def needs_name(self) -> bool:
        return False


class NewTableForm(NameForm):
    """The home page's form: `what` is "now", with bots, or "friends". An empty name makes a guest."""

    what = forms.ChoiceField(choices=[("now", ""), ("friends", "")])
    preset = forms.ChoiceField(
        required=False, initial="classic", choices=lambda: [(key, usual.name) for key, usual in PRESETS.items()]
    )
    edition = forms.ChoiceField(label=_("Edition"), initial="classic", choices=usual_first)
    bot = forms.ChoiceField(label=_("Bots"), required=False, initial="careful", choices=[*BOT_LEVELS.items()])

    def needs_name(self) -> bool:
        return False

    def clean_name(self) -> str:
        return super().clean_name() or gettext("Guest")

    def game(self) -> Game:
        """Return the game of a valid form; what it leaves out is usual."""
        chosen = self.cleaned_data
        usual = PRESETS[chosen["preset"] or "classic"]
        return replace(usual.game, edition=chosen["edition"], bot=chosen["bot"] or "careful")


def _targets() -> list[tuple[int, str]]:
    return [(target, gettext("%(points)d points") % {"points": target}) for target in TARGETS]


def _options() -> list[tuple[str, str]]:
    return [(key, gettext(name)) for key, name in OPTIONS.items()]


class RulesForm(forms.Form):
    """The choices of a waiting table's host."""

    edition = forms.ChoiceField(label=_("Edition"), choices=usual_first)
    format = forms.ChoiceField(
        label=_("Winner"),
        choices=[(POINTS, _("First to reach the target")), (CHALLENGE, _("Last player below the target"))],
    )
    target = forms.TypedChoiceField(label=_("Target"), coerce=int, choices=_targets)
    bot = forms.ChoiceField(label=_("Bots"), choices=[*BOT_LEVELS.items()])
    options = forms.MultipleChoiceField(
        label=_("House rules"), required=False, widget=forms.CheckboxSelectMultiple, choices=_options
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)
