"""A director's actions with a page and a reason: text, form and service."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from games.online.director import forms
from games.online.director import services as director

Text = str | Promise


@dataclass(frozen=True)
class DirectorAction:
    """An action with its own page.

    `about`: its effect, in sentences. `do`: the service, called with the form's `arguments()`. `final`: it can't be
    undone. `on_paper`: for a hand finished with real cards.
    """

    title: Text
    button: Text
    form: type[forms.ActionForm]
    do: Callable[..., None]
    about: tuple[Text, ...]
    final: bool = False
    on_paper: bool = False


def _away(*, is_back: bool, reason: str, **arguments: Any) -> None:
    if is_back:
        director.bring_back(**arguments)
    else:
        director.seat_bot(**arguments, reason=reason)


def _substitute(*, name: str, another: bool, **arguments: Any) -> None:
    if name:
        director.put_substitute(**arguments, name=name, another=another)
    else:
        director.send_substitute_away(**arguments)


ACTIONS: dict[str, DirectorAction] = {
    "away": DirectorAction(
        _l("Player away or back"),
        _l("Change the player"),
        forms.AwayForm,
        _away,
        (
            _l("A bot plays for an absent player, who keeps the points."),
            _l("The player returns with their next move."),
        ),
    ),
    "substitute": DirectorAction(
        _l("Substitute"),
        _l("Change the player"),
        forms.SubstituteForm,
        _substitute,
        (
            _l("The substitute plays from now on. The player keeps the points."),
            _l("Give the substitute the player’s personal link."),
            _l("Leave the name empty when the player returns."),
        ),
    ),
    "penalty": DirectorAction(
        _l("Penalty for suggesting a play"),
        _l("Give two cards"),
        forms.PenaltyForm,
        director.penalise,
        (
            _l("The player draws two cards (PEN-2)."),
            _l("Undoing it also undoes all later moves."),
        ),
    ),
    "void": DirectorAction(
        _l("Cancel the hand"),
        _l("Cancel the hand"),
        forms.ActionForm,
        director.void,
        (
            _l("The hand doesn’t count and is dealt again with a new deck."),
            _l("Everyone at the table sees your reason."),
        ),
        final=True,
    ),
    "paper": DirectorAction(
        _l("Finish with real cards"),
        _l("Finish with real cards"),
        forms.ActionForm,
        director.to_paper,
        (
            _l("The hand ends online. The table finishes it with a real deck."),
            _l(
                "Only you can print the position with all cards, and the log says so. Give each "
                "player their slip, folded."
            ),
            _l("Enter the result as usual. It counts, but isn’t marked as verified."),
            _l("The next hand can be online again."),
        ),
        final=True,
    ),
    "anew": DirectorAction(
        _l("Deal again online"),
        _l("Deal again online"),
        forms.ActionForm,
        director.deal_again,
        (_l("Play with real cards doesn’t count. The hand gets a new deck."),),
        final=True,
        on_paper=True,
    ),
}
