"""Inbox items of hands from real cards: disputes, second results, and hands that phones still hold."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.hands.on_phones import DIFFERS, open_phone_hands
from games.models import Dispute, PhoneHand
from league.access import Access
from league.lib.translate import with_markup
from league.models import Round, Tournament
from league.pages.inbox import InboxItem
from league.pages.links import Button, Link

ON_ITS_WAY = timedelta(minutes=1)  # a phone that sends several hands needs a moment


def items(tournament: Tournament, viewer: Access) -> list[InboxItem]:
    if not viewer.corrects or not tournament.has_begun:
        return []
    return [*_disputed(tournament), *_on_phones(tournament)]


def _disputed(tournament: Tournament) -> list[InboxItem]:
    disputes = Dispute.objects.filter(state=Dispute.State.OPEN, hand__table__round__tournament=tournament)
    disputes = disputes.exclude(hand__table__round__state=Round.State.VOID)
    disputes = disputes.select_related("hand__table__round", "player__player").order_by("hand__table", "id")
    by_table = groupby(disputes, lambda dispute: dispute.hand.table_id)
    return [_dispute(list(at_table)) for _table, at_table in by_table]


def _dispute(disputes: Sequence[Dispute]) -> InboxItem:
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
        line=_why(first),
        since=first.made_at,
        actions=(Link(_("Compare results"), reverse("disputed", args=[table.pk])),),
    )


def _why(dispute: Dispute) -> str:
    """Return who disputes and why, with the round if it is over."""
    why: str = _("%(name)s has another result.") % {"name": dispute.player}
    if dispute.reason:
        quoted = format_html("<q>{}</q>", dispute.reason)
        why = with_markup(_("%(label)s: %(what)s"), label=str(dispute.player), what=quoted)
    played = dispute.hand.table.round
    if played.is_open:
        return why
    return format_html("{}. {}", _("Round %(number)s") % {"number": played.number}, why)


def _on_phones(tournament: Tournament) -> list[InboxItem]:
    """Return an item for each second result, and for the other hands on phones one a table and kind."""
    waiting = open_phone_hands(tournament).select_related("table__round", "player__player", "user", "scorer_link")
    before = timezone.now() - ON_ITS_WAY
    hands = [hand for hand in waiting.order_by("table", "id") if hand.code or hand.since <= before]
    seconds = [_second_result(hand) for hand in hands if hand.code == DIFFERS]
    others = sorted((hand for hand in hands if hand.code != DIFFERS), key=_place)
    return seconds + [_on_a_phone(list(group)) for _key, group in groupby(others, _place)]


def _place(hand: PhoneHand) -> tuple[int, bool, str]:
    return hand.table_id, not hand.code, hand.who


def _second_result(hand: PhoneHand) -> InboxItem:
    words = {"number": hand.table.number, "hand": hand.number}
    return InboxItem(
        key=f"phone-{hand.pk}",
        icon="i-warn",
        title=_("Table %(number)s: two results, hand %(hand)s") % words,
        line=_("%(name)s has another result.") % {"name": hand.who},
        since=hand.since,
        actions=(Link(_("Compare results"), reverse("disputed", args=[hand.table_id])),),
    )


def _on_a_phone(hands: Sequence[PhoneHand]) -> InboxItem:
    """Return the item of rejected or waiting hands of one phone at a table."""
    first, count = hands[0], len(hands)
    if first.code:
        title = ngettext(
            "Table %(number)s: hand %(hand)s rejected", "Table %(number)s: %(count)s hands rejected", count
        )
    else:
        title = ngettext(
            "Table %(number)s: %(count)s hand on a phone", "Table %(number)s: %(count)s hands on a phone", count
        )
    decide = reverse("decide_phone_hands", args=[first.table_id])
    ids = ("hands", " ".join(str(hand.pk) for hand in hands))
    return InboxItem(
        key=f"phone-{first.pk}",
        icon="i-phone",
        title=title % {"number": first.table.number, "hand": first.number, "count": count},
        line=_state(first),
        since=first.since,
        actions=(
            Link(_("Show table"), first.table.get_absolute_url()),
            Button(_("Done"), decide, "decision", "done", hidden=(ids,)),
        ),
    )


def _state(hand: PhoneHand) -> str:
    words = {"name": hand.who, "round": hand.table.round.number}
    sentences = {
        "": _("%(name)s: they arrive when the phone is online again."),
        "seating-changed": _("%(name)s typed it for other seats."),
        "closed": _("%(name)s sent it after round %(round)s was closed."),
        "over": _("%(name)s sent it after the table had ended."),
    }
    return sentences.get(hand.code, _("%(name)s can’t record it.")) % words
