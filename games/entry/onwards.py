"""The notice of a table that needs no hand: the reason, and the next step for each kind of viewer."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.entry.parts import Link, confirms_at_in_words, own_table
from games.entry.table_state import Sides, TableState
from league.lib.translate import names
from league.models import Table


@dataclass(frozen=True)
class Paragraph:
    text: str
    css: str = ""


@dataclass(frozen=True)
class Onwards:
    """The notice. `over` is the reason if the table ended early."""

    title: str
    over: str
    text: tuple[Paragraph, ...]
    button: Link | None


def onwards_of(state: TableState) -> Onwards:
    table = state.table
    title = _("Table %(number)s is over") % {"number": table.number} if state.over else _("All hands recorded")
    text, button = _to_do(state)
    return Onwards(title, state.over, text, button)


def _to_do(state: TableState) -> tuple[tuple[Paragraph, ...], Link | None]:
    if state.sides:
        return _of_a_player(state, state.sides)
    if state.elsewhere:
        following = state.elsewhere[0].table
        label = _("Next: table %(number)s") % {"number": following.number}
        return (), Link(label, following.get_absolute_url(), is_main=True)
    slug = state.access.tournament.slug
    if state.access.link:
        look = Link(_("Look for the next round"), reverse("scoring", args=[slug]), is_main=True)
        return _of_a_scorer(state), look
    last = Paragraph(_("This was the last table of the round."), "muted")
    return (last,), Link(_("Open the tournament"), reverse("tournament", args=[slug]), is_main=True)


def _of_a_player(state: TableState, sides: Sides) -> tuple[tuple[Paragraph, ...], Link | None]:
    text = _confirmed_by(state, sides)
    if when := confirms_at_in_words(state.confirms_at, state.access.tournament.zone):
        text += (Paragraph(when, "muted small"),)
    return text, None if sides.may_confirm else Link(_("My table"), own_table(state.access))


def _confirmed_by(state: TableState, sides: Sides) -> tuple[Paragraph, ...]:
    """Explain to a player who confirms the hands, or that they are confirmed."""
    if state.table.state == Table.State.CONFIRMED:
        return (Paragraph(_("Confirmed. Thank you."), "muted"),)
    if state.table.state == Table.State.DISPUTED:
        return (Paragraph(_("A director decides the dispute."), "muted"),)
    if sides.may_confirm:
        return (Paragraph(_("Check the hands, then confirm them.")),)
    if state.table.state != Table.State.REPORTED:
        return ()
    return (Paragraph(_who_confirms(sides.confirmers)),)


def _who_confirms(confirmers: Sequence[str]) -> str:
    if not confirmers:
        return _("Every side reported hands, so the organiser confirms them.")
    sentence = ngettext(
        "Waiting for %(people)s to confirm.", "Waiting for one of these to confirm: %(people)s.", len(confirmers)
    )
    return sentence % {"people": names(confirmers)}


def _of_a_scorer(state: TableState) -> tuple[Paragraph, ...]:
    if state.table.state == Table.State.CONFIRMED:
        return (Paragraph(_("Confirmed. Thank you."), "muted"),)
    if state.table.state not in (Table.State.REPORTED, Table.State.DISPUTED):
        return ()
    thanks = _("Thank you. You can undo the last hand until the table is confirmed.")
    when = confirms_at_in_words(state.confirms_at, state.access.tournament.zone)
    return (Paragraph(thanks, "muted"), *([Paragraph(when, "muted")] if when else []))
