"""Tables without partners on which the same people meet as seldom as possible: the social golfer problem.

Where a formula gives rounds without a repeated meeting (`league.formats.seating.designs`) they are used; else simulated
annealing swaps players between tables. Chance comes from the seed alone and effort is counted in steps, not in seconds,
so the same arguments give the same seating on every machine.
"""

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain, combinations, count, islice
from typing import TypeVar

from engine.sentences import sentence
from league.formats.seating.designs import perfect_rounds
from league.formats.seating.not_possible import NotPossible

P = TypeVar("P", bound=Hashable)

ROUND_STEPS = 40_000
"""Swaps looked at for one round, and as many again for every further 1 000 players."""
SCHEDULE_STEPS = 400_000
"""Swaps looked at for a whole schedule, from each start."""
SCHEDULE_STARTS = 4
LONG_SEARCH = 8
"""Each start of `better_rounds` is so many times as long as the search for a round."""
LONG_STARTS = 4
"""`better_rounds` gives up after so many starts without a better seating."""

# Weights of the costs: somebody's second time at a table that is one short counts as half a repeated meeting.
_MEETING, _SHORT = 4, 2
_APART = 1_000_000
# Temperatures in meetings, first and last: swaps that cost one more are made once in 12, and once in 150.
_HOT, _COLD = 0.4, 0.2
_COOLINGS = 100


class Dice:
    """Numbers from a seed, the same in every version of Python; fast, and not for cards."""

    def __init__(self, seed: str) -> None:
        self._state = int.from_bytes(sha256(seed.encode()).digest()[:8], "big")

    def below(self, sides: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self._state >> 33) * sides >> 31

    def shuffled(self, items: Sequence[P]) -> list[P]:
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return mixed


