"""Define individual pairs: partners change each round, each player scores alone (TOUR-1, TOUR-2).

Pure: numbers of players and rounds in, seatings of players 0, 1, … out.
"""

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.sentences import Sentence, listed, mark, sentence
from league.formats.estimate import Evening, minutes_a_hand
from league.formats.protocol import Demo, Format, SeatedBefore, Seating
from league.formats.seating.balance import balance_seats
from league.formats.seating.late_rounds import rounds_to_come
from league.formats.seating.not_possible import NotPossible
from league.formats.seating.whist import Table, develop, sizes
from league.formats.setting import Chosen, bye_points_setting, hands_setting, schedule_settings

SEATS = 4

MOST_CYCLES = 10

# Starting selections of rounds to improve by swaps; more rarely find a better one.
STARTS = 8


@dataclass(frozen=True)
class RoundSeating:
    """One round. Players are numbered from 0. A table lists them by seat 0 to 3; seats 0 and 2 are partners."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True)
class Properties:
    """Measures of a schedule. Each pair of numbers is (fewest, most), over all pairs of players or all players."""

    players: int
    rounds: int
    partnered: tuple[int, int]
    opposed: tuple[int, int]
    in_each_seat: tuple[int, int]
    seat_spread: int
    """Largest difference of one player's times in two seats."""
    byes: tuple[int, int]


def possible_players() -> tuple[int, ...]:
    """Return the possible numbers of players, ascending."""
    return sizes()


def describe_possible() -> Sentence:
    """Return the possible numbers of players as a sentence."""
    first, last = _first_run()
    return sentence(
        "Individual pairs need %(first)d to %(last)d players, or certain larger numbers.", first=first, last=last
    )


def _first_run() -> tuple[int, int]:
    """Return the first and last number up to which every number of players is possible."""
    first = last = possible_players()[0]
    while last + 1 in possible_players():
        last += 1
    return first, last


def full_rounds(players: int) -> int:
    """Return the rounds of the whole design, after which all players have been partners. Raises NotPossible."""
    if players not in possible_players():
        raise NotPossible(_wrong_number(players))
    return players - 1 if players % 4 == 0 else players


def _wrong_number(players: int) -> Sentence:
    """Name the possible numbers next to `players`."""
    first, last = _first_run()
    larger = [size for size in possible_players() if size > last]
    below, above = [size for size in larger if size < players][-1:], [size for size in larger if size > players][:1]
    near = [*below, *above]
    return sentence(
        "Individual pairs need %(numbers)s or %(last)s players, not %(players)d.",
        players=players,
        numbers=listed([sentence("%(first)d to %(last)d", first=first, last=last), *near[:-1]]),
        last=listed(near[-1:]),
    )


@functools.cache
def schedule(players: int, rounds: int | None = None) -> tuple[RoundSeating, ...]:
    """Return the seating of each round; the whole design if rounds is None. Equal arguments give equal schedules.

    A shorter schedule is chosen for the most equal byes, then opponents. Raises NotPossible for a number of players
    outside `possible_players` or rounds outside 1 to `full_rounds`.
    """
    most = full_rounds(players)
    if rounds is None:
        rounds = most
    if not 1 <= rounds <= most:
        raise NotPossible(
            sentence(
                "Individual pairs with %(players)d players have 1 to %(most)d rounds, not %(rounds)d.",
                players=players,
                most=most,
                rounds=rounds,
            )
        )
    design = develop(players)
    chosen = [design[number] for number in _choose_rounds(players, design, rounds)]
    all_players = set(range(players))
    return tuple(
        RoundSeating(tables=tuple(tables), byes=tuple(sorted(all_players.difference(*tables))))
        for tables in balance_seats(chosen)
    )


def plan(players: int, rounds: int | None = None, cycles: int = 1) -> tuple[RoundSeating, ...]:
    """Return the rounds of `schedule`, repeated `cycles` times (TOUR-1). Raises NotPossible, also for several cycles
    of a part.

    Each further cycle moves all players one seat on, so that another one deals first; partners stay partners.
    """
    if not 1 <= cycles <= MOST_CYCLES:
        raise NotPossible(_wrong_cycles(cycles))
    if cycles > 1 and rounds not in (None, full_rounds(players)):
        raise NotPossible(sentence("Only a whole schedule can be repeated. Leave the number of rounds empty."))
    once = schedule(players, rounds)
    return tuple(_move_on(seating, cycle) for cycle in range(cycles) for seating in once)


def _wrong_cycles(cycles: int) -> Sentence:
    return sentence("The schedule can be played 1 to %(most)d times, not %(cycles)d.", most=MOST_CYCLES, cycles=cycles)


