"""Undo a late entry, departure or return: void the event and restore the seats."""

from typing import Any

from django.db import transaction
from django.db.models.deletion import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from league.day.entrants import LEAVES, Kind, lock_begun, log_of, set_status, update_tables
from league.day.stand_in import forget_idle, hand_over, seats_to_come, sits_in_rounds_of, stand_in_for
from league.day.team_seats import give_back, unjoin
from league.day.vacancies import give_vacant_seat_back, take_back
from league.entries.places import take_off
from league.erasure.unused import forget_if_unused
from league.ledger.entered import join
from league.ledger.locks import lock_tables, tell_tables
from league.ledger.scores import note_byes
from league.lib.errors import Conflict
from league.log.write import note, player_in_log
from league.models import Adjustment, Entry, EntryEvent, HandScore, Round, Seat, Stage, Tournament, User
from league.rounds.redraw import redraw_next, unseat


@transaction.atomic
def undo_event(*, tournament: Tournament, event: EntryEvent, by: User | None) -> None:
    """Undo an event if nothing was played on it since; an undone event is left alone.

    A late entry is removed. Raises `Conflict` with the alternative.
    """
    tournament, stage = lock_begun(tournament)
    event = EntryEvent.objects.select_related("entry__player", "round").get(pk=event.pk)
    if event.voided_at is not None:
        return
    entry = event.entry
    entry.tournament = tournament
    if entry.events.living().last() != event:
        raise Conflict("not-latest", _("Undo the later change for %(name)s first.") % {"name": entry})
    if event.round is not None and event.round.stage_id != stage.pk and stage.started_at is not None:
        message = _("That stage has ended. Let %(name)s leave or return instead.")
        raise Conflict("earlier-stage", message % {"name": entry})
    lock_tables(entry.seats.values_list("table", flat=True))
    _check_nothing_played(tournament, stage, event)
    how = log_of(event)
    old = {"event": event.pk, **player_in_log(entry), "kind": event.kind}
    event.voided_at = timezone.now()
    event.save(update_fields=["voided_at"])
    set_status(entry)
    if stage.drawn_ahead or "filled" in how or "from" in how:
        _give_seats_back(tournament, event, how)
    if event.kind == Kind.LATE:
        _take_off_the_list(entry)
        redraw_next(tournament, stage, by)
    elif not stage.drawn_ahead:
        update_tables(entry, stage, by)
    note(
        tournament=tournament,
        by=by,
        action="undo-event",
        round_number=event.round.number if event.round else None,
        old=old,
    )
    note_byes(tournament, by, event.voided_at)


def _check_nothing_played(tournament: Tournament, stage: Stage, event: EntryEvent) -> None:
    entry = event.entry
    if event.kind not in LEAVES:
        if HandScore.objects.living().filter(entry=entry, recorded_at__gt=event.at).exists():
            raise Conflict("has-played", _("%(name)s has already played: let them leave instead.") % {"name": entry})
        return
    how = log_of(event)
    if not stage.drawn_ahead:
        later = tournament.rounds.shown().filter(number__gt=event.round.number if event.round else 0)
        tables = entry.seats.filter(round=event.round).values("table")
        played = HandScore.objects.living().filter(table__in=tables, recorded_at__gt=event.at).exists()
        played = played or later.exists()
    else:
        stand_in = _stand_in(tournament, how)
        played = stand_in is not None and stand_in.scores.filter(voided_at=None, recorded_at__gt=event.at).exists()
    if played or _fillers_have_played(event, how):
        message = _("Hands were played without %(name)s since. Let them return instead.")
        raise Conflict("has-played", message % {"name": entry})


def _fillers_have_played(event: EntryEvent, how: dict[str, Any]) -> bool:
    """Return whether a player who took a seat has played there since."""
    hands = HandScore.objects.living().filter(entry__tournament=event.entry.tournament_id, recorded_at__gt=event.at)
    played = set(hands.values_list("entry__public_id", "table__round__number"))
    return any((row["player_id"], row["round"]) in played for row in how.get("filled", ()))


def _stand_in(tournament: Tournament, how: dict[str, Any]) -> Entry | None:
    return tournament.entries.filter(public_id=how.get("stand_in", {}).get("player_id")).first()


def _stood_in_since(event: EntryEvent, stand_in: Entry) -> bool:
    """Return whether a living later event gave the stand-in seats or took some."""
    rows = stand_in.tournament.log.filter(new__stand_in__player_id=stand_in.public_id)
    later = EntryEvent.objects.living().filter(pk__gt=event.pk)
    return later.filter(pk__in=list(rows.values_list("new__event", flat=True))).exists()


def _give_seats_back(tournament: Tournament, event: EntryEvent, how: dict[str, Any]) -> None:
    entry = event.entry
    if event.kind in LEAVES and "left" in how:
        give_back(tournament, entry, how)
    elif event.kind in LEAVES:
        stand_in = _stand_in(tournament, how)
        seats = seats_to_come(stand_in) if stand_in else []
        others = stand_in is not None and _stood_in_since(event, stand_in)
        if others or len(seats) != how.get("seats", 0) or sits_in_rounds_of(entry, seats):
            raise _return_instead(entry)
        take_back(tournament, entry, how, _return_instead(entry))
        hand_over(seats, entry)
        if stand_in:
            forget_idle(stand_in)
    elif how.get("seat") == "stand-in":
        seats = seats_to_come(entry)
        stand_in = _stand_in(tournament, how) or stand_in_for(tournament, how["stand_in"]["player"], seats)
        sits = bool(seats_to_come(stand_in, untouched=True)) or sits_in_rounds_of(stand_in, seats)
        if len(seats) != how["seats"] or sits:
            raise _drop_instead(entry)
        join(tournament.stage, stand_in, group_of=entry)
        hand_over(seats, stand_in)
    elif how.get("seat") == "vacant":
        give_vacant_seat_back(tournament, entry, how)
    elif how.get("seat") == "teams":
        unjoin(tournament, entry, how)
    elif how.get("seat") == "mixed":
        raise _drop_instead(entry)
    elif how.get("seat"):
        unseat(tournament, entry, how)


def _return_instead(entry: Entry) -> Conflict:
    message = _("The seating has changed since. Let %(name)s return instead.")
    return Conflict("changed-since", message % {"name": entry})


def _drop_instead(entry: Entry) -> Conflict:
    message = _("The seating has changed since. Let %(name)s leave instead.")
    return Conflict("changed-since", message % {"name": entry})


def _take_off_the_list(entry: Entry) -> None:
    """Remove a late entry; the log still lists the player."""
    if entry.adjustments.filter(voided_at=None).exclude(kind=Adjustment.Kind.LATE).exists():
        message = _("%(name)s has points adjustments. Undo those first.")
        raise Conflict("has-adjustments", message % {"name": entry})
    seats = Seat.objects.filter(entry=entry).exclude(round__state=Round.State.DRAFT)
    tell_tables(seats.values_list("table", flat=True))
    person = entry.player
    try:
        with transaction.atomic():
            entry.seats.all().delete()
            entry.adjustments.all().delete()
            take_off(entry)
    except ProtectedError as error:  # voided hands, or rows of higher packages
        message = _("%(name)s has already played: let them leave instead.")
        raise Conflict("has-played", message % {"name": entry}) from error
    forget_if_unused(person)
