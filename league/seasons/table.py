"""Standings of a season by division, from living results, or frozen at the season's end.

A tournament gives its players points for their place, or its own points; the best N tournaments count. Ties are broken
by first places in counted tournaments, then second places, and so on. Still tied players share a rank, ordered by a
reproducible random key (`lot`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from math import inf
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q

from engine.rules import WINNER_TAKES
from league.models import Division, Player, Season, Stage, Tournament
from league.seasons.evenings import Evening, Result, evenings

UP, DOWN, STAYS = "up", "down", ""


@dataclass(frozen=True)
class SeasonEvening:
    """number: from 1, by day. division: the only one it counts for; None: all.

    gives_nothing: its points are penalties, but the season adds points up.
    """

    tournament: Tournament
    number: int
    day: date
    is_final: bool
    is_running: bool
    division: Division | None = None
    gives_nothing: bool = False


class EveningResult(NamedTuple):
    """place, points: in the tournament. gives: points in the season. counts: whether among the best N.

    running: whether the result is provisional.
    """

    place: int
    points: int
    gives: int
    counts: bool
    running: bool


@dataclass(frozen=True)
class SeasonLine:
    """rank: None below the minimum number of tournaments. results: one a tournament; None: not played.

    moves: "up", "down" or "": promotion or relegation by these standings.
    """

    rank: int | None
    tied: bool
    player: Player
    total: int
    results: tuple[EveningResult | None, ...]
    evenings_played: int
    moves: str = STAYS


@dataclass(frozen=True)
class DivisionTable:
    """division None: the season has none, or (listed last) players without a division."""

    division: Division | None
    lines: tuple[SeasonLine, ...]


@dataclass(frozen=True)
class SeasonTable:
    """decided: the season has ended and the table is frozen. differs: living results are different now."""

    season: Season
    evenings: tuple[SeasonEvening, ...]
    divisions: tuple[DivisionTable, ...]
    decided: bool = False
    differs: bool = False

    @property
    def is_final(self) -> bool:
        """Return whether all tournaments are final, which ending the season requires."""
        return bool(self.evenings) and all(evening.is_final for evening in self.evenings)

    @property
    def has_divisions(self) -> bool:
        return any(division.division for division in self.divisions)

    @property
    def not_begun(self) -> tuple[SeasonEvening, ...]:
        """Return the tournaments without a published round."""
        return tuple(evening for evening in self.evenings if not evening.is_final and not evening.is_running)

    @property
    def can_end(self) -> bool:
        """Return whether the season can end once tournaments that haven't started leave it."""
        return any(evening.is_final for evening in self.evenings) and not any(
            evening.is_running for evening in self.evenings
        )

    @property
    def begun(self) -> int:
        """Return the number of the last played tournament; 0 before the first."""
        played = [
            number
            for division in self.divisions
            for line in division.lines
            for number, result in enumerate(line.results, start=1)
            if result is not None
        ]
        return max(played, default=0)


def season_table(season: Season) -> SeasonTable:
    """Return the standings of a season, selected with its club.

    At most seven queries for any number of tournaments and players; three if everything is cached.
    """
    source = _read_source(season)
    living = _living_table(season, source)
    return living if season.final is None else _frozen_table(season, season.final, living, source)


def progress(table: SeasonTable) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return, for each division and line, the total after each started tournament."""
    begun, best_of = table.begun, table.season.best_of
    return tuple(
        tuple(
            tuple(_total_after(line.results[:number], best_of) for number in range(1, begun + 1))
            for line in division.lines
        )
        for division in table.divisions
    )


def as_of(table: SeasonTable, number: int) -> tuple[DivisionTable, ...]:
    """Return the divisions after the first `number` tournaments, from today's results, without moves."""
    return tuple(
        DivisionTable(
            division.division,
            _rank_lines(
                table.season, [_line(table.season, line.player, line.results[:number]) for line in division.lines], 0, 0
            ),
        )
        for division in table.divisions
    )


def points_for(season: Season, place: int) -> int:
    """Return the points for a place. Places beyond the list get its last value."""
    named: Sequence[int] = season.place_points
    return named[min(place, len(named)) - 1] if named else 0


def lot(season: Season, player: Player) -> bytes:
    """Return the random key that orders fully tied players, lowest first."""
    return sha256(f"{season.slug}/{player.public_id}".encode()).digest()


def _total_after(results: Sequence[EveningResult | None], best_of: int | None) -> int:
    gains = sorted((result.gives for result in results if result is not None), reverse=True)
    return sum(gains[:best_of])


