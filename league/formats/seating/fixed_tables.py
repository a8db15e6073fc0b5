"""Orders tables so that people have the table that they need; those who sit together stay together."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

P = TypeVar("P")


def at_fixed_tables(tables: Sequence[Sequence[P]], fixed: Mapping[P, int]) -> list[Sequence[P]]:
    """The tables, the first of which has number 1. fixed: by player, the number that their table is to have.

    Where two at one table need different ones they get the lower that is free; a number that no table has is ignored.
    """
    wishes = [sorted({fixed[player] for player in table if player in fixed}) for table in tables]
    placed: dict[int, Sequence[P]] = {}
    rest = []
    # Tables with fewer choices come first.
    for table, numbers in sorted(zip(tables, wishes, strict=True), key=lambda pair: (not pair[1], len(pair[1]))):
        free = [number for number in numbers if 1 <= number <= len(tables) and number not in placed]
        if free:
            placed[free[0]] = table
        else:
            rest.append(table)
    # A table that need not move stays.
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
