"""Ratings by openskill (Plackett-Luce): tables in order in, everybody's rating after each table out. Pure.

A table of a round is one result, and not each of its hands: people sit down to play a table, partners stay together for
it, and a single hand says more about the deal than about the players.

- With partners (TEAM-1) the two sides of the table meet, each with the two who sat there for most of the hands.
- Else everybody plays alone, also a substitute and the player they stand in for. The rank goes by points a hand, so
  players who were out before the last hand, or came later, are measured by what they played.
- Who is not rated (bots, stand-ins, unknown people) plays with the rating of a new player, which does not change.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MODEL = "plackett-luce 1"  # to be raised when equal results should give other ratings: then all are computed anew
FIRST_FIGURE = 1500
POINTS = 20  # points of our figure for one of openskill, where the sigma of a new player is 8.3
WITHIN = 1.96  # sigmas to each side: the true value is inside nineteen times in twenty
PROVISIONAL_FROM = 200  # a rating with this many points or more to each side has no rank yet


class Rating(NamedTuple):
    """The mean and the standard deviation of a player's strength, as openskill has them."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def figure(self) -> int:
        """The rating as people read it; everybody starts with 1500."""
        return round(FIRST_FIGURE + POINTS * (self.mu - NEW.mu))

    @property
    def within(self) -> int:
        """The half width of the band around the figure that has the true value 19 times in 20."""
        return round(POINTS * WITHIN * self.sigma)

    @property
    def is_provisional(self) -> bool:
        return self.within >= PROVISIONAL_FROM


NEW = Rating()


class Sat(NamedTuple):
    """What one person did for one entry at one seat of a table. person None: somebody who is not rated.

    first: the number of their first hand there. score: the sum over all their `hands` there.
    """

    seat: int
    entry: int
    person: int | None
    hands: int
    first: int
    score: int


class Side(NamedTuple):
    """rank: from 1; equal ranks are a tie. A member None is somebody who is not rated."""

    members: tuple[int | None, ...]
    rank: int


def sides_of(sat: Sequence[Sat], *, partners: bool, lowest_wins: bool) -> tuple[Side, ...]:
    """Return who met whom at a table, and how it ended. Empty if that says nothing about anybody who is rated."""
    sides = _pairs(sat) if partners else _singles(sat)
    if len(sides) < 2 or not any(member for members, _rows in sides for member in members):
        return ()
    score = [Fraction(sum(row.score for row in rows), sum(row.hands for row in rows)) for _members, rows in sides]
    best_first = sorted(score, reverse=not lowest_wins)
    return tuple(Side(members, best_first.index(own) + 1) for (members, _rows), own in zip(sides, score, strict=True))


_Sides = list[tuple[tuple[int | None, ...], list[Sat]]]


def _singles(sat: Sequence[Sat]) -> _Sides:
    by_player: dict[tuple[int, int], list[Sat]] = defaultdict(list)
    for row in sorted(sat):
        by_player[(row.person, 0) if row.person else (0, row.entry)].append(row)
    return [((person or None,), rows) for (person, _entry), rows in by_player.items()]


def _pairs(sat: Sequence[Sat]) -> _Sides:
    """Return seats 0 and 2, and 1 and 3. A seat counts for who had most of its hands there; of equals, for the first.

    A side's points are all that its entries made at the table, in whichever seat.
    """
    by_seat: dict[int, Sat] = {}
    for row in sorted(sat, key=lambda row: (row.seat, -row.hands, row.first)):
        by_seat.setdefault(row.seat, row)
    met: set[int] = set()
    taken: set[int] = set()
    sides: _Sides = []
    for seats in ((0, 2), (1, 3)):
        # Seats may be swapped in mid-table: nobody plays against themselves, or twice.
        people = [by_seat[seat].person for seat in seats if seat in by_seat]
        members = tuple(None if person in met else person for person in people)
        met.update(person for person in members if person)
        entries = {by_seat[seat].entry for seat in seats if seat in by_seat} - taken
        taken |= entries
        if rows := [row for row in sat if row.entry in entries]:
            sides.append((members, rows))
    return sides


def next_basis(basis: str, table: int, at: str, sides: Iterable[Side]) -> str:
    """Hash a table and all before it: equal only for equal results in equal order.

    basis: of the table before; empty for the first one. at: the moment that orders the tables.
    """
    content = [basis or MODEL, table, at, [[list(side.members), side.rank] for side in sides]]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def rate(sides: Sequence[Side], ratings: Mapping[int, Rating]) -> dict[int, Rating]:
    """Rate a table by the ratings before it. Returns the new ratings of those who sat there and are rated."""
    model = _model()
    teams = [[model.create_rating(list(ratings.get(member or 0, NEW))) for member in side.members] for side in sides]
    new_teams = model.rate(teams, ranks=[float(side.rank) for side in sides])
    return {
        member: Rating(after.mu, after.sigma)
        for side, team in zip(sides, new_teams, strict=True)
        for member, after in zip(side.members, team, strict=True)
        if member
    }


@cache
def _model() -> "PlackettLuce":
    """Import openskill late: it takes some tenths of a second, and pages only read stored ratings."""
    from openskill.models import PlackettLuce

    return PlackettLuce()
