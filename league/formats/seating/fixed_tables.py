"""Tables in an order in which people have the table that they need; who sits together stays."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

P = TypeVar("P")


def at_fixed_tables(tables: Sequence[Sequence[P]], fixed: Mapping[P, int]) -> list[Sequence[P]]:
    """The tables, the first of which has number 1. fixed: by player, the number that their table is to have.

    Where two at one table need different ones they get the lower that is free; a number that there is not is no wish.
    """
    wishes = [sorted({fixed[player] for player in table if player in fixed}) for table in tables]
    placed: dict[int, Sequence[P]] = {}
    rest = []
    # Who leaves no choice first.
    for table, numbers in sorted(zip(tables, wishes, strict=True), key=lambda pair: (not pair[1], len(pair[1]))):
        free = [number for number in numbers if 1 <= number <= len(tables) and number not in placed]
        if free:
            placed[free[0]] = table
        else:
            rest.append(table)
    # Where it need not move a table stays.
    left = [number for number in range(1, len(tables) + 1) if number not in placed]
    for table in list(rest):
        at = tables.index(table) + 1
        if at in left:
            left.remove(at)
            placed[at] = table
            rest.remove(table)
    return [
        table for _number, table in sorted([*placed.items(), *zip(left, rest, strict=True)], key=lambda one: one[0])
    ]
