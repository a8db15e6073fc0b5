"""Start, pause and extend the round's clock.

The clock is only a moment in the open round's row, so a restart costs no time. Each function takes the clock's state as
rendered (`RoundClock.shown`), so a repeated press works once.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import note, note_at_table
from league.models import Round, Table, Tournament, User
from league.rounds.pause import check_not_called_off
from league.rounds.time_left import RoundClock, clock_of

MOST_MINUTES = 600


@transaction.atomic
def start_clock(*, tournament: Tournament, minutes: int, shown: str, by: User | None) -> bool:
    """End the open round in `minutes` minutes. Return False if the clock has changed since `shown`."""
    tournament = lock_tournament(tournament.pk)
    played, clock = _open_round(tournament)
    _check_minutes(minutes)
    if clock.shown != shown:
        return False
    if clock.state != "off":
        raise Conflict("clock", _("The clock is already started."))
    _check_goes_on(tournament)
    played.ends_at = clock.now + timedelta(minutes=minutes)
    _save_clock(played)
    note(tournament=tournament, by=by, action="start-clock", round_number=played.number, new={"minutes": minutes})
    return True


@transaction.atomic
def pause_clock(*, tournament: Tournament, shown: str, by: User | None) -> bool:
    """Pause the clock and store the time left."""
    tournament = lock_tournament(tournament.pk)
    played, clock = _open_round(tournament)
    if clock.shown != shown:
        return False
    if clock.state == "up":
        raise Conflict("clock", _("The time is up. Add minutes, or remove the clock."))
    if clock.state != "runs":
        raise Conflict("clock", _("The clock isn’t running."))
    played.ends_at, played.seconds_left = None, clock.seconds
    _save_clock(played)
    note(tournament=tournament, by=by, action="pause-clock", round_number=played.number, new={"left": clock.left})
    return True


@transaction.atomic
def resume_clock(*, tournament: Tournament, shown: str, by: User | None) -> bool:
    tournament = lock_tournament(tournament.pk)
    played, clock = _open_round(tournament)
    if clock.shown != shown:
        return False
    if clock.state != "stands":
        raise Conflict("clock", _("The clock isn’t paused."))
    _check_goes_on(tournament)
    played.ends_at, played.seconds_left = clock.now + timedelta(seconds=clock.seconds), None
    _save_clock(played)
    note(tournament=tournament, by=by, action="resume-clock", round_number=played.number, new={"left": clock.left})
    return True


@transaction.atomic
def add_minutes(*, tournament: Tournament, minutes: int, shown: str, by: User | None) -> bool:
    """Give every table more time: added to the time left, or from now on if the time is up."""
    tournament = lock_tournament(tournament.pk)
    played, clock = _open_round(tournament)
    _check_minutes(minutes)
    if clock.shown != shown:
        return False
    if clock.state == "off":
        raise Conflict("clock", _("The clock isn’t started."))
    if clock.seconds + 60 * minutes > 60 * MOST_MINUTES:
        sentence = _("The clock can have at most %(most)d minutes.") % {"most": MOST_MINUTES}
        raise Refused("minutes", sentence, fields={"minutes": [sentence]})
    if clock.standing is not None:
        played.seconds_left = clock.standing + 60 * minutes
    else:
        played.ends_at = max(clock.ends_at or clock.now, clock.now) + timedelta(minutes=minutes)
    _save_clock(played)
    note(tournament=tournament, by=by, action="add-minutes", round_number=played.number, new={"minutes": minutes})
    return True


@transaction.atomic
def extra_time(*, tournament: Tournament, table_number: int, minutes: int, by: User | None) -> None:
    """Set a table's minutes beyond the clock; 0 removes them."""
    tournament = lock_tournament(tournament.pk)
    played, clock = _open_round(tournament)
    if minutes:
        _check_minutes(minutes)
    if clock.state == "off":
        raise Conflict("clock", _("The clock isn’t started."))
    table = Table.objects.select_for_update().filter(round=played, number=table_number).first()
    if table is None or table.state == Table.State.VOID:
        sentence = _("Round %(number)d has no such table.") % {"number": played.number}
        raise Refused("table", sentence, fields={"table": [sentence]})
    before = table.extra_minutes
    if before == minutes:
        return
    table.extra_minutes = minutes
    table.save(update_fields=["extra_minutes"])
    table.round = played
    note_at_table(
        table=table,
        by=by,
        action="extra-time",
        old={"minutes": before},
        new={"minutes": minutes},
    )


@transaction.atomic
def stop_clock(*, tournament: Tournament, shown: str, by: User | None) -> bool:
    """Continue the round without a clock."""
    tournament = lock_tournament(tournament.pk)
    played, clock = _open_round(tournament)
    if clock.shown != shown:
        return False
    if clock.state == "off":
        raise Conflict("clock", _("The clock isn’t started."))
    list(Table.objects.filter(round=played).select_for_update().order_by("pk"))
    played.tables.update(extra_minutes=0)
    played.ends_at = played.seconds_left = None
    _save_clock(played)
    note(tournament=tournament, by=by, action="stop-clock", round_number=played.number)
    return True


def _open_round(tournament: Tournament) -> tuple[Round, RoundClock]:
    """Return the open round and its clock now. The caller holds the tournament's lock."""
    played = tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING)).order_by("number").last()
    clock = clock_of(played, now=timezone.now())
    if played is None or clock is None or tournament.is_final:
        raise Conflict("no-round", _("No round is open. Publish the next round first."))
    return played, clock


def _check_goes_on(tournament: Tournament) -> None:
    check_not_called_off(tournament)
    if tournament.paused_at is not None:
        raise Conflict("paused", _("Play is paused. Resume it to restart the clock."))


def _check_minutes(minutes: int) -> None:
    if not 0 < minutes <= MOST_MINUTES:
        sentence = _("Enter 1 to %(most)d minutes.") % {"most": MOST_MINUTES}
        raise Refused("minutes", sentence, fields={"minutes": [sentence]})


def _save_clock(played: Round) -> None:
    # Save no other column: a concurrent write may set the state to "running" without the tournament's lock.
    played.save(update_fields=["ends_at", "seconds_left"])
