"""Inbox items of hands from real cards: disputes that a director decides."""

from collections.abc import Sequence
from itertools import groupby

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.models import Dispute
from league.access import Access
from league.lib.translate import with_markup
from league.models import Round, Tournament
from league.pages.inbox import InboxItem
from league.pages.links import Link


def items(tournament: Tournament, viewer: Access) -> list[InboxItem]:
    if not viewer.corrects or not tournament.has_begun:
        return []
    disputes = Dispute.objects.filter(state=Dispute.State.OPEN, hand__table__round__tournament=tournament)
    disputes = disputes.exclude(hand__table__round__state=Round.State.VOID)
    disputes = disputes.select_related("hand__table__round", "player__player").order_by("hand__table", "id")
    by_table = groupby(disputes, lambda dispute: dispute.hand.table_id)
    return [_item(list(at_table)) for _table, at_table in by_table]


def _item(disputes: Sequence[Dispute]) -> InboxItem:
    """Return the item of a table; `disputes` are the open ones there, the oldest first."""
    first = disputes[0]
    table = first.hand.table
    words = {"number": table.number, "hand": first.hand.number}
    is_one_hand = len({dispute.hand_id for dispute in disputes}) == 1
    title = _("Table %(number)s disputes hand %(hand)s") if is_one_hand else _("Table %(number)s disputes hands")
    return InboxItem(
        key=f"dispute-{table.pk}",
        icon="i-warn",
        title=title % words,
        line=_line(first),
        since=first.made_at,
        actions=(Link(_("Compare results"), reverse("disputed", args=[table.pk])),),
    )


def _line(dispute: Dispute) -> str:
    """Return who disputes and why, with the round if it is over."""
    why: str
    if dispute.reason:
        why = with_markup(
            _("%(label)s: %(what)s"), label=str(dispute.player), what=format_html("<q>{}</q>", dispute.reason)
        )
    else:
        why = _("%(name)s has another result.") % {"name": dispute.player}
    played = dispute.hand.table.round
    if played.is_open:
        return why
    return format_html("{}. {}", _("Round %(number)s") % {"number": played.number}, why)
