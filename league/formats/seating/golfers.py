"""Tables without partners on which the same people meet as seldom as possible: the social golfer problem.

Where a formula gives rounds without a repeated meeting (`league.formats.seating.designs`) they are taken; else players
are swapped between tables by simulated annealing. Chance comes from the seed alone and effort is counted in steps, not
in seconds, so the same arguments give the same seating on every machine.
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
"""Swaps looked at for one round, and as many for every 1 000 players more."""
SCHEDULE_STEPS = 400_000
"""Swaps looked at for a whole schedule, from each start."""
SCHEDULE_STARTS = 4
LONG_SEARCH = 8
"""How many times as long as for a round each start of `better_rounds` is."""
LONG_STARTS = 4
"""After so many starts without a better one it gives up."""

# What one cost is worth in others: somebody's second time at a table that is one short is half a repeated meeting.
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

    def shuffled(self, things: Sequence[P]) -> list[P]:
        mixed = list(things)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return mixed


def count_tables(players: int, size: int) -> int:
    """As few as hold everybody; one fewer where that would make a table of one, or of two unless that is the size."""
    tables = -(-players // size)
    return tables - 1 if tables > 1 and players // tables < min(3, size) else tables


def table_sizes(players: int, tables: int) -> list[int]:
    """Within one of each other, the larger first."""
    return [players // tables + (table < players % tables) for table in range(tables)]


def repeats(rounds: Sequence[Sequence[Sequence[Hashable]]]) -> int:
    """Over all pairs of players, the pairs of rounds in which they met: 0 when nobody meets twice."""
    return sum(times * (times - 1) // 2 for times in _met(rounds).values())


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

    past: the rounds so far, tables by seat; who is not among `players` any more may be in them. seed: the same for all
    rounds of an event. fixed: tables, from 0, that players must have. apart: two who must not meet.
    The sum over all pairs of players of their meetings squared is small, then who sits at tables that are one short is
    balanced, then seats. Raises NotPossible if a wish cannot be met.
    """
    here = set(players)
    wishes = {player: table for player, table in (fixed or {}).items() if player in here}
    kept_apart = [pair for pair in apart if here.issuperset(pair)]
    dice = Dice(f"{seed}/{len(past) + 1}")
    found = None
    if not wishes and not kept_apart:
        found = _from_design(players, tables, past, seed)
    if found is None:
        _check_wishes(table_sizes(len(players), tables), wishes, kept_apart)
        found = _searched(players, tables, past, wishes, kept_apart, dice, steps)
    return _seated(found, past, dice)


def better_rounds(
    players: Sequence[P],
    tables: int,
    past: Sequence[Sequence[Sequence[P]]] = (),
    *,
    seed: str,
    fixed: Mapping[P, int] | None = None,
    apart: Collection[tuple[P, P]] = (),
) -> Iterator[list[list[P]] | None]:
    """The best seating so far of a search that goes on, again and again: whoever asks decides for how long.

    The arguments of `next_round`. It ends where no seating can be better, or none was found from several starts; None
    as long as two who must not meet do. Raises NotPossible for wishes that cannot be met.
    """
    here = set(players)
    wishes = {player: table for player, table in (fixed or {}).items() if player in here}
    kept_apart = [pair for pair in apart if here.issuperset(pair)]
    _check_wishes(table_sizes(len(players), tables), wishes, kept_apart)
    least, found = _APART, None  # type: int, list[list[P]] | None
    last_better = 0
    for start in count(1):
        dice = Dice(f"{seed}/{len(past) + 1}/start {start}")
        search = _prepared(players, tables, past, wishes, kept_apart, dice)
        for best in search.improving(LONG_SEARCH * _steps(len(players)), dice):
            if search.best < least:
                least, last_better, dice_of_best = search.best, start, Dice(f"{seed}/{len(past) + 1}/seats {start}")
                found = _seated([[players[index] for index in table] for table in best], past, dice_of_best)
            yield found
        if found is not None and (least <= search.least or start - last_better >= LONG_STARTS):
            return


def met_before(tables: Sequence[Sequence[P]], past: Sequence[Sequence[Sequence[P]]]) -> int:
    """How often those who would meet at these tables have met already."""
    met = _met(past)
    return sum(met[one, other] + met[other, one] for table in tables for one, other in combinations(table, 2))


def schedule(
    players: int, tables: int, rounds: int, *, seed: str = "", steps: int = SCHEDULE_STEPS
) -> list[list[list[int]]]:
    """All rounds of players 0, 1, ... at once, with few `repeats`.

    By formula as far as it goes and by search round by round; where that repeats a meeting, by search of all rounds
    together too, and the better one is taken.
    """
    everybody = range(players)
    names = Dice(seed).shuffled(everybody)
    found = [_named(tables_, names) for tables_ in islice(perfect_rounds(players, tables), rounds)]
    while len(found) < rounds:
        dice = Dice(f"{seed}/{len(found) + 1}")
        found.append(_searched(everybody, tables, found, {}, [], dice, None))
    for start in range(SCHEDULE_STARTS):
        if not repeats(found):
            break
        dice = Dice(f"{seed}/start {start}")
        drawn = [_start(table_sizes(players, tables), {}, dice) for _ in range(rounds)]
        found = min(found, _Schedule(players, drawn).annealed(steps, dice), key=repeats)
    seated: list[list[list[int]]] = []
    for number, one in enumerate(found, start=1):
        seated.append(_seated(one, seated, Dice(f"{seed}/{number}/seats")))
    return seated


