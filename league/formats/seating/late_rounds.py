"""Seat later rounds of two pairs or two teams a table, after earlier rounds; includes late entries.

No design takes a history into account, so the rounds are searched. The search starts from a design for this many
players, assigns players to the places that repeat least, then swaps two in a round while that helps.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from league.formats.seating.balance import balance_seats
from league.formats.seating.dice import Dice
from league.formats.seating.whist import Table

SEATS = 4
# Weights: n occurrences cost the weight n (n - 1) / 2 times. A repeated partner outweighs all else.
PARTNER, BYE, OPPONENT = 400, 40, 10
STEPS_A_ROUND, MOST_STEPS = 4000, 30_000
WARM, COLD = 40.0, 1.0
FINE = 1 << 20


def rounds_to_come(
    design: Sequence[Sequence[Table]],
    players: int,
    played: Sequence[Sequence[Sequence[int | None]]],
    *,
    seed: str,
) -> list[list[Table]]:
    """Return as many rounds and tables as the design has, with balanced seats. Equal arguments give equal rounds.

    design: rounds for this many players, numbered from 0. played: earlier rounds, by table and seat, with None for
    players who left; a round without a seat counts as a bye.
    """
    best = _search(design, players, played, seed, SEATS)
    return balance_seats([[(a, b, c, d) for a, b, c, d in tables] for tables in best])


def matches_to_come(
    design: Sequence[Sequence[tuple[int, int]]],
    teams: int,
    played: Sequence[Sequence[Sequence[int | None]]],
    *,
    seed: str,
) -> list[list[tuple[int, int]]]:
    """Return matches of teams, two a table: teams meet again only if the search finds no other way."""
    best = _search(design, teams, played, seed, 2)
    return [[(first, second) for first, second in tables] for tables in best]


def _search(
    design: Sequence[Sequence[Sequence[int]]],
    players: int,
    played: Sequence[Sequence[Sequence[int | None]]],
    seed: str,
    seats: int,
) -> list[list[list[int]]]:
    search = _Search(design, players, played, Dice(seed), seats)
    search.rename()
    search.swap()
    return search.best


def meetings(table: Sequence[int | None], seats: int = SEATS) -> Iterator[tuple[int, int, int]]:
    """Yield (lower, higher, cost of a repeat) for each pair of a table's remaining players."""
    for (seat, first), (at, second) in combinations(enumerate(table), 2):
        if first is not None and second is not None:
            yield min(first, second), max(first, second), PARTNER if at - seat == seats // 2 else OPPONENT


