"""Heats and a final: the best of each table play on, with the best of the others, until one table plays the final.

A round has tables of at most so many, sizes within one. Of each the best `best` go on, and of all others `lucky` more,
so that the next round comes out even; a round at one table is the final. Everybody begins each round at 0. Everything
here is pure: seats and points in, lines out, so that a correction of an old round is right everywhere at once. Who sat
in the next round went on, whatever the points say by now.

Places at a table go by points, then hands won, then the lot; whoever leaves in the same round shares the place.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from engine.rules import LOWEST_TOTAL, MAX_PLAYERS, WINNER_TAKES
from engine.sentences import Sentence, counted, mark, sentence
from league.formats.estimate import Evening, minutes_a_hand, sizes_of
from league.formats.protocol import (
    FINAL,
    Chosen,
    Demo,
    Draw,
    Format,
    Setting,
    hands_setting,
    table_size_setting,
)
from league.formats.seating import golfers
from league.formats.seating.dice import Dice
from league.formats.seating.not_possible import NotPossible

FEWEST_PLAYERS, MOST_PLAYERS = 6, 1000
SMALLEST_TABLE, LARGEST_TABLE = 4, MAX_PLAYERS  # with at most 3 at a table, 7 players could not be seated by threes
FEWEST_AT_A_TABLE = 3
MOST_ROUNDS = 10
DEFAULT_SIZE = 4

ACTIVE, OUT, DROPPED = "active", "out", "dropped"


class Rung(NamedTuple):
    """A round: who plays, at how many tables, and who goes on: the best of each and so many of the others. 0: final."""

    players: int
    tables: int
    best: int = 0
    lucky: int = 0

    @property
    def goes_on(self) -> int:
        return self.tables * self.best + self.lucky


Ladder = tuple[Rung, ...]


@lru_cache(maxsize=4096)
def ladder(players: int, table_size: int, rounds: int | None = None) -> Ladder | None:
    """The rounds from so many players to the final; None where there are none, or not just so many.

    Few rounds in each of which about half go on, few by luck, and tables that come out even.
    """
    found = _cheapest(players, table_size, rounds)
    return found[1] if found else None


@lru_cache(maxsize=65536)
def _cheapest(players: int, size: int, rounds: int | None) -> tuple[float, Ladder] | None:
    if players <= size:
        fits = rounds in (None, 1) and players >= 2
        return (0.5 * max(0, min(size, 4) - players), (Rung(players, 1),)) if fits else None
    if rounds == 1:
        return None
    tables = golfers.count_tables(players, size)
    smallest = players // tables
    if smallest < FEWEST_AT_A_TABLE:
        return None
    cheapest: tuple[float, Ladder] | None = None
    # At least a fifth leaves in every round.
    for goes_on in range(max(tables, FEWEST_AT_A_TABLE), players * 4 // 5 + 1):
        best, lucky = divmod(goes_on, tables)
        if best >= smallest:
            break
        rest = _cheapest(goes_on, size, None if rounds is None else rounds - 1)
        if rest is None:
            continue
        cost = rest[0] + _cost(players, goes_on, tables, lucky, size, is_given=rounds is not None)
        if cheapest is None or cost <= cheapest[0]:
            cheapest = cost, (Rung(players, tables, best, lucky), *rest[1])
    return cheapest


def _cost(players: int, goes_on: int, tables: int, lucky: int, size: int, *, is_given: bool) -> float:
    """Of a rung. is_given: how many rounds there are was chosen, so that steeper or flatter ones are meant."""
    share = players / goes_on
    steep, flat = max(0.0, share - 2.7) + 5 * max(0.0, share - 3), max(0.0, 1.5 - share)
    uneven = goes_on > size and goes_on % golfers.count_tables(goes_on, size) != 0
    odd = 0.25 * (max(0.0, share - 3) + flat) ** 2 if is_given else steep / 2 + 2 * flat
    return 0.5 + 2.5 * (lucky / tables) ** 2 + 0.4 * uneven + odd


def rounds_possible(players: int, table_size: int) -> list[int]:
    return [rounds for rounds in range(1, MOST_ROUNDS + 1) if ladder(players, table_size, rounds)]


# --- what was played


class Result(NamedTuple):
    """Somebody's points at a table in a round, those beside its hands included, and the hands they won."""

    entry: str
    points: int = 0
    won: int = 0


@dataclass(frozen=True)
class Played:
    """A round as it was seated: who sat at each table, and their results. is_over: it is closed."""

    number: int
    tables: Mapping[int, Sequence[Result]]
    is_over: bool


