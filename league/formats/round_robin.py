"""Define round robin: all players meet, once at tables of two, as equally often as possible at larger ones.

All rounds are drawn before round 1. Duels follow the circle method, as teams do. Larger tables come from a search for
schedules with the most equal meetings (`league/formats/seating/golfers.py`). Pure: numbers of players and rounds in,
seatings of players 0, 1, … out.
"""

import functools
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

from engine.rules import LOWEST_TOTAL, MAX_PLAYERS, WINNER_TAKES
from engine.sentences import Sentence, counted, mark, sentence
from league.formats import teams
from league.formats.estimate import Evening, minutes_a_hand, sizes_of
from league.formats.protocol import Format, SeatedBefore, Seating
from league.formats.seating import golfers
from league.formats.seating.meetings import count_meetings
from league.formats.seating.not_possible import NotPossible
from league.formats.setting import Chosen, bye_points_setting, hands_setting, schedule_settings, table_size_setting

FEWEST_PLAYERS, MOST_PLAYERS = 3, 40
DUEL, LARGEST_TABLE = 2, MAX_PLAYERS
DEFAULT_SIZE = 4
MOST_CYCLES = 10
MOST_ROUNDS = 200
STEPS = 50_000
"""Swaps examined for a whole schedule, from each start."""

Rounds = tuple[tuple[tuple[int, ...], ...], ...]
"""Tables by seat, round by round."""


