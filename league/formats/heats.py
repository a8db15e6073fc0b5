"""Heats and a final: the best of each table play on, with the best of the others, until one table plays the final.

A round has tables of at most so many, sizes within one. Of each the best `best` go on, and of all others `lucky` more,
so that the next round comes out even; a round at one table is the final. Everybody begins each round at 0. Everything
here is pure: seats and points in, lines out, so that a correction of an old round is right everywhere at once. Who sat
in the next round went on, whatever the points say by now.

Places at a table go by points, then hands won, then the lot; whoever leaves in the same round shares the place. Where
there is a second ladder, those who are out after the first round play it, beside the first one, to a final of its own.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest
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
    # At least a fifth leaves in every round. Of many numbers that hardly differ some are tried.
    for goes_on in range(max(tables, FEWEST_AT_A_TABLE), players * 4 // 5 + 1, max(1, players // 150)):
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
    """Somebody's points at a table in a round and the hands they won. beside: how many of the points are penalties and
    the like, which are no measure of the table."""

    entry: str
    points: int = 0
    won: int = 0
    beside: int = 0


@dataclass(frozen=True)
class Played:
    """A round as it was seated: who sat at each table, and their results. is_over: it is closed.

    second: the numbers of the tables of the second ladder. absent: who had left when it was closed, or has by now.
    gone: who has left before the next round. size: the most at a table when it was published.
    """

    number: int
    tables: Mapping[int, Sequence[Result]]
    is_over: bool
    second: Collection[int] = ()
    absent: Collection[str] = ()
    gone: Collection[str] = ()
    size: int | None = None

    @property
    def entries(self) -> set[str]:
        return {result.entry for results in self.tables.values() for result in results}

    def of_ladder(self, *, second: bool) -> "Played":
        tables = {number: results for number, results in self.tables.items() if (number in self.second) == second}
        return replace(self, tables=tables, second=self.second if second else ())


class Line(NamedTuple):
    """Where somebody stands.

    round, table: where they sat last; None: they never did. place: there, from 1. points: of that round. rank: those
    who are in by their places and shares, then the others by the round in which they left, which they share. through:
    whether they sit in a round to come. lucky: as one of the best of the others. by_lot: only the lot separated them
    from somebody at their table, or at the cut. second: in the second ladder.
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
    second: bool = False


@dataclass(frozen=True)
class State:
    """lines: by entry, the best first. still_in: who sits in the open round or in the next one, the best first, and
    `beside` who does in the second ladder.

    another_round: whether one is still to come. rungs: of the rounds that were seated, with who was really there;
    to_come: of those after them, if nobody leaves, and `beside_to_come`. final: the number of the round with the final,
    once it is seated. winner: of it, once it is over.
    """

    lines: Mapping[str, Line]
    still_in: tuple[str, ...]
    another_round: bool
    rungs: tuple[Rung, ...]
    to_come: Ladder = ()
    final: int | None = None
    winner: str | None = None
    beside: tuple[str, ...] = ()
    beside_to_come: Ladder = ()


class _Placed(NamedTuple):
    """Of unlike tables the place counts first, then the points against the mean of the table, which knows no sizes.

    Where nothing was played there is no mean, and everybody stands behind the others.
    """

    place: int
    behind: tuple[bool, Fraction]
    lot: bytes
    result: Result
    table: int
    level: tuple[bool, int, int]
    """What stands before the lot, at one table."""

    @property
    def entry(self) -> str:
        return self.result.entry