class Line(NamedTuple):
    """Where somebody stands.

    round, table: where they sat last; None: they never did. place: there, from 1. points: of that round. rank: those
    who are in by their places and shares, then the others by the round in which they left, which they share. through:
    whether they sit in a round to come. lucky: as one of the best of the others. by_lot: only the lot separated them
    from somebody at their table, or at the cut.
    """

    entry: str
    status: str
    rank: int
    tied: bool
    round: int | None = None
    table: int | None = None
    place: int | None = None
    points: int = 0
    through: bool = False
    lucky: bool = False
    by_lot: bool = False


@dataclass(frozen=True)
class State:
    """lines: by entry, the best first. still_in: who sits in the open round or in the next one, the best first.

    another_round: whether one is still to come. rungs: of the rounds that were seated, with who was really there;
    to_come: of those after them, if nobody leaves. winner: of the final, once it is over.
    """

    lines: Mapping[str, Line]
    still_in: tuple[str, ...]
    another_round: bool
    rungs: tuple[Rung, ...]
    to_come: Ladder = ()
    winner: str | None = None


class _Placed(NamedTuple):
    """Of unlike tables the place counts first, then the points against the mean of the table, which knows no sizes."""

    place: int
    behind: Fraction
    lot: bytes
    result: Result
    table: int
    by_lot: bool

    @property
    def entry(self) -> str:
        return self.result.entry


def state_of(
    entrants: Sequence[str],
    rounds: Sequence[Played],
    *,
    dropped: Collection[str] = (),
    table_size: int,
    planned: int | None = None,
    seed: str = "",
    lowest_wins: bool = False,
) -> State:
    """Where the event stands. entrants: in the order of the list. rounds: those that were seated, ascending.

    planned: how many rounds were chosen; None: as many as are suggested. seed: of the lot.
    """
    if not rounds:
        still_in = tuple(entry for entry in entrants if entry not in dropped)
        lines = {entry: Line(entry, DROPPED if entry in dropped else ACTIVE, 1, tied=True) for entry in entrants}
        return State(lines, still_in, another_round=len(still_in) > 1, rungs=())
    rungs, to_come = _rungs(rounds, table_size, planned)
    last, is_final = rounds[-1], not rungs[-1].best
    placed = {played.number: _in_order(played, seed, lowest_wins=lowest_wins) for played in rounds}
    # For who does not come to the next round the best of those who did not go on moves up.
    remain = [one for one in placed[last.number] if one.entry not in dropped]
    if last.is_over and not is_final:
        remain, others = remain[: rungs[-1].goes_on], remain[rungs[-1].goes_on :]
        if remain and others and remain[-1][:2] == others[0][:2]:
            at_the_cut = remain[-1][:2]
            remain, placed[last.number] = (
                [one._replace(by_lot=one.by_lot or one[:2] == at_the_cut) for one in some]
                for some in (remain, placed[last.number])
            )
    ranked = _Ranked(dropped)
    ranked.add(last.number, remain, ACTIVE, through=last.is_over and not is_final, best=rungs[-1].best)
    if is_final:
        ranked.add(last.number, placed[last.number], OUT)  # who dropped out of the final
    for played in reversed(rounds):
        ranked.add_together(played.number, placed[played.number])
    ranked.add_unseated(entrants)
    another_round = not is_final and (not last.is_over or len(remain) > 1)
    winner = remain[0].entry if is_final and last.is_over and remain else None
    still_in = tuple(one.entry for one in remain)
    return State(ranked.lines, still_in, another_round, tuple(rungs), to_come if another_round else (), winner)


class _Ranked:
    """Lines, added from the best down; who has one already is passed over."""

    def __init__(self, dropped: Collection[str]) -> None:
        self.dropped = dropped
        self.lines: dict[str, Line] = {}

    def add(self, number: int, placed: Sequence[_Placed], status: str, *, through: bool = False, best: int = 0) -> None:
        """Each by itself; equals share their rank, unless they sat together."""
        new = [one for one in placed if one.entry not in self.lines]
        first, keys = len(self.lines) + 1, [one[:2] for one in new]
        for one in new:
            at = keys.index(one[:2])
            self.lines[one.entry] = self._line(one, number, status, first + at, tied=keys.count(one[:2]) > 1)._replace(
                through=through, lucky=through and one.place > best
            )

    def add_together(self, number: int, placed: Sequence[_Placed]) -> None:
        """Who left in one round shares the place."""
        left = [one for one in placed if one.entry not in self.lines]
        rank = len(self.lines) + 1
        for one in left:
            self.lines[one.entry] = self._line(one, number, OUT, rank, tied=len(left) > 1)

    def add_unseated(self, entrants: Sequence[str]) -> None:
        never = [entry for entry in entrants if entry not in self.lines]
        rank = len(self.lines) + 1
        for entry in never:
            self.lines[entry] = Line(entry, self._status(entry, OUT), rank, tied=len(never) > 1)

    def _line(self, one: _Placed, number: int, status: str, rank: int, *, tied: bool) -> Line:
        return Line(
            one.entry,
            self._status(one.entry, status),
            rank,
            tied,
            number,
            one.table,
            one.place,
            one.result.points,
            by_lot=one.by_lot,
        )

    def _status(self, entry: str, status: str) -> str:
        return DROPPED if entry in self.dropped else status


