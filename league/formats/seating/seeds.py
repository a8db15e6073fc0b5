"""Parts those who have met already, or come from one group, in a tree of duels: they meet again as late as possible."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from league.formats.seating.dice import Dice
from league.formats.seating.slots import level_where, levels, slot_of

TRIES = 6
WORSE = 1000
"""So many meetings a round later are no worse than one now."""


def tiers(entries: int, groups: int) -> list[range]:
    """Places in the order of the seeds inside which somebody may be moved, from the best down.

    After groups those with the same place in their groups, which the cut has next to each other. Where all come from
    one field the upper half stays as it is.
    """
    if groups > 1:
        return [range(first, min(first + groups, entries)) for first in range(0, entries, groups)]
    half = 2 ** levels(entries) // 2
    return [range(half, entries)]


def part(order: Sequence[str], together: Iterable[Collection[str]], groups: int = 1, *, seed: str = "") -> list[str]:
    """The seeds from an order, the best first. together: those of whom no two should meet early."""
    seeds = list(order)
    known = set(seeds)
    apart: dict[str, set[str]] = {}
    for people in together:
        for one, other in combinations(sorted(known.intersection(people)), 2):
            apart.setdefault(one, set()).add(other)
            apart.setdefault(other, set()).add(one)
    if not apart:
        return seeds
    slot = slot_of(seeds)
    slots = [slot[entry] for entry in seeds]  # of each place in the order
    placed: list[int] = [] if groups > 1 else list(range(tiers(len(seeds), 1)[0].start))
    for tier in tiers(len(seeds), groups):
        _part_tier(seeds, slots, placed, tier, apart, seed)
        placed += tier
    return seeds


def _part_tier(
    seeds: list[str], slots: Sequence[int], placed: Sequence[int], tier: range, apart: dict[str, set[str]], seed: str
) -> None:
    """Give the places of a tier to those in it so that it fits those above. As it is, if nothing is better."""
    top = levels(len(seeds))
    above = {seeds[place]: slots[place] for place in placed}

    def cost_of(entry: str, place: int, here: dict[str, int]) -> int:
        return sum(
            WORSE ** (top - level_where(slots[place], slot))
            for other in apart.get(entry, ())
            if (slot := above.get(other, here.get(other))) is not None
        )

    def improve(people: list[str]) -> int:
        here = {entry: slots[place] for entry, place in zip(people, tier, strict=True)}
        better = True
        while better:
            better = False
            for i, j in combinations(range(len(tier)), 2):
                one, other = people[i], people[j]
                if one not in apart and other not in apart:
                    continue
                was = cost_of(one, tier[i], here) + cost_of(other, tier[j], here)
                here[one], here[other] = slots[tier[j]], slots[tier[i]]
                if cost_of(one, tier[j], here) + cost_of(other, tier[i], here) < was:
                    people[i], people[j], better = other, one, True
                else:
                    here[one], here[other] = slots[tier[i]], slots[tier[j]]
        return sum(cost_of(entry, place, here) for entry, place in zip(people, tier, strict=True))

    dice = Dice(f"{seed}/tree/{tier.start}")
    was = [seeds[place] for place in tier]
    best = list(was)
    least = improve(best)
    for _try in range(TRIES if least else 0):
        people = dice.shuffled(was)
        if (cost := improve(people)) < least:
            best, least = people, cost
    for entry, place in zip(best, tier, strict=True):
        seeds[place] = entry