def state_of(
    entrants: Sequence[str],
    rounds: Sequence[Played],
    *,
    following: Played | None = None,
    dropped: Collection[str] = (),
    table_size: int,
    planned: int | None = None,
    seed: str = "",
    lowest_wins: bool = False,
    ladders: int = 1,
) -> State:
    """Where the event stands, or stood. entrants: in the order of the list. rounds: those that were seated, ascending.

    following: the round that was seated after them, where an earlier state is asked for. dropped: who has left before
    the first round. planned: how many rounds were chosen; None: as many as are suggested. seed: of the lot. ladders: 2
    with a second one for those who are out after the first round.
    """
    ladder_of = _Rules(table_size, planned, seed, lowest_wins)
    first = _one_ladder(entrants, _of_ladder(rounds, second=False), _next(following, second=False), dropped, ladder_of)
    if ladders == 1 or not rounds or not rounds[0].is_over or not first.rungs[0].best:
        return first
    out = [entry for entry, line in first.lines.items() if line.round == rounds[0].number and not line.through]
    of_second = _of_ladder(rounds[1:], second=True)
    gone = rounds[0].gone
    beside = _next(following, second=True)
    if not of_second and (len(set(out) - set(gone)) < 2 if following is None else beside is None):
        return first
    second = _one_ladder(out, of_second, beside, gone, replace(ladder_of, planned=None))
    before = list(first.lines).index(out[0])
    if of_second:
        lines = {entry: line._replace(rank=line.rank + before, second=True) for entry, line in second.lines.items()}
    else:
        goes_on = beside.entries if beside else set(second.still_in)
        lines = {entry: first.lines[entry]._replace(second=True) for entry in out}
        lines |= {entry: lines[entry]._replace(status=ACTIVE, through=True) for entry in out if entry in goes_on}
    rest = [(entry, line) for entry, line in first.lines.items() if entry not in lines]
    return replace(
        first,
        lines=dict(rest[:before]) | lines | dict(rest[before:]),
        another_round=first.another_round or second.another_round,
        beside=second.still_in,
        beside_to_come=second.to_come if of_second else _beside(len(second.still_in), table_size),
    )


def _of_ladder(rounds: Sequence[Played], *, second: bool) -> list[Played]:
    return [of_it for played in rounds if (of_it := played.of_ladder(second=second)).tables]


def _next(following: Played | None, *, second: bool) -> Played | None:
    of_it = following and following.of_ladder(second=second)
    return of_it if of_it and of_it.tables else None


def _beside(players: int, table_size: int) -> Ladder:
    """The second ladder, with larger tables where so few could not be seated otherwise."""
    sizes = range(table_size, players + 1)
    return next((found for size in sizes if (found := ladder(players, size))), (Rung(players, 1),))


@dataclass(frozen=True)
class _Rules:
    table_size: int
    planned: int | None
    seed: str
    lowest_wins: bool


def _one_ladder(
    entrants: Sequence[str], rounds: Sequence[Played], following: Played | None, dropped: Collection[str], rules: _Rules
) -> State:
    if not rounds:
        still_in = tuple(entry for entry in entrants if entry not in dropped)
        lines = {entry: Line(entry, DROPPED if entry in dropped else ACTIVE, 1, tied=True) for entry in entrants}
        return State(lines, still_in, another_round=len(still_in) > 1, rungs=())
    rungs, to_come = _rungs(rounds, rules)
    last, rung = rounds[-1], rungs[-1]
    is_final = not rung.best
    placed = {played.number: _in_order(played, rules) for played in rounds}
    if following is not None:
        remain = [one for one in placed[last.number] if one.entry in following.entries]
    elif is_final or not last.is_over:
        remain = [one for one in placed[last.number] if one.entry not in last.absent]
    else:  # for who does not come to the next round the best of those who did not go on moves up
        remain = [one for one in placed[last.number] if one.entry not in last.gone][: rung.goes_on]
    alone = last.is_over and not is_final and len(remain) == 1 and following is None
    is_through = not is_final and not alone and (last.is_over or following is not None)
    ranked = _Ranked()
    ranked.add(last, remain, ACTIVE, through=is_through, best=rung.best)
    if is_final:
        ranked.add(last, placed[last.number], OUT)  # who dropped out of the final
    goes_on: Collection[str] = {one.entry for one in remain}
    for played in reversed(rounds):
        ranked.add_together(played, placed[played.number])
        if played is not last or is_through:
            ranked.mark_lots(_level_at_the_cut(placed[played.number], goes_on))
        elif is_final and last.is_over:
            ranked.mark_lots(_level_at_a_table(placed[played.number]))
        goes_on = played.entries
    ranked.add_unseated(entrants, dropped)
    another_round = not is_final and not alone and (not last.is_over or len(remain) > 1)
    has_won = last.is_over and bool(remain) and (is_final or alone)
    return State(
        ranked.lines,
        tuple(one.entry for one in remain),
        another_round,
        tuple(rungs),
        to_come if another_round else (),
        last.number if is_final else None,
        remain[0].entry if has_won else None,
    )


