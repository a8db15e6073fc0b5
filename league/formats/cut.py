"""Compute the cut between two stages: qualifiers, their order, and reserves.

The same number of best players of each group advances, plus the next best of all groups to fill the number. Within a
group its ranks decide. Between groups the place counts first, then points per hand, then hands won per hand: values
independent of group size and byes. Remaining ties are broken at random.
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
    """place: in the group, from 1. by_lot: only the random tie-break separates it from an entry with the other
    outcome.
    """

    entry: str
    group: int
    place: int
    result: Result
    by_lot: bool = False


def measure(result: Result, *, lowest_wins: bool) -> tuple[Fraction, Fraction]:
    """Return what compares entries of equal place in different groups: less is better."""
    hands = result.hands or 1
    return Fraction(result.points if lowest_wins else -result.points, hands), Fraction(-result.won, hands)


@dataclass(frozen=True)
class Cut:
    """advancing: best first, in the order of the next stage. others: entries that stay behind, best first.

    best: number per group that advances by place alone.
    """

    advancing: tuple[Placed, ...]
    others: tuple[Placed, ...]
    best: int

    @property
    def lucky(self) -> tuple[Placed, ...]:
        """Return the entries that advance by comparison with other groups."""
        return tuple(one for one in self.advancing if one.place > self.best)


def order_of(groups: Sequence[Sequence[Result]], *, seed: str, lowest_wins: bool = False) -> list[Placed]:
    """Return all entries of all groups, best first. groups: A, B, …, each unordered. seed: of the random tie-break."""

    def lot(result: Result) -> bytes:
        return sha256(f"{seed}/cut/{result.entry}".encode()).digest()

    placed = [
        Placed(result.entry, group, place, result)
        for group, results in enumerate(groups, 1)
        for place, result in enumerate(sorted(results, key=lambda one: (one.rank, lot(one))), 1)
    ]
    return sorted(placed, key=lambda one: (one.place, measure(one.result, lowest_wins=lowest_wins), lot(one.result)))


def cut(
    groups: Sequence[Sequence[Result]], advancing: int, *, seed: str, lowest_wins: bool = False, finals: int = 1
) -> Cut:
    """Return the cut of the active entries. groups: as in `order_of`, without entries that left. finals: number of
    parallel finals.
    """
    order = order_of(groups, seed=seed, lowest_wins=lowest_wins)
    order = _mark_random(order, list(accumulate(sizes(min(advancing, len(order)), finals))))
    return Cut(tuple(order[:advancing]), tuple(order[advancing:]), advancing // (len(groups) or 1))


def _mark_random(order: Sequence[Placed], ends: Sequence[int]) -> list[Placed]:
    """Mark entries that only the random tie-break separates from an entry with the other outcome. ends: position where
    each final ends; the last one ends the qualifiers.
    """

    def levels(one: Placed) -> tuple[object, ...]:
        return (one.group, one.result.rank), (one.place, *measure(one.result, lowest_wins=True))

    fates: dict[object, set[int]] = {}
    for at, one in enumerate(order):
        for level in levels(one):
            fates.setdefault(level, set()).add(bisect(ends, at))
    return [one._replace(by_lot=any(len(fates[level]) > 1 for level in levels(one))) for one in order]


def cut_in_words(advancing: int, groups: int, finals: int = 1) -> Sentence:
    """Return “The best 8 advance”, “The best 2 of each group and the next-best 1 advance”, or “The best 8 of each
    group advance: 2 finals by place”.
    """
    if finals == 1:
        return _qualifiers_in_words(advancing, groups)
    words = {"who": _qualifiers_in_words(advancing, groups), "finals": finals}
    return sentence("%(who)s: %(finals)d finals by place", **words)


def _qualifiers_in_words(advancing: int, groups: int) -> Sentence:
    best, lucky = divmod(advancing, groups)
    if groups == 1:
        return counted("The best player advances", "The best %(count)d advance", advancing)
    if not lucky:
        return counted("The best of each group advances", "The best %(count)d of each group advance", best)
    if not best:
        return counted("The best group winner advances",
                       "The best %(count)d group winners advance", lucky)  # fmt: skip
    return counted(
        "The best of each group and the next-best %(lucky)d advance",
        "The best %(count)d of each group and the next-best %(lucky)d advance",
        best,
        lucky=lucky,
    )
