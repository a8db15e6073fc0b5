"""Simulate the rest of a tournament many times, with hands from the engine. Pure.

All players are equally skilled: a table's hand is one that bots played, and each player has each of its places with
equal chance. Undrawn rounds are drawn at random. Randomness comes from the seed: equal arguments give equal counts in
every process.
"""

import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.scoring import partner, score_hand, still_in
from league.formats.challenge import LARGEST_TABLE
from league.formats.race import HEAD_TO_HEAD
from league.formats.seating import golfers
from league.standings.ranking import AdjustmentRow, Entrant, Ranking
from league.standings.tie_breaks import Played

STEP = 5  # points: step of counted totals
TRIALS = 5


class TooMuch(Exception):
    """Too many hands are left, or counting takes too long."""


class Outcome(NamedTuple):
    """Points of a hand for each dealt-in player. went_out, caught: as in `engine.scoring.score_hand`.

    scores: added to the totals; between teams only those of the two sides.
    """

    scores: tuple[int, ...]
    went_out: int | None
    caught: tuple[int, ...]


Pools = Mapping[int, Sequence[Outcome]]
"""The hands to draw from, by number of dealt-in players."""


class Seated(NamedTuple):
    """A table with hands to come. players: dealt-in players by seat, as indexes of `Position.entries`.

    hands: their number; None: until a player has `target` points in this game, whose score is `scores`.
    """

    round: int
    players: tuple[int, ...]
    hands: int | None
    target: int | None = None
    scores: tuple[int, ...] = ()


class ToDraw(NamedTuple):
    """Undrawn rounds. first: number of the first. rounds: how many; unknown for a race."""

    first: int
    rounds: int
    table_size: int
    hands: int | None
    target: int | None = None


@dataclass(frozen=True)
class Position:
    """State of a tournament, and what is left to play.

    entries: the first `hopefuls` of them can still win. totals: including points for byes to come. out_at: the target
    of a Challenge UNO, whose entries are the active ones; None: points add up to the end. The other fields break ties,
    as in `league.standings.ranking.Ranking`.
    """

    entries: tuple[str, ...]
    hopefuls: int
    totals: tuple[int, ...]
    tables: tuple[Seated, ...]
    to_draw: ToDraw | None = None
    out_at: int | None = None
    lowest_wins: bool = False
    scoring: str = ""
    partners: bool = False
    entrants: tuple[Entrant, ...] = ()
    played: Mapping[str, Sequence[Played]] = field(default_factory=dict)
    adjustments: tuple[AdjustmentRow, ...] = ()
    tie_breaks: tuple[str, ...] = ()
    lot_seed: str = ""

    @property
    def is_decided(self) -> bool:
        """Return whether nothing is left to play."""
        if self.out_at is not None:
            return len(self.entries) < HEAD_TO_HEAD
        return not self.tables and self.to_draw is None

    @property
    def hands_left(self) -> dict[str, int] | None:
        """Return the hands left for each hopeful; None if it depends on results or on the draw."""
        is_open_ended = self.to_draw is not None and (self.to_draw.hands is None or self.to_draw.target is not None)
        if self.out_at is not None or is_open_ended or any(table.hands is None for table in self.tables):
            return None
        each = self.to_draw.rounds * (self.to_draw.hands or 0) if self.to_draw else 0
        hands = dict.fromkeys(self.entries[: self.hopefuls], each)
        for table in self.tables:
            for player in set(table.players):
                if player < self.hopefuls:
                    hands[self.entries[player]] += table.hands or 0
        return hands


@dataclass
class Tally:
    """Number of wins, with totals rounded down to STEP. best: own totals. next: the best rival's."""

    won: int = 0
    best: Counter[int] = field(default_factory=Counter)
    next: Counter[int] = field(default_factory=Counter)


