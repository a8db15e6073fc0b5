"""What a director does on a page that asks for a reason first: its words, its form, its service."""

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
    """Something that a director does on a page of its own.

    `about`: what it means, in sentences. `do` is the service, called with the form's `arguments()`. `final`: it cannot
    be taken back. `on_paper`: for a hand that is finished with real cards.
    """

    title: Text
    button: Text
    form: type[forms.DeedForm]
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
        _l("Who is away, who is back"),
        _l("Do it"),
        forms.AwayForm,
        _away,
        (
            _l("A bot plays the cards of whoever is away, and the points stay theirs."),
            _l("They take over by themselves with their next move, or when they say that they are ready."),
        ),
    ),
    "substitute": DirectorAction(
        _l("A substitute"),
        _l("Let them play"),
        forms.SubstituteForm,
        _substitute,
        (
            _l("From now on somebody else plays at this table, and the points stay with the player."),
            _l("They play by the player’s own link: give it to them."),
            _l("Leave the name empty when the player themselves plays again."),
        ),
    ),
    "penalty": DirectorAction(
        _l("A penalty for suggesting a play"),
        _l("Give two cards"),
        forms.PenaltyForm,
        director.penalise,
        (
            _l("Whoever suggested a play to another draws two cards (PEN-2). It stands in the log of the hand."),
            _l("It can only be taken back like a move, with all moves after it."),
        ),
    ),
    "void": DirectorAction(
        _l("Void the hand"),
        _l("Void the hand"),
        forms.DeedForm,
        director.void,
        (
            _l("The hand counts for nobody and is dealt anew, with another deck. It cannot be gone on with."),
            _l("Everybody at the table reads your reason."),
        ),
        final=True,
    ),
    "paper": DirectorAction(
        _l("Finish with real cards"),
        _l("Take it to real cards"),
        forms.DeedForm,
        director.to_paper,
        (
            _l("The hand ends here: it cannot be gone on with online. You lay it out with a real deck and finish it."),
            _l(
                "Its position is printed with everybody’s own cards. You alone can open it, it stands in the log that "
                "you did, and until then nobody saw them: give each slip to its player, folded."
            ),
            _l("You enter the result like that of any hand. It counts, and does not say that the engine verified it."),
            _l("The next hand can be played online again."),
        ),
        final=True,
    ),
    "anew": DirectorAction(
        _l("Deal the hand anew online"),
        _l("Deal it anew"),
        forms.DeedForm,
        director.deal_anew,
        (_l("What was played with real cards does not count. Another deck is sealed for the hand."),),
        final=True,
        on_paper=True,
    ),
}
