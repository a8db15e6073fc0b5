"""Compute the cut of a round of heats: certain qualifiers, and the order of the next best.

Uses no odds: a hand may bring any number of points, so only the number of possible overtakers counts.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from league.formats.bracket import OfTheOthers, Source
from league.formats.ladder import Rung
from league.formats.progression import Placed, Played, Result, in_order, with_byes


class Other(NamedTuple):
    """A player compared with players of other tables. mean: mean points at the player's table.

    share: points divided by that mean; None if the mean is 0.
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
    """Return the players of an open round who qualify whatever its future hands bring, if no player leaves or returns.

    hands_left: remaining hands by table; 0 if all are recorded. A hand lifts the player who goes out over any number
    of others. With lowest_wins it can drop one player behind all others. Ties are broken as usual, so without
    remaining hands nothing is open, random tie-break included.
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
    """Count the players of all tables who can end up ahead. here: players by table, best first."""
    left, behind = hands_left[at], len(here[at]) - place
    worst = place + (behind if lowest_wins and left else min(left, behind))
    ahead = worst - 1
    for number, table in here.items():
        if number == at:
            continue
        ahead += min(worst - 1, len(table))  # place counts before points
        if len(table) >= worst:
            is_open = left > 0 or hands_left[number] > 0
            ahead += is_open or table[worst - 1][:3] < one[:3]
    return ahead


def as_it_stands(played: Played, rung: Rung, *, seed: str, lowest_wins: bool) -> dict[Source | OfTheOthers, str]:
    """Return the current qualifiers by source; the next in line replaces a player who left."""
    stay = [one for one in with_byes(played, seed=seed, lowest_wins=lowest_wins) if one.entry not in played.gone]
    byes = [one.entry for one in stay if not one.place]
    best = [one for one in stay if 0 < one.place <= rung.best]
    more = [one for one in stay if one.place > rung.best][: rung.best_ones - len(best) - len(byes)]
    qualifiers: dict[Source | OfTheOthers, str] = {
        Source(played.number, None, at): bye for at, bye in enumerate(byes, 1)
    }
    qualifiers |= {Source(played.number, one.table, one.place): one.entry for one in best}
    return qualifiers | {OfTheOthers(played.number, at): one.entry for at, one in enumerate(more, 1)}


def others(played: Played, rung: Rung, *, seed: str, lowest_wins: bool) -> list[Other]:
    """Return the players below the direct places, in the order of comparison.

    Leaves out players who left. Includes at least the `rung.lucky` qualifiers, whatever their places.
    """
    if not rung.lucky:
        return []
    stay = [one for one in in_order(played, seed=seed, lowest_wins=lowest_wins) if one.entry not in played.gone]
    behind = [one for one in stay if one.place > rung.best]
    last = max((one.place for one in behind[: rung.lucky]), default=0)
    return [_other(one, played.tables[one.table]) for one in behind if one.place <= last]


def _other(one: Placed, results: Sequence[Result]) -> Other:
    mean = Fraction(sum(result.points - result.adjustments for result in results), len(results))
    share = one.result.points / mean if mean > 0 else None
    return Other(one.entry, one.table, one.place, one.result.points, mean, share)
