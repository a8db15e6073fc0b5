"""What a season's page shows of its table: rows with cells and zones, a column an evening, the race as a chart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.access import ClubAccess
from league.lib.charts import TotalChart, total_chart
from league.models import Division, Player, Season, Tournament
from league.seasons import in_words as season_words
from league.seasons.table import (
    DOWN,
    UP,
    DivisionTable,
    EveningResult,
    SeasonEvening,
    SeasonLine,
    SeasonTable,
    as_of,
    progress,
    season_table,
)
from league.seasons.visibility import Seen, seen_by

MOST_SEASONS = 6  # on a member's page
MOST_FOLLOWED = 3  # the open page has a stream for each


class Column(NamedTuple):
    """An evening in the head of the table. url, name: empty where the viewer may not see the evening."""

    number: int
    url: str
    name: str
    label: str
    running: bool


class Zone(NamedTuple):
    """A heading above the rows that go up, stay, go down or have no place. kind: "up", "dn" or ""."""

    kind: str
    words: str


@dataclass(frozen=True)
class Row:
    """cells: one an evening; False: absent; None: to come, or of another division. moved: ranks gained.

    player_id: empty where the viewer may not know the name.
    """

    line: SeasonLine
    name: str
    player_id: str
    url: str
    mine: bool
    moved: int
    cells: Sequence[EveningResult | Literal[False] | None]
    zone: Zone | None = None


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


def followed_evenings(seen: Seen, table: SeasonTable, division: Division | None) -> list[Tournament]:
    """Return the evenings whose changes the page follows, as far as the viewer may find them.

    These are the evenings that go on, else the last one whose day has come, else the next one; of the division on the
    page, if it has any.
    """
    evenings = [evening for evening in table.evenings if evening.tournament.pk in seen.evenings]
    evenings = [evening for evening in evenings if division is None or evening.division in (None, division)] or evenings
    running = [evening for evening in evenings if evening.is_running]
    due = [evening for evening in evenings if evening.day <= timezone.localdate(timezone=evening.tournament.zone)]
    latest = running[-MOST_FOLLOWED:] or due[-1:] or evenings[:1]
    return [evening.tournament for evening in latest]


def _label(evening: SeasonEvening) -> str:
    words = {"number": evening.number, "day": date_format(evening.day, _("j F Y"))}
    if evening.division is None:
        return str(_("Evening %(number)d, %(day)s") % words)
    return str(_("Evening %(number)d, %(day)s, %(division)s") % {**words, "division": evening.division.name})


def rows_of(access: ClubAccess, seen: Seen, table: SeasonTable, place: int) -> list[Row]:
    """Return the rows of the division at this place, with a zone above the first row of each kind."""
    division, begun = table.divisions[place], table.begun
    before = {line.player.pk: line.rank for line in as_of(table, begun - 1)[place].lines} if begun > 1 else {}
    to_come = [evening for evening in table.evenings if not _was_missed(evening, division, begun)]
    rows: list[Row] = []
    last: Zone | None = None
    for line in division.lines:
        zone, player_id = _zone(table, place, line), seen.id_of(line.player)
        rows.append(
            Row(
                line=line,
                name=seen.name_of(line.player),
                player_id=player_id or "",
                url=profile_of(access, line.player) if player_id else "",
                mine=line.player == access.me,
                moved=(before.get(line.player.pk) or line.rank) - line.rank if line.rank else 0,
                cells=[
                    result if result is not None else (None if evening in to_come else False)
                    for evening, result in zip(table.evenings, line.results, strict=True)
                ],
                zone=zone if zone != last else None,
            )
        )
        last = zone
    return rows


def _was_missed(evening: SeasonEvening, division: DivisionTable, begun: int) -> bool:
    """Whether players of this division without a result were absent: the evening is theirs and over. While it is
    played they may sit at a table that has no result yet."""
    theirs = division.division is None or evening.division in (None, division.division)
    return theirs and not evening.is_running and (evening.number <= begun or evening.is_final)


def profile_of(access: ClubAccess, player: Player) -> str:
    """Return the address of a profile that the viewer may see; empty for guests."""
    if player.club_id != access.club.pk or not access.sees_profile(player):
        return ""
    return reverse("profile", args=[access.club.slug, player.public_id])


def _zone(table: SeasonTable, place: int, line: SeasonLine) -> Zone | None:
    """Return the zone of a line; None where one heading would stand above everybody."""
    division = table.divisions[place]
    if line.rank is None:
        return Zone("", season_words.no_place(table.season))
    if division.division is None or all(row.moves not in (UP, DOWN) for row in division.lines):
        return None
    above = table.divisions[place - 1].division if place else None
    below = table.divisions[place + 1].division if place + 1 < len(table.divisions) else None
    going = sum(row.moves == line.moves for row in division.lines)
    if line.moves == UP:
        return Zone("up", season_words.goes_up(division.division, going, above))
    if line.moves == DOWN:
        return Zone("dn", season_words.goes_down(division.division, going, below))
    return Zone("", division.division.name)


class Race(NamedTuple):
    """numbers: of the evenings that have begun. totals: (name, total after each evening), in the order of the table."""

    chart: TotalChart
    numbers: range
    totals: list[tuple[str, Sequence[int]]]


def race_of(rows: Sequence[Row], table: SeasonTable, place: int, way_of: int) -> Race | None:
    """Draw the totals; None before two evenings have begun. way_of: index of the row that has the thick line."""
    if table.begun < 2 or not rows:
        return None
    totals = progress(table)[place]
    numbers = range(1, table.begun + 1)
    by_evening: Mapping[int, Mapping[str, int]] = {
        number: {str(line): after[number - 1] for line, after in enumerate(totals)} for number in numbers
    }
    axis = [evening.number for evening in table.evenings]
    named: list[tuple[str, Sequence[int]]] = [(row.name, after) for row, after in zip(rows, totals, strict=True)]
    return Race(total_chart(by_evening, str(way_of), axis), numbers, named)


class Place(NamedTuple):
    """The place of a player in a season. of: how many of their division have a place."""

    season: Season
    division: Division | None
    line: SeasonLine
    of: int


def places_of(access: ClubAccess, player: Player) -> list[Place]:
    """Return the places of a player in their latest seasons, where the viewer may know them, the last season first."""
    theirs = Q(tournaments__entries__player=player) | Q(tournaments__entries__player__team__members__player=player)
    seasons = Season.objects.filter(theirs, club=access.club).select_related("club").distinct().order_by("-pk")
    tables = [season_table(season) for season in seasons[:MOST_SEASONS]]
    places = (_place_in(table, player) for table in tables if seen_by(access, table).id_of(player) is not None)
    return [place for place in places if place is not None]


def _place_in(table: SeasonTable, player: Player) -> Place | None:
    for division in table.divisions:
        for line in division.lines:
            if line.player == player and line.evenings_played:
                return Place(table.season, division.division, line, sum(row.rank is not None for row in division.lines))
    return None


def key_of(division: DivisionTable) -> str:
    """Return the division as the address names it."""
    return str(division.division.number) if division.division else "0"
