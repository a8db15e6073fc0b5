"""Requests of players to leave, messages that they come late, and their withdrawal.

One request of an entry waits at a time. A request ends when it no longer matters (`is_over`); nothing is written then.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.viewer import Attribution
from league.day.entrants import drop_out
from league.day.stand_in import look_at_seats
from league.ledger.field import field_of
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.lib.names import has_control_characters, is_visible, tidy
from league.log.write import note, player_in_log
from league.models import Entry, LeaveRequest, Round, Seat, Tournament

Kind, State = LeaveRequest.Kind, LeaveRequest.State
MOST_AN_HOUR = 10  # requests of an entry
MOST_CHARACTERS = 100  # of the text


@dataclass(frozen=True)
class Place:
    """Where an entry is. round_number: the open round, else the next. seat: with hands to come in the open round."""

    round_number: int
    seat: Seat | None = None


def place_of(entry: Entry) -> Place:
    rounds = entry.tournament.rounds.shown().order_by("-number")
    latest = rounds.first()
    if latest is None:
        return Place(1)
    if not latest.is_open:
        return Place(latest.number + 1)
    seat = next((seat for seat in look_at_seats(entry) if seat.round_id == latest.pk and seat.table_id), None)
    return Place(latest.number, seat)


@transaction.atomic
def ask(*, entry: Entry, kind: str, round_number: int | None = None, text: str = "", by: Attribution) -> LeaveRequest:
    """Ask to leave now or after the round, or say that the player comes late; a repeat returns the same request.

    round_number: the open round that the player saw, for a departure. Where players may leave without asking, the
    departure counts at once. Another waiting request of the entry is withdrawn. Raises `Refused` or `Conflict`.
    """
    tournament, entry = lock_entry(entry)
    check_plays(tournament, entry)
    text = _checked_text(text)
    place = place_of(entry)
    if kind != Kind.LATE:
        _check_departure(tournament, entry, kind, place, round_number)
    same = entry.leave_requests.filter(kind=kind, round_number=place.round_number, text=text, event=None)
    repeated = same.filter(state__in=(State.WAITING, State.ACCEPTED)).last()
    if repeated is not None and not is_over(repeated):
        if tournament.players_leave and repeated.state == State.WAITING and kind != Kind.LATE:
            _leave_freely(tournament, repeated, place, by)  # the setting has changed since
        return repeated
    _check_not_too_often(entry)
    if (waiting := waiting_request(entry)) is not None:
        _end(waiting, State.WITHDRAWN)
    request = LeaveRequest.objects.create(entry=entry, kind=kind, round_number=place.round_number, text=text)
    note(
        tournament=tournament,
        by=by,
        action="say-late" if kind == Kind.LATE else "ask-to-leave",
        round_number=place.round_number if tournament.has_begun else None,
        new={**player_in_log(entry), "when": str(kind)},
        reason=text,
    )
    if tournament.players_leave and kind != Kind.LATE:
        _leave_freely(tournament, request, place, by)
    return request


def _checked_text(text: str) -> str:
    """Return the text as one line. Raises `Refused("text")`."""
    line, sentence = tidy(text), ""
    if has_control_characters(line):
        sentence = _("This has characters that can’t be shown. Type it again.")
    elif len(line) > MOST_CHARACTERS:
        sentence = _("Use at most %(most)d characters.") % {"most": MOST_CHARACTERS}
    if sentence:
        raise Refused("text", sentence, fields={"text": [sentence]})
    return line if is_visible(line) else ""


def _leave_freely(tournament: Tournament, request: LeaveRequest, place: Place, by: Attribution) -> None:
    if request.kind == Kind.NOW:
        player = request.entry
        request.event = drop_out(tournament=tournament, entry=player, by=by.user, player=player)
    request.state, request.answered_at = State.ACCEPTED, timezone.now()
    request.save(update_fields=["state", "answered_at", "event"])


@transaction.atomic
def withdraw(*, request: LeaveRequest, by: Attribution) -> LeaveRequest:
    """Withdraw a request that waits, or a departure after the round that needed no answer; a repeat does nothing.

    Raises `Conflict` after an answer.
    """
    tournament, request = lock_request(request)
    if request.state == State.WITHDRAWN:
        return request
    if request.event_id is not None:
        raise Conflict("left", _("You have left already. To return, ask the organiser."))
    if request.state == State.REFUSED:
        raise Conflict("refused", _("The request was refused, so there is nothing to withdraw."))
    if request.state == State.ACCEPTED and request.answered_by_id is not None and request.kind != Kind.LATE:
        sentence = _("%(name)s has accepted. To stay, ask the organiser.")
        raise Conflict("accepted", sentence % {"name": request.answered_by})
    if is_over(request):
        raise Conflict("over", _("This is over already. There is nothing to withdraw."))
    _end(request, State.WITHDRAWN)
    note(
        tournament=tournament,
        by=by,
        action="come-in-time" if request.kind == Kind.LATE else "withdraw-leave",
        old={**player_in_log(request.entry), "when": request.kind},
    )
    return request


def _end(request: LeaveRequest, state: LeaveRequest.State) -> None:
    request.state, request.answered_at = state, timezone.now()
    request.save(update_fields=["state", "answered_at"])


# --- reads


def waiting_request(entry: Entry) -> LeaveRequest | None:
    return entry.leave_requests.filter(state=State.WAITING).first()


def latest_request(entry: Entry) -> LeaveRequest | None:
    """Return the last request that was not withdrawn."""
    requests = entry.leave_requests.exclude(state=State.WITHDRAWN).select_related("answered_by", "event")
    return requests.order_by("-id").first()


def is_over(request: LeaveRequest) -> bool:
    """Return whether a request no longer matters.

    The player left, returned or is eliminated; the tournament is final or cancelled; or, of a late player, the round is
    closed or they are here. An unanswered departure waits on, even after its round.
    """
    entry = request.entry
    tournament = entry.tournament
    if request.event_id is not None or request.state == State.WITHDRAWN or tournament.is_over:
        return True
    if entry.status != Entry.Status.ACTIVE or entry.events.living().filter(at__gt=request.created_at).exists():
        return True
    if request.kind == Kind.LATE and entry.checked_in_at is not None and entry.checked_in_at > request.created_at:
        return True
    answered = request.state == State.REFUSED or request.kind == Kind.LATE
    if answered and is_closed(tournament, request.round_number):
        return True
    return tournament.has_begun and not plays_on(entry)


def is_closed(tournament: Tournament, round_number: int) -> bool:
    """Return whether this round, or a later one, is closed."""
    closed = tournament.rounds.filter(state=Round.State.CLOSED)
    return closed.filter(number__gte=round_number).exists()


def plays_on(entry: Entry) -> bool:
    """Return whether an entry has hands to come or may get a seat in a later round."""
    return bool(look_at_seats(entry)) or may_play_later(entry)


def may_play_later(entry: Entry) -> bool:
    """Return whether a later round is possible and the entry is in the field for it."""
    tournament = entry.tournament
    stage, next_stage = tournament.stage_and_next
    if any(seat.round.is_draft for seat in look_at_seats(entry)):
        return True
    field = field_of(tournament, stage)
    another = next_stage is not None or (field.another_round and not stage.drawn_ahead)
    return another and entry.public_id in field.players


# --- checks, under the lock


def lock_entry(entry: Entry) -> tuple[Tournament, Entry]:
    """Lock the tournament and return the entry read again. Raises `Conflict` if it is gone."""
    tournament = lock_tournament(entry.tournament_id)
    current = tournament.entries.select_related("player").filter(pk=entry.pk).first()
    if current is None:
        raise Conflict("gone", _("You are no longer on the list of players."))
    current.tournament = tournament
    return tournament, current


def lock_request(request: LeaveRequest) -> tuple[Tournament, LeaveRequest]:
    """Lock the tournament and return the request read again. Raises `Conflict` if it was deleted."""
    tournament = lock_tournament(request.entry.tournament_id)
    related = LeaveRequest.objects.select_related("entry__player", "answered_by", "event")
    current = related.filter(pk=request.pk).first()
    if current is None:
        raise Conflict("gone", _("This player is no longer on the list."))
    current.entry.tournament = tournament
    return tournament, current


def check_plays(tournament: Tournament, entry: Entry) -> None:
    if entry.status == Entry.Status.STANDIN:
        raise Conflict("stand-in", _("A stand-in holds this seat. Ask the organiser."))
    if tournament.is_over:
        raise Conflict("closed", _("The tournament is over or cancelled, so there is nothing to leave."))
    if entry.status == Entry.Status.DROPPED:
        raise Conflict("dropped", _("You have left already. To return, ask the organiser."))
    if tournament.has_begun and not plays_on(entry):
        raise Conflict("eliminated", _("You play no more rounds, so there is nothing to leave."))


def _check_departure(tournament: Tournament, entry: Entry, kind: str, place: Place, round_number: int | None) -> None:
    if not tournament.has_begun:
        raise Conflict("not-begun", _("The tournament has not started. Give up your place instead."))
    after = kind == Kind.AFTER
    if round_number != place.round_number or (after and (place.seat is None or not may_play_later(entry))):
        raise Conflict("changed", _("The round has moved on. Check what leaving means now."))


def _check_not_too_often(entry: Entry) -> None:
    since = timezone.now() - timedelta(hours=1)
    if entry.leave_requests.filter(created_at__gt=since).count() >= MOST_AN_HOUR:
        raise Refused("too-many", _("Too many changes in an hour. Ask the organiser."))
