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
    """name: unique in the table. events: keys of the tournaments. paid: whether they paid, by events with a fee."""

    player: Player
    name: str
    is_member: bool
    events: frozenset[int]
    paid: Mapping[int, bool]


@dataclass(frozen=True)
class Attendance:
    """events: earliest first. people: members by name, then guests by name. season None: last 12 months."""

    season: Season | None
    events: tuple[Tournament, ...]
    people: tuple[PersonCame, ...]

    def number_at(self, event: Tournament) -> int:
        return sum(event.pk in person.events for person in self.people)

    def paid_at(self, event: Tournament) -> int:
        return sum(person.paid.get(event.pk, False) for person in self.people)

    def owing_at(self, event: Tournament) -> int:
        """Return the number of people who owe the fee: they entered, and came or paid."""
        return sum(
            event.pk in person.paid and (event.pk in person.events or person.paid[event.pk]) for person in self.people
        )


def attendance(access: ClubAccess, season: Season | None) -> Attendance:
    """Read the attendance in four queries, or five with a fee, for any number of events and people."""
    events = tuple(_events(access, season))
    came = _who_came(events)
    paid = _who_paid(events, came)
    members = list(members_of(access.club))
    keys = {member.pk for member in members}
    payers = {key for key, by_event in paid.items() if any(by_event.values())}
    guests = Player.objects.filter(pk__in=(came.keys() | payers) - keys)
    people = sorted((*members, *guests), key=lambda one: (one.pk not in keys, name_order(one.name), one.pk))
    called = names_apart(people)
    return Attendance(
        season,
        events,
        tuple(
            PersonCame(one, called[one.pk], one.pk in keys, frozenset(came.get(one.pk, ())), paid.get(one.pk, {}))
            for one in people
        ),
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


def _who_paid(events: Iterable[Tournament], came: Mapping[int, set[int]]) -> Mapping[int, Mapping[int, bool]]:
    """Return {key of a person: {key of an event with a fee: whether they paid}}.

    A team pays for those of its members who came.
    """
    paid: dict[int, dict[int, bool]] = defaultdict(dict)
    with_fee = [event.pk for event in events if event.fee]
    if not with_fee:
        return paid
    entries = Entry.objects.filter(tournament__in=with_fee, bot="").exclude(status=Entry.Status.STANDIN).order_by()
    columns = ("tournament", "player", "player__team__members__player", "paid_at")
    for event, entered, member, at in entries.values_list(*columns):
        if member is None or event in came.get(member, ()):
            paid[member or entered][event] = at is not None
    return paid


def _of_people(column: str) -> Q:
    """Return the condition for rows that name a person. A team isn't one, but its member in this column is."""
    return Q(entry__player__team=None) | Q(**{f"{column}__isnull": False})
