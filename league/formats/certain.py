"""The cut of a round of heats: who goes on whatever is still to be played, and how those behind the best compare.

No odds: a hand may bring any number of points, so what counts is how many can still be passed by whom.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from league.formats.bracket import OfTheOthers, Source
from league.formats.ladder import Rung
from league.formats.progression import Placed, Played, Result, in_order, with_byes


class Other(NamedTuple):
    """Somebody who is compared with those of other tables. mean: the points of their table for each who sat there.

    share: the points against that mean, None where nobody there has any.
    """

    entry: str
    table: int
    place: int
    points: int
    mean: Fraction
    share: Fraction | None


def certain(
    played: Played, rung: Rung, hands_left: Mapping[int, int], *, seed: str, lowest_wins: bool
) -> frozenset[str]:
    """Who goes on from an open round whatever its hands to come bring, if nobody leaves or comes back.

    hands_left: by table, how many are still to be played; 0 where all are in. A hand lifts one player, who goes out,
    over as many others as it likes. With lowest_wins it can throw one player behind everybody. Level points are told
    apart as always, so where all hands are in nothing is open, the lot included.
    """
    if not rung.best:
        return frozenset()
    here: dict[int, list[Placed]] = {}
    byes = frozenset(played.byes).difference(played.gone)
    for one in in_order(played, seed=seed, lowest_wins=lowest_wins):
        if one.entry not in played.gone:
            here.setdefault(one.table, []).append(one)
    return byes.union(
        one.entry
        for number, table in here.items()
        for place, one in enumerate(table, 1)
        if _most_ahead(one, place, number, here, hands_left, lowest_wins=lowest_wins) < rung.best_ones - len(byes)
    )


def _most_ahead(
    one: Placed,
    place: int,
    at: int,
    here: Mapping[int, Sequence[Placed]],
    hands_left: Mapping[int, int],
    *,
    lowest_wins: bool,
) -> int:
    """How many of all tables can come to stand before somebody. here: who is there, by table, the best first."""
    left, behind = hands_left[at], len(here[at]) - place
    worst = place + (behind if lowest_wins and left else min(left, behind))
    ahead = worst - 1
    for number, table in here.items():
        if number == at:
            continue
        ahead += min(worst - 1, len(table))  # a better place counts before any points
        if len(table) >= worst:
            is_open = left > 0 or hands_left[number] > 0
            ahead += is_open or table[worst - 1][:3] < one[:3]
    return ahead


def as_it_stands(played: Played, rung: Rung, *, seed: str, lowest_wins: bool) -> dict[Source | OfTheOthers, str]:
    """Who would go on as it is now, by where they come from; for somebody who has left another one moves up."""
    stay = [one for one in with_byes(played, seed=seed, lowest_wins=lowest_wins) if one.entry not in played.gone]
    byes = [one.entry for one in stay if not one.place]
    best = [one for one in stay if 0 < one.place <= rung.best]
    more = [one for one in stay if one.place > rung.best][: rung.best_ones - len(best) - len(byes)]
    found: dict[Source | OfTheOthers, str] = {Source(played.number, None, at): bye for at, bye in enumerate(byes, 1)}
    found |= {Source(played.number, one.table, one.place): one.entry for one in best}
    return found | {OfTheOthers(played.number, at): one.entry for at, one in enumerate(more, 1)}


def others(played: Played, rung: Rung, *, seed: str, lowest_wins: bool) -> list[Other]:
    """Those who are next at their tables behind the best, in the order in which they are compared.

    Who has left is not among them. As many as go on (`rung.lucky`) are always there, whatever their places.
    """
    if not rung.lucky:
        return []
    stay = [one for one in in_order(played, seed=seed, lowest_wins=lowest_wins) if one.entry not in played.gone]
    behind = [one for one in stay if one.place > rung.best]
    last = max((one.place for one in behind[: rung.lucky]), default=0)
    return [_other(one, played.tables[one.table]) for one in behind if one.place <= last]


def _other(one: Placed, results: Sequence[Result]) -> Other:
    mean = Fraction(sum(result.points - result.beside for result in results), len(results))
    share = one.result.points / mean if mean > 0 else None
    return Other(one.entry, one.table, one.place, one.result.points, mean, share)
