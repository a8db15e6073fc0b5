"""Tournaments as iCalendar events (RFC 5545). Subscribers get every change within the hour.

An event's id is made of constants, so the event moves with its tournament. `sequence` and `changed_at` come from the
last log row that isn't about a round, or publishes round 1: every change of time has such a row. Equal tournaments give
equal bytes, so repeated requests find nothing new.
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

OURS = UUID("c5f8b0a4-3a0e-4d53-9c62-0b6a3f7d1e28")  # namespace of event ids
MOST = 200  # tournaments a file: four years of weekly ones
USUAL = 180  # minutes, if the number of players is unknown
LONGEST = 12 * 60
ASK_AGAIN = timedelta(hours=1)


@dataclass(frozen=True)
class Event:
    """begins: a moment in the tournament's zone, or the day without a time. minutes: expected length."""

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
    """Return the events, latest first, at most `MOST`. Five queries. site: such as https://league.example.org"""
    latest = tournaments.order_by("-starts_on", "-pk").select_related("sign_up_page").prefetch_related("stages")
    listed = list(latest[:MOST])
    keys = [tournament.pk for tournament in listed]
    playing, drawn = Count("pk", filter=~Q(status=Entry.Status.STANDIN)), Count("pk")
    players = _by_tournament(Entry.objects.filter(tournament__in=keys), count=playing)
    rounds = _by_tournament(Round.objects.living().filter(tournament__in=keys), count=drawn)
    # Round 1 fixes the players, and so the length.
    moves = LogEntry.objects.filter(Q(round=None) | Q(round=1, action="publish"), tournament__in=keys)
    moves = moves.exclude(action__in=("cut", "undo-cut"))  # never visible
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
        # Constant in this database, different in any other.
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
    """Describe the play; with several stages by their names, since qualifiers are unknown."""
    if len(stages) == 1:
        return what_is_played(stages[0], players, rounds)
    words = {"players": entries_in_words(stages[0], players), "stages": ", ".join(map(stage_title, stages))}
    return _("%(players)s: %(stages)s") % words


def _minutes(stages: Sequence[Stage], players: int) -> int:
    """Return the length of all stages, each with its qualifiers."""
    minutes = 0
    for stage in stages:
        players = min(players, stage.takes or players)
        minutes += minutes_of(stage, -(-players // stage.groups))
    return min(minutes, LONGEST)


def _about(tournament: Tournament, played: str) -> str:
    if tournament.is_called_off:
        return _("Cancelled: %(reason)s") % {"reason": tournament.pause_reason}
    return f"{played}."


def begins(tournament: Tournament) -> datetime | date:
    """Return the start. A skipped wall time counts from midnight; of two equal ones, the first."""
    if tournament.starts_at is None:
        return tournament.starts_on
    wall = datetime.combine(tournament.starts_on, tournament.starts_at, tournament.zone)
    return wall.astimezone(UTC).astimezone(tournament.zone)


def minutes_of(stage: Stage, players: int) -> int:
    """Return the expected length of a stage, rounded up to five minutes."""
    return _expected_minutes(stage.plays, players, tuple(stage.values.items()), stage.edition, stage.scoring)


@lru_cache(maxsize=1024)
def _expected_minutes(
    plays: Format, players: int, values: tuple[tuple[str, int | None], ...], edition: str, scoring: str
) -> int:
    if not players or plays.problems(dict(values), players):
        return USUAL
    return min(-(-plays.evening(players, dict(values), edition, scoring).minutes // 5) * 5, LONGEST)


def as_ical(name: str, events: Iterable[Event]) -> bytes:
    """Return the file, with folded lines, and each zone described by its clock changes."""
    from icalendar import Calendar  # takes 0.2 s, and most processes never need it

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
        # No end time: it would be ambiguous in the night of a clock change.
        component.add("DURATION", timedelta(minutes=event.minutes))
    component.add("SUMMARY", event.name)
    if event.place:
        component.add("LOCATION", event.place)
    component.add("DESCRIPTION", event.about)
    component.add("URL", event.url)
    component.add("STATUS", "CANCELLED" if event.called_off else "CONFIRMED")
    component.add("TRANSP", "TRANSPARENT" if event.called_off else "OPAQUE")
    return component