def _rungs(rounds: Sequence[Played], table_size: int, planned: int | None) -> tuple[list[Rung], Ladder]:
    """The rung of each round, and those after them: of the ladder that was begun, or of another one where others were
    there than it says."""
    rungs: list[Rung] = []
    plan: Ladder = ()
    for played in rounds:
        players, tables = sum(map(len, played.tables.values())), len(played.tables)
        if not plan or plan[0].players != players:
            left = planned and max(1, planned - len(rungs))
            plan = ladder(players, table_size, left) or ladder(players, table_size) or ()
        goes_on = plan[0].goes_on if plan and tables > 1 else 0
        best, lucky = divmod(goes_on, tables) if goes_on else (int(tables > 1), 0)
        rungs.append(Rung(players, tables, best, lucky))
        plan = plan[1:]
    return rungs, plan


def _in_order(played: Played, seed: str, *, lowest_wins: bool) -> list[_Placed]:
    """Everybody of a round: first those placed first at their tables, the best of these first."""
    sign = 1 if lowest_wins else -1
    found = []
    for table, results in played.tables.items():
        all_points = sum(result.points for result in results)

        def behind(result: Result, all_points: int = all_points, size: int = len(results)) -> Fraction:
            return (
                sign * Fraction(result.points * size, all_points) if all_points > 0 else Fraction(sign * result.points)
            )

        keys = [(sign * result.points, -result.won) for result in results]
        lots = [sha256(f"{seed}/{played.number}/{result.entry}".encode()).digest() for result in results]
        ordered = sorted(zip(keys, lots, results, strict=True), key=lambda one: one[:2])
        for place, (key, lot, result) in enumerate(ordered, start=1):
            found.append(_Placed(place, behind(result), lot, result, table, keys.count(key) > 1))
    return sorted(found, key=lambda one: one[:3])


# --- the next round


def seat(
    seeded: Sequence[str], tables: int, past: Sequence[Sequence[Sequence[str]]] = (), *, seed: str
) -> list[list[str]]:
    """Tables by seat, for those who go on, the best first: in a snake, each table one of every tier.

    Inside their tiers people change places so that those who sat together meet again as late as possible.
    """
    snake: list[list[str]] = [[] for _ in range(tables)]
    for at, entry in enumerate(seeded):
        tier, place = divmod(at, tables)
        snake[place if tier % 2 == 0 else tables - 1 - place].append(entry)
    met: dict[frozenset[str], int] = {}
    for distance, seating in enumerate(reversed(past), start=1):
        for table in seating:
            for at, one in enumerate(table):
                for other in table[:at]:
                    pair = frozenset((one, other))
                    met[pair] = met.get(pair, 0) + (4 if distance == 1 else 1)
    _part_again(snake, met)
    return golfers.order_seats(snake, past, Dice(f"{seed}/{len(past) + 1}/seats"))


def _part_again(tables: list[list[str]], met: Mapping[frozenset[str], int]) -> None:
    """Swap two of a tier for as long as that leaves fewer who have met at one table."""

    def at_table(table: Sequence[str], entry: str, but: int) -> int:
        return sum(met.get(frozenset((entry, other)), 0) for tier, other in enumerate(table) if tier != but)

    better = bool(met)
    while better:
        better = False
        for tier in range(max(map(len, tables))):
            here = [table for table in tables if tier < len(table)]
            for at, one in enumerate(here):
                for other in here[:at]:
                    mine, theirs = one[tier], other[tier]
                    now = at_table(one, mine, tier) + at_table(other, theirs, tier)
                    if now > at_table(one, theirs, tier) + at_table(other, mine, tier):
                        one[tier], other[tier] = theirs, mine
                        better = True