def as_frozen(table: SeasonTable) -> dict[str, Any]:
    """Return the JSON for `Season.final`: keys and numbers, no names of people."""
    return {
        "evenings": [evening.tournament.pk for evening in table.evenings],
        "divisions": [
            {
                "division": division.division.pk if division.division else None,
                "lines": [
                    {
                        "player_id": line.player.public_id,
                        "rank": line.rank,
                        "tied": line.tied,
                        "total": line.total,
                        "moves": line.moves,
                        "results": [result and list(result[:4]) for result in line.results],
                    }
                    for line in division.lines
                ],
            }
            for division in table.divisions
        ],
    }


@dataclass(frozen=True)
class _People:
    """placed: {key of a player: key of the division}. players, by_id: everyone in the table, by key and public id.

    The key of a merged record leads to its successor.
    """

    divisions: tuple[Division, ...]
    placed: Mapping[int, int]
    players: Mapping[int, Player]
    by_id: Mapping[str, Player]


class _Source(NamedTuple):
    """tournaments: of the season and its frozen table, by day. lowest_wins: keys of those with penalty points."""

    tournaments: Sequence[Tournament]
    lowest_wins: frozenset[int]
    came_to: Mapping[int, Evening]
    people: _People


def _read_source(season: Season) -> _Source:
    frozen = season.final or {"evenings": [], "divisions": []}
    ids = {line["player_id"] for division in frozen["divisions"] for line in division["lines"]}
    # Include earlier stages: eliminated players have their total from there.
    played = Stage.objects.filter(Q(number=1) | Q(started_at__isnull=False), tournament=OuterRef("pk"))
    of_season = Tournament.objects.filter(Q(season=season) | Q(pk__in=frozen["evenings"]))
    tournaments: list[Any] = list(  # Any: mypy ignores the annotation
        of_season.select_related("log_head", "division")
        .order_by("starts_on", F("starts_at").asc(nulls_first=True), "pk")
        .annotate(lowest_wins=Exists(played.exclude(scoring=WINNER_TAKES)))
    )
    lowest_wins = frozenset(tournament.pk for tournament in tournaments if tournament.lowest_wins)
    came_to = evenings(tournaments)
    return _Source(tournaments, lowest_wins, came_to, _people(season, came_to.values(), ids))


def _living_table(season: Season, source: _Source) -> SeasonTable:
    counted = [
        tournament
        for tournament in source.tournaments
        if tournament.season_id == season.pk and not tournament.is_called_off
    ]
    listed = tuple(
        _evening(season, tournament, number, lowest_wins=tournament.pk in source.lowest_wins)
        for number, tournament in enumerate(counted, start=1)
    )
    by_player: dict[int, list[EveningResult | None]] = defaultdict(lambda: [None] * len(listed))
    for evening in listed:
        for result in source.came_to[evening.tournament.pk]:
            placed_in = source.people.placed.get(result.player)
            own = by_player[result.player]
            # A player of two teams gets the better result: standings begin with the best.
            if own[evening.number - 1] is None and _is_for(evening, placed_in):
                own[evening.number - 1] = _result(season, evening, result)
    return SeasonTable(season, listed, tuple(_divisions(season, by_player, source.people, len(listed))))


def _is_for(evening: SeasonEvening, placed_in: int | None) -> bool:
    """Return whether a tournament counts for a division (key). It always counts for players without one."""
    return evening.division is None or placed_in in (None, evening.division.pk)


def _people(season: Season, came_to: Iterable[Evening], ids: Iterable[str]) -> _People:
    """Read the people in two queries. ids: public ids in the frozen table."""
    divisions: dict[int, Division] = {}
    placed = {}
    for division in (
        Division.objects.filter(season=season).annotate(placed_player=F("players__player")).order_by("number")
    ):
        divisions.setdefault(division.pk, division)
        if division.placed_player is not None:
            placed[division.placed_player] = division.pk
    keys = {result.player for evening in came_to for result in evening} | placed.keys()
    records = Player.objects.select_related("merged_into__merged_into").filter(Q(pk__in=keys) | Q(public_id__in=ids))
    people = {record: stands_for(record) for record in records}
    return _People(
        tuple(divisions.values()),
        placed,
        {record.pk: player for record, player in people.items()},
        {record.public_id: player for record, player in people.items()},
    )


def stands_for(player: Player) -> Player:
    """Return the record that a merged record became."""
    while player.merged_into is not None:
        player = player.merged_into
    return player


def _evening(season: Season, tournament: Tournament, number: int, *, lowest_wins: bool) -> SeasonEvening:
    return SeasonEvening(
        tournament=tournament,
        number=number,
        day=tournament.starts_on,
        is_final=tournament.is_final,
        is_running=tournament.state == Tournament.State.RUNNING,
        division=tournament.division,
        gives_nothing=season.counts == Season.Counts.POINTS and lowest_wins,
    )


