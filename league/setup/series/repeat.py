"""Repeat an event every week. A worker makes each event a week ahead, from the previous one.

The rows say which events are due, so a worker that was down catches up. Days that passed in the meantime get no event.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import clubs_to_hold_in
from league.access.restore_pause import unless_paused
from league.entries.places import TIMES, page_of
from league.entries.reminders import NOON, current_choice
from league.entries.sign_up import set_sign_up
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log.write import note
from league.models import Series, SignUpPage, Tournament, User
from league.setup.create import Copy, clone_tournament

logger = logging.getLogger(__name__)

WEEK = timedelta(days=7)
TRY_AGAIN = timedelta(hours=1)
MOST = 60  # future events of one series


@dataclass(frozen=True)
class Plan:
    """weekday: 0 is Monday. starts_at: None if no time is set. last_day: latest possible day of an event."""

    weekday: int
    starts_at: time | None
    last_day: date
    takes_sign_ups: bool

    def days_after(self, day: date) -> Iterator[date]:
        """Yield the days of the series after `day`."""
        at = day + timedelta(days=(self.weekday - day.weekday() - 1) % 7 + 1)
        while at <= self.last_day:
            yield at
            at += WEEK


def plan_of(series: Series) -> Plan:
    return Plan(series.weekday, series.starts_at, series.last_day, series.takes_sign_ups)


def latest_of(series: Series) -> Tournament | None:
    """Return the event that the next one is copied from; None if all were deleted."""
    return series.events.order_by("-starts_on", "-pk").first()


def days_to_come(series: Series, latest: Tournament, today: date) -> list[date]:
    """Return the days after today without an event, including skipped ones."""
    return list(plan_of(series).days_after(max(latest.starts_on, today)))


@transaction.atomic
def repeat(*, tournament: Tournament, plan: Plan, by: User) -> Series:
    """Repeat an event by this plan, or change the plan of its series. Makes the first event now if it is due.

    Raises `Refused` if the plan has no day or too many, and `Conflict` for a practice event.
    """
    tournament = lock_tournament(tournament.pk)
    if tournament.kind != Tournament.Kind.EVENT:
        raise Conflict("practice", _("A practice tournament can’t repeat. Create a tournament first."))
    series = tournament.series
    if series is None:
        series, old = Series(created_by=by), None
    else:
        series = Series.objects.select_for_update().get(pk=series.pk)
        old = _in_log(series)
    latest = tournament if old is None else latest_of(series) or tournament
    _check(plan, latest)
    series.weekday, series.starts_at = plan.weekday, plan.starts_at
    series.last_day, series.takes_sign_ups = plan.last_day, plan.takes_sign_ups
    series.skipped = [day for day in series.skipped if date.fromisoformat(day).weekday() == plan.weekday]
    _set_next(series, latest)
    series.save()
    if old is None:
        tournament.series = series
        tournament.save(update_fields=["series"])
    if old != _in_log(series):
        note(tournament=tournament, by=by, action="series", old=old, new=_in_log(series))
    _make_what_is_due(series, timezone.now())
    return series


def _check(plan: Plan, latest: Tournament) -> None:
    count = len(list(plan.days_after(max(latest.starts_on, today_of(latest)))))
    if not count:
        sentence = _("That weekday doesn’t come before the last day. Choose a later day.")
    elif count > MOST:
        sentence = _("That’s more than %(most)d tournaments. Choose an earlier last day.") % {"most": MOST}
    else:
        return
    raise Refused("last-day", sentence, fields={"last_day": [sentence]})


@transaction.atomic
def skip(*, tournament: Tournament, day: date, skipped: bool, by: User) -> None:
    """Skip a day, or reinstate it. Raises `Conflict` if the day has an event or isn't in the series."""
    tournament = lock_tournament(tournament.pk)
    series = _locked(tournament)
    latest = latest_of(series)
    if latest is None or day not in days_to_come(series, latest, today_of(latest)):
        raise Conflict(
            "made", _("This day has a tournament already, or isn’t in the series. Cancel the tournament instead.")
        )
    days = set(series.skipped)
    if (day.isoformat() in days) == skipped:
        return
    series.skipped = sorted(days ^ {day.isoformat()})
    _set_next(series, latest)
    series.save()
    note(tournament=tournament, by=by, action="skip-day" if skipped else "take-day", new={"day": day.isoformat()})
    _make_what_is_due(series, timezone.now())