class _Search:
    """slots: the players of each round, table after table, then byes."""

    def __init__(
        self,
        design: Sequence[Sequence[Sequence[int]]],
        players: int,
        played: Sequence[Sequence[Sequence[int | None]]],
        dice: Dice,
        seats: int,
    ) -> None:
        self.players, self.dice, self.seats = players, dice, seats
        self.tables = [len(tables) for tables in design]
        self.slots = []
        for tables in design:
            seated = [player for table in tables for player in table]
            self.slots.append([*seated, *sorted(set(range(players)).difference(seated))])
        self.before: Counter[tuple[int, int, int]] = Counter()
        self.byes_before = [0] * players
        for past in played:
            here = {player for table in past for player in table}
            self.before.update(meeting for table in past for meeting in meetings(table, seats))
            for player in range(players):
                self.byes_before[player] += player not in here
        self.best = self._as_tables()

    def _as_tables(self) -> list[list[list[int]]]:
        return [
            [row[at : at + self.seats] for at in range(0, self.seats * tables, self.seats)]
            for row, tables in zip(self.slots, self.tables, strict=True)
        ]

    def rename(self) -> None:
        """Assign the design's places to the players so that few earlier meetings are repeated."""
        rounds = self._as_tables()
        among = Counter(meeting for tables in rounds for table in tables for meeting in meetings(table, self.seats))
        byes = [sum(player in row[self.seats * n :] for row, n in zip(self.slots, self.tables, strict=True))
                for player in range(self.players)]  # fmt: skip
        names = list(range(self.players))
        weights = {kind: self._square(among, kind) for kind in (PARTNER, OPPONENT)}
        past = {kind: self._square(self.before, kind) for kind in (PARTNER, OPPONENT)}

        def cost_of(place: int, other: int) -> int:
            """Return the cost of the names at two places."""
            cost = 0
            for at in (place, other):
                name = names[at]
                cost += BYE * byes[at] * self.byes_before[name]
                for kind in (PARTNER, OPPONENT):
                    row, old = weights[kind][at], past[kind][name]
                    cost += kind * sum(times * old[names[to]] for to, times in row.items())
            return cost

        pairs = list(combinations(range(self.players), 2))
        for _sweep in range(8):
            better = False
            for place, other in self.dice.shuffled(pairs):
                was = cost_of(place, other)
                names[place], names[other] = names[other], names[place]
                if cost_of(place, other) < was:
                    better = True
                else:
                    names[place], names[other] = names[other], names[place]
            if not better:
                break
        self.slots = [[names[player] for player in row] for row in self.slots]
        self.best = self._as_tables()

    def _square(self, counted: Counter[tuple[int, int, int]], kind: int) -> list[Counter[int]]:
        rows: list[Counter[int]] = [Counter() for _player in range(self.players)]
        for (first, second, met_as), times in counted.items():
            if met_as == kind:
                rows[first][second] += times
                rows[second][first] += times
        return rows

    def swap(self) -> None:
        """Swap two of a round repeatedly, at first also for slightly worse rounds, and store the best."""
        met = Counter(self.before)
        for tables in self._as_tables():
            met.update(meeting for table in tables for meeting in meetings(table, self.seats))
        byes = list(self.byes_before)
        for row, count in zip(self.slots, self.tables, strict=True):
            for player in row[self.seats * count :]:
                byes[player] += 1
        cost = lowest = 0
        steps = min(MOST_STEPS, STEPS_A_ROUND * len(self.slots)) if self.players > self.seats else 0
        for step in range(steps):
            number = self.dice.below(len(self.slots))
            row, seats = self.slots[number], self.seats * self.tables[number]
            first, second = self.dice.below(self.players), self.dice.below(self.players)
            if first == second or (first >= seats and second >= seats):
                continue
            change = self._swap_slots(row, seats, first, second, met, byes)
            heat = WARM * (COLD / WARM) ** (step / steps)
            if change <= 0 or self.dice.below(FINE) < FINE * math.exp(-change / heat):
                cost += change
                if cost < lowest:
                    lowest, self.best = cost, self._as_tables()
            else:
                self._swap_slots(row, seats, first, second, met, byes)

    def _swap_slots(
        self, row: list[int], seats: int, first: int, second: int, met: Counter[tuple[int, int, int]], byes: list[int]
    ) -> int:
        """Swap two slots of a round. Return the added cost."""
        change = 0
        size = self.seats
        touched = {slot // size * size for slot in (first, second) if slot < seats}
        for at in touched:
            for meeting in meetings(row[at : at + size], size):
                met[meeting] -= 1
                change -= meeting[2] * met[meeting]
        for slot in (first, second):
            if slot >= seats:
                byes[row[slot]] -= 1
                change -= BYE * byes[row[slot]]
        row[first], row[second] = row[second], row[first]
        for at in touched:
            for meeting in meetings(row[at : at + size], size):
                change += meeting[2] * met[meeting]
                met[meeting] += 1
        for slot in (first, second):
            if slot >= seats:
                change += BYE * byes[row[slot]]
                byes[row[slot]] += 1
        return change


def tables_of_byes(
    rounds: Sequence[tuple[Sequence[Sequence[int | None]], Sequence[int]]],
    newcomer: int,
    played: Sequence[Sequence[Sequence[int | None]]],
) -> list[Table] | None:
    """Seat a newcomer with the byes of each round, given as (tables, three byes).

    Return None if that repeats a partner.
    """
    met = Counter(meeting for past in played for table in past for meeting in meetings(table))
    met.update(meeting for tables, _byes in rounds for table in tables for meeting in meetings(table))
    chosen: list[Table] = []
    for _tables, (first, second, third) in rounds:
        ways: list[Table] = [
            (newcomer, first, second, third), (newcomer, second, third, first), (newcomer, third, first, second)
        ]  # fmt: skip
        best = min(ways, key=lambda table: sum(meeting[2] * met[meeting] for meeting in meetings(table)))
        if any(kind == PARTNER and met[player, partner, kind] for player, partner, kind in meetings(best)):
            return None
        met.update(meetings(best))
        chosen.append(best)
    return [table for tables in balance_seats([[table] for table in chosen]) for table in tables]
