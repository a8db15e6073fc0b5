"""Attendance of a club as file rows (docs/formats.md)."""

from collections import Counter
from collections.abc import Iterator

from league.clubs.attendance.who_came import Attendance
from league.lib.csv import Row

ABOUT = ("name", "player_id", "member", "events")


def event_columns(came: Attendance) -> list[str]:
    """Return a column name for each event, and a second one for an event with a fee."""
    names = _names(came)
    return [
        column
        for event in came.events
        for column in ((names[event.pk], _paid(names[event.pk])) if event.fee else (names[event.pk],))
    ]


def _names(came: Attendance) -> dict[int, str]:
    """Return day and name of each event, with the slug where two are equal."""
    names = [f"{event.starts_on} {event.name}" for event in came.events]
    often = Counter(names)
    both = zip(names, came.events, strict=True)
    return {event.pk: f"{name} ({event.slug})" if often[name] > 1 else name for name, event in both}


def _paid(name: str) -> str:
    return f"{name}, paid"


def attendance_rows(came: Attendance) -> Iterator[Row]:
    """Yield a row a person, with 1 for each event attended or paid, and last the number of people per event.

    A person who didn't enter an event with a fee has no value in its second column.
    """
    names = _names(came)
    for person in came.people:
        row: Row = dict(
            zip(ABOUT, (person.name, person.player.public_id, person.is_member, len(person.events)), strict=True)
        )
        for event in came.events:
            row[names[event.pk]] = int(event.pk in person.events)
            if event.fee:
                row[_paid(names[event.pk])] = int(person.paid[event.pk]) if event.pk in person.paid else None
        yield row
    numbers = {event.pk: came.number_at(event) for event in came.events}
    total: Row = dict(zip(ABOUT, ("total", None, None, sum(numbers.values())), strict=True))
    for event in came.events:
        total[names[event.pk]] = numbers[event.pk]
        if event.fee:
            total[_paid(names[event.pk])] = came.paid_at(event)
    yield total


def file_name(came: Attendance, club: str) -> str:
    """Such as `club_attendance.csv`, `club_season_attendance.csv`."""
    return f"{club}_{came.season.slug}_attendance.csv" if came.season else f"{club}_attendance.csv"
