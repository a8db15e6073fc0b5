"""Balance seats at tables of two pairs, so that each player gets each seat equally often.

Partners sit opposite each other: one pair in seats 0 and 2, the other in seats 1 and 3. A search chooses the pair for
seats 0 and 2, since no formula holds for every selection of rounds. The lower seat within a pair is then settled
exactly, by walking through the pairs as the edges of a graph.
"""

from collections import defaultdict
from collections.abc import Sequence

from league.formats.seating.whist import Table

# Flips before the search takes its best split. Whole designs need fewer than 40.
MOST_FLIPS = 200


def balance_seats(rounds: Sequence[Sequence[Table]]) -> list[list[Table]]:
    """Return the same rounds, tables and partners, with the players of each table in order of seats 0 to 3.

    A player's seat counts differ by at most 1 if the search finds such a split. The result depends only on the
    argument.
    """
    tables = [table for tables in rounds for table in tables]
    signs = _choose_signs(tables)
    first = [(a, c) if sign > 0 else (b, d) for (a, b, c, d), sign in zip(tables, signs, strict=True)]
    second = [(b, d) if sign > 0 else (a, c) for (a, b, c, d), sign in zip(tables, signs, strict=True)]
    seated = iter(
        (north, east, south, west) for (north, south), (east, west) in zip(_orient(first), _orient(second), strict=True)
    )
    return [[next(seated) for _ in tables] for tables in rounds]


class _Split:
    """The pair of each table in seats 0 and 2, and the distance from a seat spread of 1.

    A player's lean is the number of times in seats 0 and 2 minus the number in seats 1 and 3. `sign` is 1 if a table's
    first pair takes seats 0 and 2, and -1 if its second pair does.
    """

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables
        self.sign = [1] * len(tables)
        self.tables_of: dict[int, list[int]] = defaultdict(list)
        self.lean: dict[int, int] = defaultdict(int)
        for index, table in enumerate(tables):
            for place, player in enumerate(table):
                self.tables_of[player].append(index)
                self.lean[player] += -1 if place % 2 else 1
        self.cost_of = {player: _lean_costs(len(indexes)) for player, indexes in self.tables_of.items()}
        self.cost = sum(self.cost_of[player][lean] for player, lean in self.lean.items())
        self.gains = [self._gain(index) for index in range(len(tables))]

    def _gain(self, index: int) -> int:
        """Return the cost added by swapping the pairs of a table."""
        gain = 0
        step = -2 * self.sign[index]
        for player in self.tables[index]:
            costs, lean = self.cost_of[player], self.lean[player]
            gain += costs[lean + step] - costs[lean]
            step = -step
        return gain

    def flip(self, index: int) -> None:
        self.cost += self.gains[index]
        step = -2 * self.sign[index]
        self.sign[index] = -self.sign[index]
        for player in self.tables[index]:
            self.lean[player] += step
            step = -step
        for other in {other for player in self.tables[index] for other in self.tables_of[player]}:
            self.gains[other] = self._gain(other)


def _choose_signs(tables: Sequence[Table]) -> list[int]:
    """Run a tabu search: flip the best table, even if that is worse, but don't flip it again for some steps."""
    split = _Split(tables)
    best, best_sign = split.cost, split.sign[:]
    free_from = [0] * len(tables)
    for step in range(MOST_FLIPS):
        if not best:
            break
        free = [
            (gain, since, index)
            for index, (gain, since) in enumerate(zip(split.gains, free_from, strict=True))
            if since <= step or split.cost + gain < best
        ]
        if not free:
            continue
        index = min(free)[2]
        split.flip(index)
        free_from[index] = step + 5 + step % 7
        if split.cost < best:
            best, best_sign = split.cost, split.sign[:]
    return best_sign


def _lean_costs(games: int) -> dict[int, int]:
    """Return the cost of each lean after this many games: 0 if a seat spread of 1 is still possible."""
    allowed = (0, 1, 2, 1)[games % 4]
    return {lean: ((max(0, abs(lean) - allowed) + 1) // 2) ** 2 for lean in range(-games, games + 1)}


def _orient(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Order each pair so that each player is first as often as second, or one time more or less.

    The pairs are the edges of a graph: walk until stuck and order each pair along the walk. A walk only passes through
    players, except at its ends: two players with an odd number of pairs or, once those are used up, one player.
    """
    unused: dict[int, list[int]] = defaultdict(list)
    for index, pair in enumerate(pairs):
        for player in pair:
            unused[player].append(index)
    ordered: list[tuple[int, int] | None] = [None] * len(pairs)
    odd = [player for player in unused if len(unused[player]) % 2]
    for start in [*odd, *unused]:
        here = start
        while (edge := _next_unused(unused[here], ordered)) is not None:
            first, second = pairs[edge]
            next_player = second if here == first else first
            ordered[edge] = (here, next_player)
            here = next_player
    return [pair for pair in ordered if pair is not None]


def _next_unused(indexes: list[int], ordered: Sequence[object]) -> int | None:
    while indexes:
        index = indexes.pop()
        if ordered[index] is None:
            return index
    return None
