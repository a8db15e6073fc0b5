"""A director answers a call: is coming, is done, undoes either."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.viewer import Attribution
from league.calls.call import check_calls, waiting_call
from league.calls.read import call_at
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict
from league.log.write import note_at_table
from league.models import Call, User

COMING, DONE = "coming", "done"  # answers of a director


@transaction.atomic
def come_to_call(*, call: Call, by: User) -> None:
    """Tell the table that this director is coming; does nothing if it knows.

    Raises `Conflict` if another director is coming, or the call is over.
    """
    lock_tournament(call.table.round.tournament_id)
    now = waiting_call(call)
    if now is None:
        raise over(call)
    if now.call.coming_id == by.pk:
        return
    if now.call.coming is not None:
        raise _other_comes(now.call)
    Call.objects.filter(pk=call.pk).update(coming=by, coming_at=timezone.now())
    note_at_table(table=call.table, by=by, action="come-to-call")


@transaction.atomic
def finish_call(*, call: Call, by: User | Attribution) -> None:
    """End a call, for a director or one of its callers; does nothing if it is done. Raises `Refused` if it is over."""
    lock_tournament(call.table.round.tournament_id)
    now = waiting_call(call)
    if now is None:
        if Call.objects.filter(pk=call.pk, state=Call.State.DONE).exists():
            return
        raise over(call)
    if isinstance(by, Attribution):
        check_calls(now, by)
    Call.objects.filter(pk=call.pk).update(state=Call.State.DONE, ended_at=timezone.now())
    note_at_table(table=call.table, by=by, action="finish-call")


@transaction.atomic
def undo_answer(*, call: Call, by: User, answer: str = "") -> None:
    """Reopen a call that is done, or undo that a director is coming.

    answer: COMING or DONE, to undo only that one; a repeat does nothing. Raises `Conflict` if the table called again,
    or the round is over.
    """
    lock_tournament(call.table.round.tournament_id)
    now = Call.objects.select_related("table__round__tournament").get(pk=call.pk)
    if waiting_call(call) is not None and (answer == DONE or (answer == COMING and now.coming_id is None)):
        return
    if now.state == Call.State.DONE and answer != COMING:
        if call_at(call.table) is not None:
            message = _("Table %(number)d called again. Answer the new call.") % {"number": call.table.number}
            raise Conflict("called-again", message)
        if Call.objects.filter(table=call.table, state=Call.State.OPEN).exists():  # a newer one, over with its round
            raise over(now)
        Call.objects.filter(pk=call.pk).update(state=Call.State.OPEN, ended_at=None)
        if waiting_call(call) is None:
            raise over(now)
        note_at_table(table=call.table, by=by, action="reopen-call")
    elif now.state == Call.State.OPEN and now.coming_id is not None and waiting_call(call) is not None:
        if answer == COMING and now.coming_id != by.pk:
            raise _other_comes(now)
        Call.objects.filter(pk=call.pk).update(coming=None, coming_at=None)
        note_at_table(table=call.table, by=by, action="not-coming")
    else:
        raise over(now)


def _other_comes(call: Call) -> Conflict:
    message = _("%(name)s is already on the way to table %(number)d.")
    return Conflict("coming", message % {"name": call.coming, "number": call.table.number})


def over(call: Call) -> Conflict:
    """Return why a call takes no answer any more."""
    state = Call.objects.values_list("state", flat=True).get(pk=call.pk)
    if state == Call.State.CANCELLED:
        return Conflict("cancelled", _("Table %(number)d cancelled the call.") % {"number": call.table.number})
    if state == Call.State.DONE:
        return Conflict("done", _("The call of table %(number)d is done.") % {"number": call.table.number})
    return Conflict("closed", _("The round is over, so the call has ended."))
