"""The table of a season: evenings in, lines by division out. Living results, or as it was when the season ended.

An evening gives each of its players points for their place, or their points of that evening; the best N of them count.
Of equal totals is better who has more first places in evenings that count, then more second places, and so on. Who is
still equal shares a place, and is listed in the order of a lot that anybody can draw again (`lot`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from math import inf
from typing import Any, NamedTuple

from django.db.models import F, Q

from engine.rules import WINNER_TAKES
from league.models import Division, Player, Season, Tournament
from league.seasons.evenings import Evening, Result, evenings

UP, DOWN, STAYS = "up", "down", ""


@dataclass(frozen=True)
class SeasonEvening:
    """One evening; number counts from 1 in the order of days. division: whose evening it is, None: everybody's.

    gives_nothing: its points count against who has them, and the season sums points up.
    """

    tournament: Tournament
    number: int
    day: date
    is_final: bool
    is_running: bool
    division: Division | None = None
    gives_nothing: bool = False


class EveningResult(NamedTuple):
    """place, points: in the evening. gives: what that is worth in the season. counts: among the best N.

    running: the evening goes on, so this is how it stands so far.
    """

    place: int
    points: int
    gives: int
    counts: bool
    running: bool


@dataclass(frozen=True)
class SeasonLine:
    """rank: None with fewer evenings than the season asks for. results: one for each evening, None: did not play.

    moves: "up", "down" or "": in which division this line is in the next season, as the table stands.
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
    """division None: the season has none, or (then the last one) those who play and are in none of its divisions."""

    division: Division | None
    lines: tuple[SeasonLine, ...]


@dataclass(frozen=True)
class SeasonTable:
    """decided: the season has ended, and this is its table as it was then; differs: its evenings say otherwise now."""

    season: Season
    evenings: tuple[SeasonEvening, ...]
    divisions: tuple[DivisionTable, ...]
    decided: bool = False
    differs: bool = False

    @property
    def is_final(self) -> bool:
        """Whether all evenings are final: what the season's end asks for."""
        return bool(self.evenings) and all(evening.is_final for evening in self.evenings)

    @property
    def begun(self) -> int:
        """How many evenings there are up to the last one in which anybody has played."""
        played = [
            number
            for division in self.divisions
            for line in division.lines
            for number, result in enumerate(line.results, start=1)
            if result is not None
        ]
        return max(played, default=0)


def season_table(season: Season) -> SeasonTable:
    """Seven queries at most, however many evenings and players; three when no evening has changed since the last look.

    The season comes with its club.
    """
    read = _read(season)
    living = _living(season, read)
    return living if season.final is None else _frozen(season, season.final, living, read)


