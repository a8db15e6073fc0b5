"""Separate players in a tree of duels who have met or come from one group, so that they meet as late as possible."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from league.formats.seating.dice import Dice
from league.formats.seating.slots import level_where, levels, slot_of

TRIES, MOST_TRIED = 6, 32
"""Shuffles tried at first, and the largest tier for them: larger tiers have enough room."""
WORSE = 1000
"""Meetings a round later that weigh as much as one now."""


def tiers(entries: int, groups: int) -> list[range]:
    """Return the ranges of the seed order within which players may move, from the best down.

    After groups, a range holds equal places of the groups, which the cut lists together. If all come from one field,
    the upper half stays fixed.
    """
    if groups > 1:
        return [range(first, min(first + groups, entries)) for first in range(0, entries, groups)]
    half = 2 ** levels(entries) // 2
    return [range(half, entries)]


def part(order: Sequence[str], together: Iterable[Collection[str]], groups: int = 1, *, seed: str = "") -> list[str]:
    """Return the seeds from an order, best first. together: groups of players who should not meet early.

    Cached, because a check whether a cut is unchanged repeats the call.
    """
    return list(_part(tuple(order), frozenset(map(frozenset, together)), groups, seed))


@lru_cache(maxsize=32)
def _part(order: Sequence[str], together: Collection[frozenset[str]], groups: int, seed: str) -> tuple[str, ...]:
    seeds = list(order)
    known = set(seeds)
    apart: dict[str, set[str]] = {}
    for people in together:
        for one, other in combinations(sorted(known.intersection(people)), 2):
            apart.setdefault(one, set()).add(other)
            apart.setdefault(other, set()).add(one)
    if not apart:
        return tuple(seeds)
    slot = slot_of(seeds)
    slots = [slot[entry] for entry in seeds]  # of each place in the order
    placed: list[int] = [] if groups > 1 else list(range(tiers(len(seeds), 1)[0].start))
    for tier in tiers(len(seeds), groups):
        _part_tier(seeds, slots, placed, tier, apart, seed)
        placed += tier
    return tuple(seeds)


def _part_tier(
    seeds: list[str], slots: Sequence[int], placed: Sequence[int], tier: range, apart: dict[str, set[str]], seed: str
) -> None:
    """Assign the places of a tier to its players to fit those above. Leaves it unchanged if nothing is better."""
    top = levels(len(seeds))
    # Cost of a meeting by level; the final is as late as possible.
    worth = [WORSE ** (top - level) if level < top else 0 for level in range(top + 1)]
    slot_of = {seeds[place]: slots[place] for place in placed}

    def cost_of(entry: str, slot: int) -> int:
        others = (slot_of[other] for other in apart.get(entry, ()) if other in slot_of)
        return sum(worth[level_where(slot, other)] for other in others)

    def improve(people: list[str]) -> int:
        slot_of.update((entry, slots[place]) for entry, place in zip(people, tier, strict=True))
        better = True
        while better:
            better = False
            for i, j in combinations(range(len(tier)), 2):
                one, other = people[i], people[j]
                mine, yours = slots[tier[i]], slots[tier[j]]
                was = cost_of(one, mine) + cost_of(other, yours)
                if not was:
                    continue
                slot_of[one], slot_of[other] = yours, mine
                if cost_of(one, yours) + cost_of(other, mine) < was:
                    people[i], people[j], better = other, one, True
                else:
                    slot_of[one], slot_of[other] = mine, yours
        return sum(cost_of(entry, slot_of[entry]) for entry in people)

    was = [seeds[place] for place in tier]
    best = list(was)
    least = improve(best)
    dice = Dice(f"{seed}/tree/{tier.start}")
    for _try in range(TRIES if least and len(tier) <= MOST_TRIED else 0):
        people = dice.shuffled(was)
        if (cost := improve(people)) < least:
            best, least = people, cost
    for entry, place in zip(best, tier, strict=True):
        seeds[place] = entry
