"""Time zones in calendar files: an independent reading of the VTIMEZONE gives the offsets of the zone itself."""

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from icalendar import Calendar

from league.calendar.zones import zone_component


def offset_at(lines, moment):
    """Return the offset in seconds that the lines give, or None before the first onset: RFC 5545, section 3.6.5."""
    onsets = []
    of_part = {}
    for line in lines:
        name, _, value = line.partition(":")
        if name == "BEGIN":
            of_part = {"RDATE": ""}
        elif name == "END" and value in ("STANDARD", "DAYLIGHT"):
            # The onset is local time in the offset before the change.
            start = datetime.strptime(of_part["DTSTART"], "%Y%m%dT%H%M%S")
            dates = [start, *(datetime.strptime(day, "%Y%m%dT%H%M%S") for day in of_part["RDATE"].split(",") if day)]
            if "RRULE" in of_part:
                dates += rrulestr(of_part["RRULE"], dtstart=start).between(start, datetime(2060, 1, 1))
            before, after = (seconds(of_part[key]) for key in ("TZOFFSETFROM", "TZOFFSETTO"))
            onsets += [(date - timedelta(seconds=before), after) for date in dates]
        else:
            of_part[name] = value
    past = [(onset, after) for onset, after in onsets if onset <= moment.replace(tzinfo=None)]
    return max(past)[1] if past else None


def seconds(text):
    hours, minutes, rest = int(text[1:3]), int(text[3:5]), int(text[5:7] or 0)
    return (hours * 3600 + minutes * 60 + rest) * (-1 if text[0] == "-" else 1)


def lines_of(key, first, last):
    return zone_component(key, first, last).to_ical().decode().replace("\r\n ", "").splitlines()


@pytest.mark.parametrize(
    ("key", "first", "last", "until"),
    [
        ("Europe/Berlin", 2026, 2027, 2058),
        ("America/New_York", 2026, 2027, 2058),
        ("Australia/Sydney", 2026, 2027, 2058),
        ("Asia/Kolkata", 2026, 2027, 2058),
        ("Africa/Casablanca", 2026, 2027, 2029),  # changes with Ramadan: listed
        ("Africa/Cairo", 2026, 2027, 2029),  # the midnight after the last Thursday of October: listed
        ("America/Santiago", 2026, 2027, 2058),  # a Sunday from the 2nd to the 8th
        ("Asia/Jerusalem", 2026, 2027, 2058),  # the Friday before the last Sunday of March
        ("Europe/Dublin", 2026, 2027, 2058),
        ("America/New_York", 2004, 2027, 2058),  # another rule until 2006
        ("America/Sao_Paulo", 2015, 2027, 2058),  # no changes after 2019
        ("Asia/Kathmandu", 1985, 1987, 2058),  # another offset from 1986
    ],
)
def test_the_offsets_of_a_file_are_those_of_the_zone_at_200_moments_and_around_each_change(key, first, last, until):
    lines, zone, dice = lines_of(key, first, last), ZoneInfo(key), random.Random(key)
    start, end = datetime(first, 1, 1, tzinfo=UTC), datetime(until, 12, 31, tzinfo=UTC)
    moments = [start + dice.random() * (end - start) for _number in range(200)]
    for day in range((end - start).days):
        low, high = start + timedelta(days=day), start + timedelta(days=day + 1)
        if low.astimezone(zone).utcoffset() != high.astimezone(zone).utcoffset() and len(moments) < 230:
            moments += [low + timedelta(hours=hour) for hour in range(25)]
    for moment in moments:
        assert offset_at(lines, moment) == moment.astimezone(zone).utcoffset().total_seconds(), moment


def test_the_clock_changes_of_a_zone_are_rules_that_begin_in_the_local_time_before_the_change():
    parts = {line for line in lines_of("Europe/Berlin", 2026, 2026) if line.startswith(("DTSTART", "RRULE"))}
    assert parts == {
        "DTSTART:20250330T020000",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
        "DTSTART:20251026T030000",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
    }


@pytest.mark.parametrize("key", ["Europe/Berlin", "Europe/Dublin", "Australia/Sydney"])
def test_the_later_clock_is_the_daylight_time(key):
    parts = zone_component(key, 2026, 2027).subcomponents
    gains = {part.name: part.TZOFFSETTO - part.TZOFFSETFROM for part in parts}
    hour = timedelta(hours=1)
    assert gains == {"DAYLIGHT": hour, "STANDARD": -hour}


def test_a_zone_reads_back_as_a_calendar_with_one_part_at_least():
    for key in ("UTC", "Asia/Kolkata", "Africa/Casablanca", "Europe/Berlin"):
        file = Calendar()
        file.add_component(zone_component(key, 1, 9999))
        [read] = Calendar.from_ical(file.to_ical()).walk("VTIMEZONE")
        assert read.subcomponents
