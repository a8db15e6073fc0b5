"""The actions of the page Manage: the form, service and words of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.access.rights import Can
from league.day.table_forms import DeedForm
from league.models import Tournament
from league.rounds import reseat
from league.rounds import steps as rounds

Words = str | Promise
Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class FormAction:
    """An action that is shown first and then done (league/day/views.py).

    of: its form on the page. do: its service, called with the tournament, `by` and the form's arguments. title, button
    and done may name arguments, as `%(number)d`. about: sentences beside the preview.
    """

    of: str
    form: type[DeedForm]
    do: Callable[..., object]
    title: Words
    button: Words
    done: Words
    about: Callable[[Tournament, Arguments], Sequence[str]]
    right: Can = Can.CORRECT


def _after_the_end(tournament: Tournament, _arguments: Arguments) -> list[str]:
    return [
        _("The standings are final as they are then, and hands that are not in are not played."),
        *(
            [_("Whoever is still in comes before all who are eliminated, by the lower total.")]
            if tournament.stage.eliminates
            else []
        ),
        _("It can be undone: reopen the tournament under Now."),
    ]


REDRAW = FormAction(
    of="redraw",
    form=DeedForm,
    do=reseat.reseat_not_started,
    title=_l("Seat tables anew that have not started"),
    button=_l("Seat them anew"),
    done=_l("The tables that had not started are seated anew."),
    about=lambda *_arguments: [_("Whoever is in and has no seat joins them. Tables with a hand in stay as they are.")],
)
END = FormAction(
    of="end",
    form=DeedForm,
    do=rounds.end_early,
    title=_l("End the event now"),
    button=_l("Make the standings final"),
    done=_l("The standings are final."),
    about=_after_the_end,
    right=Can.RUN,
)
