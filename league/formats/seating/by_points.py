"""Seat a Swiss round: players with similar points sit together, and few have met.

Players in the order of their points, ties at random, are cut into tables. To avoid repeated meetings, simulated
annealing swaps players with similar points. The allowed cost of a separation rises from start to start, until it
outweighs all else. Randomness comes from the seed and effort is counted in examined swaps, so equal arguments give
equal tables on every machine.
"""

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TypeVar

from engine.sentences import sentence
from league.formats.seating.dice import Dice
from league.formats.seating.golfers import check_requests, order_seats, short_tables, table_sizes
from league.formats.seating.meetings import count_meetings
from league.formats.seating.not_possible import NotPossible

P = TypeVar("P", bound=Hashable)

AGAIN_AT_ONCE = 10
"""Weight of a meeting in the previous round."""
APART = 1_000_000
STEPS_A_PLAYER, STEPS_OF_A_FEW = 90, 1_200
USUAL_STEPS = 24_000
"""Swaps examined from each start: more per player for few players, who can hardly avoid repeats."""
# Cost of a repeated meeting in each start, in swaps with the next table; the last outweighs the points.
_MEETING_COSTS = (16, 128, 2_048, 65_536)
_COOLINGS = 60
_LOTS = 4096
_LOGS = [-math.log((lot + 0.5) / _LOTS) for lot in range(_LOTS)]
_FEW = 60
"""Up to this many players, the end of the search tries all pairs; of more, only pairs with similar points."""

Cost = tuple[int, int, int]
"""Costs by priority: repeated meetings, places at short tables, spread of points."""


def next_round(
    players: Sequence[P],
    scores: Mapping[P, int],
    tables: int,
    past: Sequence[Sequence[Sequence[P]]] = (),
    *,
    seed: str,
    fixed: Mapping[P, int] | None = None,
    apart: Collection[tuple[P, P]] = (),
    by_rank: bool = False,
    steps: int | None = None,
) -> list[list[P]]:
    """Seat the next round: tables 1, 2, … by seat; the best at table 1, sizes differ by at most one.

    scores: more is better; missing players have 0. past: earlier rounds, tables by seat. seed: of this round. fixed:
    required tables, from 0. apart: pairs that must not meet. by_rank: strictly in the order of points, despite earlier
    meetings. steps: swaps examined from each start; None: the usual number. Raises NotPossible if a seating request
    can't be met.
    """
    dice = Dice(seed)
    ranked = sorted(dice.shuffled(players), key=lambda player: -scores.get(player, 0))
    number = {player: rank for rank, player in enumerate(ranked)}
    requests = {number[player]: table for player, table in (fixed or {}).items() if player in number}
    separated = [(number[one], number[other]) for one, other in apart if one in number and other in number]
    sizes = table_sizes(len(ranked), tables)
    check_requests(sizes, requests, separated)
    met = _meetings(number, () if by_rank else past, separated)
    at_short = [0] * len(ranked) if by_rank else _places_at_short_tables(ranked, sizes, past)
    levels = _levels([scores.get(player, 0) for player in ranked])
    search = _Search(_cut(sizes, requests), met, at_short, levels, requests)
    if requests or search.cost[0] or search.cost[1] > search.least_short:
        search.run(usual_steps(len(ranked)) if steps is None else steps, dice)
    if search.cost[0] >= APART:
        raise NotPossible(
            sentence(
                "Too many keep-apart rules for %(tables)d tables. Remove one.",
                tables=tables,
            )
        )
    in_order = _in_order(search.tables, set(requests.values()))
    return order_seats([[ranked[player] for player in table] for table in in_order], past, dice)


def usual_steps(players: int) -> int:
    """Return the swaps examined from each start."""
    return max(min(USUAL_STEPS, STEPS_OF_A_FEW * players), STEPS_A_PLAYER * players)


def _in_order(tables: Sequence[list[int]], fixed: Collection[int]) -> list[list[int]]:
    """Sort tables of one size, best first, except tables with a fixed player."""
    movable = [number for number in range(len(tables)) if number not in fixed]
    ordered = sorted((tables[number] for number in movable), key=lambda table: (-len(table), sum(table)))
    at_number = dict(zip(movable, ordered, strict=True))
    return [at_number.get(number, table) for number, table in enumerate(tables)]