@functools.lru_cache(maxsize=8)  # preview and action have the same arguments
def to_come(players: int, rounds: int, played: SeatedBefore, *, seed: str) -> tuple[RoundSeating, ...]:
    """Return `rounds` more rounds for the remaining players, numbered from 0, after `played` (as in `rounds_to_come`).

    Avoids repeated partners if the search finds such rounds; few meet again. Raises NotPossible.
    """
    whole = full_rounds(players)
    cycles = -(-rounds // whole)
    design = [seating.tables for _cycle in range(cycles) for seating in schedule(players)]
    if cycles == 1:
        design = [seating.tables for seating in schedule(players, rounds)]
    all_players = set(range(players))
    return tuple(
        RoundSeating(tables=tuple(tables), byes=tuple(sorted(all_players.difference(*tables))))
        for tables in rounds_to_come(design[:rounds], players, played, seed=seed)
    )


def _move_on(seating: RoundSeating, seats: int) -> RoundSeating:
    turn = seats % SEATS
    return RoundSeating(tuple((*table[turn:], *table[:turn]) for table in seating.tables), seating.byes)  # type: ignore[misc]


def dealer_seat(hand: int) -> int:
    """Return the seat that deals a hand of a round; hands are numbered from 1."""
    return (hand - 1) % SEATS


def properties(players: int, seatings: Sequence[RoundSeating]) -> Properties:
    """Count what a schedule gives each player and each pair of players."""
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
    """Choose the rounds of the design to play, ascending: swap rounds until no swap helps.

    Unequal byes outweigh any number of repeated opponents. Both are sums over pairs of rounds: players with a bye in
    both, and opponents in both.
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

    # Start with rounds in equal steps: overlap of two rounds depends on their distance.
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


class Pairs(Format):
    key = "pairs"
    name = mark("Individual pairs")
    about = mark("A new partner every round. 4 players and up")
    on_the_way = mark("Partners change each round")
    settings = (
        hands_setting(),
        *schedule_settings(
            MOST_CYCLES,
            rounds_help=mark("Empty: until all players have been partners"),
            cycles=mark("How often the schedule is played"),
            cycles_help=mark("1 plays the schedule once"),
        ),
        bye_points_setting(),
    )
    demos = (
        Demo("Harvest Pairs", -7, rounds=None),
        Demo("Autumn Pairs", 0, rounds=3, hands=(None, 2), seed=4),
        Demo("Winter Warm-up", 7, more=True),
    )
    partners = True
    drawn_ahead = True
    has_groups = True

    def possible(self) -> tuple[int, ...]:
        return possible_players()

    def describe_possible(self) -> Sentence:
        return describe_possible()

    def wrong_number(self, players: int) -> Sentence:
        return _wrong_number(players)

    def misfits(self, values: Chosen, players: int | None) -> dict[str, Sentence]:
        if not players or players not in self.possible():
            return {}
        try:
            self.schedule(players, values)
        except NotPossible as exc:
            return {"rounds" if values["cycles"] == 1 else "cycles": exc.sentence}
        return {}

    def schedule(self, entries: int, values: Chosen) -> list[Seating]:
        return _with_members(plan(entries, values["rounds"], values["cycles"] or 1))

    def more_rounds(
        self, entries: int, rounds: int, played: SeatedBefore, values: Chosen, *, seed: str
    ) -> list[Seating]:
        return _with_members(to_come(entries, rounds, played, seed=seed))

    def rounds(self, values: Chosen, players: int) -> int:
        return len(plan(players, values["rounds"], values["cycles"] or 1))

    def byes(self, entries: int, values: Chosen) -> int:
        return entries % SEATS

    def counts(self, entries: int, rounds: Sequence[Seating]) -> dict[str, tuple[int, int]]:
        counted = properties(entries, [_without_members(seating) for seating in rounds])
        return {
            "Times partnered": counted.partnered,
            "Times opposed": counted.opposed,
            "Times in each seat": counted.in_each_seat,
            "Byes": counted.byes,
        }

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        rounds, hands, cycles = self.schedule(players, values), values["hands_per_round"] or 0, values["cycles"] or 1
        most_byes = max(sum(player in seating.byes for seating in rounds) for player in range(players))
        return Evening(
            players=players,
            tables=((len(rounds[0].tables), SEATS),),
            rounds=len(rounds),
            hands=(len(rounds) - most_byes) * hands,
            minutes=round(len(rounds) * hands * minutes_a_hand(SEATS)),
            byes=len(rounds[0].byes),
            cycles=cycles,
        )


def _with_members(rounds: Sequence[RoundSeating]) -> list[Seating]:
    return [Seating([[(player, 0) for player in table] for table in row.tables], row.byes) for row in rounds]


def _without_members(seating: Seating) -> RoundSeating:
    tables = (tuple(player for player, _member in table) for table in seating.tables)
    return RoundSeating(tuple(tables), tuple(seating.byes))  # type: ignore[arg-type]
