"""The departures that wait for the end of a round."""

from django.db import transaction

from league.day.entrants import drop_out
from league.leaving.requests import Kind, State, is_over
from league.lib.errors import Refused
from league.log.write import note, player_in_log
from league.models import LeaveRequest, Round, Tournament


def leave_after_round(tournament: Tournament, played: Round) -> None:
    """Let the players leave who were to leave after a round that is being closed.

    The caller holds the tournament's lock in a transaction. If a departure isn't possible, its request waits again.
    """
    due = LeaveRequest.objects.filter(
        entry__tournament=tournament, kind=Kind.AFTER, state=State.ACCEPTED, event=None, round_number__lte=played.number
    )
    for request in due.select_related("entry__player", "answered_by"):
        request.entry.tournament = tournament
        if not is_over(request):
            _leave(tournament, request)


def _leave(tournament: Tournament, request: LeaveRequest) -> None:
    entry, by = request.entry, request.answered_by
    player = None if by else entry
    try:
        with transaction.atomic():
            request.event = drop_out(tournament=tournament, entry=entry, by=by, player=player)
    except Refused as refused:
        request.state, request.answered_at, request.answered_by = State.WAITING, None, None
        request.save(update_fields=["state", "answered_at", "answered_by"])
        note(tournament=tournament, by=None, action="failed-leave", new=player_in_log(entry), reason=str(refused)[:200])
        return
    request.save(update_fields=["event"])
