"""The cut between two stages: who goes on, in which order, and who moves up for somebody who does not come.

Of each group the best so many go on, and of all others so many more that the number comes out. In a group its ranks
decide. Between groups the place counts first, then the points a hand, then the hands won of those that were played:
figures that know neither the size of a group nor who sat out. What is still equal then, the drawn lot decides.
"""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple

from engine.sentences import Sentence, counted, sentence
from league.formats.groups import sizes


class Result(NamedTuple):
    """What somebody made in the stage before. rank: in their group, shared by equals. points, hands, won: there."""

    entry: str
    rank: int
    points: int = 0
    hands: int = 0
    won: int = 0


class Placed(NamedTuple):
    """place: in the group, from 1. by_lot: only the lot separates them from somebody with another fate."""

    entry: str
    group: int
    place: int
    result: Result
    by_lot: bool = False


def measure(result: Result, *, lowest_wins: bool) -> tuple[Fraction, Fraction]:
    """What compares those of one place in different groups: the less, the better."""
    hands = result.hands or 1
    return Fraction(result.points if lowest_wins else -result.points, hands), Fraction(-result.won, hands)


@dataclass(frozen=True)
class Cut:
    """goes_on: the best first, which is their order in the next stage. others: who stays behind, the best first.

    best: how many of each group go on by their place alone.
    """

    goes_on: tuple[Placed, ...]
    others: tuple[Placed, ...]
    best: int

    @property
    def lucky(self) -> tuple[Placed, ...]:
        """Those who go on by comparison with other groups."""
        return tuple(one for one in self.goes_on if one.place > self.best)


def order_of(groups: Sequence[Sequence[Result]], *, seed: str, lowest_wins: bool = False) -> list[Placed]:
    """Everybody of all groups, the best first. groups: A, B, ..., each in any order. seed: of the lot."""

    def lot(result: Result) -> bytes:
        return sha256(f"{seed}/cut/{result.entry}".encode()).digest()

    placed = [
        Placed(result.entry, group, place, result)
        for group, results in enumerate(groups, 1)
        for place, result in enumerate(sorted(results, key=lambda one: (one.rank, lot(one))), 1)
    ]
    return sorted(placed, key=lambda one: (one.place, measure(one.result, lowest_wins=lowest_wins), lot(one.result)))


def cut(
    groups: Sequence[Sequence[Result]], goes_on: int, *, seed: str, lowest_wins: bool = False, finals: int = 1
) -> Cut:
    """Who goes on of those who are there. groups: as in `order_of`, without who has left. finals: into how many, by
    place."""
    order = order_of(groups, seed=seed, lowest_wins=lowest_wins)
    order = _with_lots(order, list(accumulate(sizes(min(goes_on, len(order)), finals))))
    return Cut(tuple(order[:goes_on]), tuple(order[goes_on:]), goes_on // (len(groups) or 1))


def _with_lots(order: Sequence[Placed], ends: Sequence[int]) -> list[Placed]:
    """With a mark on those whom the lot alone separates from somebody with another fate: in the group, or between
    groups. ends: where in the order each final ends, the last one before those who do not go on."""

    def levels(one: Placed) -> tuple[object, ...]:
        return (one.group, one.result.rank), (one.place, *measure(one.result, lowest_wins=True))

    fates: dict[object, set[int]] = {}
    for at, one in enumerate(order):
        for level in levels(one):
            fates.setdefault(level, set()).add(bisect(ends, at))
    return [one._replace(by_lot=any(len(fates[level]) > 1 for level in levels(one))) for one in order]


def cut_in_words(goes_on: int, groups: int, finals: int = 1) -> Sentence:
    """“The best 8 go on”, “The best 2 of each group and 1 of the others go on”, “The best 8 of each group go on, to 2
    finals by place”"""
    if finals == 1:
        return _who_goes_on(goes_on, groups)
    words = {"who": _who_goes_on(goes_on, groups), "finals": finals}
    return sentence("%(who)s, to %(finals)d finals by place", **words)


def _who_goes_on(goes_on: int, groups: int) -> Sentence:
    best, lucky = divmod(goes_on, groups)
    if groups == 1:
        return counted("The best one goes on", "The best %(count)d go on", goes_on)
    if not lucky:
        return counted("The best of each group goes on", "The best %(count)d of each group go on", best)
    if not best:
        return counted("The best of the first of their groups goes on",
                       "The best %(count)d of the first of their groups go on", lucky)  # fmt: skip
    return counted(
        "The best of each group and %(lucky)d of the others go on",
        "The best %(count)d of each group and %(lucky)d of the others go on",
        best,
        lucky=lucky,
    )