def progress(table: SeasonTable) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each division, for each of its lines, the total after each evening that has begun."""
    begun, best_of = table.begun, table.season.best_of
    return tuple(
        tuple(
            tuple(_total_after(line.results[:number], best_of) for number in range(1, begun + 1)) for line in one.lines
        )
        for one in table.divisions
    )


def as_of(table: SeasonTable, number: int) -> tuple[DivisionTable, ...]:
    """The divisions after so many evenings, with the results as they are now; nobody moves then."""
    return tuple(
        DivisionTable(
            one.division,
            _ranked(
                table.season, [_line(table.season, line.player, line.results[:number]) for line in one.lines], 0, 0
            ),
        )
        for one in table.divisions
    )


def points_for(season: Season, place: int) -> int:
    """What a place gives: whoever is behind the last one that is named gets as much as that; equal places, equally."""
    named: Sequence[int] = season.place_points
    return named[min(place, len(named)) - 1] if named else 0


def lot(season: Season, player: Player) -> bytes:
    """By which those are listed who are equal in everything: the least first."""
    return sha256(f"{season.slug}/{player.public_id}".encode()).digest()


def _total_after(results: Sequence[EveningResult | None], best_of: int | None) -> int:
    given = sorted((result.gives for result in results if result is not None), reverse=True)
    return sum(given[:best_of])


def as_frozen(table: SeasonTable) -> dict[str, Any]:
    """What is stored of a table when its season ends (`Season.final`): keys and figures, no names of people."""
    return {
        "evenings": [evening.tournament.pk for evening in table.evenings],
        "divisions": [
            {
                "division": one.division.pk if one.division else None,
                "lines": [
                    {
                        "player_id": line.player.public_id,
                        "rank": line.rank,
                        "tied": line.tied,
                        "total": line.total,
                        "moves": line.moves,
                        "results": [result and list(result[:4]) for result in line.results],
                    }
                    for line in one.lines
                ],
            }
            for one in table.divisions
        ],
    }


@dataclass(frozen=True)
class _People:
    """Who is in which division, by keys, and everybody of whom anything is said, by key and by public id.

    Of a record that was merged into another, that one is said to be who it was.
    """

    divisions: tuple[Division, ...]
    placed: Mapping[int, int]
    players: Mapping[int, Player]
    by_id: Mapping[str, Player]


class _Read(NamedTuple):
    """tournaments: those of the season, and of its frozen table, in the order of days. lowest_wins: those of them (by
    key) whose points count against who has them."""

    tournaments: Sequence[Tournament]
    lowest_wins: frozenset[int]
    came_to: Mapping[int, Evening]
    people: _People


def _read(season: Season) -> _Read:
    frozen = season.final or {"evenings": [], "divisions": []}
    ids = {line["player_id"] for division in frozen["divisions"] for line in division["lines"]}
    of_season = Tournament.objects.filter(Q(season=season) | Q(pk__in=frozen["evenings"]))
    tournaments: list[Any] = list(  # with `scoring`, which mypy does not see
        of_season.select_related("log_head", "division")
        .order_by("starts_on", F("starts_at").asc(nulls_first=True), "pk")
        .annotate(scoring=F("stages__scoring"))
    )
    lowest_wins = frozenset(one.pk for one in tournaments if one.scoring != WINNER_TAKES)
    came_to = evenings(tournaments)
    return _Read(tournaments, lowest_wins, came_to, _people(season, came_to.values(), ids))


def _living(season: Season, read: _Read) -> SeasonTable:
    counted = [one for one in read.tournaments if one.season_id == season.pk and not one.is_called_off]
    listed = tuple(
        _evening(season, tournament, number, lowest_wins=tournament.pk in read.lowest_wins)
        for number, tournament in enumerate(counted, start=1)
    )
    by_player: dict[int, list[EveningResult | None]] = defaultdict(lambda: [None] * len(listed))
    for evening in listed:
        for result in read.came_to[evening.tournament.pk]:
            placed_in = read.people.placed.get(result.player)
            own = by_player[result.player]
            # Who played for two teams has the better of the two: the evening's standings begin with the best.
            if own[evening.number - 1] is None and _is_for(evening, placed_in):
                own[evening.number - 1] = _result(season, evening, result)
    return SeasonTable(season, listed, tuple(_divisions(season, by_player, read.people, len(listed))))


def _is_for(evening: SeasonEvening, placed_in: int | None) -> bool:
    """Whether somebody of a division, by its key, gets anything in an evening; who is in none does in each."""
    return evening.division is None or placed_in in (None, evening.division.pk)


def _people(season: Season, came_to: Iterable[Evening], ids: Iterable[str]) -> _People:
    """Two queries. ids: the public ids of those in the frozen table."""
    divisions: dict[int, Division] = {}
    placed = {}
    for division in Division.objects.filter(season=season).annotate(one=F("players__player")).order_by("number"):
        divisions.setdefault(division.pk, division)
        if division.one is not None:
            placed[division.one] = division.pk
    keys = {result.player for evening in came_to for result in evening} | placed.keys()
    found = Player.objects.select_related("merged_into__merged_into").filter(Q(pk__in=keys) | Q(public_id__in=ids))
    stands_for = {one: _stands_for(one) for one in found}
    return _People(
        tuple(divisions.values()),
        placed,
        {one.pk: player for one, player in stands_for.items()},
        {one.public_id: player for one, player in stands_for.items()},
    )


def _stands_for(player: Player) -> Player:
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
    """Each division with whoever is in it, also those who have not played; then everybody else who has."""
    of_division: dict[int | None, list[SeasonLine]] = defaultdict(list)
    for key in people.placed.keys() | by_player.keys():
        player = people.players[key]
        results = by_player[key] if key in by_player else [None] * columns
        if player.erased_at is None or any(results):
            of_division[people.placed.get(key)].append(_line(season, player, results))
    for division in people.divisions:
        above = division.up if division != people.divisions[0] else 0
        below = division.down if division != people.divisions[-1] else 0
        yield DivisionTable(division, _ranked(season, of_division[division.pk], above, below))
    if not people.divisions or of_division[None]:
        yield DivisionTable(None, _ranked(season, of_division[None], 0, 0))


def _line(season: Season, player: Player, results: Sequence[EveningResult | None]) -> SeasonLine:
    """Of evenings that give the same the earlier one counts."""
    played = [(-result.gives, number) for number, result in enumerate(results) if result is not None]
    best = {number for _gives, number in sorted(played)[: season.best_of]}
    marked = [result and result._replace(counts=number in best) for number, result in enumerate(results)]
    total = sum(result.gives for result in marked if result is not None and result.counts)
    return SeasonLine(None, False, player, total, tuple(marked), evenings_played=len(played))


def _ranked(season: Season, lines: Iterable[SeasonLine], up: int, down: int) -> tuple[SeasonLine, ...]:
    """Best first, with ranks and who moves. Without a rank nobody moves; where few are ranked, going up comes first."""
    listed = sorted(lines, key=lambda line: (_ahead(line), lot(season, line.player)))
    ranked = [line for line in listed if line.evenings_played >= season.min_evenings]
    shared = Counter(map(_ahead, ranked))
    falls_from = len(ranked) - down
    rank = 0
    placed = []
    for position, line in enumerate(ranked):
        if position == 0 or _ahead(line) != _ahead(ranked[position - 1]):
            rank = position + 1
        moves = UP if position < up else DOWN if position >= falls_from else STAYS
        placed.append(replace(line, rank=rank, tied=shared[_ahead(line)] > 1, moves=moves))
    return (*placed, *(line for line in listed if line.evenings_played < season.min_evenings))


def _ahead(line: SeasonLine) -> tuple[int, tuple[float, ...]]:
    """What is less is ahead: the total, then who has more first places, more second places, and so on."""
    places = sorted(result.place for result in line.results if result is not None and result.counts)
    return -line.total, (*places, inf)


def _frozen(season: Season, final: Mapping[str, Any], living: SeasonTable, read: _Read) -> SeasonTable:
    """The table as it was when the season ended, with the names that people have today."""
    tournaments = {tournament.pk: tournament for tournament in read.tournaments}
    listed = tuple(
        _evening(season, tournaments[key], number, lowest_wins=key in read.lowest_wins)
        for number, key in enumerate(final["evenings"], start=1)
    )
    divisions = {division.pk: division for division in read.people.divisions}
    tables = tuple(
        DivisionTable(
            divisions.get(one["division"]),
            tuple(
                _frozen_line(line, player)
                for line in one["lines"]
                if (player := read.people.by_id.get(line["player_id"])) is not None  # else forgotten since
            ),
        )
        for one in final["divisions"]
    )
    table = SeasonTable(season, listed, tables, decided=True)
    return replace(table, differs=_figures(table) != _figures(living))


def _frozen_line(line: Mapping[str, Any], player: Player) -> SeasonLine:
    results = tuple(result and EveningResult._make([*result, False]) for result in line["results"])
    played = sum(result is not None for result in results)
    return SeasonLine(line["rank"], line["tied"], player, line["total"], results, played, line["moves"])


def _figures(table: SeasonTable) -> dict[tuple[int | None, int], tuple[object, ...]]:
    """What a table says of whom: equal where two say the same, in whichever order they list who is equal."""
    return {
        (one.division.pk if one.division else None, line.player.pk): (line.rank, line.total, line.moves)
        for one in table.divisions
        for line in one.lines
        if line.evenings_played
    }
