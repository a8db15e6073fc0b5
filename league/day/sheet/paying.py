"""The fee on a player's sheet: a button that notes or undoes the payment at once."""

from django.urls import reverse
from django.utils.translation import gettext as _

from league.day.sheet.values import AtOnce, Draft, Outcome, StepRequest
from league.entries.arrivals.paid import pays, set_paid
from league.models import Entry, LogEntry


def payment_button(entry: Entry) -> AtOnce | None:
    """Return the button with the current state as its label; None if the entry owes no fee."""
    if not entry.tournament.fee or not pays(entry):
        return None
    has_paid = entry.paid_at is not None
    return AtOnce(
        do="paid",
        icon="i-check" if has_paid else "i-coin",
        label=_("Paid") if has_paid else _("Not paid"),
        field=("paid", "no" if has_paid else "yes"),
        is_on=has_paid,
    )


def paid_draft(entry: Entry, request: StepRequest) -> Draft:
    paid = request.text("paid") != "no"
    words = {"name": entry.name}
    return Draft(
        title=_("Fee of %(name)s") % words,
        hint=entry.tournament.fee,
        hidden=(("paid", "yes" if paid else "no"),),
        outcome=Outcome(
            action=lambda: set_paid(entry=entry, paid=paid, by=request.by),
            button=_("Mark paid") if paid else _("Mark not paid"),
            done=(_("%(name)s has paid.") if paid else _("%(name)s has not paid.")) % words,
            undo=lambda row: _undo(entry, row),
            at_once=True,
        ),
    )


def _undo(entry: Entry, row: object) -> str:
    if not isinstance(row, LogEntry):
        return ""
    query = {"first": row.number, "last": row.number}
    return reverse("undo_payments", args=[entry.tournament.slug], query=query)
