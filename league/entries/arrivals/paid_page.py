"""Payments on lists of players: a tap, a view, words and actions. All are empty without a fee."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.entries.arrivals.paid import pays
from league.models import Entry, Tournament
from league.pages.people_list import BulkAction, Tap, ViewOf

MARK_PAID, MARK_UNPAID = "paid", "unpaid"
PAYMENTS = (MARK_PAID, MARK_UNPAID)


def payment_in_words(entry: Entry) -> str:
    """Return “paid” or “not paid”; empty for entries that owe nothing."""
    if not entry.tournament.fee or not pays(entry):
        return ""
    return _("not paid") if entry.paid_at is None else _("paid")


def payment_tap(entry: Entry) -> Tap | None:
    tournament, about = entry.tournament, {"name": entry.name}
    if not tournament.fee or not pays(entry):
        return None
    return Tap(
        url=reverse("set_paid", args=[tournament.slug, entry.public_id]),
        is_on=entry.paid_at is not None,
        label=_("Paid: %(name)s") % about,
        on=pgettext("check-in", "Paid"),
        off=_("Paid?"),
        message_on=_("%(name)s has paid.") % about,
        message_off=_("%(name)s has not paid.") % about,
        field="paid",
    )


def payment_views(tournament: Tournament) -> tuple[ViewOf[Entry], ...]:
    if not tournament.fee:
        return ()
    label = pgettext("part of the list", "Not paid")
    return (ViewOf("unpaid", label, lambda entry: pays(entry) and entry.paid_at is None),)


def payment_actions(tournament: Tournament) -> tuple[BulkAction, ...]:
    if not tournament.fee:
        return ()
    return BulkAction(MARK_PAID, _("Mark paid")), BulkAction(MARK_UNPAID, _("Mark not paid"))
