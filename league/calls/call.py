"""A table calls the director: call, join, withdraw.

A call is over with its round, which needs no write: `CallQuerySet.waiting` also looks at the round.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.session_links import use_link
from league.access.tables import undone_in_words
from league.access.viewer import Attribution
from league.calls.read import CallNow, call_at
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import note_at_table
from league.models import Call, CallTap, Entry, MutedCaller, Round, Table

LATE = timedelta(minutes=10)  # a call that arrives later after its tap is marked as sent late


class Effect(StrEnum):
    """What a tap did. OVER: it is known, and its call has ended since."""

    CALLED = "called"
    JOINED = "joined"
    SAME = "same"
    OVER = "over"


@dataclass(frozen=True)
class Tap:
    """A tap of *Call the director*. key: the same if it is sent again; "" for none. ago: time since the tap."""

    key: str
    reason: str = ""
    text: str = ""
    ago: timedelta = timedelta(0)


@transaction.atomic
def call_director(*, table: Table, tap: Tap, by: Attribution) -> Effect:
    """Open a call, or join the open one of the table. A known key changes nothing.

    Raises `Refused("muted")`, and `Conflict` if the round is over, the caller left the table, or their link ended.
    """
    lock_tournament(table.round.tournament_id)
    table = Table.objects.select_related("round__tournament").get(pk=table.pk)
    key = _stored_key(table, tap, by)
    if known := CallTap.objects.filter(key=key).select_related("call").first():
        is_open = known.withdrawn_at is None and Call.objects.waiting().filter(pk=known.call_id).exists()
        return Effect.SAME if is_open else Effect.OVER
    _check_open(table)
    _check_caller(table, by)
    who = _columns(by)
    if MutedCaller.objects.filter(tournament=table.round.tournament, **who).exists():
        raise Refused("muted", _("A director has muted calls from here. Please speak to them."))
    now = timezone.now()
    earliest = table.round.published_at or now
    new_tap = CallTap(
        key=key, reason=tap.reason, text=tap.text, sent_at=now, tapped_at=max(now - tap.ago, earliest), **who
    )
    standing = call_at(table)
    if standing is None:
        new_tap.call, effect = Call.objects.create(table=table, opened_at=new_tap.tapped_at), Effect.CALLED
    else:
        new_tap.call = standing.call
        effect = Effect.SAME if standing.has(new_tap.caller) else Effect.JOINED
    new_tap.save()
    if effect != Effect.SAME:
        _note(table, new_tap, "call-director" if effect == Effect.CALLED else "join-call", by)
    return effect


@transaction.atomic
def withdraw_call(*, call: Call, by: Attribution) -> None:
    """Withdraw a caller. A call without callers is cancelled; one that is over stays as it is.

    Raises `Refused` for anyone else.
    """
    lock_tournament(call.table.round.tournament_id)
    now_open = waiting_call(call)
    if now_open is None:
        return
    check_calls(now_open, by)
    _check_caller(call.table, by)
    CallTap.objects.filter(call=call, withdrawn_at=None, **_columns(by)).update(withdrawn_at=timezone.now())
    left = call.taps.filter(withdrawn_at=None).exists()
    if not left:
        Call.objects.filter(pk=call.pk).update(state=Call.State.CANCELLED, ended_at=timezone.now())
    note_at_table(table=call.table, by=by, action="leave-call" if left else "cancel-call")


def waiting_call(call: Call) -> CallNow | None:
    """Return the call as it is now, if it still waits. The caller holds the tournament's lock."""
    standing = call_at(call.table)
    return standing if standing is not None and standing.call.pk == call.pk else None


def check_calls(now: CallNow, by: Attribution) -> None:
    """Raise `Refused` for others than the callers."""
    if not now.has(_caller(by)):
        raise Refused("not-caller", _("Another person called. Only they can end the call."))


def is_late(tap: CallTap) -> bool:
    """Return whether a tap arrived long after its time, from a phone that was offline."""
    return tap.sent_at - tap.tapped_at > LATE


def _stored_key(table: Table, tap: Tap, by: Attribution) -> str:
    """Return the key of a tap in the database: no caller learns of a key that another one used."""
    return sha256(f"{_caller(by)}:{table.pk}:{tap.key or secrets.token_hex(16)}".encode()).hexdigest()


def _columns(by: Attribution) -> dict[str, Any]:
    """Return the columns of `Caller` for the author of a tap."""
    if by.player is not None:
        return {"entry": by.player}
    return {"scorer_link": by.link} if by.link is not None else {"user": by.user}


def _caller(by: Attribution) -> str:
    return CallTap(**_columns(by)).caller


def _check_open(table: Table) -> None:
    played, tournament = table.round, table.round.tournament
    if Table.State.VOID in (table.state, played.state):
        raise Conflict("undone", undone_in_words(table))
    if tournament.is_over:
        raise Conflict("closed", _("The tournament is over or cancelled, so no director comes."))
    if played.state == Round.State.CLOSED:
        words = {"number": played.number}
        raise Conflict("closed", _("Round %(number)d is closed. Call from your table in the next round.") % words)


def _check_caller(table: Table, by: Attribution) -> None:
    """Check under the lock that the link is still valid and the player still sits there. Raises `Conflict`."""
    if by.link is not None:
        use_link(by.link)
    if by.player is None:
        return
    entry = Entry.objects.filter(pk=by.player.pk).first()
    if entry is None or entry.link_generation != by.player.link_generation:
        raise Conflict("link-ended", _("Your link has ended. Ask the organiser for your new link."))
    if not table.seats.filter(entry=entry).exists():
        raise Conflict("not-seated", _("You don’t sit at this table any more."))


def _note(table: Table, tap: CallTap, action: str, by: Attribution) -> None:
    new: dict[str, Any] = {"about": tap.reason} if tap.reason else {}
    if is_late(tap):
        new["minutes_late"] = int((tap.sent_at - tap.tapped_at).total_seconds() // 60)
    note_at_table(table=table, by=by, action=action, new=new or None, reason=tap.text)
