"""Time zones for calendars: a VTIMEZONE (RFC 5545, section 3.6.5) from the zone's clock changes.

A change that follows a yearly rule becomes an `RRULE`, so the zone stays right after the last event of the file. A zone
that has no such rule, such as Africa/Casablanca, lists each change as an `RDATE` until two years after the last event.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

RULE_YEARS = 28  # weekdays repeat after this period, so each rule shows all its dates
FEWEST_YEARS = 8  # a rule has to hold this long
LISTED_AFTER = 2  # years after the last event for which changes without a rule are listed
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
FIRST_YEAR, MOST_YEARS = 1900, 200  # events may have any year; scanning 8000 takes seconds
ZERO = timedelta(0)


class _Change(NamedTuple):
    """One change of the clocks. onset: the local time before the change, without a zone."""

    onset: datetime
    offset_from: timedelta
    offset_to: timedelta
    name: str
    is_daylight: bool


@lru_cache(maxsize=256)
def zone_component(key: str, first_year: int, last_year: int) -> Any:
    """Return the VTIMEZONE of a zone for events of these years. Callers must not change it."""
    from icalendar import Timezone

    first_year = min(max(first_year, FIRST_YEAR), 9900)
    zone, start = ZoneInfo(key), datetime(first_year - 1, 1, 1, tzinfo=UTC)
    listed_end = min(last_year + LISTED_AFTER + 1, first_year + MOST_YEARS, 9998)
    end = max(first_year + RULE_YEARS, listed_end)
    changes = list(_changes(zone, start, datetime(end, 1, 1, tzinfo=UTC)))
    component = Timezone()
    component.add("TZID", key)
    if not changes or changes[0].onset.year >= first_year:
        component.add_component(_observance([_at_the_start(zone, start)]))
    kinds = [list(alike) for _key, alike in groupby(sorted(changes, key=_kind), key=_kind)]
    parts = [_split(alike) if alike[-1].onset.year == end - 1 else (alike, [], {}) for alike in kinds]
    # A lone rule would leave the zone at one offset after the last listed change of the other, so all have one or none.
    if any(alike[-1].onset.year == end - 1 and not rule for alike, (*_rest, rule) in zip(kinds, parts, strict=True)):
        parts = [([change for change in alike if change.onset.year < listed_end], [], {}) for alike in kinds]
    observances = [_observance(listed) for listed, _of_rule, _rule in parts if listed]
    observances += [_observance(of_rule[:1], rule) for _listed, of_rule, rule in parts if rule]
    for observance in sorted(observances, key=lambda observance: observance.DTSTART):
        component.add_component(observance)
    return component


def _changes(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[_Change]:
    """Yield the changes between two moments, in order."""
    day = timedelta(days=1)
    before = start.astimezone(zone)
    while start < end:
        after = (start + day).astimezone(zone)
        if before.utcoffset() != after.utcoffset():
            low, high = start, start + day
            while high - low > timedelta(seconds=1):
                middle = low + timedelta(seconds=int((high - low).total_seconds()) // 2)
                if middle.astimezone(zone).utcoffset() == before.utcoffset():
                    low = middle
                else:
                    high = middle
            then = high.astimezone(zone)
            was, will = before.utcoffset() or ZERO, then.utcoffset() or ZERO
            # Some zones, such as Europe/Dublin, call their winter time the deviation. Programs expect the later clock
            # to be the daylight time.
            is_daylight = will > was and before.dst() != then.dst()
            yield _Change(high.replace(tzinfo=None) + was, was, will, then.tzname() or "", is_daylight)
        start, before = start + day, after


def _kind(change: _Change) -> tuple[Any, ...]:
    return change[1:]


def _at_the_start(zone: ZoneInfo, start: datetime) -> _Change:
    local = start.astimezone(zone)
    offset = local.utcoffset() or ZERO
    return _Change(start.replace(tzinfo=None), offset, offset, local.tzname() or "", bool(local.dst()))


def _split(alike: Sequence[_Change]) -> tuple[Sequence[_Change], Sequence[_Change], dict[str, Any]]:
    """Return the changes of one kind before the last yearly rule, those that follow the rule, and the rule."""
    for at in range(len(alike) - FEWEST_YEARS + 1):
        if rule := _rule([change.onset for change in alike[at:]]):
            return alike[:at], alike[at:], rule
    return alike, [], {}


def _rule(onsets: Sequence[datetime]) -> dict[str, Any]:
    """Return the yearly rule that these follow: a weekday of seven days of one month. Empty if there is none."""
    years = [onset.year for onset in onsets]
    alike = {(onset.month, onset.time(), onset.weekday()) for onset in onsets}
    if len(alike) != 1 or years != list(range(years[0], years[0] + len(years))):
        return {}
    [(month, _time, weekday)] = alike
    days = [onset.day for onset in onsets]
    first, last = min(days), max(days)
    if last - first > 6:
        return {}
    name = WEEKDAYS[weekday]
    rule: dict[str, Any] = {"FREQ": "YEARLY", "BYMONTH": month}
    if (nth := -(-last // 7)) * 7 - 6 <= first and nth <= 4:
        return rule | {"BYDAY": f"{nth}{name}"}
    if all((onset + timedelta(days=7)).month != month for onset in onsets):
        return rule | {"BYDAY": f"-1{name}"}
    if last - first < 6:  # too few years for all days of the rule
        return {}
    return rule | {"BYMONTHDAY": list(range(first, last + 1)), "BYDAY": name}


def _observance(changes: Sequence[_Change], rule: dict[str, Any] | None = None) -> Any:
    from icalendar import TimezoneDaylight, TimezoneStandard

    first = changes[0]
    observance = TimezoneDaylight() if first.is_daylight else TimezoneStandard()
    observance.DTSTART = first.onset
    observance.TZOFFSETFROM, observance.TZOFFSETTO = first.offset_from, first.offset_to
    observance.add("TZNAME", first.name)
    if rule:
        observance.add("RRULE", rule)
    if later := [change.onset for change in changes[1:]]:
        observance.add("RDATE", later)
    return observance
