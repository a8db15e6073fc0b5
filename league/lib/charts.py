"""Draw ranks: the small line in a row of the standings, and a player's chart. Ranks in, SVG coordinates out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 92, 30, 6
CHART = 1000  # the drawing is stretched to the available room
MOST_LABELS = 12
MOST_OTHERS = 100  # lines of other players; more would be a black area
BAND_STEPS = (20, 50, 100, 200, 500)  # possible steps between the labels of a chart with a band
MOST_BAND_LABELS = 6
MOST_DOTS = 40

Ranks = Mapping[int, Mapping[str, int | None]]
"""{round: {player_id: rank as of that round}}"""


@dataclass(frozen=True)
class Spark:
    """Coordinates as text, since a template would format numbers for the reader's language."""

    points: str
    end: tuple[str, str]
    ranks: tuple[int, ...]


def spark(ranks: Sequence[int], players: int) -> Spark | None:
    """Return the ranks from left to right, best at the top. None for fewer than two ranks."""
    if len(ranks) < 2:
        return None
    across, down = _spark_columns(len(ranks)), _spark_heights(players)
    dots = [f"{x},{down[rank - 1]}" for x, rank in zip(across, ranks, strict=True)]
    return Spark(" ".join(dots), (across[-1], down[ranks[-1] - 1]), tuple(ranks))


@lru_cache(maxsize=16)
def _spark_columns(count: int) -> tuple[str, ...]:
    across = (SPARK_WIDTH - 2 * SPARK_EDGE) / max(count - 1, 1)
    start = SPARK_EDGE if count > 1 else SPARK_WIDTH - SPARK_EDGE
    return tuple(str(round(start + across * n, 1)) for n in range(count))


@lru_cache(maxsize=16)
def _spark_heights(players: int) -> tuple[str, ...]:
    """Return the y of each rank."""
    down = (SPARK_HEIGHT - SPARK_EDGE) / max(players - 1, 1)
    return tuple(str(round(3 + down * (rank - 1), 1)) for rank in range(1, players + 1))


@dataclass(frozen=True)
class RankChart:
    """Paths in a square of 1000. Labels for ranks and rounds, empty if not all fit."""

    mine: str
    dots: str
    others: tuple[str, ...]
    grid: tuple[str, ...]
    rank_labels: tuple[str, ...]
    round_labels: tuple[str, ...]


def rank_chart(ranks: Ranks, player_id: str, rounds: Sequence[int]) -> RankChart:
    """rounds: all rounds of the horizontal axis, ascending; `ranks` may have fewer."""
    players = max((rank or 0 for of_round in ranks.values() for rank in of_round.values()), default=0) or 1
    x = {number: round((index + 0.5) * CHART / len(rounds)) for index, number in enumerate(rounds)}
    lines: dict[str, list[tuple[int, int]]] = {}
    for number in rounds:
        for player, rank in ranks.get(number, {}).items():
            if rank is not None:
                lines.setdefault(player, []).append((x[number], _y(rank, players)))
    mine = lines.pop(player_id, [])
    return RankChart(
        mine=_path(mine),
        dots="".join(f"M{across} {down}h0" for across, down in mine),
        others=tuple(_path(line) for line in lines.values()) if len(lines) <= MOST_OTHERS else (),
        grid=tuple(f"M0 {_y(rank, players)}H{CHART}" for rank in _labelled_places(players)),
        rank_labels=_labels([str(rank) for rank in range(1, players + 1)]),
        round_labels=_labels([str(number) for number in rounds]),
    )


@dataclass(frozen=True)
class TotalChart:
    """Paths in a square of 1000, up is better. `labels`: points of the grid lines, from the top."""

    mine: str
    dots: str
    others: tuple[str, ...]
    grid: tuple[str, ...]
    labels: tuple[str, ...]
    round_labels: tuple[str, ...]


