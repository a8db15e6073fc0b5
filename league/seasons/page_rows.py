"""Rows of a season's standings: a cell an event, and zones for promotion and relegation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.access import ClubAccess
from league.lib.translate import figure
from league.models import Player
from league.seasons import in_words as season_words
from league.seasons.table import DOWN, UP, DivisionTable, EveningResult, SeasonEvening, SeasonLine, SeasonTable, as_of
from league.seasons.visibility import Seen


class Arrow(NamedTuple):
    """A triangle. css: class of its parent. path: in a square of 10."""

    css: str
    path: str


ARROW_UP, ARROW_DOWN = Arrow("up", "M5 0 10 9H0Z"), Arrow("dn", "M0 1H10L5 10Z")


class Column(NamedTuple):
    """An event in the table head. url, name: empty if hidden from the viewer."""

    number: int
    url: str
    name: str
    label: str
    running: bool


class Zone(NamedTuple):
    """A heading above the promoted, staying, relegated or unranked players."""

    words: str
    arrow: Arrow | None = None


class Movement(NamedTuple):
    """Ranks gained or lost since the previous event."""

    places: int
    arrow: Arrow
    spoken: str


class Cell(NamedTuple):
    """Points from an event; empty before it ends. spoken: text for screen readers."""

    gives: str = ""
    is_struck: bool = False
    is_absent: bool = False
    spoken: str = ""


@dataclass(frozen=True)
class Row:
    """cells: one an event. no_place: text instead of a rank. player_id: empty if the name is hidden."""

    rank: int | None
    tied: bool
    no_place: str
    moved: Movement | None
    name: str
    player_id: str
    url: str
    mine: bool
    cells: Sequence[Cell]
    total: str
    zone: Zone | None


def columns_of(seen: Seen, table: SeasonTable) -> list[Column]:
    return [
        Column(
            number=evening.number,
            url=reverse("standings", args=[evening.tournament.slug]) if evening.tournament.pk in seen.evenings else "",
            name=evening.tournament.name if evening.tournament.pk in seen.evenings else "",
            label=_label(evening),
            running=evening.is_running,
        )
        for evening in table.evenings
    ]


def _label(evening: SeasonEvening) -> str:
    words = {"number": evening.number, "day": date_format(evening.day, _("j F Y"))}
    if evening.division is None:
        return str(_("Tournament %(number)d, %(day)s") % words)
    return str(_("Tournament %(number)d, %(day)s, %(division)s") % {**words, "division": evening.division.name})


def rows_of(access: ClubAccess, seen: Seen, table: SeasonTable, place: int) -> list[Row]:
    """Return the rows of a division, with a zone above the first row of each kind."""
    division, begun = table.divisions[place], table.begun
    before = {line.player.pk: line.rank for line in as_of(table, begun - 1)[place].lines} if begun > 1 else {}
    missed = [_was_missed(evening, division, begun) for evening in table.evenings]
    rows: list[Row] = []
    last: Zone | None = None
    for line in division.lines:
        zone, player_id = _zone(table, place, line), seen.id_of(line.player)
        rows.append(
            Row(
                rank=line.rank,
                tied=line.tied,
                no_place="" if line.rank else _("unranked"),
                moved=_movement(line.rank, before.get(line.player.pk)),
                name=seen.name_of(line.player),
                player_id=player_id or "",
                url=_profile_of(access, line.player) if player_id else "",
                mine=line.player == access.me,
                cells=[cell_of(*of_evening) for of_evening in zip(line.results, missed, strict=True)],
                total=figure(line.total),
                zone=zone if zone != last else None,
            )
        )
        last = zone
    return rows


def _was_missed(evening: SeasonEvening, division: DivisionTable, begun: int) -> bool:
    """Return whether players of this division without a result were absent: their event has ended.

    During an event they may sit at a table without a result yet.
    """
    theirs = division.division is None or evening.division in (None, division.division)
    return theirs and not evening.is_running and (evening.number <= begun or evening.is_final)


def _movement(rank: int | None, before: int | None) -> Movement | None:
    moved = (before or rank) - rank if rank else 0
    if not moved:
        return None
    return Movement(moved, ARROW_UP, _("up")) if moved > 0 else Movement(-moved, ARROW_DOWN, _("down"))


def cell_of(result: EveningResult | None, was_missed: bool) -> Cell:
    if result is None:
        return Cell(is_absent=True, spoken=_("absent")) if was_missed else Cell()
    gives = str(result.gives)
    return Cell(gives) if result.counts else Cell(gives, is_struck=True, spoken=_("not counted"))


def _profile_of(access: ClubAccess, player: Player) -> str:
    """Return the address of a profile the viewer may see; empty for guests."""
    if player.club_id != access.club.pk or not access.sees_profile(player):
        return ""
    return reverse("profile", args=[access.club.slug, player.public_id])


def _zone(table: SeasonTable, place: int, line: SeasonLine) -> Zone | None:
    """Return the zone of a line; None if a single heading would cover all."""
    division = table.divisions[place]
    if line.rank is None:
        return Zone(season_words.no_place(table.season))
    if division.division is None or all(row.moves not in (UP, DOWN) for row in division.lines):
        return None
    above = table.divisions[place - 1].division if place else None
    below = table.divisions[place + 1].division if place + 1 < len(table.divisions) else None
    going = sum(row.moves == line.moves for row in division.lines)
    if line.moves == UP:
        return Zone(season_words.goes_up(division.division, going, above), ARROW_UP)
    if line.moves == DOWN:
        return Zone(season_words.goes_down(division.division, going, below), ARROW_DOWN)
    return Zone(division.division.name)
