"""Seat players by rank in snake order, one of each tier at every table; separate earlier opponents within a tier."""

from collections.abc import Mapping, Sequence

from league.formats.seating import golfers
from league.formats.seating.dice import Dice


def seat(
    seeded: Sequence[str], tables: int, past: Sequence[Sequence[Sequence[str]]] = (), *, seed: str
) -> list[list[str]]:
    """Return tables by seat for qualifiers, best first: in snake order, one of each tier at every table.

    Players change places within their tiers, so that earlier opponents meet again as late as possible.
    """
    snake: list[list[str]] = [[] for _ in range(tables)]
    for at, entry in enumerate(seeded):
        tier, place = divmod(at, tables)
        snake[place if tier % 2 == 0 else tables - 1 - place].append(entry)
    met: dict[frozenset[str], int] = {}
    for distance, seating in enumerate(reversed(past), start=1):
        for table in seating:
            for at, one in enumerate(table):
                for other in table[:at]:
                    pair = frozenset((one, other))
                    met[pair] = met.get(pair, 0) + (4 if distance == 1 else 1)
    _part_again(snake, met)
    return golfers.order_seats(snake, past, Dice(f"{seed}/{len(past) + 1}/seats"))


def _part_again(tables: list[list[str]], met: Mapping[frozenset[str], int]) -> None:
    """Swap two of a tier while that reduces repeated meetings."""

    def at_table(table: Sequence[str], entry: str, but: int) -> int:
        return sum(met.get(frozenset((entry, other)), 0) for tier, other in enumerate(table) if tier != but)

    better = bool(met)
    while better:
        better = False
        for tier in range(max(map(len, tables))):
            here = [table for table in tables if tier < len(table)]
            for at, one in enumerate(here):
                for other in here[:at]:
                    mine, theirs = one[tier], other[tier]
                    now = at_table(one, mine, tier) + at_table(other, theirs, tier)
                    if now > at_table(one, theirs, tier) + at_table(other, mine, tier):
                        one[tier], other[tier] = theirs, mine
                        better = True
