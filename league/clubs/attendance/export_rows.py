"""Attendance of a club as file rows (docs/formats.md)."""

from collections import Counter
from collections.abc import Iterator

from league.clubs.attendance.who_came import Attendance
from league.lib.csv import Row

ABOUT = ("name", "player_id", "member", "events")


def event_columns(came: Attendance) -> list[str]:
    """Return a column name for each event: day and name, with the slug where two are equal."""
    names = [f"{event.starts_on} {event.name}" for event in came.events]
    often = Counter(names)
    both = zip(names, came.events, strict=True)
    return [f"{name} ({event.slug})" if often[name] > 1 else name for name, event in both]


def attendance_rows(came: Attendance) -> Iterator[Row]:
    """Yield a row a person, with 1 for each event attended, and last the number of people per event."""
    columns = event_columns(came)
    for person in came.people:
        about = (person.name, person.player.public_id, person.is_member, len(person.events))
        ticks = (1 if event.pk in person.events else 0 for event in came.events)
        yield dict(zip((*ABOUT, *columns), (*about, *ticks), strict=True))
    numbers = [came.number_at(event) for event in came.events]
    yield dict(zip((*ABOUT, *columns), ("total", None, None, sum(numbers), *numbers), strict=True))


def file_name(came: Attendance, club: str) -> str:
    """Such as `club_attendance.csv`, `club_season_attendance.csv`."""
    return f"{club}_{came.season.slug}_attendance.csv" if came.season else f"{club}_attendance.csv"