def total_chart(
    totals: Mapping[int, Mapping[str, int]], player_id: str, rounds: Sequence[int], *, lowest_wins: bool = False
) -> TotalChart:
    """totals: {round: {player_id: total after it}}. rounds: all rounds of the horizontal axis, ascending."""
    levels = _levels([total for of_round in totals.values() for total in of_round.values()])
    if not lowest_wins:
        levels.reverse()
    step = levels[1] - levels[0]
    x = {number: round((index + 0.5) * CHART / len(rounds)) for index, number in enumerate(rounds)}
    lines: dict[str, list[tuple[int, int]]] = {}
    for number in rounds:
        for player, total in totals.get(number, {}).items():
            y = round(((total - levels[0]) / step + 0.5) * CHART / len(levels))
            lines.setdefault(player, []).append((x[number], y))
    mine = lines.pop(player_id, [])
    return TotalChart(
        mine=_path(mine),
        dots="".join(f"M{across} {down}h0" for across, down in mine),
        others=tuple(_path(line) for line in lines.values()) if len(lines) <= MOST_OTHERS else (),
        grid=tuple(f"M0 {_y(place, len(levels))}H{CHART}" for place in range(1, len(levels) + 1)),
        labels=tuple(str(level) for level in levels),
        round_labels=_labels([str(number) for number in rounds]),
    )


def _levels(totals: Sequence[int]) -> list[int]:
    """Return about five round numbers in equal steps that span the totals and 0."""
    lowest, highest = min(totals, default=0), max(totals, default=0)
    lowest, highest = min(0, lowest), max(1, highest)
    step = next(
        size * 10**power for power in range(10) for size in (1, 2, 5) if size * 10**power * 5 >= highest - lowest
    )
    return list(range(lowest // step * step, highest + step, step))


@dataclass(frozen=True)
class BandChart:
    """Paths in a square of 1000: values with their margins, from left to right, and the labels of the grid."""

    band: str
    line: str
    dots: str
    grid: tuple[str, ...]
    labels: tuple[int, ...]


def band_chart(values: Sequence[tuple[int, int]]) -> BandChart:
    """values: (middle, margin). Labels are round numbers, highest first."""
    top, bottom = max(value + off for value, off in values), min(value - off for value, off in values)
    step = next((step for step in BAND_STEPS if top // step - bottom // step < MOST_BAND_LABELS), BAND_STEPS[-1])
    labels = range((top + step // 2) // step * step, (bottom - step // 2) // step * step, -step)
    x = [round((place + 0.5) * CHART / len(values)) for place in range(len(values))]

    def y(value: float) -> int:
        return round((labels[0] + step / 2 - value) * CHART / (len(labels) * step))

    middle = [(across, y(value)) for across, (value, _off) in zip(x, values, strict=True)]
    above = [(across, y(value + off)) for across, (value, off) in zip(x, values, strict=True)]
    below = [(across, y(value - off)) for across, (value, off) in zip(x, values, strict=True)]
    return BandChart(
        band=_path([*above, *reversed(below)]) + "Z",
        line=_path(middle),
        dots="".join(f"M{across} {down}h0" for across, down in middle) if len(values) <= MOST_DOTS else "",
        grid=tuple(f"M0 {y(label)}H{CHART}" for label in labels),
        labels=tuple(labels),
    )


def _y(rank: int, players: int) -> int:
    return round((rank - 0.5) * CHART / players)


def _path(dots: Sequence[tuple[int, int]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in dots) if dots else ""


def _labelled_places(count: int) -> list[int]:
    """Return the labelled numbers from 1 to count: all of them, or 1 and every fifth, tenth, …"""
    if count <= MOST_LABELS:
        return list(range(1, count + 1))
    step = next((step for step in (5, 10, 20, 50, 100) if count / step <= MOST_LABELS), 200)
    return [1, *range(step, count + 1, step)]


def _labels(words: Sequence[str]) -> tuple[str, ...]:
    labelled = set(_labelled_places(len(words)))
    return tuple(word if place in labelled else "" for place, word in enumerate(words, 1))
