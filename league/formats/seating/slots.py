"""Compute the slots of a tree of duels from the number of players.

They are those of every printed bracket: begin with [1, 2], and replace each seed x by x and 2m + 1 - x, where m is the
current number. So the best two meet in the final at the earliest, the best four in the semi-finals, and first-round
byes go to the best seeds.
"""

from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=64)
def slots(entries: int) -> tuple[int, ...]:
    """The seeds, from 1, in the order of the slots, for the next power of two. Those above `entries` are empty."""
    seeds = [1]
    while len(seeds) < entries:
        seeds = [seed for above in seeds for seed in (above, 2 * len(seeds) + 1 - above)]
    return tuple(seeds)


def levels(entries: int) -> int:
    """Return the number of rounds if all players come."""
    return (entries - 1).bit_length()


def slot_of(seeds: Sequence[str]) -> dict[str, int]:
    """Return the slot of each player, from 0. seeds: best first."""
    return {seeds[seed - 1]: slot for slot, seed in enumerate(slots(len(seeds))) if seed <= len(seeds)}


def level_where(one: int, other: int) -> int:
    """Return the level at which two slots meet, if both get that far."""
    return (one ^ other).bit_length()
