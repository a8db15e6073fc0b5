"""The tables of a season as rows, in one place: downloads, API and `manage export_season` show the same ones.

docs/formats.md lists the columns and what they mean. `player_id` is the id of the member's page, which lasts over
tournaments, and not the id in the exports of one evening.
"""

from collections.abc import Iterator
from typing import Any

from league.access import ClubAccess
from league.seasons.table import SeasonTable
from league.seasons.visibility import Seen, seen_by

Row = dict[str, Any]

COLUMNS = {
    "standings": (
        "division", "rank", "tied", "player_id", "player", "evenings_played", "evenings_counted", "total", "moves",
    ),
    "evenings": (
        "evening", "day", "tournament", "final", "division", "player_id", "player", "place", "points", "gives",
        "counts",
    ),
}  # fmt: skip


def rows(access: ClubAccess | None, table: SeasonTable, export: str) -> Iterator[Row]:
    """Return the standings or the evenings as the viewer may see them. access None: sees everything."""
    known = seen_by(access, table)
    return standings_rows(known, table) if export == "standings" else evenings_rows(known, table)


def standings_rows(seen: Seen, table: SeasonTable) -> Iterator[Row]:
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


def evenings_rows(seen: Seen, table: SeasonTable) -> Iterator[Row]:
    """Yield, evening by evening, who played there, in the order of the season's table."""
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
