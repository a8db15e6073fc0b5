"""Individual pairs: partners change every round, points are counted for each player (TOUR-1, TOUR-2).

Everything here is pure: numbers of players and rounds in, seatings of players 0, 1, ... out.
"""

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.rules import WINNER_TAKES
from engine.sentences import Sentence, listed, mark, sentence
from league.formats.seating.balance import balance_seats
from league.formats.seating.late_rounds import rounds_to_come
from league.formats.seating.not_possible import NotPossible
from league.formats.seating.whist import Table, develop, sizes
from league.formats.settings import Wanted

NAME = mark("Individual pairs")
SETTINGS = ("hands_per_round", "rounds", "cycles", "bye_points")
SEATS = 4
PARTNERS = True
SCORING = WINNER_TAKES
TIE_BREAKS = True
DRAWN_AHEAD = True
DEFAULT_HANDS = 4
"""Hands a round. The deal passes left, so with 4 everybody at a table deals once."""

MOST_CYCLES = 10
MOST_BYE_POINTS = 1000

# Starting selections of rounds that are improved by swaps; more of them rarely find a better one.
STARTS = 8


@dataclass(frozen=True)
class RoundSeating:
    """One round. Players are numbered from 0; a table lists them by seat 0 to 3, and seats 0 and 2 are partners."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True)
class Properties:
    """What a schedule is worth. Each pair of numbers is (fewest, most), over all pairs of players or all players."""

    players: int
    rounds: int
    partnered: tuple[int, int]
    opposed: tuple[int, int]
    in_each_seat: tuple[int, int]
    seat_spread: int
    """The most that one player's times in two seats differ."""
    byes: tuple[int, int]


def possible_players() -> tuple[int, ...]:
    """The numbers of players that pairs can be played by, ascending."""
    return sizes()


def describe_possible() -> Sentence:
    """The possible numbers of players as a sentence."""
    return sentence("Individual pairs can be played by %(numbers)s or %(last)s players.", **_possible())


def _possible() -> dict[str, Sentence]:
    """The numbers of players as runs: all but the last, and the last."""
    runs: list[list[int]] = []
    for size in possible_players():
        if runs and runs[-1][-1] == size - 1:
            runs[-1].append(size)
        else:
            runs.append([size])
    ranges: list[object] = []
    for run in runs:
        ranges += [sentence("%(first)d to %(last)d", first=run[0], last=run[-1])] if len(run) > 2 else run
    return {"numbers": listed(ranges[:-1]), "last": listed(ranges[-1:])}


def full_rounds(players: int) -> int:
    """Rounds of the whole design, after which everybody has partnered everybody. Raises NotPossible."""
    if players not in possible_players():
        raise NotPossible(
            sentence(
                "Individual pairs can be played by %(numbers)s or %(last)s players, not by %(players)d.",
                players=players,
                **_possible(),
            )
        )
    return players - 1 if players % 4 == 0 else players


@functools.cache
def schedule(players: int, rounds: int | None = None) -> tuple[RoundSeating, ...]:
    """The seating of every round; the whole design when rounds is None. The same arguments give the same schedule.

    Fewer rounds than the whole are chosen to make the byes most equal, and after that the opponents.
    Raises NotPossible for a number of players outside `possible_players` or rounds outside 1 to `full_rounds`.
    """
    most = full_rounds(players)
    if rounds is None:
        rounds = most
    if not 1 <= rounds <= most:
        raise NotPossible(
            sentence(
                "With %(players)d players, individual pairs can have 1 to %(most)d rounds, not %(rounds)d.",
                players=players,
                most=most,
                rounds=rounds,
            )
        )
    design = develop(players)
    chosen = [design[number] for number in _choose_rounds(players, design, rounds)]
    everybody = set(range(players))
    return tuple(
        RoundSeating(tables=tuple(tables), byes=tuple(sorted(everybody.difference(*tables))))
        for tables in balance_seats(chosen)
    )


def plan(players: int, rounds: int | None = None, cycles: int = 1) -> tuple[RoundSeating, ...]:
    """The rounds of `schedule`, `cycles` times over (TOUR-1). Raises NotPossible, also for several cycles of a part.

    In every further cycle all move one seat on, so that another one deals first; partners stay partners.
    """
    if not 1 <= cycles <= MOST_CYCLES:
        raise NotPossible(_wrong_cycles(cycles))
    if cycles > 1 and rounds not in (None, full_rounds(players)):
        raise NotPossible(
            sentence("Only the whole schedule can be played several times: leave the number of rounds empty.")
        )
    once = schedule(players, rounds)
    return tuple(_move_on(seating, cycle) for cycle in range(cycles) for seating in once)


def _wrong_cycles(cycles: int) -> Sentence:
    return sentence(
        "The whole schedule can be played 1 to %(most)d times, not %(cycles)d.", most=MOST_CYCLES, cycles=cycles
    )


