"""Carry out scheduled actions. A deadline is a row; the scheduler is called when one is due.

Every change of a deadline locks its tournament first, like every step of a tournament. So one of two schedulers works
on a tournament while the other skips it, and a button pressed at the same moment waits; then the compare-and-set on the
row decides which comes first. The effect and `done` are one transaction: a process killed in between has changed
nothing, and the row is still due.
"""

import logging
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.restore_pause import unless_paused
from league.announcements.announce import end_announcement
from league.entries.reminders import remind
from league.entries.unconfirmed import free_unconfirmed
from league.ledger.locks import lock_tournament
from league.ledger.scores import confirm_by_itself
from league.lib.errors import Conflict, Refused
from league.lib.wall_time import in_log, moment_of, moments
from league.log.write import note
from league.models import Deadline, Round, Table, Tournament, User
from league.models.clock import DeadlineQuerySet
from league.public import snapshots
from league.rounds.steps import NotYet, publish_round

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 100  # rows in one sweep; the next sweep follows at once
TURN = 1.0  # seconds of a sweep; bots and other workers come between
RETRY_AFTER = tuple(timedelta(seconds=seconds) for seconds in (5, 20, 60, 180))
MOST_ATTEMPTS = len(RETRY_AFTER) + 1


def _publish(deadline: Deadline) -> None:
    if deadline.round is not None:
        publish_round(tournament=deadline.tournament, played=deadline.round)


def _freeze(deadline: Deadline) -> None:
    if deadline.round is not None:
        snapshots.freeze(deadline.round)


def _confirm(deadline: Deadline) -> None:
    """Confirm a table. Every change of a reported table cancels its deadline, so only the state is checked."""
    if deadline.table_id is not None:
        table = Table.objects.select_related("round__tournament").get(pk=deadline.table_id)
        minutes = round((deadline.due_at - deadline.created_at).total_seconds() / 60)
        confirm_by_itself(table=table, minutes=minutes)


def _remind(deadline: Deadline) -> None:
    remind(tournament=deadline.tournament, now=deadline.done_at or timezone.now())


def _free(deadline: Deadline) -> None:
    free_unconfirmed(tournament=deadline.tournament, now=deadline.done_at or timezone.now())


def _end_announcement(deadline: Deadline) -> None:
    end_announcement(deadline.tournament, deadline.done_at or timezone.now())