def count_tables(players: int, size: int) -> int:
    """As few as seat everybody; one fewer where that would make a table of one, or of two unless that is the size."""
    tables = -(-players // size)
    return tables - 1 if tables > 1 and players // tables < min(3, size) else tables


def table_sizes(players: int, tables: int) -> list[int]:
    """Within one of each other, the larger first."""
    return [players // tables + (table < players % tables) for table in range(tables)]


def repeats(rounds: Sequence[Sequence[Sequence[Hashable]]]) -> int:
    """Over all pairs of players, the pairs of rounds in which they met: 0 when nobody meets twice."""
    return sum(times * (times - 1) // 2 for times in _count_meetings(rounds).values())


def next_round(
    players: Sequence[P],
    tables: int,
    past: Sequence[Sequence[Sequence[P]]] = (),
    *,
    seed: str,
    fixed: Mapping[P, int] | None = None,
    apart: Collection[tuple[P, P]] = (),
    steps: int | None = None,
) -> list[list[P]]:
    """One more round of balanced tables with few repeated meetings, each table in the order of its seats.

    past: the rounds so far, tables by seat; they may have players who are not in `players` any more. seed: the same
    for all rounds of an event. fixed: tables, from 0, that players must have. apart: two who must not meet.
    First the sum over all pairs of players of their meetings squared is kept small, then turns at tables that are one
    short are balanced, then seats. Raises NotPossible if a wish cannot be met.
    """
    here = set(players)
    wishes = {player: table for player, table in (fixed or {}).items() if player in here}
    kept_apart = [pair for pair in apart if here.issuperset(pair)]
    dice = Dice(f"{seed}/{len(past) + 1}")
    seating = None
    if not wishes and not kept_apart:
        seating = _from_design(players, tables, past, seed)
    if seating is None:
        _check_wishes(table_sizes(len(players), tables), wishes, kept_apart)
        seating = _search_round(players, tables, past, wishes, kept_apart, dice, steps)
    return _order_seats(seating, past, dice)


def better_rounds(
    players: Sequence[P],
    tables: int,
    past: Sequence[Sequence[Sequence[P]]] = (),
    *,
    seed: str,
    fixed: Mapping[P, int] | None = None,
    apart: Collection[tuple[P, P]] = (),
) -> Iterator[list[list[P]] | None]:
    """Yields the best seating so far of a search that goes on; the caller decides for how long.

    The arguments are those of `next_round`. It ends when no seating can be better, or when several starts found none;
    it yields None while two who must not meet do. Raises NotPossible for wishes that cannot be met.
    """
    here = set(players)
    wishes = {player: table for player, table in (fixed or {}).items() if player in here}
    kept_apart = [pair for pair in apart if here.issuperset(pair)]
    _check_wishes(table_sizes(len(players), tables), wishes, kept_apart)
    least, seating = _APART, None  # type: int, list[list[P]] | None
    last_better = 0
    for start in count(1):
        dice = Dice(f"{seed}/{len(past) + 1}/start {start}")
        search = _prepare_round(players, tables, past, wishes, kept_apart, dice)
        for best in search.improve(LONG_SEARCH * _steps(len(players)), dice):
            if search.best < least:
                least, last_better, dice_of_best = search.best, start, Dice(f"{seed}/{len(past) + 1}/seats {start}")
                seating = _order_seats([[players[index] for index in table] for table in best], past, dice_of_best)
            yield seating
        if seating is not None and (least <= search.least or start - last_better >= LONG_STARTS):
            return


def meetings_before(tables: Sequence[Sequence[P]], past: Sequence[Sequence[Sequence[P]]]) -> int:
    """How often those who would meet at these tables have met already."""
    meetings = _count_meetings(past)
    return sum(
        meetings[first, second] + meetings[second, first]
        for table in tables
        for first, second in combinations(table, 2)
    )


def schedule(
    players: int, tables: int, rounds: int, *, seed: str = "", steps: int = SCHEDULE_STEPS
) -> list[list[list[int]]]:
    """All rounds of players 0, 1, ... at once, with few `repeats`.

    The formulas give as many rounds as they can, a search the others one by one. Where that repeats a meeting, a search
    of all rounds together follows, and the better result is taken.
    """
    everybody = range(players)
    names = Dice(seed).shuffled(everybody)
    seatings = [_give_names(tables_, names) for tables_ in islice(perfect_rounds(players, tables), rounds)]
    while len(seatings) < rounds:
        dice = Dice(f"{seed}/{len(seatings) + 1}")
        seatings.append(_search_round(everybody, tables, seatings, {}, [], dice, None))
    for start in range(SCHEDULE_STARTS):
        if not repeats(seatings):
            break
        dice = Dice(f"{seed}/start {start}")
        drawn = [_draw_start(table_sizes(players, tables), {}, dice) for _ in range(rounds)]
        seatings = min(seatings, _Schedule(players, drawn).anneal(steps, dice), key=repeats)
    seated: list[list[list[int]]] = []
    for number, seating in enumerate(seatings, start=1):
        seated.append(_order_seats(seating, seated, Dice(f"{seed}/{number}/seats")))
    return seated


def _from_design(
    players: Sequence[P], tables: int, past: Sequence[Sequence[Sequence[P]]], seed: str
) -> list[list[P]] | None:
    """The next round of the design if all rounds so far come from it; None if they do not, or if it has no more."""
    names = Dice(seed).shuffled(players)
    rounds = [_give_names(tables_, names) for tables_ in islice(perfect_rounds(len(players), tables), len(past) + 1)]
    if len(rounds) <= len(past):
        return None
    as_sets = [{frozenset(table) for table in seating} for seating in past]
    return rounds[-1] if as_sets == [{frozenset(table) for table in seating} for seating in rounds[:-1]] else None


def _give_names(tables: Sequence[Sequence[int]], names: Sequence[P]) -> list[list[P]]:
    """The larger tables first, as everywhere."""
    return sorted(([names[number] for number in table] for table in tables), key=len, reverse=True)


def _check_wishes(sizes: Sequence[int], fixed: Mapping[P, int], apart: Sequence[tuple[P, P]]) -> None:
    tables = len(sizes)
    if apart and tables == 1:
        raise NotPossible(
            sentence("There is only one table in this round, so nobody can be kept apart: take back who must not meet.")
        )
    for table, players in Counter(fixed.values()).items():
        if not 0 <= table < tables:
            raise NotPossible(
                sentence(
                    "This round has the tables 1 to %(tables)d, so nobody can have table %(table)d.",
                    tables=tables,
                    table=table + 1,
                )
            )
        if players > sizes[table]:
            raise NotPossible(
                sentence(
                    "Table %(table)d has %(seats)d seats in this round, so %(wanted)d players cannot all have it.",
                    table=table + 1,
                    seats=sizes[table],
                    wanted=players,
                )
            )
    for first, second in apart:
        if first in fixed and fixed.get(second) == fixed[first]:
            raise NotPossible(
                sentence(
                    "Two players who must not meet both have table %(table)d: give one of them another.",
                    table=fixed[first] + 1,
                )
            )


def _search_round(
    players: Sequence[P],
    tables: int,
    past: Sequence[Sequence[Sequence[P]]],
    fixed: Mapping[P, int],
    apart: Sequence[tuple[P, P]],
    dice: Dice,
    steps: int | None,
) -> list[list[P]]:
    search = _prepare_round(players, tables, past, fixed, apart, dice)
    best = search.anneal(_steps(len(players)) if steps is None else steps, dice)
    if search.best >= _APART:
        raise NotPossible(
            sentence(
                "No seating was found in which everybody who must not meet is apart at %(tables)d tables: "
                "take back one of these wishes.",
                tables=tables,
            )
        )
    return [[players[index] for index in table] for table in best]


def _steps(players: int) -> int:
    return ROUND_STEPS * (1000 + players) // 1000


def _prepare_round(
    players: Sequence[P],
    tables: int,
    past: Sequence[Sequence[Sequence[P]]],
    fixed: Mapping[P, int],
    apart: Sequence[tuple[P, P]],
    dice: Dice,
) -> "_Round":
    """A round drawn by lot, with the costs of meeting again."""
    number = {player: index for index, player in enumerate(players)}
    costs = [[0] * len(players) for _ in players]
    for (first, second), times in _count_meetings(past).items():
        if first in number and second in number:
            _add_both_ways(costs, number[first], number[second], _MEETING * times)
    for first, second in apart:
        _add_both_ways(costs, number[first], number[second], _APART)
    short = Counter(chain.from_iterable(_short_tables(past)))
    return _Round(
        _draw_start(table_sizes(len(players), tables), {number[player]: at for player, at in fixed.items()}, dice),
        costs,
        [_SHORT * short[player] for player in players],
        {number[player] for player in fixed},
    )


def _add_both_ways(costs: list[list[int]], first: int, second: int, cost: int) -> None:
    costs[first][second] += cost
    costs[second][first] += cost


def _draw_start(sizes: Sequence[int], fixed: Mapping[int, int], dice: Dice) -> list[list[int]]:
    """A draw by lot, the fixed at their tables."""
    tables: list[list[int]] = [[player for player, at in fixed.items() if at == table] for table in range(len(sizes))]
    rest = iter(dice.shuffled([player for player in range(sum(sizes)) if player not in fixed]))
    for table, size in zip(tables, sizes, strict=True):
        table.extend(islice(rest, size - len(table)))
    return tables


class _Round:
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
        """The best tables found."""
        best = [table[:] for table in self.tables]
        for so_far in self.improve(steps, dice):
            best = so_far
        return best

    def improve(self, steps: int, dice: Dice) -> Iterator[list[list[int]]]:
        """Yields the best tables so far after each hundredth of the steps. Moves only players whose seat costs
        something."""
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
                if gain <= chance * _MEETING:
                    self._swap(first, second)
                    self.cost += gain
                    if self.cost < self.best:
                        self.best = self.cost
                        best_tables = [table[:] for table in self.tables]
            yield best_tables

    def _gain(self, first: int, second: int) -> int:
        """What the swap would add to the cost."""
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


class _Schedule:
    """Several rounds, improved by swaps within them."""

    def __init__(self, players: int, rounds: Sequence[Sequence[Sequence[int]]]) -> None:
        self.rounds = [[list(table) for table in tables] for tables in rounds]
        self.at = [{player: table for table in tables for player in table} for tables in self.rounds]
        self.met = [[0] * players for _ in range(players)]
        for (first, second), times in _count_meetings(rounds).items():
            _add_both_ways(self.met, first, second, times)

    def anneal(self, steps: int, dice: Dice) -> list[list[list[int]]]:
        """The best rounds found."""
        cost = best = repeats(self.rounds)
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
                    _add_both_ways(self.met, leaving, player, -1)
                    _add_both_ways(self.met, coming, player, 1)
        first_table[first_table.index(first)], second_table[second_table.index(second)] = second, first
        at[first], at[second] = second_table, first_table


_LOGS = [-math.log((n + 0.5) / 4096) for n in range(4096)]


def _heats() -> Iterator[float]:
    for stage in range(_COOLINGS):
        yield _HOT * (_COLD / _HOT) ** (stage / (_COOLINGS - 1))


def _cooling(steps: int, dice: Dice) -> Iterator[float]:
    """How much each step may add to the cost, in meetings: Metropolis' rule with the lot drawn first."""
    for heat in _heats():
        for _ in range(steps // _COOLINGS):
            yield heat * _LOGS[dice.below(4096)]


def _count_meetings(rounds: Sequence[Sequence[Sequence[P]]]) -> Counter[tuple[P, P]]:
    """How often each two met; each pair is a key in one of its two orders."""
    meetings: Counter[tuple[P, P]] = Counter()
    for table in chain.from_iterable(rounds):
        for first, second in combinations(table, 2):
            meetings[(second, first) if (second, first) in meetings else (first, second)] += 1
    return meetings


def _short_tables(rounds: Sequence[Sequence[Sequence[P]]]) -> Iterator[Sequence[P]]:
    for tables in rounds:
        largest = max(map(len, tables))
        yield from (table for table in tables if len(table) < largest)


def _order_seats(tables: Sequence[Sequence[P]], past: Sequence[Sequence[Sequence[P]]], dice: Dice) -> list[list[P]]:
    """Each table in an order that evens out who sat where, and with it the deals: seat 0 deals first."""
    sat = Counter((player, seat) for table in chain.from_iterable(past) for seat, player in enumerate(table))
    seated = []
    for table in tables:
        order = dice.shuffled(table)
        better = True
        while better:
            better = False
            for a, b in combinations(range(len(order)), 2):
                first, second = order[a], order[b]
                if sat[first, b] + sat[second, a] < sat[first, a] + sat[second, b]:
                    order[a], order[b], better = second, first, True
        seated.append(order)
    return seated