def _from_design(
    players: Sequence[P], tables: int, past: Sequence[Sequence[Sequence[P]]], seed: str
) -> list[list[P]] | None:
    """The next round of the design that all rounds so far were taken from; None where they were not, or it ends."""
    names = Dice(seed).shuffled(players)
    rounds = [_named(one, names) for one in islice(perfect_rounds(len(players), tables), len(past) + 1)]
    if len(rounds) <= len(past):
        return None
    as_sets = [{frozenset(table) for table in one} for one in past]
    return rounds[-1] if as_sets == [{frozenset(table) for table in one} for one in rounds[:-1]] else None


def _named(tables: Sequence[Sequence[int]], names: Sequence[P]) -> list[list[P]]:
    """The larger tables first, as everywhere."""
    return sorted(([names[number] for number in table] for table in tables), key=len, reverse=True)


def _check_wishes(sizes: Sequence[int], fixed: Mapping[P, int], apart: Sequence[tuple[P, P]]) -> None:
    tables = len(sizes)
    if apart and tables == 1:
        raise NotPossible(
            sentence("There is only one table in this round, so nobody can be kept apart: take back who must not meet.")
        )
    for table, wanted in Counter(fixed.values()).items():
        if not 0 <= table < tables:
            raise NotPossible(
                sentence(
                    "This round has the tables 1 to %(tables)d, so nobody can have table %(table)d.",
                    tables=tables,
                    table=table + 1,
                )
            )
        if wanted > sizes[table]:
            raise NotPossible(
                sentence(
                    "Table %(table)d has %(seats)d seats in this round, so %(wanted)d players cannot all have it.",
                    table=table + 1,
                    seats=sizes[table],
                    wanted=wanted,
                )
            )
    for one, other in apart:
        if one in fixed and fixed.get(other) == fixed[one]:
            raise NotPossible(
                sentence(
                    "Two players who must not meet both have table %(table)d: give one of them another.",
                    table=fixed[one] + 1,
                )
            )


def _searched(
    players: Sequence[P],
    tables: int,
    past: Sequence[Sequence[Sequence[P]]],
    fixed: Mapping[P, int],
    apart: Sequence[tuple[P, P]],
    dice: Dice,
    steps: int | None,
) -> list[list[P]]:
    search = _prepared(players, tables, past, fixed, apart, dice)
    best = search.annealed(_steps(len(players)) if steps is None else steps, dice)
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


def _prepared(
    players: Sequence[P],
    tables: int,
    past: Sequence[Sequence[Sequence[P]]],
    fixed: Mapping[P, int],
    apart: Sequence[tuple[P, P]],
    dice: Dice,
) -> "_Round":
    """A round drawn by lot, with what it costs who meets whom again."""
    number = {player: index for index, player in enumerate(players)}
    costs = [[0] * len(players) for _ in players]
    for (one, other), times in _met(past).items():
        if one in number and other in number:
            _add(costs, number[one], number[other], _MEETING * times)
    for one, other in apart:
        _add(costs, number[one], number[other], _APART)
    short = Counter(chain.from_iterable(_short_tables(past)))
    return _Round(
        _start(table_sizes(len(players), tables), {number[player]: at for player, at in fixed.items()}, dice),
        costs,
        [_SHORT * short[player] for player in players],
        {number[player] for player in fixed},
    )


def _add(costs: list[list[int]], one: int, other: int, cost: int) -> None:
    costs[one][other] += cost
    costs[other][one] += cost


