"""Can these cards all come from one deck? An exact search over the cards' points, for paper entry.

What a card is called does not matter once the cards known by name are taken out, so a deck is a *pool*: how many cards
there are of each value, the highest value first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

# Steps of the search before it gives up. Real score sheets need some hundred; the search may only say "impossible"
# when that is proven, so giving up means "possible".
STEPS = 40_000


@dataclass(frozen=True)
class Group:
    """Cards to be dealt together: at least `fewest` and at most `most` of them, worth `points` in sum."""

    points: int
    fewest: int
    most: int


class _OutOfSteps(Exception):
    pass


def can_be_dealt(pool: Mapping[int, int], groups: Sequence[Group], *, left_min: int, left_max: int) -> bool:
    """Return whether all groups can come from one pool (copies by value), leaving `left_min` to `left_max` cards.

    False is proof. True means that a deal was found, or that the search gave up after `STEPS`.
    """
    size = sum(pool.values())
    worth = sum(value * copies for value, copies in pool.items())
    # The rest is a group too, so that a deal gives out the whole pool: one card left cannot be worth 13 either.
    rest = Group(
        points=worth - sum(group.points for group in groups),
        fewest=max(left_min, size - sum(group.most for group in groups)),
        most=min(left_max, size - sum(group.fewest for group in groups)),
    )
    if rest.fewest > rest.most or rest.points < 0:
        return False
    try:
        return _Search(pool, [*groups, rest]).succeeds()
    except _OutOfSteps:
        return True


def can_be_worth(pool: Mapping[int, int], count: int, points: int) -> bool:
    """Return whether some `count` cards of the pool are worth `points` together."""
    return can_be_dealt(pool, [Group(points, count, count)], left_min=0, left_max=sum(pool.values()))


def fewest_copies(pool: Mapping[int, int], count: int, points: int, value: int) -> int:
    """Return the fewest cards of one value among `count` cards worth `points`, which must be possible."""
    for copies in range(pool[value]):
        if can_be_worth({**pool, value: copies}, count, points):
            return copies
    return pool[value]


class _Search:
    """Depth first, one `Group` after the other; what failed with the same cards left is not tried again."""

    def __init__(self, pool: Mapping[int, int], groups: Sequence[Group]) -> None:
        self.values = sorted(pool, reverse=True)
        self.start = tuple(pool[value] for value in self.values)
        sums = _Sums(self.values, self.start)
        # Hardest first: the groups with the least room between the cheapest and the dearest cards of their number.
        self.groups = sorted(groups, key=lambda group: (group.fewest != group.most, sums.room(group)))
        self.steps = 0
        self.dead: set[tuple[int, tuple[int, ...]]] = set()

    def succeeds(self) -> bool:
        return self._deal(0, self.start)

    def _deal(self, index: int, counts: tuple[int, ...]) -> bool:
        """Return whether all these cards can be given out to groups[index:]."""
        if index == len(self.groups):
            return not any(counts)
        if (index, counts) in self.dead:
            return False
        sums = _Sums(self.values, counts)
        if self._could_fit(sums, index):
            group, rest = self.groups[index], self.groups[index + 1 :]
            fewest = max(group.fewest, sums.size - sum(other.most for other in rest))
            most = min(group.most, sums.size - sum(other.fewest for other in rest))
            for count in _from_the_middle(fewest, most, group.points * sums.size // max(1, sums.total)):
                for taken in self._ways(sums, 0, count, group.points):
                    if self._deal(index + 1, tuple(have - take for have, take in zip(counts, taken, strict=True))):
                        return True
        self.dead.add((index, counts))
        return False

    def _could_fit(self, sums: "_Sums", index: int) -> bool:
        """Bounds: no group may need more points than its dearest cards have, or fewer than its cheapest."""
        groups = self.groups[index:]
        spare = sums.size - sum(group.fewest for group in groups)
        if spare < 0 or sum(group.most for group in groups) < sums.size:
            return False
        dearest_first = sorted(groups, key=lambda group: group.points / max(1, group.fewest), reverse=True)
        points = fewest = most = 0
        for group in dearest_first:
            points, fewest, most = points + group.points, fewest + group.fewest, most + group.most
            if points > sums.dearest(min(most, fewest + spare)):
                return False
        # The others hold the rest of a fixed sum, so this bounds the groups with the cheapest cards as well.
        return True

    def _ways(self, sums: "_Sums", index: int, count: int, points: int) -> Iterator[tuple[int, ...]]:
        """Every way to take `count` cards worth `points` of values[index:], the most even ones first."""
        self.steps += 1
        if self.steps > STEPS:
            raise _OutOfSteps
        if index == len(self.values):
            if count == points == 0:
                yield ()
            return
        have, lower = sums.counts[index], sums.from_index[index + 1]
        share = count * have // max(1, sums.from_index[index])
        for copies in _from_the_middle(max(0, count - lower), min(have, count), share):
            other, remaining = count - copies, points - copies * self.values[index]
            if sums.cheapest(other) <= remaining <= sums.dearest(other, index + 1):
                for taken in self._ways(sums, index + 1, other, remaining):
                    yield (copies, *taken)


class _Sums:
    """Sums of a pool's cards: `cheapest` and `dearest` for a number of cards."""

    def __init__(self, values: Sequence[int], counts: tuple[int, ...]) -> None:
        falling = [value for value, count in zip(values, counts, strict=True) for _ in range(count)]
        self.counts = counts
        self.size = len(falling)
        self._falling = [0, *accumulate(falling)]
        self._rising = [0, *accumulate(reversed(falling))]
        self.total = self._falling[-1]
        self._start = [0, *accumulate(counts)]
        self.from_index = [self.size - start for start in self._start]  # cards of values[index:]

    def cheapest(self, count: int) -> int:
        return self._rising[min(count, self.size)]

    def dearest(self, count: int, index: int = 0) -> int:
        """Of the values from this index on."""
        start = self._start[index]
        return self._falling[min(start + count, self.size)] - self._falling[start]

    def room(self, group: Group) -> int:
        return min(group.points - self.cheapest(group.fewest), self.dearest(group.most) - group.points)


def _from_the_middle(low: int, high: int, middle: int) -> Iterable[int]:
    """Return the numbers low..high, those nearest to `middle` first."""
    return sorted(range(low, high + 1), key=lambda number: abs(number - middle))
