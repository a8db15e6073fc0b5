"""What a season's page shows of its table: rows with cells and zones, evenings as columns, the race as a chart."""

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
from league.models import Club, Division, Player, Season, Tournament
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
from league.seasons.visibility import Seen

MOST_SEASONS = 6  # on a member's page
MOST_FOLLOWED = 3  # each is a stream of the open page


class Column(NamedTuple):
    """An evening at the head of the table. url and name: empty where the viewer may not see it."""

    number: int
    url: str
    name: str
    label: str
    running: bool


class Zone(NamedTuple):
    """A line above the rows that go up, stay, go down or have no place. kind: "up", "dn" or ""."""

    kind: str
    words: str


@dataclass(frozen=True)
class Row:
    """cells: one an evening; False: was not there; None: to come, or of another division. moved: ranks, up is more.

    player_id: empty of whom the viewer may not know by name.
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


def followed(seen: Seen, table: SeasonTable, division: Division | None) -> list[Tournament]:
    """The evenings by whose changes the page changes, as far as the viewer may find them.

    Those that go on, else the last one whose day has come, else the next one; of the division that is shown, if it has
    any.
    """
    found = [one for one in table.evenings if one.tournament.pk in seen.evenings]
    found = [one for one in found if division is None or one.division in (None, division)] or found
    running = [one for one in found if one.is_running]
    come = [one for one in found if one.day <= timezone.localdate(timezone=one.tournament.zone)]
    followed = running[-MOST_FOLLOWED:] or come[-1:] or found[:1]
    return [one.tournament for one in followed]


def _label(evening: SeasonEvening) -> str:
    words = {"number": evening.number, "day": date_format(evening.day, _("j F Y"))}
    if evening.division is None:
        return str(_("Evening %(number)d, %(day)s") % words)
    return str(_("Evening %(number)d, %(day)s, %(division)s") % {**words, "division": evening.division.name})


def rows_of(access: ClubAccess, seen: Seen, table: SeasonTable, place: int) -> list[Row]:
    """Of the division at this place of the table's, with a zone above the first row of each kind."""
    shown, begun = table.divisions[place], table.begun
    before = {line.player.pk: line.rank for line in as_of(table, begun - 1)[place].lines} if begun > 1 else {}
    to_come = [one for one in table.evenings if not _was_missed(one, shown, begun)]
    rows: list[Row] = []
    last: Zone | None = None
    for line in shown.lines:
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


def _was_missed(evening: SeasonEvening, shown: DivisionTable, begun: int) -> bool:
    """Whether somebody of this division who has no result of an evening was absent: it is theirs, and over. While it
    is played they may sit at a table that has no result yet."""
    theirs = shown.division is None or evening.division in (None, shown.division)
    return theirs and not evening.is_running and (evening.number <= begun or evening.is_final)


def profile_of(access: ClubAccess, player: Player) -> str:
    """Where the viewer reads more of somebody; nowhere of guests."""
    if player.club_id != access.club.pk or not access.sees_profile(player):
        return ""
    return reverse("profile", args=[access.club.slug, player.public_id])


def _zone(table: SeasonTable, place: int, line: SeasonLine) -> Zone | None:
    """None where one heading would stand above everybody."""
    shown = table.divisions[place]
    if line.rank is None:
        return Zone("", season_words.no_place(table.season))
    if shown.division is None or all(one.moves not in (UP, DOWN) for one in shown.lines):
        return None
    above = table.divisions[place - 1].division if place else None
    below = table.divisions[place + 1].division if place + 1 < len(table.divisions) else None
    going = sum(one.moves == line.moves for one in shown.lines)
    if line.moves == UP:
        return Zone("up", season_words.goes_up(shown.division, going, above))
    if line.moves == DOWN:
        return Zone("dn", season_words.goes_down(shown.division, going, below))
    return Zone("", shown.division.name)


class Race(NamedTuple):
    """numbers: the evenings that have begun. totals: (name, the total after each), in the order of the table."""

    chart: TotalChart
    numbers: range
    totals: list[tuple[str, Sequence[int]]]


def race_of(rows: Sequence[Row], table: SeasonTable, place: int, way_of: int) -> Race | None:
    """None before two evenings have begun. way_of: the place among the rows of whoever has the thick line."""
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
    """Where somebody is in a season. of: how many of their division have a place."""

    season: Season
    division: Division | None
    line: SeasonLine
    of: int


def places_of(club: Club, player: Player) -> list[Place]:
    """The latest seasons in which somebody has played, the last one first."""
    theirs = Q(tournaments__entries__player=player) | Q(tournaments__entries__player__team__members__player=player)
    seasons = Season.objects.filter(theirs, club=club).select_related("club").distinct().order_by("-pk")
    places = (_place_in(season_table(season), player) for season in seasons[:MOST_SEASONS])
    return [one for one in places if one is not None]


def _place_in(table: SeasonTable, player: Player) -> Place | None:
    for one in table.divisions:
        for line in one.lines:
            if line.player == player and line.evenings_played:
                return Place(table.season, one.division, line, sum(each.rank is not None for each in one.lines))
    return None


def key_of(shown: DivisionTable) -> str:
    """As the address names a division."""
    return str(shown.division.number) if shown.division else "0"
