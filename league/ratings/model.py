"""Ratings by openskill (Plackett-Luce): tables in order in, ratings after each table out. Pure.

A table of a round is one result, not each of its hands: players sit down for a table, partners stay together for it,
and a single hand depends more on the deal than on the players.

- With partners (TEAM-1), the two sides of the table meet, each with the two who sat there for most hands.
- Otherwise players meet one by one, including a substitute and the replaced player. They rank by points a hand, so
  players eliminated early or added late are measured by the hands they played.
- Unrated players (bots, stand-ins, unknown people) play with the fixed rating of a new player.
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

MODEL = "plackett-luce 1"  # raise it when equal results should give other ratings: all are then recomputed
FIRST_FIGURE = 1500
POINTS = 20  # displayed points a point of openskill, whose new players have a sigma of 8.3
WITHIN = 1.96  # sigmas to each side, for 95 %
PROVISIONAL_FROM = 200  # ratings with this margin or more have no rank


class Rating(NamedTuple):
    """Mean and standard deviation of a player's strength, in openskill's scale."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    @property
    def figure(self) -> int:
        """Return the displayed rating; new players have 1500."""
        return round(FIRST_FIGURE + POINTS * (self.mu - NEW.mu))

    @property
    def within(self) -> int:
        """Return half the width of the 95 % interval around the displayed rating."""
        return round(POINTS * WITHIN * self.sigma)

    @property
    def is_provisional(self) -> bool:
        return self.within >= PROVISIONAL_FROM


NEW = Rating()


class Sat(NamedTuple):
    """Hands of one person for one entry at one seat. person None: unrated.

    first: number of their first hand there. score: sum over their `hands`.
    """

    seat: int
    entry: int
    person: int | None
    hands: int
    first: int
    score: int


class Side(NamedTuple):
    """rank: from 1; equal ranks are a tie. A member None is unrated."""

    members: tuple[int | None, ...]
    rank: int


def sides_of(sat: Sequence[Sat], *, partners: bool, lowest_wins: bool) -> tuple[Side, ...]:
    """Return the sides that met at a table, with their ranks. Empty if no rated player met anyone."""
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
    """Return seats 0 and 2, and 1 and 3. A seat belongs to the person with most hands there; if equal, the first.

    A side's points are those of its entries at the table, in any seat.
    """
    by_seat: dict[int, Sat] = {}
    for row in sorted(sat, key=lambda row: (row.seat, -row.hands, row.first)):
        by_seat.setdefault(row.seat, row)
    met: set[int] = set()
    taken: set[int] = set()
    sides: _Sides = []
    for seats in ((0, 2), (1, 3)):
        # Seats may be swapped mid-table: don't let a person meet themselves, or play twice.
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
