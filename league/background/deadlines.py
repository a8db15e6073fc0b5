"""What happens by itself at its time. A deadline is a row; the sweeper, called about every second, carries out those
that are due.

Whatever touches a deadline locks its tournament first, as every step of a tournament does. So of two sweepers one works
on a tournament while the other passes it by, and a button pressed at the same moment waits; then the compare-and-set on
the row decides who was first. The effect and `done` are one transaction: a process that is killed in between has done
nothing, and the row is still due.
"""

import logging
from collections.abc import Callable
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.entries.reminders import remind
from league.entries.unconfirmed import free_unconfirmed
from league.ledger.locks import lock_tournament
from league.ledger.scores import confirm_by_itself
from league.lib.errors import Conflict, Refused
from league.lib.wall_time import in_log, moment_of, moments
from league.log.write import note
from league.models import Deadline, Round, Table, Tournament, User
from league.public import snapshots
from league.rounds.steps import NotYet, publish_round

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 100  # rows in one sweep; the next follows within a second
RETRY_AFTER = tuple(timedelta(seconds=seconds) for seconds in (5, 20, 60, 180))
MOST_ATTEMPTS = len(RETRY_AFTER) + 1


def _publish(deadline: Deadline) -> None:
    if deadline.round is not None:
        publish_round(tournament=deadline.tournament, played=deadline.round)


def _freeze(deadline: Deadline) -> None:
    if deadline.round is not None:
        snapshots.freeze(deadline.round)


def _confirm(deadline: Deadline) -> None:
    """Every change of a reported table cancels its deadline, so only the state needs a check."""
    if deadline.table_id is not None:
        table = Table.objects.select_related("round__tournament").get(pk=deadline.table_id)
        minutes = round((deadline.due_at - deadline.created_at).total_seconds() / 60)
        confirm_by_itself(table=table, minutes=minutes)


def _remind(deadline: Deadline) -> None:
    remind(tournament=deadline.tournament, now=deadline.done_at or timezone.now())


def _free(deadline: Deadline) -> None:
    free_unconfirmed(tournament=deadline.tournament, now=deadline.done_at or timezone.now())


# A handler runs with the tournament locked, and its table if it has one, in the transaction that marks the deadline
# done. If it raises NotYet it is called again soon; if it raises anything else, it is tried again later.
HANDLERS: dict[str, Callable[[Deadline], None]] = {
    Deadline.Kind.PUBLISH: _publish,
    Deadline.Kind.SNAPSHOT: _freeze,
    Deadline.Kind.CONFIRM: _confirm,
    Deadline.Kind.REMIND: _remind,
    Deadline.Kind.FREE: _free,
}

WAIT_FOR_RESUME = (Deadline.Kind.PUBLISH, Deadline.Kind.CONFIRM)


@transaction.atomic
def set_deadline(
    *,
    tournament: Tournament,
    round_number: int,
    wall: datetime,
    fold: int | None = None,
    by: User | None,
    now: datetime | None = None,
) -> Deadline:
    """Publish a drawn round at a time on the wall of the tournament's zone, instead of any time set before.

    fold: chooses between two moments that the clock shows alike. Raises `Refused` with the sentence
    (league/lib/wall_time.py), and `Conflict("published")`.
    """
    tournament = lock_tournament(tournament.pk)
    played = tournament.rounds.living().filter(number=round_number).first()
    if played is None:
        raise Refused("no-such-round", _("Round %(number)d is not drawn yet.") % {"number": round_number})
    if played.state != Round.State.DRAFT:
        raise Conflict("published", _("Round %(number)d is published already.") % {"number": round_number})
    due_at = moment_of(wall, tournament.zone, now or timezone.now(), fold)
    before = Deadline.objects.pending().filter(round=played, kind=Deadline.Kind.PUBLISH)
    old = [in_log(deadline.due_at, tournament.time_zone) for deadline in before]
    before.update(state=Deadline.State.CANCELLED)
    deadline = Deadline.objects.create(
        kind=Deadline.Kind.PUBLISH, tournament=tournament, round=played, due_at=due_at, created_by=by
    )
    note(
        tournament=tournament,
        by=by,
        action="set-time",
        round_number=round_number,
        old=old[0] if old else None,
        new=in_log(due_at, tournament.time_zone),
    )
    return deadline


@transaction.atomic
def cancel(*, tournament: Tournament, deadline_id: int, by: User | None) -> None:
    """Take a time back. A time that has passed or was taken back already stays as it is."""
    tournament = lock_tournament(tournament.pk)
    deadline = (
        Deadline.objects.pending()
        .filter(tournament=tournament, pk=deadline_id, kind=Deadline.Kind.PUBLISH)
        .select_related("round")
        .first()
    )
    if deadline is None:
        return
    deadline.state = Deadline.State.CANCELLED
    deadline.save(update_fields=["state"])
    note(
        tournament=tournament,
        by=by,
        action="cancel-time",
        round_number=deadline.round.number if deadline.round else None,
        old=in_log(deadline.due_at, tournament.time_zone),
    )


def cancel_passed(*, tournament: Tournament, by: User | None, now: datetime) -> None:
    """Take back the times that passed while the tournament was called off. The caller holds the lock."""
    passed = Deadline.objects.pending().filter(tournament=tournament, kind=Deadline.Kind.PUBLISH, due_at__lte=now)
    for deadline in passed.order_by("due_at", "pk"):
        cancel(tournament=tournament, deadline_id=deadline.pk, by=by)


