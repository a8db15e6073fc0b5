"""Tables of a season as rows, for downloads, the API and `manage export_season`.

docs/formats.md lists the columns. `player_id` is the member's id, stable across tournaments; exports of one tournament
have other ids.
"""

from collections.abc import Iterator
from datetime import date
from typing import Annotated, TypedDict

from league.access import ClubAccess
from league.seasons.table import DOWN, UP, SeasonTable
from league.seasons.visibility import Seen, seen_by


class SeasonStanding(TypedDict):
    division: str | None
    rank: Annotated[int | None, "null below the minimum number of tournaments"]
    tied: bool
    player_id: Annotated[str | None, "Member id, not of one tournament; null: unnamed"]
    player: str
    evenings_played: int
    evenings_counted: int
    total: int
    moves: Annotated[str | None, (UP, DOWN)]


class SeasonEveningRow(TypedDict):
    evening: int
    day: date
    tournament: str | None
    final: bool
    division: str | None
    player_id: str | None
    player: str
    place: int
    points: Annotated[int, "In that tournament"]
    gives: Annotated[int, "Points in the season"]
    counts: Annotated[bool, "Whether it is among the counted best"]


COLUMNS = {
    "standings": tuple(SeasonStanding.__annotations__),
    "evenings": tuple(SeasonEveningRow.__annotations__),
}


def rows(
    access: ClubAccess | None, table: SeasonTable, export: str
) -> Iterator[SeasonStanding] | Iterator[SeasonEveningRow]:
    """Return the standings or the tournament results visible to the viewer. access None: everything."""
    known = seen_by(access, table)
    return standings_rows(known, table) if export == "standings" else evenings_rows(known, table)


def standings_rows(seen: Seen, table: SeasonTable) -> Iterator[SeasonStanding]:
    for division in table.divisions:
        for line in division.lines:
            yield {
                "division": division.division.name if division.division else None,
                "rank": line.rank,
                "tied": line.tied,
                "player_id": seen.id_of(line.player),
                "player": seen.name_of(line.player),
                "evenings_played": line.evenings_played,
                "evenings_counted": sum(result is not None and result.counts for result in line.results),
                "total": line.total,
                "moves": line.moves or None,
            }


def evenings_rows(seen: Seen, table: SeasonTable) -> Iterator[SeasonEveningRow]:
    """Yield the results tournament by tournament, in the order of the season's standings."""
    for evening in table.evenings:
        for division in table.divisions:
            for line in division.lines:
                result = line.results[evening.number - 1]
                if result is not None:
                    yield {
                        "evening": evening.number,
                        "day": evening.day,
                        "tournament": evening.tournament.slug if evening.tournament.pk in seen.evenings else None,
                        "final": evening.is_final,
                        "division": division.division.name if division.division else None,
                        "player_id": seen.id_of(line.player),
                        "player": seen.name_of(line.player),
                        "place": result.place,
                        "points": result.points,
                        "gives": result.gives,
                        "counts": result.counts,
                    }


def file_name(table: SeasonTable, export: str) -> str:
    """Such as `club_season_standings.csv`."""
    return f"{table.season.club.slug}_{table.season.slug}_{export}.csv"
