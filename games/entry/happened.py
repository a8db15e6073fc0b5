"""What has just happened to a hand, said once to whoever looks next. An open page that asks again keeps it while it
holds."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games.entry import sheet
from games.entry.parts import Notice
from games.entry.table_state import TableState
from games.models import Hand
from league.models import Table

KEY = "hand_note"  # in the session: [hand, what happened to it], for the next page, which appends True


@dataclass(frozen=True)
class Happened:
    """`event` is what happened to the hand with this key. `again`: an open page asks once more what there is."""

    hand: int
    event: str
    again: bool


def remember(request: HttpRequest, hand: Hand | int, event: str) -> None:
    """Let the next page say what happened: saved, same, gone, corrected, undone, unchanged, void, disputed, withdrawn
    or agreed."""
    request.session[KEY] = [hand if isinstance(hand, int) else hand.pk, event]


def take(request: HttpRequest) -> Happened | None:
    """What the page of this request has to say."""
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
    """The notice with its undo, where the viewer may take the hand back; None once something else holds."""
    hand = Hand.objects.filter(table=state.table, pk=happened.hand).first()
    if hand is None:
        return None
    event, number = happened.event, {"number": hand.number}
    if event in ("disputed", "withdrawn", "agreed"):
        return _notice_of_a_side(state, hand, event)
    if hand.voided_at is not None:
        # Decided, corrected or taken back by somebody else while the page was open: another note would be needed.
        replaced = any(living.number == hand.number for living in state.hands)
        if happened.again and (replaced or event not in ("void", "gone")):
            return None
        if event == "gone":
            sent = _("This form was sent before, and its hand was taken back since. Enter hand %(number)d anew.")
            return _done(sent % number)
        return _done(
            _("Hand %(number)d was taken back and stays in the history. Correct it below and save it anew.") % number
        )
    lines = sheet.hand_lines(state.table, [hand], state.race)
    result = lines[0].sentence if lines else ""
    sentences = {
        "saved": _("Hand %(number)d saved: %(result)s."),
        "corrected": _("Hand %(number)d corrected: %(result)s."),
        "undone": _("Hand %(number)d corrected: %(result)s. The round after it is taken back: go on under “Now”."),
        "same": _("This hand was in already, with the same result: %(result)s."),
        "unchanged": _("Nothing was changed: hand %(number)d was like this already."),
    }
    text = sentences.get(event, sentences["saved"]) % (number | {"result": result})
    if event == "saved" and state.table.round.is_open and hand == state.latest:
        return Notice(text, "ok", role="status", undo=reverse("void_hand", args=[hand.pk]), version=state.table.version)
    return _done(text)


def _done(text: str) -> Notice:
    return Notice(text, "ok", role="status")


def _notice_of_a_side(state: TableState, hand: Hand, event: str) -> Notice | None:
    """A player's word on a hand, or on the whole table ("agreed"); None once that was decided or changed."""
    disputed = hand.pk in state.objections
    holds, text = {
        "disputed": (disputed, _("Noted, beside what was reported. A director looks at both and decides.")),
        "withdrawn": (
            hand.voided_at is None and not disputed,
            _("Withdrawn. The hand stands as it was reported."),
        ),
        "agreed": (state.table.state == Table.State.CONFIRMED, _("Confirmed. Thank you.")),
    }[event]
    return _done(text) if holds else None
