"""Evenings as calendar programs read them (RFC 5545). Subscribers have every change within the hour.

An event's id is made of values that never change, so the event moves with its tournament. `sequence` and `changed_at`
come from the last row of the log that is not about a round, or that publishes the first: every change of an evening's
time has such a row. Equal evenings give equal bytes, so a program that asks again learns that nothing changed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext as _

from league.calendar.zones import zone_component
from league.formats import Format
from league.ledger.in_words import entries_in_words, stage_title, what_is_played
from league.models import Entry, LogEntry, Round, Stage, Tournament

OURS = UUID("c5f8b0a4-3a0e-4d53-9c62-0b6a3f7d1e28")  # the namespace of the ids of events
MOST = 200  # evenings in a file: four years of a club that meets every week
USUAL = 180  # minutes, where the number of players is not known
LONGEST = 12 * 60
ASK_AGAIN = timedelta(hours=1)


@dataclass(frozen=True)
class Event:
    """begins: a moment in the tournament's zone, or the day if no time is set. minutes: expected length."""

    uid: str
    name: str
    place: str
    about: str
    url: str
    begins: datetime | date
    minutes: int
    changed_at: datetime
    sequence: int
    called_off: bool


def events_of(tournaments: QuerySet[Tournament], site: str) -> list[Event]:
    """Return the events, the latest first, at most `MOST`. Five queries. site: such as https://league.example.org"""
    latest = tournaments.order_by("-starts_on", "-pk").select_related("sign_up_page").prefetch_related("stages")
    listed = list(latest[:MOST])
    keys = [tournament.pk for tournament in listed]
    playing, drawn = Count("pk", filter=~Q(status=Entry.Status.STANDIN)), Count("pk")
    players = _by_tournament(Entry.objects.filter(tournament__in=keys), count=playing)
    rounds = _by_tournament(Round.objects.living().filter(tournament__in=keys), count=drawn)
    # The first round fixes who plays, and so how long the evening takes.
    moves = LogEntry.objects.filter(Q(round=None) | Q(round=1, action="publish"), tournament__in=keys)
    moves = moves.exclude(action__in=("cut", "undo-cut"))  # which nobody has seen
    last = _by_tournament(moves, number=Max("number"), at=Max("at"))
    return [
        _event(
            tournament,
            players=players.get(tournament.pk, {}).get("count", 0),
            rounds=rounds.get(tournament.pk, {}).get("count", 0),
            last=last.get(tournament.pk, {}),
            site=site,
        )
        for tournament in listed
    ]


def _by_tournament(rows: QuerySet[Any], **figures: Any) -> dict[int, dict[str, Any]]:
    return {row["tournament"]: row for row in rows.order_by().values("tournament").annotate(**figures)}


def _event(tournament: Tournament, *, players: int, rounds: int, last: dict[str, Any], site: str) -> Event:
    stages = list(tournament.stages.all())
    page = getattr(tournament, "sign_up_page", None)
    planned = tournament.state == Tournament.State.PLANNED
    expected = page.capacity if planned and page is not None else players
    return Event(
        # The same after years in this database, and different in any other.
        uid=f"{uuid5(OURS, f'{tournament.pk} {tournament.created_at.isoformat()}')}@wild-league",
        name=tournament.name,
        place=tournament.place,
        about=_about(tournament, _what_is_played(stages, players, rounds)),
        url=site.rstrip("/") + tournament.get_absolute_url(),
        begins=begins(tournament),
        minutes=_minutes(stages, expected),
        changed_at=last.get("at") or tournament.created_at,
        sequence=last.get("number") or 0,
        called_off=tournament.is_called_off,
    )


def _what_is_played(stages: Sequence[Stage], players: int, rounds: int) -> str:
    """Of several stages their names, since nobody knows yet who goes on."""
    if len(stages) == 1:
        return what_is_played(stages[0], players, rounds)
    words = {"players": entries_in_words(stages[0], players), "stages": ", ".join(map(stage_title, stages))}
    return _("%(players)s: %(stages)s") % words


def _minutes(stages: Sequence[Stage], players: int) -> int:
    """Of all stages, each with those who go on to it."""
    minutes = 0
    for stage in stages:
        players = min(players, stage.takes or players)
        minutes += minutes_of(stage, -(-players // stage.groups))
    return min(minutes, LONGEST)


def _about(tournament: Tournament, played: str) -> str:
    if tournament.is_called_off:
        return _("Called off: %(reason)s") % {"reason": tournament.pause_reason}
    return f"{played}."


def begins(tournament: Tournament) -> datetime | date:
    """Return the start. A time that the clocks skip counts from midnight on; of two equal times, the first holds."""
    if tournament.starts_at is None:
        return tournament.starts_on
    wall = datetime.combine(tournament.starts_on, tournament.starts_at, tournament.zone)
    return wall.astimezone(UTC).astimezone(tournament.zone)


def minutes_of(stage: Stage, players: int) -> int:
    """Return how long an evening is expected to take, rounded up to five minutes."""
    return _expected_minutes(stage.plays, players, tuple(stage.values.items()), stage.edition, stage.scoring)


@lru_cache(maxsize=1024)
def _expected_minutes(
    plays: Format, players: int, values: tuple[tuple[str, int | None], ...], edition: str, scoring: str
) -> int:
    if not players or plays.problems(dict(values), players):
        return USUAL
    return min(-(-plays.evening(players, dict(values), edition, scoring).minutes // 5) * 5, LONGEST)


def as_ical(name: str, events: Iterable[Event]) -> bytes:
    """Return the file: lines folded and ended as the standard says, and each zone described by its clock changes."""
    from icalendar import Calendar  # takes a fifth of a second, and most processes never make a calendar

    file = Calendar()
    for key, value in (
        ("PRODID", "-//Wild League//EN"),
        ("VERSION", "2.0"),
        ("CALSCALE", "GREGORIAN"),
        ("METHOD", "PUBLISH"),
        ("NAME", name),
        ("X-WR-CALNAME", name),
        ("X-PUBLISHED-TTL", "PT1H"),
    ):
        file.add(key, value)
    file.add("REFRESH-INTERVAL", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    events = list(events)
    components = [_component(event) for event in events]
    years = [event.begins.year for event in events]
    zones = {component["DTSTART"].params.get("TZID") for component in components} - {None}
    for component in [*(zone_component(zone, min(years), max(years)) for zone in sorted(zones)), *components]:
        file.add_component(component)
    return bytes(file.to_ical())


def _component(event: Event) -> Any:
    from icalendar import Event as Component

    component = Component()
    component.add("UID", event.uid)
    component.add("DTSTAMP", event.changed_at.astimezone(UTC).replace(microsecond=0))
    component.add("LAST-MODIFIED", event.changed_at.astimezone(UTC).replace(microsecond=0))
    component.add("SEQUENCE", event.sequence)
    component.add("DTSTART", event.begins)
    if isinstance(event.begins, datetime):
        # Not the time of its end, which is ambiguous in the night in which the clocks change.
        component.add("DURATION", timedelta(minutes=event.minutes))
    component.add("SUMMARY", event.name)
    if event.place:
        component.add("LOCATION", event.place)
    component.add("DESCRIPTION", event.about)
    component.add("URL", event.url)
    component.add("STATUS", "CANCELLED" if event.called_off else "CONFIRMED")
    component.add("TRANSP", "TRANSPARENT" if event.called_off else "OPAQUE")
    return component
