"""A deed of the day that voids hands: undoing the latest round."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from games.hands.undo_round import undo_round
from games.models import Hand
from league.day.table_deeds import Deed
from league.day.table_forms import RoundForm
from league.models import Tournament


class UndoForm(RoundForm):
    names = {"round": "number"}


def _undo_round(*, number: int, **arguments: Any) -> None:
    undo_round(round_number=number, **arguments)


def _about(tournament: Tournament, values: Mapping[str, Any]) -> list[str]:
    played = tournament.rounds.shown().filter(number=values["number"])
    hands = Hand.objects.living().filter(table__round__in=played).count()
    lost = ngettext(
        "%(count)d hand of this round is taken back. It stays in the log and cannot be put back.",
        "%(count)d hands of this round are taken back. They stay in the log and cannot be put back.",
        hands,
    )
    return [
        lost % {"count": hands} if hands else _("No hand of this round is in."),
        _("Nobody but you sees the draft until you publish it. Phones at its tables say that it was undone."),
    ]


UNDO_ROUND = Deed(
    of="undo",
    form=UndoForm,
    do=_undo_round,
    title=_l("Undo round %(number)d"),
    button=_l("Undo the round"),
    done=_l("Round %(number)d is a draft again. Publish it when its seats are right."),
    about=_about,
)
