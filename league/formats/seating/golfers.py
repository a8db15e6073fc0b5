"""Tables without partners on which the same people meet as seldom as possible: the social golfer problem.

Where a formula gives rounds without a repeated meeting (`league.formats.seating.designs`) they are used; else simulated
annealing swaps players between tables. Chance comes from the seed alone and effort is counted in steps, not in seconds,
so the same arguments give the same seating on every machine.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import chain, combinations, count, islice
from typing import TypeVar

from engine.sentences import sentence
from league.formats.seating.annealing import (
    AGAIN_AT_ONCE,
    APART,
    MEETING,
    SHORT,
    RoundSearch,
    ScheduleSearch,
    add_both_ways,
)
from league.formats.seating.designs import perfect_rounds
from league.formats.seating.dice import Dice
from league.formats.seating.meetings import count_meetings, repeats
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


def count_tables(players: int, size: int) -> int:
    """As few as seat everybody; one fewer where that would make a table of one, or of two unless that is the size."""
    tables = -(-players // size)
    return tables - 1 if tables > 1 and players // tables < min(3, size) else tables


def table_sizes(players: int, tables: int) -> list[int]:
    """Within one of each other, the larger first."""
    return [players // tables + (table < players % tables) for table in range(tables)]


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
    First the sum over all pairs of players of their meetings squared is kept small, with turns at tables that are one
    short; then meetings of the round just before are avoided, and seats are balanced. Raises NotPossible if a wish
    cannot be met.
    """
    here = set(players)
    wishes = {player: table for player, table in (fixed or {}).items() if player in here}
    kept_apart = [pair for pair in apart if here.issuperset(pair)]
    dice = Dice(f"{seed}/{len(past) + 1}")
    seating = None
    if not wishes and not kept_apart:
        seating = _from_design(players, tables, past, seed)
    if seating is None:
        check_wishes(table_sizes(len(players), tables), wishes, kept_apart)
        seating = _search_round(players, tables, past, wishes, kept_apart, dice, steps)
    return order_seats(seating, past, dice)


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
    check_wishes(table_sizes(len(players), tables), wishes, kept_apart)
    least, seating = APART, None  # type: int, list[list[P]] | None
    last_better = 0
    for start in count(1):
        dice = Dice(f"{seed}/{len(past) + 1}/start {start}")
        search = _prepare_round(players, tables, past, wishes, kept_apart, dice)
        for best in search.improve(LONG_SEARCH * _steps(len(players)), dice):
            if search.best < least:
                least, last_better, dice_of_best = search.best, start, Dice(f"{seed}/{len(past) + 1}/seats {start}")
                seating = order_seats([[players[index] for index in table] for table in best], past, dice_of_best)
            yield seating
        if seating is not None and (least <= search.least or start - last_better >= LONG_STARTS):
            return


def schedule(
    players: int,
    tables: int,
    rounds: int,
    past: Sequence[Sequence[Sequence[int]]] = (),
    *,
    seed: str = "",
    steps: int = SCHEDULE_STEPS,
) -> list[list[list[int]]]:
    """All rounds of players 0, 1, ... at once, with few `repeats`, those of the `past` included.

    Without a past the formulas give as many rounds as they can; a search gives the others one by one. Where people
    could meet more equally, a search of all rounds together follows, and the better result is taken.
    """
    everybody = range(players)
    names = Dice(seed).shuffled(everybody)
    from_formula = () if past else islice(perfect_rounds(players, tables), rounds)
    seatings = [_give_names(tables_, names) for tables_ in from_formula]
    while len(seatings) < rounds:
        dice = Dice(f"{seed}/{len(seatings) + 1}")
        seatings.append(_search_round(everybody, tables, [*past, *seatings], {}, [], dice, None))

    def all_repeats(found: list[list[list[int]]]) -> int:
        return repeats([*past, *found])

    for start in range(SCHEDULE_STARTS):
        if all_repeats(seatings) == _fewest_repeats(players, [*past, *seatings]):
            break
        dice = Dice(f"{seed}/start {start}")
        drawn = [_draw_start(table_sizes(players, tables), {}, dice) for _ in range(rounds)]
        seatings = min(seatings, ScheduleSearch(players, drawn, past).anneal(steps, dice), key=all_repeats)
    seated: list[list[list[int]]] = []
    for number, seating in enumerate(seatings, start=1):
        seated.append(order_seats(seating, [*past, *seated], Dice(f"{seed}/{number}/seats")))
    return seated


def _fewest_repeats(players: int, rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    """If all meetings of the rounds were spread over all pairs as equally as can be."""
    pairs = players * (players - 1) // 2
    times, more = divmod(sum(len(table) * (len(table) - 1) // 2 for tables in rounds for table in tables), pairs or 1)
    return more * times + pairs * (times * (times - 1) // 2)


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


def check_wishes(sizes: Sequence[int], fixed: Mapping[P, int], apart: Sequence[tuple[P, P]]) -> None:
    """Raises NotPossible for wishes that no seating at tables of these sizes can meet."""
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
    if search.best >= APART:
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
) -> RoundSearch:
    """A round drawn by lot, with the costs of meeting again."""
    number = {player: index for index, player in enumerate(players)}
    costs = [[0] * len(players) for _ in players]
    for (first, second), times in count_meetings(past).items():
        if first in number and second in number:
            add_both_ways(costs, number[first], number[second], MEETING * times)
    for first, second in count_meetings(past[-1:]):
        if first in number and second in number:
            add_both_ways(costs, number[first], number[second], AGAIN_AT_ONCE)
    for first, second in apart:
        add_both_ways(costs, number[first], number[second], APART)
    short = Counter(chain.from_iterable(short_tables(past)))
    return RoundSearch(
        _draw_start(table_sizes(len(players), tables), {number[player]: at for player, at in fixed.items()}, dice),
        costs,
        [SHORT * short[player] for player in players],
        {number[player] for player in fixed},
    )


def _draw_start(sizes: Sequence[int], fixed: Mapping[int, int], dice: Dice) -> list[list[int]]:
    """A draw by lot, the fixed at their tables."""
    tables: list[list[int]] = [[player for player, at in fixed.items() if at == table] for table in range(len(sizes))]
    rest = iter(dice.shuffled([player for player in range(sum(sizes)) if player not in fixed]))
    for table, size in zip(tables, sizes, strict=True):
        table.extend(islice(rest, size - len(table)))
    return tables


def short_tables(rounds: Sequence[Sequence[Sequence[P]]]) -> Iterator[Sequence[P]]:
    """The tables that had a place less than the largest of their round."""
    for tables in rounds:
        largest = max(map(len, tables))
        yield from (table for table in tables if len(table) < largest)


def order_seats(tables: Sequence[Sequence[P]], past: Sequence[Sequence[Sequence[P]]], dice: Dice) -> list[list[P]]:
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