def simulate(
    position: Position, pools: Pools, *, seed: str, simulations: int, patience: float = math.inf
) -> dict[str, Tally]:
    """Count wins by entry over simulations. A shared first place counts as a win.

    patience: in seconds; raises `TooMuch` after that.
    """
    endings = _endings(position, pools, seed)
    tallies: dict[str, Tally] = {}
    until = time.monotonic() + patience
    for _ in range(simulations):
        if time.monotonic() > until:
            raise TooMuch
        winners, best, next_best = endings.play()
        for winner in winners:
            tally = tallies.setdefault(position.entries[winner], Tally())
            tally.won += 1
            if best is not None and next_best is not None and len(winners) == 1:
                tally.best[best // STEP * STEP] += 1
                tally.next[next_best // STEP * STEP] += 1
    return tallies


def hands_of_an_ending(position: Position, pools: Pools, *, most: int) -> int:
    """Estimate the remaining hands of all tables from a few fixed simulations.

    Raises `TooMuch` if they exceed `most`.
    """
    endings = _endings(position, pools, "trial")
    endings.most = most * TRIALS
    for _ in range(TRIALS):
        endings.play()
    return max(1, endings.hands // TRIALS)


def _endings(position: Position, pools: Pools, seed: str) -> "_Sums | _Race":
    if position.is_decided:
        raise ValueError("Nothing is left to play.")
    rng = random.Random(seed)
    return _Sums(position, pools, rng) if position.out_at is None else _Race(position, pools, rng)


Ended = tuple[list[int], int | None, int | None]
"""Winners (indexes of the entries), the best total and the next one; None if totals don't decide."""

_Slot = tuple[int, tuple[int, ...]]
"""A hand to come: its round, and the dealt-in players."""


class _Endings:
    """hands: number played. most: limit that raises `TooMuch`."""

    most: float = math.inf

    def __init__(self, position: Position, pools: Pools, rng: random.Random) -> None:
        self.position, self.pools, self.rng = position, pools, rng
        self.hands = 0

    def _count(self, hands: int = 1) -> None:
        self.hands += hands
        if self.hands > self.most:
            raise TooMuch


class _Sums(_Endings):
    """Simulations of formats with summed points: pairs, teams, points race."""

    def __init__(self, position: Position, pools: Pools, rng: random.Random) -> None:
        super().__init__(position, pools, rng)
        self.known: dict[int, list[_Slot]] = {}  # by number of dealt-in players
        self.games = [table for table in position.tables if table.hands is None]
        for table in position.tables:
            slots = [(table.round, table.players)] * (table.hands or 0)
            self.known.setdefault(len(table.players), []).extend(slots)

    def play(self) -> Ended:
        position = self.position
        totals = list(position.totals)
        played: list[tuple[Sequence[_Slot], Sequence[Outcome]]] = []
        for size, slots in self.known.items():
            played.append((slots, self._draw(size, slots, totals)))
        games = [*self.games, *self._draw_tables()]
        for table in games:
            if table.hands is None:
                played.append(self._play_game(table, totals))
            else:
                slots = [(table.round, table.players)] * table.hands
                played.append((slots, self._draw(len(table.players), slots, totals)))
        finals = totals[: position.hopefuls]
        pick = min if position.lowest_wins else max
        best = pick(finals)
        winners = [at for at, total in enumerate(finals) if total == best]
        if len(winners) > 1:
            return self._break_tie(winners, totals, played), best, best
        winner = winners[0]
        rivals = finals[:winner] + finals[winner + 1 :]
        return winners, best, pick(rivals) if rivals else None

    def _draw(self, size: int, slots: Sequence[_Slot], totals: list[int]) -> Sequence[Outcome]:
        self._count(len(slots))
        drawn = self.rng.choices(self.pools[size], k=len(slots))
        for (_round, players), outcome in zip(slots, drawn, strict=True):
            # Team scores have only the two sides, and the first two seats are one of each: points count once.
            for player, score in zip(players, outcome[0], strict=False):
                totals[player] += score
        return drawn

    def _play_game(self, table: Seated, totals: list[int]) -> tuple[list[_Slot], list[Outcome]]:
        pool, target = self.pools[len(table.players)], table.target or 0
        scores = list(table.scores) or [0] * len(table.players)
        drawn: list[Outcome] = []
        while max(scores) < target:
            self._count()
            outcome = self.rng.choice(pool)
            drawn.append(outcome)
            for seat, score in enumerate(outcome.scores):
                scores[seat] += score
                totals[table.players[seat]] += score
        return [(table.round, table.players)] * len(drawn), drawn

    def _draw_tables(self) -> Iterable[Seated]:
        to_draw = self.position.to_draw
        for number in range(to_draw.rounds if to_draw else 0):
            assert to_draw is not None
            for players in _random_tables(list(range(self.position.hopefuls)), to_draw.table_size, self.rng):
                hands = None if to_draw.target else to_draw.hands
                yield Seated(to_draw.first + number, tuple(players), hands, to_draw.target)

    def _break_tie(
        self, tied: list[int], totals: list[int], played: Sequence[tuple[Sequence[_Slot], Sequence[Outcome]]]
    ) -> list[int]:
        """Return the tied players who are first by the tournament's tie-breaks, with the simulated hands."""
        position = self.position
        names = {position.entries[player]: player for player in tied}
        history = {name: list(position.played.get(name, ())) for name in names}
        for slots, drawn in played:
            for (number, players), outcome in zip(slots, drawn, strict=True):
                if not names.keys().isdisjoint(position.entries[player] for player in players):
                    for player, hand in self._in_history(number, players, outcome):
                        if player in names:
                            history[player].append(hand)
        by_id = {entrant.id: replace(entrant, status="active") for entrant in position.entrants if entrant.id in names}
        ranking = Ranking(
            by_id, history, position.adjustments, position.tie_breaks, position.lot_seed, position.lowest_wins, None
        )
        return [names[name] for name, rank in ranking.ranks().items() if rank == 1]

    def _in_history(self, number: int, players: Sequence[int], outcome: Outcome) -> Iterable[tuple[str, Played]]:
        """Yield a hand as history of each dealt-in player; once for a team."""
        names = [self.position.entries[player] for player in players]
        scored = score_hand(self.position.scoring, outcome.caught, outcome.went_out, self.position.partners)
        for name in dict.fromkeys(names):
            seat = names.index(name)
            mate = partner(seat) if self.position.partners else None
            partner_name = names[mate] if mate is not None else None
            yield (
                name,
                Played(
                    round=number,
                    partner=partner_name,
                    opponents=frozenset(names) - {name, partner_name},
                    hands=1,
                    won=int(outcome.went_out is not None and outcome.went_out in (seat, mate)),
                    points_for=scored.points_for[seat],
                    points_against=scored.points_against[seat],
                    points_caught=outcome.caught[seat],
                    score=scored.scores[seat],
                ),
            )


class _Race(_Endings):
    """Simulations of a Challenge UNO: all tables play in step, until one player is left (SCORE-4, TOUR-3)."""

    def play(self) -> Ended:
        totals = dict(enumerate(self.position.totals))
        tables = [(list(table.players), table.hands) for table in self.position.tables]
        while True:
            totals = self._play_round(totals, tables)
            if len(totals) == 1:
                return list(totals), None, None
            tables = self._next_round(totals)

    def _play_round(self, totals: dict[int, int], tables: Sequence[tuple[list[int], int | None]]) -> dict[int, int]:
        """Return the active players after a round, with totals. It ends early if two are left."""
        hand = 0
        going = True
        while going:
            going = False
            for players, hands in tables:
                if len(players) < HEAD_TO_HEAD or (hands is not None and hand >= hands):
                    continue
                going = True
                before = len(totals)
                totals = self._play_hand(totals, players)
                players[:] = [player for player in players if player in totals]
                if len(totals) == 1 or len(totals) == HEAD_TO_HEAD < before:
                    return totals
            hand += 1
        return totals

    def _play_hand(self, totals: dict[int, int], players: Sequence[int]) -> dict[int, int]:
        target = self.position.out_at or 0
        self._count()
        gone = []
        for player, score in zip(players, self.rng.choice(self.pools[len(players)]).scores, strict=True):
            totals[player] += score
            if totals[player] >= target:
                gone.append(player)
        if len(gone) == len(totals):  # no player is below the target: the lowest stay
            staying = still_in(totals, target)
            return {player: totals[player] for player in staying}
        for player in gone:
            del totals[player]
        return totals

    def _next_round(self, totals: Mapping[int, int]) -> list[tuple[list[int], int | None]]:
        to_draw = self.position.to_draw
        assert to_draw is not None
        players = list(totals)
        nobody_below = len(players) <= LARGEST_TABLE and min(totals.values()) >= (self.position.out_at or 0)
        if len(players) == HEAD_TO_HEAD or nobody_below:
            return [(players, None)]
        return [(table, to_draw.hands) for table in _random_tables(players, to_draw.table_size, self.rng)]


def _random_tables(players: list[int], size: int, rng: random.Random) -> list[list[int]]:
    """Seat players at random at tables of the number and sizes that the format would draw."""
    rng.shuffle(players)
    tables, start = [], 0
    for length in golfers.table_sizes(len(players), golfers.count_tables(len(players), size)):
        tables.append(players[start : start + length])
        start += length
    return tables
