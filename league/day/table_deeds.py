"""The deeds of the day's page for tables and rounds: each with its form, its service and its words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from league.access.rights import Can
from league.day.table_forms import DeedForm, MoveForm, SwapForm, TableForm
from league.day.tables import table_lines
from league.ledger.progress import hands_in
from league.lib.translate import label_text
from league.models import Entry, Round, Table, Tournament
from league.rounds import reseat, tables
from league.rounds import steps as rounds

Words = str | Promise
Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Deed:
    """An action that is shown first and then done (league/day/table_views.py).

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


def after_swap(tournament: Tournament, arguments: Arguments) -> list[str]:
    """How the two players' tables will sit, and from which hand on."""
    played = _round_of(tournament, arguments)
    if played is None:
        return []
    first, second = _name(arguments["one"]), _name(arguments["other"])
    swapped = {first: second, second: first}
    sentences = []
    for table, names in table_lines(played):
        if swapped.keys() & set(names):
            will = [swapped.get(name, name) for name in names]
            where = {"table": table.number, "hand": _hands_of(table) + 1}
            at = _("Table %(table)d from hand %(hand)d on") % where
            sentences.append(label_text(at, _seats_in_words(will, played.stage.has_partners)))
    return sentences


def _name(entry: Entry) -> str:
    return entry.name


def _seats_in_words(names: Sequence[str], partners: bool) -> str:
    if partners and len(names) == 4:
        people = dict(zip(("one", "two", "three", "four"), names, strict=True))
        return _("%(one)s and %(three)s against %(two)s and %(four)s.") % people
    if partners and len(names) == 2:
        return _("%(one)s against %(other)s.") % {"one": names[0], "other": names[1]}
    return ", ".join(names)


def _after_move(_tournament: Tournament, arguments: Arguments) -> list[str]:
    return [
        _("If there is a table %(to)d in this round, it becomes table %(number)d.") % arguments,
        _("Codes and links for scorers go by the number: those of table %(to)d open it then.") % arguments,
    ]


def _hands_that_count(tournament: Tournament, arguments: Arguments) -> list[str]:
    played = _round_of(tournament, arguments)
    table = played.tables.filter(number=arguments["number"]).first() if played else None
    hands = _hands_of(table) if table else 0
    if not hands:
        return [_("No hand is in there, so nothing counts at this table in this round.")]
    words = ngettext(
        "%(count)d hand is in there and counts. No more are played.",
        "%(count)d hands are in there and count. No more are played.",
        hands,
    )
    return [words % {"count": hands}]


def _round_of(tournament: Tournament, arguments: Arguments) -> Round | None:
    return tournament.rounds.living().select_related("stage").filter(number=arguments["round_number"]).first()


def _hands_of(table: Table) -> int:
    return len(hands_in([table])[table.pk])


def _open_again(*, reason: str, **arguments: Any) -> None:
    """Open the table without its form's reason: playing on needs none."""
    tables.open_table_again(**arguments)


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


SWAP = Deed(
    of="swap",
    form=SwapForm,
    do=tables.swap_seats,
    title=_l("Swap %(one)s and %(other)s"),
    button=_l("Swap the two"),
    done=_l("%(one)s and %(other)s have changed places."),
    about=after_swap,
)
MOVE = Deed(
    of="move",
    form=MoveForm,
    do=tables.move_table,
    title=_l("Table %(number)d becomes table %(to)d"),
    button=_l("Change the number"),
    done=_l("Table %(number)d is table %(to)d now."),
    about=_after_move,
)
CLOSE = Deed(
    of="close",
    form=TableForm,
    do=tables.close_table,
    title=_l("Close table %(number)d"),
    button=_l("Close the table"),
    done=_l("Table %(number)d is closed for this round."),
    about=_hands_that_count,
)
OPEN_AGAIN = Deed(
    of="close",
    form=TableForm,
    do=_open_again,
    title=_l("Open table %(number)d again"),
    button=_l("Open the table again"),
    done=_l("Table %(number)d plays on."),
    about=lambda *_arguments: [_("It plays as many hands as the other tables of the round.")],
)
REDRAW = Deed(
    of="redraw",
    form=DeedForm,
    do=reseat.reseat_not_started,
    title=_l("Seat tables anew that have not started"),
    button=_l("Seat them anew"),
    done=_l("The tables that had not started are seated anew."),
    about=lambda *_arguments: [_("Whoever is in and has no seat joins them. Tables with a hand in stay as they are.")],
)
END = Deed(
    of="end",
    form=DeedForm,
    do=rounds.end_early,
    title=_l("End the event now"),
    button=_l("Make the standings final"),
    done=_l("The standings are final."),
    about=_after_the_end,
    right=Can.RUN,
)