@functools.lru_cache(maxsize=8)  # the action follows its preview with the same arguments
def to_come(
    players: int, rounds: int, played: tuple[tuple[tuple[int | None, ...], ...], ...], *, seed: str
) -> tuple[RoundSeating, ...]:
    """`rounds` more rounds for those who go on, numbered from 0, after `played` (as in `rounds_to_come`).

    Nobody has a partner twice if a search finds such rounds; few meet again. Raises NotPossible.
    """
    whole = full_rounds(players)
    cycles = -(-rounds // whole)
    design = [seating.tables for _cycle in range(cycles) for seating in schedule(players)]
    if cycles == 1:
        design = [seating.tables for seating in schedule(players, rounds)]
    everybody = set(range(players))
    return tuple(
        RoundSeating(tables=tuple(tables), byes=tuple(sorted(everybody.difference(*tables))))
        for tables in rounds_to_come(design[:rounds], players, played, seed=seed)
    )


def _move_on(seating: RoundSeating, seats: int) -> RoundSeating:
    turn = seats % SEATS
    return RoundSeating(tuple((*table[turn:], *table[:turn]) for table in seating.tables), seating.byes)  # type: ignore[misc]


def problems(choices: Wanted, players: int | None) -> dict[str, Sentence]:
    """What cannot be played, by field, each with what is possible. players: None or 0 while nobody knows."""
    refusals = {}
    if choices.hands is None:
        refusals["hands_per_round"] = sentence("Individual pairs play a number of hands in each round: choose one.")
    if not 0 <= choices.bye_points <= MOST_BYE_POINTS:
        refusals["bye_points"] = sentence(
            "A bye is worth 0 to %(most)d points, not %(points)d.", most=MOST_BYE_POINTS, points=choices.bye_points
        )
    if not 1 <= choices.cycles <= MOST_CYCLES:
        refusals["cycles"] = _wrong_cycles(choices.cycles)
    if choices.rounds is not None and choices.rounds < 1:
        refusals["rounds"] = sentence("Choose at least one round, or leave it empty for the whole schedule.")
    elif players:
        try:
            full_rounds(players)
        except NotPossible as exc:
            return refusals | {"players": exc.sentence}
        try:
            plan(players, choices.rounds, choices.cycles)
        except NotPossible as exc:
            refusals["rounds" if choices.cycles == 1 else "cycles"] = exc.sentence
    return refusals


def dealer_seat(hand: int) -> int:
    """The seat that deals a hand of a round; hands are numbered from 1."""
    return (hand - 1) % SEATS


def properties(players: int, seatings: Sequence[RoundSeating]) -> Properties:
    """Count what a schedule gives each player and each two players."""
    partnered: Counter[frozenset[int]] = Counter()
    opposed: Counter[frozenset[int]] = Counter()
    seats: Counter[tuple[int, int]] = Counter()
    byes: Counter[int] = Counter()
    for seating in seatings:
        byes.update(seating.byes)
        for table in seating.tables:
            partnered.update(_partners(table))
            opposed.update(_opponents(table))
            seats.update((player, seat) for seat, player in enumerate(table))
    pairs = [frozenset(pair) for pair in combinations(range(players), 2)]
    by_player = [[seats[player, seat] for seat in range(SEATS)] for player in range(players)]
    return Properties(
        players=players,
        rounds=len(seatings),
        partnered=_range([partnered[pair] for pair in pairs]),
        opposed=_range([opposed[pair] for pair in pairs]),
        in_each_seat=_range([times for counts in by_player for times in counts]),
        seat_spread=max(max(counts) - min(counts) for counts in by_player),
        byes=_range([byes[player] for player in range(players)]),
    )


def _range(counts: Sequence[int]) -> tuple[int, int]:
    return min(counts), max(counts)


def _partners(table: Table) -> list[frozenset[int]]:
    a, b, c, d = table
    return [frozenset((a, c)), frozenset((b, d))]


def _opponents(table: Table) -> list[frozenset[int]]:
    a, b, c, d = table
    return [frozenset((a, b)), frozenset((b, c)), frozenset((c, d)), frozenset((d, a))]


def _choose_rounds(players: int, design: Sequence[Sequence[Table]], rounds: int) -> list[int]:
    """Which rounds of the design to play, ascending: swaps of one round for another until none helps.

    Unequal byes weigh more than any number of repeated opponents. Both are sums over pairs of rounds: players with a
    bye in both, and opponents in both.
    """
    count = len(design)
    if rounds == count:
        return list(range(count))
    opposed = [{pair for table in tables for pair in _opponents(table)} for tables in design]
    byes = [set(range(players)).difference(*tables) for tables in design]
    weight = [
        [0 if r == s else players**2 * len(byes[r] & byes[s]) + len(opposed[r] & opposed[s]) for s in range(count)]
        for r in range(count)
    ]

    def cost(numbers: Sequence[int]) -> int:
        return sum(weight[r][s] for r, s in combinations(numbers, 2))

    # Rounds in equal steps are good to start from: what two rounds share depends on their distance.
    starts = {
        tuple(sorted(sorted(range(count), key=lambda r: (r * step % count, r))[:rounds]))
        for step in range(1, count // 2 + 1)
    }
    best = sorted(starts, key=lambda numbers: (cost(numbers), numbers))[:STARTS]
    improved = [_improve(numbers, weight) for numbers in best]
    return min(improved, key=lambda numbers: (cost(numbers), numbers))


def _improve(numbers: Sequence[int], weight: Sequence[Sequence[int]]) -> list[int]:
    inside = set(numbers)
    shared = [sum(row[r] for r in inside) for row in weight]
    while True:
        gain, leaves, comes = min(
            (shared[s] - shared[r] - weight[r][s], r, s) for r in inside for s in range(len(weight)) if s not in inside
        )
        if gain >= 0:
            return sorted(inside)
        inside.remove(leaves)
        inside.add(comes)
        for r, row in enumerate(weight):
            shared[r] += row[comes] - row[leaves]