class Heats(Format):
    key = "heats"
    name = mark("Heats and a final")
    about = mark("The best of each table go on, until one table plays the final. 6 to 1000 players")
    on_the_way = mark("The best of each table go on")
    ending = FINAL
    at_the_end = mark("The final")
    settings = (
        hands_setting(),
        Setting(
            "rounds",
            mark("Rounds"),
            1,
            MOST_ROUNDS,
            empty=mark("as many as suit the number of players"),
            help=mark("With the final. Empty: as many as suit the number of players"),
        ),
        table_size_setting(
            SMALLEST_TABLE, LARGEST_TABLE, DEFAULT_SIZE, mark("4 to 10; tables are made as even as can be")
        ),
    )
    demos = (Demo("Winter Heats", -3, rounds=1, hands=(4, 2, 1), more=True),)
    scorings = (WINNER_TAKES, LOWEST_TOTAL)
    tie_breaks = False
    advances = True
    has_odds = False
    fewest, most = FEWEST_PLAYERS, MOST_PLAYERS

    def misfits(self, values: Chosen, players: int | None) -> dict[str, Sentence]:
        size, rounds = self.table_size(values), values["rounds"]
        if not players or rounds is None or players < self.fewest or ladder(players, size, rounds):
            return {}
        possible = rounds_possible(players, size)
        words = {"players": players, "size": size, "least": possible[0], "most": possible[-1], "rounds": rounds}
        if len(possible) == 1:
            why = sentence(
                "%(players)d players at tables of %(size)d come to a final in %(least)d rounds, not in %(rounds)d.",
                **words,
            )
        else:
            why = sentence(
                "%(players)d players at tables of %(size)d come to a final in %(least)d to %(most)d rounds, "
                "not in %(rounds)d.",
                **words,
            )
        return {"rounds": why}

    def rounds(self, values: Chosen, players: int) -> int | None:
        found = ladder(players, self.table_size(values), values["rounds"]) if players else None
        return len(found) if found else values["rounds"]

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        rungs, hands = self._ladder(players, values), self.hands(values) or 4
        minutes = sum(hands * minutes_a_hand(-(-rung.players // rung.tables)) for rung in rungs)
        sizes = sizes_of(players, self.table_size(values))
        plan = [(tuple(golfers.table_sizes(rung.players, rung.tables)), rung_in_words(rung)) for rung in rungs]
        return Evening(players, sizes, len(rungs), hands * len(rungs), round(minutes), games=True, plan=tuple(plan))

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        if len(wanted.players) < 2:
            raise NotPossible(self.describe_possible())
        tables = golfers.count_tables(len(wanted.players), self.table_size(values))
        apart = wanted.apart if tables > 1 else ()  # in the final everybody meets
        if wanted.seeded and not (wanted.fixed or apart):
            return seat(wanted.players, tables, wanted.past, seed=wanted.seed)
        past = [*self._tiers(wanted, tables), *wanted.past]
        fixed = {player: table - 1 for player, table in wanted.fixed.items() if table <= tables}
        return golfers.next_round(wanted.players, tables, past, seed=wanted.seed, fixed=fixed, apart=apart)

    def _tiers(self, wanted: Draw, tables: int) -> list[list[list[str]]]:
        """As if those of one tier had met."""
        players = list(wanted.players)
        return [[players[at : at + tables] for at in range(0, len(players), tables)]] if wanted.seeded else []

    def _ladder(self, players: int, values: Chosen) -> Ladder:
        size = self.table_size(values)
        return ladder(players, size, values["rounds"]) or ladder(players, size) or (Rung(players, 1),)

    def rounds_in_words(self, values: Chosen, scoring: str) -> list[Sentence]:
        hands = values["hands_per_round"] or 0
        parts = [counted("%(count)d hand a round", "%(count)d hands a round", hands)]
        return [*parts, sentence("lowest total wins")] if scoring == LOWEST_TOTAL else parts


def rung_in_words(rung: Rung) -> Sentence:
    """“the best 2 of each table and 2 of the others go on”"""
    words = {"best": rung.best, "lucky": rung.lucky, "players": rung.players}
    if not rung.best:
        return sentence("Final of %(players)d", **words)
    if not rung.lucky:
        return counted("The best of each table goes on", "The best %(count)d of each table go on", rung.best)
    return counted(
        "The best of each table and %(lucky)d of the others go on",
        "The best %(count)d of each table and %(lucky)d of the others go on",
        rung.best,
        lucky=rung.lucky,
    )
