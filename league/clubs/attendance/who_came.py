"""Read the attendance of a club, for the page and its files.

A person attended if they played a hand, or were checked in and seated. In a team that means each member who played; for
a substitution, the substitute. Cancelled, practice and casual tournaments don't count, nor do demo ones outside a demo
club.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from league.access import ClubAccess
from league.access.members import members_of
from league.day.stand_in import STAND_IN
from league.ledger.same_names import names_apart
from league.lib.translate import name_order
from league.models import Entry, HandScore, Player, Round, Season, Seat, Tournament

YEAR = timedelta(days=365)


@dataclass(frozen=True)
class PersonCame:
    """name: unique in the table. events: keys of the tournaments."""

    player: Player
    name: str
    is_member: bool
    events: frozenset[int]


@dataclass(frozen=True)
class Attendance:
    """events: earliest first. people: members by name, then guests by name. season None: last 12 months."""

    season: Season | None
    events: tuple[Tournament, ...]
    people: tuple[PersonCame, ...]

    def number_at(self, event: Tournament) -> int:
        return sum(event.pk in person.events for person in self.people)


def attendance(access: ClubAccess, season: Season | None) -> Attendance:
    """Read the attendance in four queries, for any number of events and people."""
    events = tuple(_events(access, season))
    came = _who_came(events)
    members = list(members_of(access.club))
    keys = {member.pk for member in members}
    guests = Player.objects.filter(pk__in=came.keys() - keys)
    people = sorted((*members, *guests), key=lambda one: (one.pk not in keys, name_order(one.name), one.pk))
    called = names_apart(people)
    return Attendance(
        season,
        events,
        tuple(PersonCame(one, called[one.pk], one.pk in keys, frozenset(came.get(one.pk, ()))) for one in people),
    )


def _events(access: ClubAccess, season: Season | None) -> QuerySet[Tournament]:
    """Return the started events of a season, or of the last 12 months."""
    events = access.tournaments().exclude(state=Tournament.State.PLANNED).filter(is_called_off=False)
    if not access.club.is_demo:
        events = events.filter(is_demo=False)
    if season is not None:
        events = events.filter(season=season)
    else:
        events = events.filter(starts_on__gt=timezone.localdate(timezone=access.club.zone) - YEAR)
    return events.order_by("starts_on", F("starts_at").asc(nulls_first=True), "pk")


def _who_came(events: Iterable[Tournament]) -> Mapping[int, set[int]]:
    """Return {key of a person: keys of the events attended}."""
    people = Entry.objects.filter(tournament__in=[event.pk for event in events], bot="")
    people = people.exclude(status=Entry.Status.STANDIN, player__name=STAND_IN)  # an unknown person
    came: dict[int, set[int]] = defaultdict(set)
    hands = HandScore.objects.living().filter(entry__in=people.values("pk")).order_by()
    columns = ("entry__tournament", "entry__player", "played_by")
    for event, entered, played_by in hands.filter(_of_people("played_by")).values_list(*columns).distinct():
        came[played_by or entered].add(event)
    seats = Seat.objects.filter(round__in=Round.objects.shown(), table__isnull=False).order_by()
    seats = seats.filter(entry__in=people.exclude(checked_in_at=None).values("pk"))
    # The check-in is that of the entry's player, not of a later substitute.
    seats = seats.filter(Q(substitute=None, entry__player__team=None) | Q(entry__player__team__isnull=False))
    columns = ("entry__tournament", "entry__player", "substitute")
    for event, entered, substitute in seats.filter(_of_people("substitute")).values_list(*columns).distinct():
        came[substitute or entered].add(event)
    return came


def _of_people(column: str) -> Q:
    """Return the condition for rows that name a person. A team isn't one, but its member in this column is."""
    return Q(entry__player__team=None) | Q(**{f"{column}__isnull": False})
