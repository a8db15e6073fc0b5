"""Evenings as calendar programs read them (RFC 5545). Whoever subscribed has every change within the hour.

What identifies an event is made of what never changes, so it moves with its tournament. `sequence` and `changed_at` are
those of the last row in the log that is not about a round, or publishes the first: whatever moves an evening has such a
row. The same evenings give the same bytes, by which a program that asks again learns that nothing changed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid5

from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext as _

from league.formats import FORMATS, Wanted
from league.formats.estimate import evening_of
from league.ledger.in_words import what_is_played
from league.models import Entry, LogEntry, Round, Stage, Tournament

OURS = UUID("c5f8b0a4-3a0e-4d53-9c62-0b6a3f7d1e28")  # only to make other ids of
MOST = 200  # evenings of a file: four years of a club that meets every week
USUAL = 180  # minutes, where nobody knows how many will play
LONGEST = 12 * 60
ASK_AGAIN = timedelta(hours=1)


@dataclass(frozen=True)
class Event:
    """begins: a moment in the tournament's zone, or the day where no time is set. minutes: expected."""

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
    """The latest first, at most `MOST`. Five queries. `site`: https://league.example.org"""
    latest = tournaments.order_by("-starts_on", "-pk").select_related("sign_up_page").prefetch_related("stages")
    found = list(latest[:MOST])
    keys = [one.pk for one in found]
    playing, drawn = Count("pk", filter=~Q(status=Entry.Status.STANDIN)), Count("pk")
    players = _by_tournament(Entry.objects.filter(tournament__in=keys), count=playing)
    rounds = _by_tournament(Round.objects.living().filter(tournament__in=keys), count=drawn)
    # With its first round it is known who plays, and so how long it takes.
    moves = LogEntry.objects.filter(Q(round=None) | Q(round=1, action="publish"), tournament__in=keys)
    last = _by_tournament(moves, number=Max("number"), at=Max("at"))
    return [
        _event(
            one,
            players=players.get(one.pk, {}).get("count", 0),
            rounds=rounds.get(one.pk, {}).get("count", 0),
            last=last.get(one.pk, {}),
            site=site,
        )
        for one in found
    ]


def _by_tournament(rows: QuerySet[Any], **wanted: Any) -> dict[int, dict[str, Any]]:
    return {row["tournament"]: row for row in rows.order_by().values("tournament").annotate(**wanted)}


def _event(tournament: Tournament, *, players: int, rounds: int, last: dict[str, Any], site: str) -> Event:
    stage = tournament.stages.all()[0]
    page = getattr(tournament, "sign_up_page", None)
    planned = tournament.state == Tournament.State.PLANNED
    expected = page.capacity if planned and page is not None else players
    return Event(
        # Of the same database after years, and of no other.
        uid=f"{uuid5(OURS, f'{tournament.pk} {tournament.created_at.isoformat()}')}@wild-league",
        name=tournament.name,
        place=tournament.place,
        about=_about(tournament, what_is_played(stage, players, rounds)),
        url=site.rstrip("/") + tournament.get_absolute_url(),
        begins=begins(tournament),
        minutes=minutes_of(stage, expected),
        changed_at=last.get("at") or tournament.created_at,
        sequence=last.get("number") or 0,
        called_off=tournament.is_called_off,
    )


def _about(tournament: Tournament, played: str) -> str:
    if tournament.is_called_off:
        return _("Called off: %(reason)s") % {"reason": tournament.pause_reason}
    return f"{played}."


def begins(tournament: Tournament) -> datetime | date:
    """When it begins. A time that the clocks skip is as long after midnight as they show; of two the first."""
    if tournament.starts_at is None:
        return tournament.starts_on
    wall = datetime.combine(tournament.starts_on, tournament.starts_at, tournament.zone)
    return wall.astimezone(UTC).astimezone(tournament.zone)


def minutes_of(stage: Stage, players: int) -> int:
    """How long an evening is expected to take, to the next five minutes."""
    wanted = Wanted(
        stage.hands_per_round,
        stage.rounds_wanted,
        stage.cycles,
        stage.table_size,
        stage.target,
        stage.bye_points,
        stage.scoring,
    )
    return _expected(stage.format, players, wanted, stage.edition)


@lru_cache(maxsize=1024)
def _expected(format: str, players: int, wanted: Wanted, edition: str) -> int:
    if not players or FORMATS[format].problems(wanted, players):
        return USUAL
    return min(-(-evening_of(format, players, wanted, edition).minutes // 5) * 5, LONGEST)


def as_ical(name: str, events: Iterable[Event]) -> bytes:
    """The file. Lines are folded and end as the standard says; each zone is described by its changes of clock."""
    from icalendar import Calendar  # takes a fifth of a second, and most processes never write a calendar

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
    for one in events:
        file.add_component(_component(one))
    if events:
        years = [one.begins.year for one in events]
        file.add_missing_timezones(first_date=date(min(years), 1, 1), last_date=date(max(years) + 2, 1, 1))
        # They come out of a set, in another order in each process.
        file.subcomponents.sort(key=lambda one: (one.name != "VTIMEZONE", str(one.get("TZID", ""))))
    return bytes(file.to_ical())


def _component(one: Event) -> Any:
    from icalendar import Event as Component

    made = Component()
    made.add("UID", one.uid)
    made.add("DTSTAMP", one.changed_at.astimezone(UTC).replace(microsecond=0))
    made.add("LAST-MODIFIED", one.changed_at.astimezone(UTC).replace(microsecond=0))
    made.add("SEQUENCE", one.sequence)
    made.add("DTSTART", one.begins)
    if isinstance(one.begins, datetime):
        # Not the time at which it ends: in the night in which the clocks change that could be read in two ways.
        made.add("DURATION", timedelta(minutes=one.minutes))
    made.add("SUMMARY", one.name)
    if one.place:
        made.add("LOCATION", one.place)
    made.add("DESCRIPTION", one.about)
    made.add("URL", one.url)
    made.add("STATUS", "CANCELLED" if one.called_off else "CONFIRMED")
    made.add("TRANSP", "TRANSPARENT" if one.called_off else "OPAQUE")
    return made