def _meetings(
    number: Mapping[P, int], past: Sequence[Sequence[Sequence[P]]], apart: Sequence[tuple[int, int]]
) -> list[dict[int, int]]:
    """Return the meetings to avoid by player: what one more meeting adds to the sum of squared meetings, halved."""
    met: list[dict[int, int]] = [{} for _ in number]

    def add(one: int, other: int, cost: int) -> None:
        met[one][other] = met[one].get(other, 0) + cost
        met[other][one] = met[other].get(one, 0) + cost

    for rounds, weight in ((past[:-1], 1), (past[-1:], AGAIN_AT_ONCE)):
        for (one, other), times in count_meetings(rounds).items():
            if one in number and other in number:
                add(number[one], number[other], weight * times)
    for pair in apart:
        add(*pair, APART)
    return met


def _places_at_short_tables(
    ranked: Sequence[P], sizes: Sequence[int], past: Sequence[Sequence[Sequence[P]]]
) -> list[int]:
    """Return the cost of a place at a table one short, by player. Such places go to the lowest third, to the players
    with the fewest.
    """
    places = sum(size for size in sizes if size < sizes[0])
    of_lowest = max(places, len(ranked) // 3)
    had = Counter(chain.from_iterable(short_tables(past)))
    too_high = 1 + len(past)
    return [had[player] + too_high * (rank < len(ranked) - of_lowest) for rank, player in enumerate(ranked)]


def _levels(scores: Sequence[int]) -> list[int]:
    """Return the level of each score, best first: gaps at the top count up to twice as much."""
    levels = [0]
    for rank in range(len(scores) - 1, 0, -1):
        levels.append(levels[-1] + (scores[rank - 1] - scores[rank]) * (2 * len(scores) - rank))
    return levels[::-1]


def _cut(sizes: Sequence[int], fixed: Mapping[int, int]) -> list[list[int]]:
    """Cut ranks 0, 1, … into tables around fixed players; their tables are filled with players of similar rank."""
    tables: list[list[int]] = [[rank for rank, at in fixed.items() if at == table] for table in range(len(sizes))]
    at_rank = {table: sum(here) / len(here) for table, here in enumerate(tables) if here}
    free = iter([table for table in range(len(sizes)) if table not in at_rank])
    order: list[int] = []
    waiting = sorted(at_rank, key=lambda table: at_rank[table])
    seated = 0
    while len(order) < len(sizes):
        table = next(free, None) if not waiting or at_rank[waiting[0]] > seated else None
        if table is None:
            table = waiting.pop(0)
        order.append(table)
        seated += sizes[table]
    rest = iter([rank for rank in range(sum(sizes)) if rank not in fixed])
    for table in order:
        tables[table].extend(islice(rest, sizes[table] - len(tables[table])))
    return tables


class _Search:
    """Tables of ranks 0, 1, …, improved by swaps. `tables`: best so far; `cost`: their cost."""

    def __init__(
        self,
        tables: list[list[int]],
        met: Sequence[Mapping[int, int]],
        at_short: Sequence[int],
        levels: Sequence[int],
        fixed: Collection[int],
    ) -> None:
        self.tables = tables
        self.met, self.at_short, self.levels = met, at_short, levels
        largest = max(map(len, tables))
        self.short = [len(table) < largest for table in tables]
        self.size = [len(table) for table in tables]
        places = sum(size for size in self.size if size < largest)
        self.least_short = sum(sorted(at_short)[:places])
        self.most_short = sum(sorted(at_short, reverse=True)[:places])
        self.movable = [rank for rank in range(len(levels)) if rank not in fixed]
        self._seat(tables)
        self.cost = self.now

    def _seat(self, tables: Sequence[Sequence[int]]) -> None:
        self.here = [list(table) for table in tables]
        self.at = [0] * len(self.levels)
        for number, table in enumerate(self.here):
            for rank in table:
                self.at[rank] = number
        self.sums = [sum(map(self.levels.__getitem__, table)) for table in self.here]
        # Cost of meeting all players at a table, by player and table.
        self.meeting = [[0] * len(tables) for _ in self.levels]
        for costs, met in zip(self.meeting, self.met, strict=True):
            for other, cost in met.items():
                costs[self.at[other]] += cost
        meetings = sum(costs[table] for costs, table in zip(self.meeting, self.at, strict=True)) // 2
        short = sum(self.at_short[rank] for rank, table in enumerate(self.at) if self.short[table])
        spread = sum(
            size * sum(self.levels[rank] ** 2 for rank in table) - total**2
            for size, table, total in zip(self.size, self.here, self.sums, strict=True)
        )
        self.now: Cost = meetings, short, spread

    def run(self, steps: int, dice: Dice) -> None:
        swaps = list(islice(self._proposals(max(self.size), dice), 200))
        dearer = [cost for cost in (self._change(one, other)[2] for one, other in swaps) if cost > 0]
        unit = max(1, sum(dearer) // max(1, len(dearer)))
        cut = self.tables
        for start, meeting in enumerate(_MEETING_COSTS):
            if start > 1 and not self.cost[0] and self.cost[1] <= self.least_short:
                break  # without repeats a higher cost of them changes nothing
            self._seat(cut)
            self._anneal(steps, unit, meeting * unit, 4 * max(self.size) << 2 * start, dice)
            self._seat(self.tables)
            self._polish()

    def _anneal(self, steps: int, unit: int, meeting: int, reach: int, dice: Dice) -> None:
        """Apply Metropolis' rule, random number drawn first; store the best by priority."""
        short = max(1, meeting // (2 * self.most_short + 1))
        hot, cold = 0.3 * meeting, 0.05 * unit
        proposals = self._proposals(min(reach, len(self.levels)), dice)
        for cooling in range(_COOLINGS):
            heat = hot * (cold / hot) ** (cooling / (_COOLINGS - 1))
            for one, other in islice(proposals, steps // _COOLINGS):
                change = self._change(one, other)
                more = change[0] * meeting + change[1] * short + change[2]
                if more <= 0 or more <= heat * _LOGS[dice.below(_LOTS)]:
                    self._swap(one, other, change)
                    if self.now < self.cost:
                        self.cost, self.tables = self.now, [table[:] for table in self.here]

    def _polish(self) -> None:
        """Swap while anything improves."""
        ranks = self.movable
        reach = len(ranks) if len(ranks) <= _FEW else 2 * max(self.size)
        better = True
        while better:
            better = False
            for place, one in enumerate(ranks):
                for other in ranks[place + 1 : place + 1 + reach]:
                    if self.at[one] != self.at[other] and (change := self._change(one, other)) < (0, 0, 0):
                        self._swap(one, other, change)
                        better = True
        if self.now < self.cost:
            self.cost, self.tables = self.now, [table[:] for table in self.here]

    def _proposals(self, reach: int, dice: Dice) -> Iterator[tuple[int, int]]:
        """Yield pairs at different tables endlessly: mostly close in rank, at most `reach` apart."""
        ranks, tables = self.movable, len(self.here)
        if tables < 2 or len({self.at[rank] for rank in ranks}) < 2:  # no swap can change that
            return
        near = max(self.size)
        far = max(1, (reach // near).bit_length())
        for _ in range(1_000_000_000):
            place = dice.below(len(ranks))
            away = 1 + dice.below(near << dice.below(far))
            other = place + away if dice.below(2) else place - away
            if 0 <= other < len(ranks) and self.at[ranks[place]] != self.at[ranks[other]]:
                yield ranks[place], ranks[other]

    def _change(self, one: int, other: int) -> Cost:
        """Return what the swap adds to each cost."""
        first, second = self.at[one], self.at[other]
        of_one, of_other = self.meeting[one], self.meeting[other]
        meetings = of_one[second] - of_one[first] + of_other[first] - of_other[second] - 2 * self.met[one].get(other, 0)
        lean = self.short[second] - self.short[first]
        short = lean * (self.at_short[one] - self.at_short[other])
        down, up = self.levels[one], self.levels[other]
        more = up - down
        squares = (self.size[first] - self.size[second]) * (up + down) * more
        spread = squares - more * (2 * (self.sums[first] - self.sums[second]) + 2 * more)
        return meetings, short, spread

    def _swap(self, one: int, other: int, change: Cost) -> None:
        first, second = self.at[one], self.at[other]
        here, there = self.here[first], self.here[second]
        here[here.index(one)], there[there.index(other)] = other, one
        self.at[one], self.at[other] = second, first
        for player, left, comes_to in ((one, first, second), (other, second, first)):
            for met, cost in self.met[player].items():
                self.meeting[met][left] -= cost
                self.meeting[met][comes_to] += cost
        more = self.levels[other] - self.levels[one]
        self.sums[first] += more
        self.sums[second] -= more
        self.now = self.now[0] + change[0], self.now[1] + change[1], self.now[2] + change[2]
