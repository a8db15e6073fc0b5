"""Who sits where at tables of two pairs, so that everybody gets each seat equally often.

Partners sit opposite each other: one pair in seats 0 and 2, the other in seats 1 and 3. That leaves two questions.
Which pair takes seats 0 and 2 is searched for (there is no formula that holds for every selection of rounds); who
of a pair takes the lower seat is then settled exactly, by walking through the pairs as the edges of a graph.
"""

from collections import defaultdict
from collections.abc import Sequence

from league.formats.seating.whist import Table

# The search tries so many flips before it takes its best split. Whole designs need fewer than 40.
MOST_FLIPS = 200


def balance_seats(rounds: Sequence[Sequence[Table]]) -> list[list[Table]]:
    """The same rounds, tables and partners, with the players of each table in order of seats 0 to 3.

    A player's seat counts differ by at most 1 wherever the search finds such a split, and the result depends on
    nothing but the argument.
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
    """Which pair of each table takes seats 0 and 2, and how far that is from a seat spread of 1.

    A player's lean is the number of times in seats 0 and 2 less the number in seats 1 and 3. `sign` is 1 for a table
    whose first pair takes seats 0 and 2, and -1 for one whose second pair does.
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
        """What swapping the pairs of a table would add to the cost."""
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
    """Tabu search: flip the best table, even for the worse, but leave one that was just flipped alone for a while."""
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
    """How bad each lean is for a player of so many games: 0 when a seat spread of 1 is still possible."""
    allowed = (0, 1, 2, 1)[games % 4]
    return {lean: ((max(0, abs(lean) - allowed) + 1) // 2) ** 2 for lean in range(-games, games + 1)}


def _orient(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each pair in an order such that everybody is first as often as second, or one time more or less.

    The pairs are the edges of a graph: walk until stuck and order each pair along the walk. A walk only passes through
    players, except where it starts and ends: at two with an odd number of pairs, or, once those are used up, at one and
    the same player.
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
