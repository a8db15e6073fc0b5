"""Order tables to honour fixed table numbers; people at one table stay together."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

P = TypeVar("P")


def at_fixed_tables(tables: Sequence[Sequence[P]], fixed: Mapping[P, int]) -> list[Sequence[P]]:
    """Return the tables, the first with number 1. fixed: required table number by player.

    If two at one table need different numbers, they get the lower free one; numbers without a table are ignored.
    """
    requested = [sorted({fixed[player] for player in table if player in fixed}) for table in tables]
    placed: dict[int, Sequence[P]] = {}
    rest = []
    # Tables with fewer choices come first.
    for table, numbers in sorted(zip(tables, requested, strict=True), key=lambda pair: (not pair[1], len(pair[1]))):
        free = [number for number in numbers if 1 <= number <= len(tables) and number not in placed]
        if free:
            placed[free[0]] = table
        else:
            rest.append(table)
    # Other tables keep their number if possible.
    open_numbers = [number for number in range(1, len(tables) + 1) if number not in placed]
    for table in list(rest):
        at = tables.index(table) + 1
        if at in open_numbers:
            open_numbers.remove(at)
            placed[at] = table
            rest.remove(table)
    return [
        table
        for _number, table in sorted([*placed.items(), *zip(open_numbers, rest, strict=True)], key=lambda pair: pair[0])
    ]