@transaction.atomic
def end_series(*, tournament: Tournament, by: User) -> None:
    """Make no more events; existing ones stay. Does nothing if none was to come."""
    tournament = lock_tournament(tournament.pk)
    series = _locked(tournament)
    if series.next_at is None:
        return
    old, latest = _in_log(series), latest_of(series) or tournament
    series.last_day, series.next_at = latest.starts_on, None
    series.save()
    note(tournament=tournament, by=by, action="end-series", old=old, new=_in_log(series))


def _locked(tournament: Tournament) -> Series:
    if tournament.series_id is None:
        raise Conflict("no-series", _("This tournament doesn’t repeat. Choose a weekday and a last day first."))
    return Series.objects.select_for_update().get(pk=tournament.series_id)


def _in_log(series: Series) -> dict[str, object]:
    return {
        "weekday": series.weekday,
        "starts_at": series.starts_at.isoformat("minutes") if series.starts_at else None,
        "last_day": str(series.last_day),
        "sign_up": series.takes_sign_ups,
    }


def next_due() -> datetime | None:
    """Return when the earliest event is made."""
    return (
        Series.objects.filter(unless_paused())
        .exclude(next_at=None)
        .order_by("next_at")
        .values_list("next_at", flat=True)
        .first()
    )


def make_due_events(now: datetime) -> int:
    """Make the events that are due, and return their number. Costs one cheap query if none is due."""
    due = (
        Series.objects.filter(unless_paused(), next_at__lte=now).order_by("next_at", "pk").values_list("pk", flat=True)
    )
    return sum(_make_events_of(pk, now) for pk in list(due))


def _make_events_of(pk: int, now: datetime) -> int:
    try:
        with transaction.atomic():
            series = Series.objects.select_for_update(skip_locked=True).filter(pk=pk, next_at__lte=now).first()
            return _make_what_is_due(series, now) if series else 0
    except (OperationalError, InterfaceError):
        raise  # the database failed, not the series
    except Exception:
        logger.exception("Series %s failed", pk)
        Series.objects.filter(pk=pk, next_at__lte=now).update(next_at=now + TRY_AGAIN)
        return 0


def _make_what_is_due(series: Series, now: datetime) -> int:
    """Make every event that is less than a week away. The caller holds the row's lock."""
    made = 0
    while series.next_at is not None and series.next_at <= now:
        latest = latest_of(series)
        if latest is not None and (day := _next_day(series, latest)) and _made_at(series, latest, day) <= now:
            latest = _make(series, latest, day)
            made += 1
        _set_next(series, latest)
        series.save()
    return made


def _set_next(series: Series, latest: Tournament | None) -> None:
    day = _next_day(series, latest) if latest else None
    series.next_at = _made_at(series, latest, day) if latest and day else None


def _next_day(series: Series, latest: Tournament) -> date | None:
    days = days_to_come(series, latest, today_of(latest))
    return next((day for day in days if day.isoformat() not in series.skipped), None)


def _made_at(series: Series, latest: Tournament, day: date) -> datetime:
    """Return when the event of a day is made: a week before it starts."""
    wall = datetime.combine(day - WEEK, series.starts_at or NOON, tzinfo=latest.zone)
    return wall.astimezone(UTC)


def today_of(tournament: Tournament) -> date:
    return timezone.now().astimezone(tournament.zone).date()


def _make(series: Series, latest: Tournament, day: date) -> Tournament:
    by = series.created_by or latest.owner
    in_season = latest.club_id is not None and clubs_to_hold_in(by).filter(pk=latest.club_id).exists()
    how = Copy(day=day, starts_at=series.starts_at, with_people=not series.takes_sign_ups, in_season=in_season)
    made = clone_tournament(tournament=latest, by=by, how=how)
    made.series = series
    made.save(update_fields=["series"])
    if series.takes_sign_ups:
        _open_sign_up(latest, made, by)
    return made


def _open_sign_up(latest: Tournament, made: Tournament, by: User) -> None:
    """Open the sign-up with the previous event's settings, its times moved by as many days."""
    before = page_of(latest) or SignUpPage(capacity=max(latest.entries.count(), made.stage.plays.fewest))
    zone, later = latest.zone, made.starts_on - latest.starts_on
    times = {}
    for name in TIMES:
        at = getattr(before, name)
        wall = at.astimezone(zone).replace(tzinfo=None) + later if at else None
        times[name] = wall.replace(tzinfo=zone).astimezone(UTC) if wall else None
    set_sign_up(
        tournament=made,
        capacity=before.capacity,
        by=by,
        note_to_players=before.note,
        times=times | {"opens_at": None},  # sign-up opens when the event is made
        reminder=current_choice(latest),
        many_at_once=before.many_at_once,
    )