def _start(sizes: Sequence[int], fixed: Mapping[int, int], dice: Dice) -> list[list[int]]:
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

    def annealed(self, steps: int, dice: Dice) -> list[list[int]]:
        """The best tables found."""
        best = [table[:] for table in self.tables]
        for so_far in self.improving(steps, dice):
            best = so_far
        return best

    def improving(self, steps: int, dice: Dice) -> Iterator[list[list[int]]]:
        """The best tables so far, after each hundredth of the steps. Only those whom their seat costs something are
        moved."""
        kept = [table[:] for table in self.tables]
        movable = [player for player in self.at if player not in self.fixed]
        if len(movable) < 2 or len(self.tables) < 2:
            yield kept
            return
        for heat in _heats():
            for _ in range(steps // _COOLINGS):
                chance = heat * _LOGS[dice.below(4096)]
                if self.best <= self.least:
                    yield kept
                    return
                one, other = movable[dice.below(len(movable))], movable[dice.below(len(movable))]
                here, there = self.at[one], self.at[other]
                if here == there or not (self._own(one) or (self.short[here] and self.at_short[one])):
                    continue
                gain = self._gain(one, other)
                if gain <= chance * _MEETING:
                    self._swap(one, other)
                    self.cost += gain
                    if self.cost < self.best:
                        self.best = self.cost
                        kept = [table[:] for table in self.tables]
            yield kept

    def _gain(self, one: int, other: int) -> int:
        """What the swap would add to the cost."""
        here, there = self.tables[self.at[one]], self.tables[self.at[other]]
        of_one, of_other = self.costs[one].__getitem__, self.costs[other].__getitem__
        gain = sum(map(of_other, here)) - sum(map(of_one, here)) + sum(map(of_one, there)) - sum(map(of_other, there))
        gain -= 2 * of_one(other)
        lean = self.short[self.at[other]] - self.short[self.at[one]]
        return gain + lean * (self.at_short[one] - self.at_short[other])

    def _swap(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.at[one], self.at[other] = there, here


class _Schedule:
    """Several rounds, improved by swaps within them."""

    def __init__(self, players: int, rounds: Sequence[Sequence[Sequence[int]]]) -> None:
        self.rounds = [[list(table) for table in one] for one in rounds]
        self.at = [{player: table for table in one for player in table} for one in self.rounds]
        self.met = [[0] * players for _ in range(players)]
        for (one, other), times in _met(rounds).items():
            _add(self.met, one, other, times)

    def annealed(self, steps: int, dice: Dice) -> list[list[list[int]]]:
        """The best rounds found."""
        cost = best = repeats(self.rounds)
        kept = self._copy()
        players = len(self.met)
        for chance in _cooling(steps, dice):
            if not best:
                break
            at = self.at[dice.below(len(self.at))]
            one, other = dice.below(players), dice.below(players)
            here, there = at[one], at[other]
            of_one, of_other = self.met[one].__getitem__, self.met[other].__getitem__
            before = sum(map(of_one, here)) - len(here) + 1
            if here is there or not before:
                continue
            gain = sum(map(of_other, here)) + sum(map(of_one, there)) - 2 * of_one(other)
            gain -= before + sum(map(of_other, there)) - len(there) + 1
            if gain <= chance:
                self._swap(at, one, other)
                cost += gain
                if cost < best:
                    best, kept = cost, self._copy()
        return kept

    def _copy(self) -> list[list[list[int]]]:
        return [[table[:] for table in one] for one in self.rounds]

    def _swap(self, at: dict[int, list[int]], one: int, other: int) -> None:
        here, there = at[one], at[other]
        for leaving, coming, table in ((one, other, here), (other, one, there)):
            for player in table:
                if player != leaving:
                    _add(self.met, leaving, player, -1)
                    _add(self.met, coming, player, 1)
        here[here.index(one)], there[there.index(other)] = other, one
        at[one], at[other] = there, here


_LOGS = [-math.log((n + 0.5) / 4096) for n in range(4096)]


def _heats() -> Iterator[float]:
    for stage in range(_COOLINGS):
        yield _HOT * (_COLD / _HOT) ** (stage / (_COOLINGS - 1))


def _cooling(steps: int, dice: Dice) -> Iterator[float]:
    """For each step how much dearer it may be, in meetings: Metropolis' rule with the lot drawn first."""
    for heat in _heats():
        for _ in range(steps // _COOLINGS):
            yield heat * _LOGS[dice.below(4096)]


def _met(rounds: Sequence[Sequence[Sequence[P]]]) -> Counter[tuple[P, P]]:
    """How often each two met, under one of their two orders."""
    met: Counter[tuple[P, P]] = Counter()
    for table in chain.from_iterable(rounds):
        for one, other in combinations(table, 2):
            met[(other, one) if (other, one) in met else (one, other)] += 1
    return met


def _short_tables(rounds: Sequence[Sequence[Sequence[P]]]) -> Iterator[Sequence[P]]:
    for tables in rounds:
        largest = max(map(len, tables))
        yield from (table for table in tables if len(table) < largest)


def _seated(tables: Sequence[Sequence[P]], past: Sequence[Sequence[Sequence[P]]], dice: Dice) -> list[list[P]]:
    """Each table in an order that evens out who sat where, and with it the deals: seat 0 deals first."""
    sat = Counter((player, seat) for table in chain.from_iterable(past) for seat, player in enumerate(table))
    seated = []
    for table in tables:
        order = dice.shuffled(table)
        better = True
        while better:
            better = False
            for a, b in combinations(range(len(order)), 2):
                one, other = order[a], order[b]
                if sat[one, b] + sat[other, a] < sat[one, a] + sat[other, b]:
                    order[a], order[b], better = other, one, True
        seated.append(order)
    return seated
