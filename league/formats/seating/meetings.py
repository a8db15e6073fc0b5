"""Count meetings at the tables of some rounds."""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from itertools import chain, combinations
from typing import TypeVar

P = TypeVar("P", bound=Hashable)


def count_meetings(rounds: Sequence[Sequence[Collection[P]]]) -> Counter[tuple[P, P]]:
    """Count the meetings of each pair; each pair is a key in one of its two orders."""
    meetings: Counter[tuple[P, P]] = Counter()
    for table in chain.from_iterable(rounds):
        for first, second in combinations(table, 2):
            meetings[(second, first) if (second, first) in meetings else (first, second)] += 1
    return meetings


def repeats(rounds: Sequence[Sequence[Sequence[Hashable]]]) -> int:
    """Return the pairs of rounds with a repeated meeting, over all pairs of players; 0 without repeats."""
    return sum(times * (times - 1) // 2 for times in count_meetings(rounds).values())


def meetings_before(tables: Sequence[Sequence[P]], past: Sequence[Sequence[Sequence[P]]]) -> int:
    """Return the number of earlier meetings of people at the same table."""
    meetings = count_meetings(past)
    return sum(
        meetings[first, second] + meetings[second, first]
        for table in tables
        for first, second in combinations(table, 2)
    )