# A handler runs in the transaction that marks the deadline done, with the tournament and the deadline's table locked.
# After `NotYet` it is called again soon; after any other exception it is retried later.
HANDLERS: dict[str, Callable[[Deadline], None]] = {
    Deadline.Kind.PUBLISH: _publish,
    Deadline.Kind.SNAPSHOT: _freeze,
    Deadline.Kind.CONFIRM: _confirm,
    Deadline.Kind.REMIND: _remind,
    Deadline.Kind.FREE: _free,
    Deadline.Kind.ANNOUNCEMENT: _end_announcement,
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
    """Schedule the publishing of a drawn round at a wall time in the tournament's zone; replaces an earlier time.

    fold: picks one of two moments with the same wall time. Raises `Refused` with a sentence of league/lib/wall_time.py,
    and `Conflict("published")`.
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
    """Remove a scheduled time. Does nothing if it has passed or was removed."""
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
    """Remove the times that passed while the tournament was cancelled. The caller holds the lock."""
    passed = Deadline.objects.pending().filter(tournament=tournament, kind=Deadline.Kind.PUBLISH, due_at__lte=now)
    for deadline in passed.order_by("due_at", "pk"):
        cancel(tournament=tournament, deadline_id=deadline.pk, by=by)


def keep_wall_times(*, tournament: Tournament, old_zone: ZoneInfo, old_day: date, now: datetime) -> None:
    """Keep wall times after a change of zone or day: 20:15 stays 20:15, moved by as many days as the tournament.

    The caller holds the lock. Raises `Refused` if a wall time doesn't exist there, is repeated, or has passed.
    """
    coming = Deadline.objects.pending().filter(
        tournament=tournament, kind=Deadline.Kind.PUBLISH, due_at__gt=now, attempts=0
    )
    for deadline in coming.select_related("round"):
        here = deadline.due_at.astimezone(old_zone)
        wall = here.replace(tzinfo=None, fold=0)
        # A choice between two moments with the same wall time stays; a newly ambiguous time is refused.
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
    """Return how long the oldest due deadline has waited, without those that were already tried."""
    due = Deadline.objects.due(now).filter(unless_paused(), attempts=0, reason="")
    untouched = due.values_list("due_at", flat=True).first()
    return now - untouched if untouched else timedelta()


def _ready() -> DeadlineQuerySet:
    """Return the pending deadlines without those that wait for a round or a pause; none in the pause after a restore.

    Abandoned tournaments would fill every sweep with these.
    """
    before = Round.objects.living().filter(tournament=OuterRef("tournament"), number=OuterRef("round__number") - 1)
    waits = Q(Exists(before.exclude(state=Round.State.CLOSED)), kind=Deadline.Kind.PUBLISH) & ~Q(reason="")
    waits |= Q(tournament__paused_at__isnull=False, kind__in=WAIT_FOR_RESUME) & ~Q(reason="")
    return Deadline.objects.pending().filter(unless_paused()).exclude(waits).order_by("due_at", "id")


def next_due() -> datetime | None:
    """Return when the earliest deadline is due."""
    first = Deadline.objects.pending().order_by("due_at", "id").values_list("due_at", flat=True).first()
    if first is None or first > timezone.now():
        return first  # only passed ones wait for a round or a pause
    return _ready().values_list("due_at", flat=True).first()


def sweep(now: datetime) -> int:
    """Run due deadlines for a short turn, and return their number. Costs one cheap query if none is due.

    Raises the database's errors if it is gone; the next sweep continues from there.
    """
    until, done = time.monotonic() + TURN, 0
    for pk, tournament_id, table_id in _ready().due(now).values_list("pk", "tournament_id", "table_id")[:MOST_AT_ONCE]:
        done += _carry_out(pk, tournament_id, table_id, now)
        if time.monotonic() >= until:
            break
    return done


def _carry_out(pk: int, tournament_id: int, table_id: int | None, now: datetime) -> bool:
    try:
        with transaction.atomic():
            return _claim_and_do(pk, tournament_id, table_id, now)
    except (OperationalError, InterfaceError):
        raise  # the database failed, not the deadline: it stays due, and no attempt is counted
    except NotYet as waits:
        Deadline.objects.pending().filter(pk=pk).exclude(reason=str(waits)).update(reason=str(waits))
    except Refused as refused:
        _count_failure(pk, tournament_id, str(refused), now)
    except Exception:
        logger.exception("Deadline %s failed", pk)
        _count_failure(pk, tournament_id, _("Internal error; see the operator’s log."), now)
    return False


def _claim_and_do(pk: int, tournament_id: int, table_id: int | None, now: datetime) -> bool:
    # SKIP LOCKED, if supported, skips a tournament that is locked elsewhere. SQLite has one writer at a time. On both,
    # the compare-and-set decides.
    locked = Tournament.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=tournament_id)
    if not locked.values_list("pk", flat=True).first():
        return False
    if table_id is not None:
        # Writers of a table lock it before this row, so lock the table before the claim.
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
    """Count a failed attempt, and retry later or give up."""
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
    # A change at its table may just have cancelled it, so update pending rows only. Do it before the log is locked.
    if Deadline.objects.pending().filter(pk=pk).update(**changed) and over:
        note(
            tournament=tournament,
            by=None,
            action=f"failed-{deadline.kind}",
            round_number=deadline.round.number if deadline.round else None,
            reason=reason[:200],
        )
