"""A one-time notice about a hand, stored in the session. A live page that refreshes shows it until it is outdated."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games.entry import sheet
from games.entry.parts import Notice
from games.entry.table_state import TableState
from games.models import Hand
from league.models import Table

KEY = "hand_note"  # session value: [hand, event]; the page that shows the notice appends True


@dataclass(frozen=True)
class Happened:
    """An event of a hand. `again`: a live page refreshes and has shown the notice before."""

    hand: int
    event: str
    again: bool


def remember(request: HttpRequest, hand: Hand | int, event: str) -> None:
    """Store an event for the next page.

    Events: saved, same, gone, corrected, undone, unchanged, void, disputed, withdrawn, agreed.
    """
    request.session[KEY] = [hand if isinstance(hand, int) else hand.pk, event]


def take(request: HttpRequest) -> Happened | None:
    """Return the stored event for this request, and forget it after the next page."""
    memo = request.session.get(KEY)
    if request.method == "HEAD" or not memo:
        return None
    again = "Wild-Live" in request.headers
    if not again:
        if len(memo) > 2:
            del request.session[KEY]
            return None
        request.session[KEY] = [*memo, True]
    return Happened(memo[0], memo[1], again)


def notice_of_event(state: TableState, happened: Happened) -> Notice | None:
    """Return the notice, with an undo button if the viewer may undo; None once the notice is outdated."""
    hand = Hand.objects.filter(table=state.table, pk=happened.hand).first()
    if hand is None:
        return None
    event, number = happened.event, {"number": hand.number}
    if event in ("disputed", "withdrawn", "agreed"):
        return _notice_of_a_side(state, hand, event)
    if hand.voided_at is not None:
        # The hand changed while the page was open, so the stored notice no longer fits.
        replaced = any(living.number == hand.number for living in state.hands)
        if happened.again and (replaced or event not in ("void", "gone")):
            return None
        if event == "gone":
            sent = _("Hand %(number)d was undone after it was saved. Enter it again.")
            return _done(sent % number)
        return _done(_("Hand %(number)d undone. Correct it below and save it again.") % number)
    lines = sheet.hand_lines(state.table, [hand], state.race)
    result = lines[0].sentence if lines else ""
    sentences = {
        "saved": _("Hand %(number)d saved: %(result)s."),
        "corrected": _("Hand %(number)d corrected: %(result)s."),
        "undone": _("Hand %(number)d corrected: %(result)s. The next round was undone."),
        "same": _("This hand was already saved: %(result)s."),
        "unchanged": _("Hand %(number)d is unchanged."),
    }
    text = sentences.get(event, sentences["saved"]) % (number | {"result": result})
    if event == "saved" and state.table.round.is_open and hand == state.latest:
        return Notice(text, "ok", role="status", undo=reverse("void_hand", args=[hand.pk]), version=state.table.version)
    return _done(text)


def _done(text: str) -> Notice:
    return Notice(text, "ok", role="status")


def _notice_of_a_side(state: TableState, hand: Hand, event: str) -> Notice | None:
    """Return the notice of a player's dispute or confirmation; None once it was decided or changed."""
    disputed = hand.pk in state.objections
    holds, text = {
        "disputed": (disputed, _("Dispute sent. A director decides.")),
        "withdrawn": (
            hand.voided_at is None and not disputed,
            _("Dispute withdrawn. The reported hand counts."),
        ),
        "agreed": (state.table.state == Table.State.CONFIRMED, _("Confirmed. Thank you.")),
    }[event]
    return _done(text) if holds else None
