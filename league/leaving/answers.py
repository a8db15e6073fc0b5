"""A director accepts or refuses a request, and undoes the answer."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.day.entrants import drop_out
from league.day.undo import undo_event
from league.leaving.requests import Kind, State, is_over, lock_request, place_of, waiting_request
from league.lib.errors import Conflict
from league.log.write import note, player_in_log
from league.models import LeaveRequest, User


@transaction.atomic
def accept(*, request: LeaveRequest, by: User | None) -> LeaveRequest:
    """Accept a request; a repeat does nothing.

    The player leaves at once, or when the round closes if they wanted that and still have hands to play. Of a late
    player it says that the director knows. Raises `Conflict` if the request was withdrawn, refused or is over.
    """
    tournament, request = lock_request(request)
    if request.state == State.ACCEPTED:
        return request
    _check_waits(request)
    place = place_of(request.entry)
    waits = request.kind == Kind.AFTER and place.seat is not None and place.round_number == request.round_number
    _answer(request, State.ACCEPTED, by)
    note(
        tournament=tournament,
        by=by,
        action="know-late" if request.kind == Kind.LATE else "accept-leave",
        round_number=request.round_number if tournament.has_begun else None,
        new={**player_in_log(request.entry), "when": request.kind},
    )
    if request.kind != Kind.LATE and not waits:
        request.event = drop_out(tournament=tournament, entry=request.entry, by=by)
        request.save(update_fields=["event"])
    return request


@transaction.atomic
def refuse(*, request: LeaveRequest, by: User | None) -> LeaveRequest:
    """Refuse a request to leave; a repeat does nothing. Raises `Conflict` like `accept`."""
    tournament, request = lock_request(request)
    if request.state == State.REFUSED:
        return request
    if request.kind == Kind.LATE:
        raise Conflict("late", _("A late player asks for nothing. Let them leave if they miss the round."))
    _check_waits(request)
    _answer(request, State.REFUSED, by)
    note(
        tournament=tournament,
        by=by,
        action="refuse-leave",
        round_number=request.round_number,
        new={**player_in_log(request.entry), "when": request.kind},
    )
    return request


@transaction.atomic
def undo_answer(*, request: LeaveRequest, by: User | None) -> LeaveRequest:
    """Let an answered request wait again, and undo the departure that followed; a repeat does nothing.

    Raises `Conflict` if the player has sent another request since, or if the departure can't be undone.
    """
    tournament, request = lock_request(request)
    if request.state == State.WAITING:
        return request
    if request.state == State.WITHDRAWN or waiting_request(request.entry) is not None:
        raise Conflict("changed", _("%(name)s has changed the request since.") % {"name": request.entry})
    if request.event is not None:
        undo_event(tournament=tournament, event=request.event, by=by)
        request.event = None
        request.entry.refresh_from_db(fields=["status"])
    if is_over(request):
        raise Conflict("over", _over(request))
    old = request.state
    request.state, request.answered_at, request.answered_by = State.WAITING, None, None
    request.save(update_fields=["state", "answered_at", "answered_by", "event"])
    note(
        tournament=tournament,
        by=by,
        action="undo-leave-answer",
        old={**player_in_log(request.entry), "state": old},
    )
    return request


def _answer(request: LeaveRequest, state: LeaveRequest.State, by: User | None) -> None:
    request.state, request.answered_at, request.answered_by = state, timezone.now(), by
    request.save(update_fields=["state", "answered_at", "answered_by"])


def _check_waits(request: LeaveRequest) -> None:
    """Raise `Conflict` if a request no longer waits."""
    words = {"name": request.entry, "who": request.answered_by or _("The organiser")}
    if request.state == State.WITHDRAWN:
        raise Conflict("withdrawn", _("%(name)s has withdrawn the request. Nothing was changed.") % words)
    if request.state == State.ACCEPTED:
        raise Conflict("accepted", _("%(who)s has accepted this already. Undo that first.") % words)
    if request.state == State.REFUSED:
        raise Conflict("refused", _("%(who)s has refused this already. Undo that first.") % words)
    if is_over(request):
        raise Conflict("over", _over(request))


def _over(request: LeaveRequest) -> str:
    return _("The request of %(name)s is over: nothing is left to answer.") % {"name": request.entry}