def whole(players: int, size: int, cycles: int = 1) -> int:
    """Return the fewest rounds with enough meetings for all pairs of players, `cycles` times."""
    tables = max(1, players // DUEL if size == DUEL else golfers.count_tables(players, size))
    seated = players - players % 2 if size == DUEL else players
    a_round = sum(comb(sitting, 2) for sitting in golfers.table_sizes(seated, tables))
    return -(-cycles * comb(players, 2) // a_round)


@functools.lru_cache(maxsize=32)  # the page's estimate and the draw have the same arguments
def plan(players: int, size: int, rounds: int) -> Rounds:
    """Return the seating of all rounds. Equal arguments give equal seatings."""
    if size == DUEL:
        cycles = -(-rounds // teams.leg_rounds(players))
        return _duels(teams.plan(players, rounds, cycles))
    tables = golfers.count_tables(players, size)
    return _as_tuples(golfers.schedule(players, tables, rounds, seed="round robin", steps=STEPS))


@functools.lru_cache(maxsize=8)  # preview and action have the same arguments
def to_come(players: int, size: int, rounds: int, played: SeatedBefore, *, seed: str) -> Rounds:
    """Return `rounds` more rounds for the remaining players, numbered from 0, as even as possible with the earlier
    ones.

    played: earlier rounds, with None for players who left.
    """
    if size == DUEL:
        matches = tuple(tuple((first, second) for first, second in tables) for tables in played)
        return _duels(teams.to_come(players, rounds, matches, seed=seed))
    past = [[[player for player in table if player is not None] for table in tables] for tables in played]
    tables = golfers.count_tables(players, size)
    return _as_tuples(golfers.schedule(players, tables, rounds, past, seed=seed, steps=STEPS))


def _duels(rounds: Sequence[teams.RoundSeating]) -> Rounds:
    """Convert matches of teams to duels."""
    return tuple(tuple((one, other) for (one, _), (other, _), *_partners in row.tables) for row in rounds)


def _as_tuples(rounds: Sequence[Sequence[Sequence[int]]]) -> Rounds:
    return tuple(tuple(tuple(table) for table in tables) for tables in rounds)


def times_met(players: int, rounds: Sequence[Sequence[Sequence[int]]]) -> Counter[int]:
    """Return how many pairs of players met each number of times."""
    met = count_meetings(rounds)
    return Counter(met[one, other] + met[other, one] for one, other in combinations(range(players), 2))


class RoundRobin(Format):
    key = "round_robin"
    name = mark("Round robin")
    about = mark("Everyone plays everyone, one on one or at larger tables. 3 to 40 players")
    on_the_way = mark("Opponents change each round")
    settings = (
        hands_setting(),
        *schedule_settings(MOST_CYCLES, most_rounds=MOST_ROUNDS),
        table_size_setting(DUEL, LARGEST_TABLE, DEFAULT_SIZE, mark("2 to 10; table sizes are balanced"), amended=""),
        bye_points_setting(),
    )
    scorings = (WINNER_TAKES, LOWEST_TOTAL)
    drawn_ahead = True
    has_groups = True
    fewest, most = FEWEST_PLAYERS, MOST_PLAYERS

    def misfits(self, values: Chosen, players: int | None) -> dict[str, Sentence]:
        if not players or players not in self.possible():
            return {}
        cycles = values["cycles"] or 1
        all_of_it = whole(players, self.table_size(values), cycles)
        if values["rounds"] is None and all_of_it > MOST_ROUNDS:
            most = next(fewer for fewer in range(cycles, 0, -1) if self._whole(players, values, fewer) <= MOST_ROUNDS)
            return {
                "cycles": sentence(
                    "In at most %(rounds)d rounds, %(players)d players at tables of %(size)d can all "
                    "meet 1 to %(most)d times, not %(cycles)d.",
                    rounds=MOST_ROUNDS,
                    players=players,
                    size=self.table_size(values),
                    most=most,
                    cycles=cycles,
                )
            }
        if values["rounds"] is not None and values["rounds"] > all_of_it:
            return {
                "rounds": sentence(
                    "%(players)d players at tables of %(size)d have 1 to %(most)d rounds, not %(rounds)d.",
                    players=players,
                    size=self.table_size(values),
                    most=all_of_it,
                    rounds=values["rounds"],
                )
            }
        return {}

    def _whole(self, players: int, values: Chosen, cycles: int) -> int:
        return whole(players, self.table_size(values), cycles)

    def rounds(self, values: Chosen, players: int) -> int | None:
        return values["rounds"] or (self._whole(players, values, values["cycles"] or 1) if players else None)

    def schedule(self, entries: int, values: Chosen) -> list[Seating]:
        self._check(entries)
        rounds = self.rounds(values, entries) or 1
        return _seatings(entries, plan(entries, self.table_size(values), rounds))

    def more_rounds(
        self, entries: int, rounds: int, played: SeatedBefore, values: Chosen, *, seed: str
    ) -> list[Seating]:
        self._check(entries)
        return _seatings(entries, to_come(entries, self.table_size(values), rounds, played, seed=seed))

    def byes(self, entries: int, values: Chosen) -> int:
        return entries % DUEL if self.table_size(values) == DUEL else 0

    def _check(self, entries: int) -> None:
        if entries not in self.possible():
            raise NotPossible(self.wrong_number(entries))

    def counts(self, entries: int, rounds: Sequence[Seating]) -> dict[str, tuple[int, int]]:
        met = times_met(entries, [_tables(seating) for seating in rounds])
        first = Counter(table[0] for seating in rounds for table in _tables(seating))
        byes = Counter(entry for seating in rounds for entry in seating.byes)
        return {
            "Times met": (min(met), max(met)),
            "Deals first": _range([first[entry] for entry in range(entries)]),
            "Byes": _range([byes[entry] for entry in range(entries)]),
        }

    def meetings(self, players: int, values: Chosen) -> Sentence | None:
        return self.how_even(players, self.schedule(players, values))

    def how_even(self, entries: int, rounds: Sequence[Seating]) -> Sentence | None:
        met = times_met(entries, [_tables(seating) for seating in rounds])
        pairs = sum(met.values())
        if not pairs:
            return None
        usual, having = max(met.items(), key=lambda times: (times[1], -times[0]))
        if having == pairs:
            return counted(
                "All pairs of players meet exactly once.", "All pairs of players meet exactly %(count)d times.", usual
            )
        # Rounded down, so that 100 % means all.
        return counted(
            "%(percent)d %% of all pairs meet exactly once (fewest %(fewest)d, most %(most)d).",
            "%(percent)d %% of all pairs meet exactly %(count)d times (fewest %(fewest)d, most %(most)d).",
            usual,
            percent=100 * having // pairs,
            fewest=min(met),
            most=max(met),
        )

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        size, hands = self.table_size(values), self.hands(values) or 0
        byes = players % 2 if size == DUEL else 0
        sizes = sizes_of(players - byes, size)
        rounds = self.rounds(values, players) or 1
        return Evening(
            players=players,
            tables=sizes,
            rounds=rounds,
            hands=(rounds - (-(-rounds // players) if byes else 0)) * hands,
            minutes=round(rounds * hands * minutes_a_hand(sizes[0][1])),
            byes=byes,
            cycles=values["cycles"] or 1,
            games=True,
        )


def _seatings(entries: int, rounds: Rounds) -> list[Seating]:
    all_players = set(range(entries))
    return [
        Seating([[(player, 0) for player in table] for table in tables], sorted(all_players.difference(*tables)))
        for tables in rounds
    ]


def _tables(seating: Seating) -> list[list[int]]:
    return [[player for player, _member in table] for table in seating.tables]


def _range(counts: Sequence[int]) -> tuple[int, int]:
    return min(counts), max(counts)
