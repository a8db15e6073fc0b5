"""Attendance page of a club as a value: people as rows, events as columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubAccess
from league.clubs.attendance.who_came import Attendance, PersonCame
from league.models import Season, Tournament
from league.pages.links import Choice, Link


@dataclass(frozen=True)
class EventColumn:
    """label: short day. spoken: day and name. number: people who came. paid: “14 of 16”; empty without a fee."""

    label: str
    spoken: str
    url: str
    number: int
    paid: str = ""


@dataclass(frozen=True)
class Cell:
    """A person at an event. came: a tick. word: about the fee, if they came without paying, or paid without coming."""

    came: bool
    word: str = ""


@dataclass(frozen=True)
class PersonLine:
    """cells: one a column. url: the member's page; empty for a guest."""

    name: str
    url: str
    cells: Sequence[Cell]
    number: int


@dataclass(frozen=True)
class PeopleGroup:
    title: str
    lines: Sequence[PersonLine]


@dataclass(frozen=True)
class AttendancePage:
    """season: slug from the address; empty for the last 12 months. nothing: text instead of an empty table."""

    title: str
    text: str
    rule: str
    season: str
    choices: Sequence[Choice]
    caption: str
    columns: Sequence[EventColumn]
    groups: Sequence[PeopleGroup]
    visits: int
    nothing: str
    back: Link

    @property
    def width(self) -> int:
        """Return the number of table columns."""
        return len(self.columns) + 2

    @property
    def has_fees(self) -> bool:
        return any(column.paid for column in self.columns)


def attendance_page(access: ClubAccess, came: Attendance, seasons: Sequence[Season]) -> AttendancePage:
    columns = [_column(came, event) for event in came.events]
    period = came.season.name if came.season else _("Last 12 months")
    return AttendancePage(
        title=_("Attendance"),
        text=_in_words(came),
        rule=_(
            "A tick means: played a hand, or was checked in and seated. Cancelled and practice tournaments don’t count."
        ),
        season=came.season.slug if came.season else "",
        choices=[
            Choice("", _("Last 12 months"), came.season is None),
            *(Choice(season.slug, season.name, season == came.season) for season in seasons),
        ],
        caption=_("Attendance: %(period)s") % {"period": period},
        columns=columns,
        groups=[group for group in _groups(access, came) if group.lines] if columns else [],
        visits=sum(column.number for column in columns),
        nothing="" if columns else _("No tournaments in this period. Choose another season."),
        back=Link(_("Members"), reverse("members", args=[access.club.slug])),
    )


def _in_words(came: Attendance) -> str:
    events, people = len(came.events), sum(bool(person.events) for person in came.people)
    if not events:
        return ""
    first = ngettext("%(count)s tournament", "%(count)s tournaments", events) % {"count": events}
    second = ngettext("%(count)s person came", "%(count)s people came", people) % {"count": people}
    return f"{first}, {second}"


def _column(came: Attendance, event: Tournament) -> EventColumn:
    day = date_format(event.starts_on, _("j M Y"))
    return EventColumn(
        label=date_format(event.starts_on, _("j M")),
        spoken=f"{day}, {event.name}",
        url=event.get_absolute_url(),
        number=came.number_at(event),
        paid=_paid(came, event),
    )


def _paid(came: Attendance, event: Tournament) -> str:
    owing = came.owing_at(event)
    if not event.fee or not owing:
        return ""
    return _("%(paid)d of %(count)d") % {"paid": came.paid_at(event), "count": owing}


def _groups(access: ClubAccess, came: Attendance) -> Iterator[PeopleGroup]:
    for title, is_member in ((_("Members"), True), (_("Guests"), False)):
        people = [person for person in came.people if person.is_member == is_member]
        yield PeopleGroup(title, [_line(access, came, person) for person in people])


def _line(access: ClubAccess, came: Attendance, person: PersonCame) -> PersonLine:
    at = [access.club.slug, person.player.public_id]
    return PersonLine(
        name=person.name,
        url=reverse("profile", args=at) if person.is_member else "",
        cells=[_cell(person, event) for event in came.events],
        number=len(person.events),
    )


def _cell(person: PersonCame, event: Tournament) -> Cell:
    has_come, has_paid = event.pk in person.events, person.paid.get(event.pk)
    if has_come and has_paid is False:
        return Cell(has_come, _("not paid"))
    return Cell(has_come, _("paid") if has_paid and not has_come else "")