def keep_wall_times(*, tournament: Tournament, old_zone: ZoneInfo, old_day: date, now: datetime) -> None:
    """After a change of zone or day: keep what was set for 20:15 at 20:15 there, as many days later as the tournament.

    The caller holds the lock. Raises `Refused` if a time does not exist there, comes twice, or has passed.
    """
    coming = Deadline.objects.pending().filter(
        tournament=tournament, kind=Deadline.Kind.PUBLISH, due_at__gt=now, attempts=0
    )
    for deadline in coming.select_related("round"):
        here = deadline.due_at.astimezone(old_zone)
        wall = here.replace(tzinfo=None, fold=0)
        # Keep a choice between two moments that the clock shows alike; ask about a time that is ambiguous only now.
        fold = here.fold if len(moments(wall, old_zone)) == 2 else None
        try:
            due_at = moment_of(wall + (tournament.starts_on - old_day), tournament.zone, now, fold)
        except Refused as refused:
            sentence = _("Round %(number)d is scheduled then. %(why)s You can also remove that time first.") % {
                "number": deadline.round.number if deadline.round else 0,
                "why": refused,
            }
            field = "time_zone" if tournament.starts_on == old_day else "starts_on"
            raise Refused(refused.code, sentence, fields={field: [sentence]}) from refused
        if due_at != deadline.due_at:
            deadline.due_at = due_at
            deadline.save(update_fields=["due_at"])


def upcoming(tournament: Tournament, played: Round) -> Deadline | None:
    """Return the deadline that publishes a round, or the one that failed to; None if there is neither."""
    states = (Deadline.State.PENDING, Deadline.State.FAILED)
    return tournament.deadlines.filter(round=played, kind=Deadline.Kind.PUBLISH, state__in=states).last()


def lag(now: datetime) -> timedelta:
    """Return how long the oldest due deadline has waited for a sweeper, without those that were tried and wait."""
    untouched = Deadline.objects.due(now).filter(attempts=0, reason="").values_list("due_at", flat=True).first()
    return now - untouched if untouched else timedelta()


def sweep(now: datetime) -> int:
    """Carry out what is due, and return how many deadlines. One cheap query if none is.

    Raises what the database raises when it is gone; the next sweep goes on from there.
    """
    before = Round.objects.living().filter(tournament=OuterRef("tournament"), number=OuterRef("round__number") - 1)
    # Deadlines that wait for the round before, or for the end of a pause, are left out until then: those of tournaments
    # that somebody left in the middle would fill every sweep for good.
    waits = Q(Exists(before.exclude(state=Round.State.CLOSED)), kind=Deadline.Kind.PUBLISH) & ~Q(reason="")
    waits |= Q(tournament__paused_at__isnull=False, kind__in=WAIT_FOR_RESUME) & ~Q(reason="")
    due = Deadline.objects.due(now).exclude(waits).order_by("due_at", "id")
    rows = due.values_list("pk", "tournament_id", "table_id")[:MOST_AT_ONCE]
    return sum(_carry_out(pk, tournament_id, table_id, now) for pk, tournament_id, table_id in rows)


def _carry_out(pk: int, tournament_id: int, table_id: int | None, now: datetime) -> bool:
    try:
        with transaction.atomic():
            return _claim_and_do(pk, tournament_id, table_id, now)
    except (OperationalError, InterfaceError):
        raise  # the database failed, not the deadline: no try is counted, and it is still due
    except NotYet as waits:
        Deadline.objects.pending().filter(pk=pk).exclude(reason=str(waits)).update(reason=str(waits))
    except Refused as refused:
        _count_failure(pk, tournament_id, str(refused), now)
    except Exception:
        logger.exception("Deadline %s failed", pk)
        _count_failure(pk, tournament_id, _("Internal error; see the operator’s log."), now)
    return False


def _claim_and_do(pk: int, tournament_id: int, table_id: int | None, now: datetime) -> bool:
    # SKIP LOCKED, where the database has it, passes a tournament by that somebody holds. SQLite lets one transaction
    # write at a time. On both the compare-and-set decides.
    locked = Tournament.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=tournament_id)
    if not locked.values_list("pk", flat=True).first():
        return False
    if table_id is not None:
        # Before the claim, since whoever writes at the table locks the table first and this row after it.
        tables = Table.objects.select_for_update(skip_locked=True).filter(pk=table_id)
        if not tables.values_list("pk", flat=True).first():
            return False
    claim = Deadline.objects.due(now).filter(pk=pk)
    if not claim.update(state=Deadline.State.DONE, done_at=now, attempts=F("attempts") + 1, reason=""):
        return False
    deadline = Deadline.objects.select_related("round__stage", "tournament__owner", "tournament__club").get(pk=pk)
    if deadline.kind in WAIT_FOR_RESUME and deadline.tournament.paused_at is not None:
        raise NotYet(_("Play is paused. This happens when play resumes."))
    HANDLERS[deadline.kind](deadline)
    return True


@transaction.atomic
def _count_failure(pk: int, tournament_id: int, reason: str, now: datetime) -> None:
    """Count a failed try, and try again later or give up."""
    tournament = lock_tournament(tournament_id)
    deadline = Deadline.objects.pending().filter(pk=pk).select_related("round").first()
    if deadline is None:
        return
    deadline.attempts += 1
    deadline.reason = reason[:300]
    over = deadline.attempts >= MOST_ATTEMPTS
    if over:
        deadline.state = Deadline.State.FAILED
    else:
        deadline.due_at = now + RETRY_AFTER[deadline.attempts - 1]
    changed = {name: getattr(deadline, name) for name in ("attempts", "reason", "due_at", "state")}
    # Only while it waits: a change at its table may have cancelled it a moment ago. And before the lock of the log.
    if Deadline.objects.pending().filter(pk=pk).update(**changed) and over:
        note(
            tournament=tournament,
            by=None,
            action=f"failed-{deadline.kind}",
            round_number=deadline.round.number if deadline.round else None,
            reason=reason[:200],
        )
