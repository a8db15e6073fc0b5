"""Ratings by openskill (Plackett-Luce): tables in their order in, everybody's rating after each out. Pure.

A table of a round is one result, not each of its hands: it is what people sit down to play, partners stay together for
it, and a single hand says more about the deal than about the players.

- With partners (TEAM-1) the two sides of the table meet, each with the two who sat there for most of the hands.
- Else everybody is for themselves, also a substitute beside whom they play for, ranked by points a hand: so who was out
  before the last hand, or came later, is held to what they played.
- Whoever is not rated (bots, stand-ins, unknown people) plays as somebody new, whom the table teaches nothing.
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

MODEL = "plackett-luce 1"  # counted up when the same results are to give other ratings: all are computed anew then
FIRST_FIGURE = 1500
POINTS = 20  # of a figure to one of openskill's, by which a new player's sigma is 8.3
WITHIN = 1.96  # sigmas to each side: the truth is inside nineteen times in twenty
PROVISIONAL_FROM = 200  # with so many points or more to each side, a rating has no place in the list yet


class Rating(NamedTuple):
    """The mean and the standard deviation of what somebody can do, as openskill has them."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def figure(self) -> int:
        """As people read it; everybody starts with 1500."""
        return round(FIRST_FIGURE + POINTS * (self.mu - NEW.mu))

    @property
    def within(self) -> int:
        """How far the band in which the truth lies 19 times in 20 reaches to each side of the figure."""
        return round(POINTS * WITHIN * self.sigma)

    @property
    def is_provisional(self) -> bool:
        return self.within >= PROVISIONAL_FROM


NEW = Rating()


class Sat(NamedTuple):
    """What one person did for one entry at one seat of a table. person None: nobody who is rated.

    first: the number of their first hand there. score: that of all their `hands` there.
    """

    seat: int
    entry: int
    person: int | None
    hands: int
    first: int
    score: int


class Side(NamedTuple):
    """rank: from 1, equal ranks are a tie. A member None is somebody who is not rated."""

    members: tuple[int | None, ...]
    rank: int


def sides_of(sat: Sequence[Sat], *, partners: bool, lowest_wins: bool) -> tuple[Side, ...]:
    """Who met whom at a table, and how it ended. Empty where that says nothing of anybody who is rated."""
    sides = _pairs(sat) if partners else _singles(sat)
    if len(sides) < 2 or not any(member for members, _rows in sides for member in members):
        return ()
    score = [Fraction(sum(one.score for one in rows), sum(one.hands for one in rows)) for _members, rows in sides]
    best_first = sorted(score, reverse=not lowest_wins)
    return tuple(Side(members, best_first.index(own) + 1) for (members, _rows), own in zip(sides, score, strict=True))


_Sides = list[tuple[tuple[int | None, ...], list[Sat]]]


def _singles(sat: Sequence[Sat]) -> _Sides:
    of: dict[tuple[int, int], list[Sat]] = defaultdict(list)
    for one in sorted(sat):
        of[(one.person, 0) if one.person else (0, one.entry)].append(one)
    return [((person or None,), rows) for (person, _entry), rows in of.items()]


def _pairs(sat: Sequence[Sat]) -> _Sides:
    """Seats 0 and 2, and 1 and 3. Of several at a seat counts who had most of its hands; of equals, the first.

    They are held to all that their entries made at the table, in whichever seat.
    """
    at: dict[int, Sat] = {}
    for one in sorted(sat, key=lambda one: (one.seat, -one.hands, one.first)):
        at.setdefault(one.seat, one)
    met: set[int] = set()
    taken: set[int] = set()
    sides: _Sides = []
    for seats in ((0, 2), (1, 3)):
        # Seats were swapped in mid-table: nobody plays against themselves, nor twice.
        people = [at[seat].person for seat in seats if seat in at]
        members = tuple(None if person in met else person for person in people)
        met.update(person for person in members if person)
        entries = {at[seat].entry for seat in seats if seat in at} - taken
        taken |= entries
        if rows := [one for one in sat if one.entry in entries]:
            sides.append((members, rows))
    return sides


def next_basis(basis: str, table: int, at: str, sides: Iterable[Side]) -> str:
    """The hash of a table and of all before it: equal for equal results in equal order, and else for none.

    basis: that of the table before, for the first one empty. at: the moment by which the tables are in order.
    """
    content = [basis or MODEL, table, at, [[list(side.members), side.rank] for side in sides]]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def rate(sides: Sequence[Side], ratings: Mapping[int, Rating]) -> dict[int, Rating]:
    """What a table makes of the ratings before it. Returns those of whoever sat there and is rated."""
    model = _model()
    teams = [[model.create_rating(list(ratings.get(member or 0, NEW))) for member in side.members] for side in sides]
    rated = model.rate(teams, ranks=[float(side.rank) for side in sides])
    return {
        member: Rating(after.mu, after.sigma)
        for side, team in zip(sides, rated, strict=True)
        for member, after in zip(side.members, team, strict=True)
        if member
    }


@cache
def _model() -> "PlackettLuce":
    """Only whoever computes ratings pays for the import, some tenths of a second; pages read what is stored."""
    from openskill.models import PlackettLuce

    return PlackettLuce()
