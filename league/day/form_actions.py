"""The actions of the page Manage: the form, service and words of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.access.rights import Can
from league.day.table_forms import ActionForm
from league.models import Tournament
from league.rounds import reseat
from league.rounds import steps as rounds

Words = str | Promise
Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class FormAction:
    """A previewed action of the page Manage (league/day/views.py).

    form_id: its form on the page. do: the service, called with the tournament, `by` and the form's arguments. title,
    button and done may contain arguments, such as `%(number)d`. about: sentences above the preview.
    """

    form_id: str
    form: type[ActionForm]
    do: Callable[..., object]
    title: Words
    button: Words
    done: Words
    about: Callable[[Tournament, Arguments], Sequence[str]]
    right: Can = Can.CORRECT


def _after_the_end(tournament: Tournament, _arguments: Arguments) -> list[str]:
    return [
        _("The standings become final as they are. Hands not recorded yet aren’t played."),
        *(
            [_("Players still in rank above eliminated players, lowest total first.")]
            if tournament.stage.eliminates
            else []
        ),
        _("You can reopen the tournament under Now."),
    ]


REDRAW = FormAction(
    form_id="redraw",
    form=ActionForm,
    do=reseat.reseat_not_started,
    title=_l("Redraw tables that haven’t started"),
    button=_l("Redraw the tables"),
    done=_l("The tables that had not started have new seats."),
    about=lambda *_arguments: [_("Players without a seat join in. Tables with a recorded hand don’t change.")],
)
END = FormAction(
    form_id="end",
    form=ActionForm,
    do=rounds.end_early,
    title=_l("End the tournament early"),
    button=_l("Make the standings final"),
    done=_l("The standings are final."),
    about=_after_the_end,
    right=Can.RUN,
)