class _Ranked:
    """Lines, added from the best down; who has one already is passed over."""

    def __init__(self) -> None:
        self.lines: dict[str, Line] = {}

    def add(
        self, played: Played, placed: Sequence[_Placed], status: str, *, through: bool = False, best: int = 0
    ) -> None:
        """Each by itself; equals share their rank, unless they sat together."""
        new = [one for one in placed if one.entry not in self.lines]
        first, keys = len(self.lines) + 1, [one[:2] for one in new]
        for one in new:
            line = self._line(one, played, status, first + keys.index(one[:2]), tied=keys.count(one[:2]) > 1)
            self.lines[one.entry] = line._replace(through=through, lucky=through and one.place > best)

    def add_together(self, played: Played, placed: Sequence[_Placed]) -> None:
        """Who left in one round shares the place."""
        left = [one for one in placed if one.entry not in self.lines]
        rank = len(self.lines) + 1
        for one in left:
            self.lines[one.entry] = self._line(one, played, OUT, rank, tied=len(left) > 1)

    def add_unseated(self, entrants: Sequence[str], dropped: Collection[str]) -> None:
        never = [entry for entry in entrants if entry not in self.lines]
        rank = len(self.lines) + 1
        for entry in never:
            self.lines[entry] = Line(entry, DROPPED if entry in dropped else OUT, rank, tied=len(never) > 1)

    def mark_lots(self, entries: Collection[str]) -> None:
        for entry in entries:
            self.lines[entry] = self.lines[entry]._replace(by_lot=True)

    def _line(self, one: _Placed, played: Played, status: str, rank: int, *, tied: bool) -> Line:
        status = DROPPED if status == OUT and one.entry in {*played.absent, *played.gone} else status
        return Line(one.entry, status, rank, tied, played.number, one.table, one.place, one.result.points)


def _level_at_the_cut(placed: Sequence[_Placed], goes_on: Collection[str]) -> set[str]:
    """Those whom the lot alone separated from somebody with the other fate: at their table, or among the others."""
    fates: dict[object, set[bool]] = {}
    groups: dict[object, list[str]] = {}
    for one in placed:
        for group in ((one.table, one.level), one[:2]):
            fates.setdefault(group, set()).add(one.entry in goes_on)
            groups.setdefault(group, []).append(one.entry)
    return {entry for group, entries in groups.items() if len(fates[group]) > 1 for entry in entries}


def _level_at_a_table(placed: Sequence[_Placed]) -> set[str]:
    levels = [(one.table, one.level) for one in placed]
    return {one.entry for one in placed if levels.count((one.table, one.level)) > 1}


def _rungs(rounds: Sequence[Played], rules: _Rules) -> tuple[list[Rung], Ladder]:
    """The rung of each round, and those after them: of the ladder that was begun, or of another one where others were
    there than it says."""
    rungs: list[Rung] = []
    plan: Ladder = ()
    size_before: int | None = None
    for played in rounds:
        players, tables = sum(map(len, played.tables.values())), len(played.tables)
        size = played.size or rules.table_size
        if not plan or plan[0].players != players or size != size_before:
            left = rules.planned and max(1, rules.planned - len(rungs))
            plan = ladder(players, size, left) or _beside(players, size)
        goes_on = plan[0].goes_on if plan and tables > 1 else 0
        best, lucky = divmod(goes_on, tables) if goes_on else (int(tables > 1), 0)
        rungs.append(Rung(players, tables, best, lucky))
        plan, size_before = plan[1:], size
    return rungs, plan