def _result(season: Season, evening: SeasonEvening, result: Result) -> EveningResult:
    if season.counts == Season.Counts.PLACES:
        gives = points_for(season, result.place)
    else:
        gives = 0 if evening.gives_nothing else result.points
    return EveningResult(result.place, result.points, gives, counts=True, running=not evening.is_final)


def _divisions(
    season: Season, by_player: Mapping[int, list[EveningResult | None]], people: _People, columns: int
) -> Iterable[DivisionTable]:
    """Yield each division with all its players, then the players without a division."""
    of_division: dict[int | None, list[SeasonLine]] = defaultdict(list)
    for key in people.placed.keys() | by_player.keys():
        player = people.players[key]
        results = by_player[key] if key in by_player else [None] * columns
        if player.erased_at is None or any(results):
            of_division[people.placed.get(key)].append(_line(season, player, results))
    for division in people.divisions:
        above = division.up if division != people.divisions[0] else 0
        below = division.down if division != people.divisions[-1] else 0
        yield DivisionTable(division, _rank_lines(season, of_division[division.pk], above, below))
    if not people.divisions or of_division[None]:
        yield DivisionTable(None, _rank_lines(season, of_division[None], 0, 0))


def _line(season: Season, player: Player, results: Sequence[EveningResult | None]) -> SeasonLine:
    """Return a player's line. Of two equal results, the earlier one counts."""
    played = [(-result.gives, number) for number, result in enumerate(results) if result is not None]
    best = {number for _gives, number in sorted(played)[: season.best_of]}
    marked = [result and result._replace(counts=number in best) for number, result in enumerate(results)]
    total = sum(result.gives for result in marked if result is not None and result.counts)
    return SeasonLine(None, False, player, total, tuple(marked), evenings_played=len(played))


def _rank_lines(season: Season, lines: Iterable[SeasonLine], up: int, down: int) -> tuple[SeasonLine, ...]:
    """Sort the lines, add ranks and moves. Only ranked lines move; with few lines, promotion has priority."""
    listed = sorted(lines, key=lambda line: (_order_key(line), lot(season, line.player)))
    ranked = [line for line in listed if line.evenings_played >= season.min_evenings]
    shared = Counter(map(_order_key, ranked))
    falls_from = len(ranked) - down
    rank = 0
    placed = []
    for position, line in enumerate(ranked):
        if position == 0 or _order_key(line) != _order_key(ranked[position - 1]):
            rank = position + 1
        moves = UP if position < up else DOWN if position >= falls_from else STAYS
        placed.append(replace(line, rank=rank, tied=shared[_order_key(line)] > 1, moves=moves))
    return (*placed, *(line for line in listed if line.evenings_played < season.min_evenings))


def _order_key(line: SeasonLine) -> tuple[int, tuple[float, ...]]:
    """Return the sort key: total, then first places, second places, and so on; the lowest key leads."""
    places = sorted(result.place for result in line.results if result is not None and result.counts)
    return -line.total, (*places, inf)


def _frozen_table(season: Season, final: Mapping[str, Any], living: SeasonTable, source: _Source) -> SeasonTable:
    """Return the frozen standings, with today's names."""
    tournaments = {tournament.pk: tournament for tournament in source.tournaments}
    listed = tuple(
        _evening(season, tournaments[key], number, lowest_wins=key in source.lowest_wins)
        for number, key in enumerate(final["evenings"], start=1)
    )
    divisions = {division.pk: division for division in source.people.divisions}
    tables = tuple(
        DivisionTable(
            divisions.get(division["division"]),
            tuple(
                _frozen_line(line, player)
                for line in division["lines"]
                if (player := source.people.by_id.get(line["player_id"])) is not None  # None: deleted since
            ),
        )
        for division in final["divisions"]
    )
    table = SeasonTable(season, listed, tables, decided=True)
    return replace(table, differs=_figures(table) != _figures(living))


def _frozen_line(line: Mapping[str, Any], player: Player) -> SeasonLine:
    results = tuple(result and EveningResult._make([*result, False]) for result in line["results"])
    played = sum(result is not None for result in results)
    return SeasonLine(line["rank"], line["tied"], player, line["total"], results, played, line["moves"])


def _figures(table: SeasonTable) -> dict[tuple[int | None, int], tuple[object, ...]]:
    """Return everything that can differ between two tables of a season, ignoring the order of tied players."""
    return {
        (division.division.pk if division.division else None, line.player.pk): (line.rank, line.total, line.moves)
        for division in table.divisions
        for line in division.lines
        if line.evenings_played
    }
