"""Improve tables by swaps: simulated annealing of one round, or of all rounds together.

Players are numbers. Effort is counted in examined swaps; randomness comes from `Dice`.
"""

import math
from collections.abc import Collection, Iterator, Sequence

from league.formats.seating.dice import Dice
from league.formats.seating.meetings import count_meetings, repeats

# Cost weights. A player's second time at a table one short costs half a repeated meeting. Meetings of the previous
# round only break ties: one weighs less than 1 / pairs of a round (1000 players by tens).
AGAIN_AT_ONCE = 1
MEETING, SHORT = 20_000, 10_000
APART = 5_000_000_000
# First and last temperature, in meetings: a swap that costs one more is accepted once in 12, and once in 150.
_HOT, _COLD = 0.4, 0.2
_COOLINGS = 100
_LOGS = [-math.log((n + 0.5) / 4096) for n in range(4096)]


class RoundSearch:
    """One round, improved by swaps. costs[p][q]: of p and q at one table; at_short[p]: of p at a table one short."""

    def __init__(
        self, tables: list[list[int]], costs: list[list[int]], at_short: list[int], fixed: Collection[int]
    ) -> None:
        self.tables = tables
        self.costs = costs
        self.fixed = fixed
        largest = max(map(len, tables))
        self.short = [len(table) < largest for table in tables]
        self.at_short = at_short
        self.at = {player: index for index, table in enumerate(tables) for player in table}
        seats = sum(len(table) for table in tables if len(table) < largest)
        self.least = sum(sorted(at_short)[:seats])
        self.cost = sum(self._own(player) for player in self.at) // 2 + self._short_cost()
        self.best = self.cost

    def _own(self, player: int) -> int:
        return sum(map(self.costs[player].__getitem__, self.tables[self.at[player]]))

    def _short_cost(self) -> int:
        return sum(cost for player, cost in enumerate(self.at_short) if self.short[self.at[player]])

    def anneal(self, steps: int, dice: Dice) -> list[list[int]]:
        """Return the best tables found."""
        best = [table[:] for table in self.tables]
        for so_far in self.improve(steps, dice):
            best = so_far
        return self._settle(best)

    def _settle(self, tables: list[list[int]]) -> list[list[int]]:
        """Swap players who meet again at once, while that improves the tables."""
        self.tables, self.cost = [table[:] for table in tables], self.best
        self.at = {player: index for index, table in enumerate(tables) for player in table}
        movable = [player for player in self.at if player not in self.fixed]
        again = [player for player in movable if self._own(player) % SHORT]
        while again:
            first = again.pop()
            others = [second for second in movable if self.at[second] != self.at[first]]
            gain, second = min(((self._gain(first, second), second) for second in others), default=(0, first))
            if gain < 0:
                self._swap(first, second)
                self.cost = self.best = self.best + gain
                again = [player for player in movable if self._own(player) % SHORT]
        return self.tables

    def improve(self, steps: int, dice: Dice) -> Iterator[list[list[int]]]:
        """Yield the best tables after each hundredth of the steps. Moves only players whose seat has a cost."""
        best_tables = [table[:] for table in self.tables]
        movable = [player for player in self.at if player not in self.fixed]
        if len(movable) < 2 or len(self.tables) < 2:
            yield best_tables
            return
        for heat in _heats():
            for _ in range(steps // _COOLINGS):
                chance = heat * _LOGS[dice.below(4096)]
                if self.best <= self.least:
                    yield best_tables
                    return
                first, second = movable[dice.below(len(movable))], movable[dice.below(len(movable))]
                first_table, second_table = self.at[first], self.at[second]
                if first_table == second_table or not (
                    self._own(first) or (self.short[first_table] and self.at_short[first])
                ):
                    continue
                gain = self._gain(first, second)
                if gain <= chance * MEETING:
                    self._swap(first, second)
                    self.cost += gain
                    if self.cost < self.best:
                        self.best = self.cost
                        best_tables = [table[:] for table in self.tables]
            yield best_tables

    def _gain(self, first: int, second: int) -> int:
        """Return the cost added by the swap."""
        first_table, second_table = self.tables[self.at[first]], self.tables[self.at[second]]
        of_first, of_second = self.costs[first].__getitem__, self.costs[second].__getitem__
        gain = (
            sum(map(of_second, first_table))
            - sum(map(of_first, first_table))
            + sum(map(of_first, second_table))
            - sum(map(of_second, second_table))
        )
        gain -= 2 * of_first(second)
        lean = self.short[self.at[second]] - self.short[self.at[first]]
        return gain + lean * (self.at_short[first] - self.at_short[second])

    def _swap(self, first: int, second: int) -> None:
        first_table, second_table = self.at[first], self.at[second]
        self.tables[first_table][self.tables[first_table].index(first)] = second
        self.tables[second_table][self.tables[second_table].index(second)] = first
        self.at[first], self.at[second] = second_table, first_table


class ScheduleSearch:
    """Several rounds, improved by swaps within them. past: earlier rounds, which stay."""

    def __init__(
        self,
        players: int,
        rounds: Sequence[Sequence[Sequence[int]]],
        past: Sequence[Sequence[Sequence[int]]] = (),
    ) -> None:
        self.past = past
        self.rounds = [[list(table) for table in tables] for tables in rounds]
        self.at = [{player: table for table in tables for player in table} for tables in self.rounds]
        self.met = [[0] * players for _ in range(players)]
        for (first, second), times in count_meetings([*past, *rounds]).items():
            add_both_ways(self.met, first, second, times)

    def anneal(self, steps: int, dice: Dice) -> list[list[list[int]]]:
        """Return the best rounds found."""
        cost = best = repeats([*self.past, *self.rounds])
        best_rounds = self._copy()
        players = len(self.met)
        for chance in _cooling(steps, dice):
            if not best:
                break
            at = self.at[dice.below(len(self.at))]
            first, second = dice.below(players), dice.below(players)
            first_table, second_table = at[first], at[second]
            of_first, of_second = self.met[first].__getitem__, self.met[second].__getitem__
            before = sum(map(of_first, first_table)) - len(first_table) + 1
            if first_table is second_table or not before:
                continue
            gain = sum(map(of_second, first_table)) + sum(map(of_first, second_table)) - 2 * of_first(second)
            gain -= before + sum(map(of_second, second_table)) - len(second_table) + 1
            if gain <= chance:
                self._swap(at, first, second)
                cost += gain
                if cost < best:
                    best, best_rounds = cost, self._copy()
        return best_rounds

    def _copy(self) -> list[list[list[int]]]:
        return [[table[:] for table in tables] for tables in self.rounds]

    def _swap(self, at: dict[int, list[int]], first: int, second: int) -> None:
        first_table, second_table = at[first], at[second]
        for leaving, coming, table in ((first, second, first_table), (second, first, second_table)):
            for player in table:
                if player != leaving:
                    add_both_ways(self.met, leaving, player, -1)
                    add_both_ways(self.met, coming, player, 1)
        first_table[first_table.index(first)], second_table[second_table.index(second)] = second, first
        at[first], at[second] = second_table, first_table


def _heats() -> Iterator[float]:
    for stage in range(_COOLINGS):
        yield _HOT * (_COLD / _HOT) ** (stage / (_COOLINGS - 1))


def _cooling(steps: int, dice: Dice) -> Iterator[float]:
    """Yield the cost each step may add, in meetings: Metropolis' rule with the random number drawn first."""
    for heat in _heats():
        for _ in range(steps // _COOLINGS):
            yield heat * _LOGS[dice.below(4096)]


def add_both_ways(costs: list[list[int]], first: int, second: int, cost: int) -> None:
    costs[first][second] += cost
    costs[second][first] += cost