def _in_order(played: Played, rules: _Rules) -> list[_Placed]:
    """Everybody of a round: first those placed first at their tables, the best of these first.

    Whoever had left stands behind those who stayed, whatever they made before.
    """
    sign = 1 if rules.lowest_wins else -1
    found = []
    for table, results in played.tables.items():
        whole = sum(result.points - result.beside for result in results)
        ordered = sorted(
            (
                (result.entry in played.absent, sign * result.points, -result.won),
                sha256(f"{rules.seed}/{played.number}/{result.entry}".encode()).digest(),
                result,
            )
            for result in results
        )
        for place, (level, lot, result) in enumerate(ordered, start=1):
            mean = Fraction(result.points * len(results), whole) if whole > 0 else Fraction(result.points)
            found.append(_Placed(place, (whole <= 0, sign * mean), lot, result, table, level))
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
        Setting(
            "ladders",
            mark("Ladders"),
            1,
            2,
            1,
            help=mark("2: who is eliminated in round 1 plays a second ladder beside the first, and nobody has to go"),
        ),
    )
    demos = (Demo("Winter Heats", 21),)
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
        beside: Ladder = ()
        if values["ladders"] == 2 and (out := players - rungs[0].goes_on) > 1 and len(rungs) > 1:
            beside = (Rung(0, 0), *_beside(out, self.table_size(values)))
        plan, minutes = [], 0.0
        for first, second in zip_longest(rungs, beside):
            sizes = [
                *(golfers.table_sizes(first.players, first.tables) if first else ()),
                *(golfers.table_sizes(second.players, second.tables) if second and second.tables else ()),
            ]
            minutes += hands * minutes_a_hand(max(sizes))
            plan.append((tuple(sizes), _planned_in_words(first, second if second and second.tables else None)))
        sizes_of_first = sizes_of(players, self.table_size(values))
        rounds = len(plan)
        return Evening(players, sizes_of_first, rounds, hands * rounds, round(minutes), games=True, plan=tuple(plan))

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        """Of two ladders the tables of the second follow those of the first."""
        people = list(wanted.players)
        first, beside = people[: len(people) - wanted.beside], people[len(people) - wanted.beside :]
        if len(people) < 2:
            raise NotPossible(self.describe_possible())
        drawn: list[list[str]] = []
        for group in filter(None, (first, beside)):
            rung = _beside(len(group), self.table_size(values))[0]
            drawn += self._draw_ladder(group, rung.tables, wanted, len(drawn))
        return drawn

    def _draw_ladder(self, group: Sequence[str], tables: int, wanted: Draw, before: int) -> list[list[str]]:
        """before: how many tables are drawn already."""
        apart = wanted.apart if tables > 1 else ()  # in the final everybody meets
        here = range(before, before + tables)
        fixed = {player: table - 1 - before for player, table in wanted.fixed.items() if table - 1 in here}
        fixed = {player: table for player, table in fixed.items() if player in group}
        if wanted.seeded and not (fixed or apart):
            return seat(group, tables, wanted.past, seed=wanted.seed)
        past = list(wanted.past)
        if wanted.seeded:  # as if those of one tier had met
            past = [[list(group[at : at + tables]) for at in range(0, len(group), tables)], *past]
        return golfers.next_round(group, tables, past, seed=wanted.seed, fixed=fixed, apart=apart)

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


def _planned_in_words(first: Rung | None, second: Rung | None) -> Sentence:
    """What happens after a round of both ladders."""
    if first is None:
        assert second is not None
        return sentence("Second ladder: %(what)s", what=rung_in_words(second))
    if second is None:
        return rung_in_words(first)
    return sentence("%(first)s. Second ladder: %(second)s", first=rung_in_words(first), second=rung_in_words(second))
