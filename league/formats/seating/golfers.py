"""Seat tables without partners with as few repeated meetings as possible: the social golfer problem.

Uses rounds without repeats if a formula exists (`league.formats.seating.designs`); else simulated annealing swaps
players between tables. Randomness comes from the seed and effort is counted in steps, not seconds, so equal arguments
give equal seatings on every machine.
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
"""Swaps examined for one round, and again for every further 1 000 players."""
SCHEDULE_STEPS = 400_000
"""Swaps examined for a whole schedule, from each start."""
SCHEDULE_STARTS = 4
LONG_SEARCH = 8
"""Length of each start of `better_rounds`, in searches for a round."""
LONG_STARTS = 4
"""Starts without improvement before `better_rounds` gives up."""


def count_tables(players: int, size: int) -> int:
    """Return the fewest tables for all players; one fewer if that would make a table of one, or of two unless the size
    is two.
    """
    tables = -(-players // size)
    return tables - 1 if tables > 1 and players // tables < min(3, size) else tables


def table_sizes(players: int, tables: int) -> list[int]:
    """Return balanced sizes, larger first."""
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
    """Seat one more round of balanced tables with few repeated meetings, each table in seat order.

    past: earlier rounds, tables by seat; they may have players who left. seed: constant for an event. fixed: required
    tables, from 0. apart: pairs that must not meet. First minimises the sum of squared meetings over all pairs, with
    turns at tables one short; then avoids meetings of the previous round, and balances seats. Raises NotPossible if a
    seating request can't be met.
    """
    here = set(players)
    requests = {player: table for player, table in (fixed or {}).items() if player in here}
    separated = [pair for pair in apart if here.issuperset(pair)]
    dice = Dice(f"{seed}/{len(past) + 1}")
    seating = None
    if not requests and not separated:
        seating = _from_design(players, tables, past, seed)
    if seating is None:
        check_requests(table_sizes(len(players), tables), requests, separated)
        seating = _search_round(players, tables, past, requests, separated, dice, steps)
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
    """Yield the best seating so far of an endless search; the caller decides when to stop.

    Arguments as in `next_round`. Ends if no seating can be better, or after several starts without improvement. Yields
    None while a separation is violated. Raises NotPossible if a seating request can't be met.
    """
    here = set(players)
    requests = {player: table for player, table in (fixed or {}).items() if player in here}
    separated = [pair for pair in apart if here.issuperset(pair)]
    check_requests(table_sizes(len(players), tables), requests, separated)
    least, seating = APART, None  # type: int, list[list[P]] | None
    last_better = 0
    for start in count(1):
        dice = Dice(f"{seed}/{len(past) + 1}/start {start}")
        search = _prepare_round(players, tables, past, requests, separated, dice)
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
    """Return all rounds of players 0, 1, … at once, with few `repeats`, those of the `past` included.

    Without a past the formulas give as many rounds as possible; a search adds the others one by one. If meetings could
    be more equal, a search of all rounds together follows, and the better result is returned.
    """
    all_players = range(players)
    names = Dice(seed).shuffled(all_players)
    from_formula = () if past else islice(perfect_rounds(players, tables), rounds)
    seatings = [_give_names(tables_, names) for tables_ in from_formula]
    while len(seatings) < rounds:
        dice = Dice(f"{seed}/{len(seatings) + 1}")
        seatings.append(_search_round(all_players, tables, [*past, *seatings], {}, [], dice, None))

    def all_repeats(seated_rounds: list[list[list[int]]]) -> int:
        return repeats([*past, *seated_rounds])

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
    """Return the repeats if all meetings were spread as equally as possible."""
    pairs = players * (players - 1) // 2
    times, more = divmod(sum(len(table) * (len(table) - 1) // 2 for tables in rounds for table in tables), pairs or 1)
    return more * times + pairs * (times * (times - 1) // 2)


def _from_design(
    players: Sequence[P], tables: int, past: Sequence[Sequence[Sequence[P]]], seed: str
) -> list[list[P]] | None:
    """Return the design's next round if all earlier rounds come from it and it has one more; else None."""
    names = Dice(seed).shuffled(players)
    rounds = [_give_names(tables_, names) for tables_ in islice(perfect_rounds(len(players), tables), len(past) + 1)]
    if len(rounds) <= len(past):
        return None
    as_sets = [{frozenset(table) for table in seating} for seating in past]
    return rounds[-1] if as_sets == [{frozenset(table) for table in seating} for seating in rounds[:-1]] else None


def _give_names(tables: Sequence[Sequence[int]], names: Sequence[P]) -> list[list[P]]:
    """Name the players; larger tables come first."""
    return sorted(([names[number] for number in table] for table in tables), key=len, reverse=True)


def check_requests(sizes: Sequence[int], fixed: Mapping[P, int], apart: Sequence[tuple[P, P]]) -> None:
    """Raise NotPossible for seating requests that tables of these sizes can't meet."""
    tables = len(sizes)
    if apart and tables == 1:
        raise NotPossible(sentence("This round has only one table. Remove the keep-apart rules."))
    for table, players in Counter(fixed.values()).items():
        if not 0 <= table < tables:
            raise NotPossible(
                sentence(
                    "This round has tables 1 to %(tables)d. Choose another table than %(table)d.",
                    tables=tables,
                    table=table + 1,
                )
            )
        if players > sizes[table]:
            raise NotPossible(
                sentence(
                    "Table %(table)d has %(seats)d seats, so %(wanted)d players can’t all sit there. Move one of them.",
                    table=table + 1,
                    seats=sizes[table],
                    wanted=players,
                )
            )
    for first, second in apart:
        if first in fixed and fixed.get(second) == fixed[first]:
            raise NotPossible(
                sentence(
                    "Two players to keep apart are both fixed at table %(table)d. Move one of them.",
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
                "Too many keep-apart rules for %(tables)d tables. Remove one.",
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
    """Return a randomly drawn round, with the costs of repeated meetings."""
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
    """Draw at random, fixed players at their tables."""
    tables: list[list[int]] = [[player for player, at in fixed.items() if at == table] for table in range(len(sizes))]
    rest = iter(dice.shuffled([player for player in range(sum(sizes)) if player not in fixed]))
    for table, size in zip(tables, sizes, strict=True):
        table.extend(islice(rest, size - len(table)))
    return tables


def short_tables(rounds: Sequence[Sequence[Sequence[P]]]) -> Iterator[Sequence[P]]:
    """Yield the tables with one place less than the largest of their round."""
    for tables in rounds:
        largest = max(map(len, tables))
        yield from (table for table in tables if len(table) < largest)


def order_seats(tables: Sequence[Sequence[P]], past: Sequence[Sequence[Sequence[P]]], dice: Dice) -> list[list[P]]:
    """Order each table to even out seats, and with them the deals: seat 0 deals first."""
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
