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
    """label: short day. spoken: day and name. number: people who came."""

    label: str
    spoken: str
    url: str
    number: int


@dataclass(frozen=True)
class PersonLine:
    """ticks: a value a column. url: the member's page; empty for a guest."""

    name: str
    url: str
    ticks: Sequence[bool]
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
    )


def _groups(access: ClubAccess, came: Attendance) -> Iterator[PeopleGroup]:
    for title, is_member in ((_("Members"), True), (_("Guests"), False)):
        people = [person for person in came.people if person.is_member == is_member]
        yield PeopleGroup(title, [_line(access, came, person) for person in people])


def _line(access: ClubAccess, came: Attendance, person: PersonCame) -> PersonLine:
    at = [access.club.slug, person.player.public_id]
    return PersonLine(
        name=person.name,
        url=reverse("profile", args=at) if person.is_member else "",
        ticks=[event.pk in person.events for event in came.events],
        number=len(person.events),
    )
