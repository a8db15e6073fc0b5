"""What a table says when it needs no hand: why, and where to go on. One function for each kind of viewer."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.entry.parts import Link, by_itself_in_words, own_table
from games.entry.table_state import Sides, TableState
from league.lib.translate import names
from league.models import Table


@dataclass(frozen=True)
class Paragraph:
    text: str
    css: str = ""


@dataclass(frozen=True)
class Onwards:
    """A title, why the table ended early, if it did, and what there is to do."""

    title: str
    over: str
    text: tuple[Paragraph, ...]
    button: Link | None


def onwards_of(state: TableState) -> Onwards:
    table = state.table
    if state.over:
        title = _("Table %(number)s is over") % {"number": table.number}
    else:
        words = {"number": table.number, "round": table.round.number}
        title = _("All hands of round %(round)s are in at table %(number)s") % words
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
    last = Paragraph(_("It was the last table of the round."), "muted")
    return (last,), Link(_("To Now"), reverse("tournament", args=[slug]), is_main=True)


def _of_a_player(state: TableState, sides: Sides) -> tuple[tuple[Paragraph, ...], Link | None]:
    text = _confirmed_by(state, sides)
    if when := by_itself_in_words(state.by_itself_at, state.access.tournament.zone):
        text += (Paragraph(when, "muted small"),)
    return text, None if sides.may_confirm else Link(_("To my table"), own_table(state.access))


def _confirmed_by(state: TableState, sides: Sides) -> tuple[Paragraph, ...]:
    """Who confirms the hands of the table, or has done so, as one of its players reads it."""
    if state.table.state == Table.State.CONFIRMED:
        return (Paragraph(_("They are confirmed. Thank you."), "muted"),)
    if state.table.state == Table.State.DISPUTED:
        return (Paragraph(_("They are confirmed as soon as a director has decided."), "muted"),)
    if sides.may_confirm:
        if sides.reported_by:
            text = _("%(name)s reported the last one. Look them over: with one tap they are confirmed.")
            return (Paragraph(text % {"name": sides.reported_by}),)
        return (Paragraph(_("The scorer entered the last one. Look them over: with one tap they are confirmed.")),)
    if state.table.state != Table.State.REPORTED:
        return ()
    return (Paragraph(_who_confirms(sides.confirmers, has_partners=state.table.round.stage.has_partners)),)


def _who_confirms(confirmers: list[str], *, has_partners: bool) -> str:
    words = {"name": "".join(confirmers[:1]), "people": names(confirmers)}
    if has_partners:
        if not confirmers:
            return _(
                "Both sides reported some of them, so nobody here confirms: the organiser does, or the clock unless "
                "somebody objects."
            )
        if len(confirmers) == 1:
            return _("Your side reported them. %(name)s confirms them on their own phone.") % words
        return _("Your side reported them. %(people)s can each confirm them on their own phone.") % words
    if not confirmers:
        return _(
            "Everybody here reported some of them, so nobody here confirms: the organiser does, or the clock unless "
            "somebody objects."
        )
    if len(confirmers) == 1:
        return _("You reported some of them. %(name)s confirms them on their own phone.") % words
    return _("You reported some of them. %(people)s can each confirm them on their own phone.") % words


def _of_a_scorer(state: TableState) -> tuple[Paragraph, ...]:
    if state.table.state == Table.State.CONFIRMED:
        thanks = _("They are confirmed. Thank you; this table is here again when the next round is published.")
        return (Paragraph(thanks, "muted"),)
    if state.table.state not in (Table.State.REPORTED, Table.State.DISPUTED):
        return ()
    thanks = _(
        "Thank you. The organiser confirms them, or a player of the table; until then you can undo the last one below."
    )
    when = by_itself_in_words(state.by_itself_at, state.access.tournament.zone)
    return (Paragraph(thanks, "muted"), *([Paragraph(when, "muted")] if when else []))
