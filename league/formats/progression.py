"""Model elimination formats with one shape (`State`), and rank heats: qualifiers, eliminated players, places.

Seats and points in, lines out, so a correction of an old round is right everywhere at once. Each round starts at 0. A
player seated in the next round has qualified, whatever the points say later. Places at a table go by points, hands
won, an extra hand, then a random tie-break. Tied finalists share their place, as do players who leave in the same
round. Players who are out after round 1 of a format with a second ladder play it to a final of its own.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from league.formats.ladder import FEWEST_AT_A_TABLE, Ladder, Rung, any_ladder, way

ACTIVE, OUT, DROPPED = "active", "out", "dropped"
HANDS_WON, EXTRA_HAND, LOT = "hands-won", "extra-hand", "lot"  # tie-breaks of equal points, in order


class Result(NamedTuple):
    """A player's points and hands won at a table in a round. adjustments: part of the points from penalties and the
    like, ignored in the table's mean; extra: part of those from an extra hand, which only breaks a tie.
    """

    entry: str
    points: int = 0
    won: int = 0
    adjustments: int = 0
    extra: int = 0

    def level(self, sign: int) -> tuple[int, int, int]:
        return sign * (self.points - self.extra), -self.won, sign * self.extra


@dataclass(frozen=True)
class Played:
    """A round as seated, with results. is_over: closed.

    second: numbers of the second ladder's tables. absent: players who had left at the end of the round or have left
    since; of a duel, when it was decided. gone: left before the next round. size: table size when published. byes:
    players with a bye. lost: players who entered with one loss, in a tree that forgives one. decided: finished duels
    of an open round.
    """

    number: int
    tables: Mapping[int, Sequence[Result]]
    is_over: bool
    second: Collection[int] = ()
    absent: Collection[str] = ()
    gone: Collection[str] = ()
    size: int | None = None
    byes: Collection[str] = ()
    lost: Collection[str] = ()
    decided: Collection[int] = ()

    @property
    def entries(self) -> set[str]:
        return {result.entry for results in self.tables.values() for result in results}.union(self.byes)

    def is_over_at(self, table: int) -> bool:
        return self.is_over or table in self.decided

    def of_ladder(self, *, second: bool) -> "Played":
        tables = {number: results for number, results in self.tables.items() if (number in self.second) == second}
        return replace(self, tables=tables, second=self.second if second else (), byes=() if second else self.byes)


class Line(NamedTuple):
    """Position of a player.

    round, table: last seat; None: never seated. place: there, from 1. points: of that round. rank: active players by
    place and share, then the others by the round of leaving, shared. through: qualified for a future round. lucky: as
    next best. by_lot: only the random tie-break separated them from a player at their table, or at the cut. second: in
    the second ladder. by: opponent who beat them in a duel. for_third: plays or played for third place. lost: still in
    after a loss. again: plays the repechage, which others skip. decided_by: what broke a tie.
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
    by: str | None = None
    for_third: bool = False
    lost: bool = False
    again: bool = False
    decided_by: str | None = None


@dataclass(frozen=True)
class Began:
    """Starting entries, in the order of the list or of a cut, and the tie-break. seeds: of a tree, best first.
    dropped: left before round 1. seed: of the random tie-break. second_ladder: plays a second ladder from round 1 on.
    """

    entrants: Sequence[str]
    seeds: Sequence[str] = ()
    dropped: Collection[str] = ()
    seed: str = ""
    lowest_wins: bool = False
    second_ladder: Collection[str] = ()


@dataclass(frozen=True)
class State:
    """lines: by entry, best first. still_in: players of the open or next round, best first; `second_ladder`: players of
    the second ladder, or of the match for third place.

    another_round: a round is still to come. rungs: of seated rounds, with the players actually present; to_come: of
    later rounds, if no player leaves; `second_rungs` and `second_to_come`: of the second ladder. final: round number
    of the final, once seated. winners: of the final, once over; may be shared. lost, pairs: in a tree that forgives a
    loss, players with one, and the matches of the next round. waiting: players who skip the repechage.
    """

    lines: Mapping[str, Line]
    still_in: tuple[str, ...]
    another_round: bool
    rungs: tuple[Rung, ...]
    to_come: Ladder = ()
    final: int | None = None
    winners: tuple[str, ...] = ()
    second_ladder: tuple[str, ...] = ()
    second_rungs: tuple[Rung, ...] = ()
    second_to_come: Ladder = ()
    lost: Collection[str] = ()
    pairs: tuple[tuple[str, ...], ...] = ()
    waiting: tuple[str, ...] = ()

    @property
    def winner(self) -> str | None:
        return self.winners[0] if len(self.winners) == 1 else None


class Placed(NamedTuple):
    """A player in the order of a round. table, place: 0 for a bye, which comes first.

    At tables of different sizes the place counts first, then points divided by the table's mean. Without recorded
    hands there is no mean, and the table comes last.
    """

    place: int
    behind: tuple[bool, Fraction]
    lot: bytes
    result: Result
    table: int
    level: tuple[bool, int, int, int]
    """Criteria before the random tie-break, at one table."""

    @property
    def entry(self) -> str:
        return self.result.entry


@dataclass(frozen=True)
class Rules:
    """Rules of heats. table_size: most at a table. planned: chosen number of rounds; None: suggested. byes: some skip
    round 1, in place of next-best places. repechage: non-qualifiers of round 1 play again. second_ladder: players
    who are out after round 1 play one.
    """

    table_size: int
    planned: int | None = None
    byes: bool = False
    repechage: bool = False
    second_ladder: bool = False


def state_of(began: Began, rounds: Sequence[Played], following: Played | None, rules: Rules) -> State:
    """Return the state after rounds. rounds: seated rounds, ascending.

    following: the next seated round, to compute an earlier state.
    """
    second_rules, second_ladder = Rules(rules.table_size), began.second_ladder
    in_first = [entry for entry in began.entrants if entry not in second_ladder]
    first = _one_ladder(
        replace(began, entrants=in_first), _of_ladder(rounds, second=False), _next(following, second=False), rules
    )
    next_second = _next(following, second=True)
    if second_ladder:
        in_second = replace(began, entrants=[entry for entry in began.entrants if entry in second_ladder])
        second = _one_ladder(in_second, _of_ladder(rounds, second=True), next_second, second_rules)
        lines = {entry: line._replace(second=True) for entry, line in second.lines.items()}
        return _with_second(first, second, lines, len(first.lines), rules.table_size)
    is_over = bool(rounds) and rounds[0].is_over
    if not rules.second_ladder or not is_over or not first.rungs[0].best or first.rungs[0].again:
        return first
    out = [entry for entry, line in first.lines.items() if line.round == rounds[0].number and not line.through]
    of_second = _of_ladder(rounds[1:], second=True)
    gone = rounds[0].gone
    if not of_second and (len(set(out) - set(gone)) < 2 if following is None else next_second is None):
        return first
    second = _one_ladder(replace(began, entrants=out, dropped=gone), of_second, next_second, second_rules)
    before = list(first.lines).index(out[0])
    if of_second:
        lines = {entry: line._replace(second=True) for entry, line in second.lines.items()}
        return _with_second(first, second, lines, before, rules.table_size)
    advancing = next_second.entries if next_second else set(second.still_in)
    lines = {entry: first.lines[entry]._replace(second=True, rank=first.lines[entry].rank - before) for entry in out}
    lines |= {entry: lines[entry]._replace(status=ACTIVE, through=True) for entry in out if entry in advancing}
    return _with_second(first, second, lines, before, rules.table_size)


def not_begun(began: Began) -> State:
    """Return the state before round 1."""
    still_in = tuple(entry for entry in began.entrants if entry not in began.dropped)
    lines = {
        entry: Line(entry, DROPPED if entry in began.dropped else ACTIVE, 1, tied=True) for entry in began.entrants
    }
    return State(lines, still_in, another_round=len(still_in) > 1, rungs=())


def _with_second(first: State, second: State, lines: Mapping[str, Line], before: int, table_size: int) -> State:
    """Merge both ladders: lines of the second ladder, ranked separately, follow the `before` best of the first."""
    lines = {entry: line._replace(rank=line.rank + before) for entry, line in lines.items()}
    rest = [(entry, line) for entry, line in first.lines.items() if entry not in lines]
    plays_on = not second.winners and (second.another_round or bool(second.rungs))
    return replace(
        first,
        lines=dict(rest[:before]) | lines | dict(rest[before:]),
        another_round=first.another_round or second.another_round,
        second_ladder=second.still_in if plays_on else (),
        second_rungs=second.rungs,
        second_to_come=second.to_come if second.rungs else any_ladder(len(second.still_in), table_size),
    )


def _of_ladder(rounds: Sequence[Played], *, second: bool) -> list[Played]:
    return [of_it for played in rounds if (of_it := played.of_ladder(second=second)).tables]


def _next(following: Played | None, *, second: bool) -> Played | None:
    of_it = following and following.of_ladder(second=second)
    return of_it if of_it and of_it.tables else None


def _one_ladder(began: Began, rounds: Sequence[Played], following: Played | None, rules: Rules) -> State:
    if not rounds:
        return not_begun(began)
    rungs, to_come = _rungs(rounds, rules)
    last, rung = rounds[-1], rungs[-1]
    is_final = not rung.best
    placed: dict[int, list[Placed]] = {}
    before: list[Placed] = []
    for played in rounds:
        before = with_byes(played, seed=began.seed, lowest_wins=began.lowest_wins, before=before)
        placed[played.number] = before
    if following is not None:
        remain = [one for one in placed[last.number] if one.entry in following.entries]
    elif is_final or not last.is_over:
        remain = [one for one in placed[last.number] if one.entry not in last.absent]
    else:  # the best non-qualifier replaces a missing player
        remain = [one for one in placed[last.number] if one.entry not in last.gone][: rung.advancing]
    alone = last.is_over and not is_final and len(remain) == 1 and following is None
    is_through = not is_final and not alone and (last.is_over or following is not None)
    waiting: tuple[str, ...] = ()
    if rung.again and following is not None:
        waiting = tuple(one.entry for one in remain if one.entry in following.byes)
    elif rung.again and is_through:
        size, left = last.size or rules.table_size, rules.planned and rules.planned - 1
        waiting = _waiting([one.entry for one in remain], rung.best_ones, size)
        to_come = way(len(remain), size, left, waiting=len(waiting) or None)
    ranked = _Ranked()
    by_place = rung.players if rung.again else rung.best  # a repechage has no next-best places
    ranked.add(last, remain, ACTIVE, through=is_through, best=by_place, shares=is_final)
    if waiting:
        ranked.mark((one.entry for one in remain if one.entry not in waiting), again=True)
    if is_final:
        ranked.add(last, placed[last.number], OUT, shares=True)  # withdrew from the final
    advancing: Collection[str] = waiting or {one.entry for one in remain}
    for played in reversed(rounds):
        ranked.add_together(played, placed[played.number])
        if played is not last or is_through:
            level = _level_at_the_cut(placed[played.number], advancing, {*played.absent, *played.gone})
            ranked.mark(level, by_lot=True, decided_by=LOT)
        advancing = played.entries
    ranked.lines |= never_seated(began.entrants, began.dropped, ranked.lines)
    another_round = not is_final and not alone and (not last.is_over or len(remain) > 1)
    has_won = last.is_over and (is_final or alone)
    winners = tuple(one.entry for one in remain if one.level == remain[0].level) if has_won else ()
    return State(
        ranked.lines,
        tuple(one.entry for one in remain),
        another_round,
        tuple(rungs),
        to_come if another_round else (),
        last.number if is_final else None,
        winners,
        waiting=waiting,
    )


def _waiting(remain: Sequence[str], best: int, size: int) -> tuple[str, ...]:
    """Return the players who skip the repechage. If all fit one table, or fewer than three would play, none skip and
    all play on.
    """
    is_played = len(remain) > size and len(remain) - best >= FEWEST_AT_A_TABLE
    return tuple(remain[:best]) if is_played else ()


class _Ranked:
    """Lines, added from the best down; an entry with a line is skipped."""

    def __init__(self) -> None:
        self.lines: dict[str, Line] = {}

    def add(
        self, played: Played, placed: Sequence[Placed], status: str, *, through: bool = False, best: int = 0,
        shares: bool = False,
    ) -> None:  # fmt: skip
        """Add each alone; equals share their rank if they sat at different tables, or (shares) in the final."""
        new = [one for one in placed if one.entry not in self.lines]
        keys: list[object] = [one.level if shares else one[:2] for one in new]
        first, decided = len(self.lines) + 1, decided_at_a_table(new)
        for one, key in zip(new, keys, strict=True):
            line = self._line(one, played, status, first + keys.index(key), tied=keys.count(key) > 1)
            if shares and line.tied:
                line = line._replace(place=new[keys.index(key)].place)
            elif one.entry in decided:
                line = line._replace(decided_by=decided[one.entry])
            if not played.is_over and one.behind[0]:  # no hand was played at their table, so there is no order
                line = line._replace(place=None, decided_by=None)
            self.lines[one.entry] = line._replace(through=through, lucky=through and one.place > best)

    def add_together(self, played: Played, placed: Sequence[Placed]) -> None:
        """Add players who left in one round; they share the place."""
        left = [one for one in placed if one.entry not in self.lines]
        rank = len(self.lines) + 1
        for one in left:
            self.lines[one.entry] = self._line(one, played, OUT, rank, tied=len(left) > 1)

    def mark(self, entries: Iterable[str], **marks: Any) -> None:
        for entry in entries:
            self.lines[entry] = self.lines[entry]._replace(**marks)

    def _line(self, one: Placed, played: Played, status: str, rank: int, *, tied: bool) -> Line:
        status = DROPPED if status == OUT and one.entry in {*played.absent, *played.gone} else status
        table, place = one.table or None, one.place or None
        return Line(one.entry, status, rank, tied, played.number, table, place, one.result.points)


def _level_at_the_cut(placed: Sequence[Placed], advancing: Collection[str], away: Collection[str]) -> set[str]:
    """Return players whom only the random tie-break separated from one with the other outcome: at their table, or at
    the cut. Leaves out players who left, and those whose results changed after the cut.
    """
    here = [one for one in placed if one.entry not in away]
    otherwise = {one.entry for one in here[: len(advancing)]} ^ set(advancing)
    fates: dict[object, set[bool]] = {}
    groups: dict[object, list[str]] = {}
    for one in here:
        for group in ((one.table, one.level), one[:2]) if one.place and one.entry not in otherwise else ():
            fates.setdefault(group, set()).add(one.entry in advancing)
            groups.setdefault(group, []).append(one.entry)
    return {entry for group, entries in groups.items() if len(fates[group]) > 1 for entry in entries}


def never_seated(entrants: Sequence[str], dropped: Collection[str], seated: Collection[str]) -> dict[str, Line]:
    """Return the lines of entries never seated: they share the last place."""
    never = [entry for entry in entrants if entry not in seated]
    rank, tied = len(seated) + 1, len(never) > 1
    return {entry: Line(entry, DROPPED if entry in dropped else OUT, rank, tied) for entry in never}


def decided_at_a_table(placed: Collection[Placed]) -> dict[str, str]:
    """Return what separates players with equal points at one table."""
    placed, decided = [one for one in placed if one.table], dict[str, str]()
    for equal, code in ((2, HANDS_WON), (3, EXTRA_HAND), (4, LOT)):  # how much of the level is equal
        levels = Counter((one.table, one.level[:equal]) for one in placed)
        placed = [one for one in placed if levels[one.table, one.level[:equal]] > 1]
        decided |= dict.fromkeys((one.entry for one in placed), code)
    return decided


def _rungs(rounds: Sequence[Played], rules: Rules) -> tuple[list[Rung], Ladder]:
    """Return the rung of each round and the later rungs: of the current ladder, or of another if the present players
    don't fit it.
    """
    rungs: list[Rung] = []
    plan: Ladder = ()
    size_before: int | None = None
    for played in rounds:
        byes, tables = len(played.byes), len(played.tables)
        players = byes + sum(map(len, played.tables.values()))
        size = played.size or rules.table_size
        is_repechage = bool(rungs and rungs[-1].again and byes)
        if not plan or plan[0].players != players or size != size_before or (rungs and plan[0].byes != byes):
            left = rules.planned and max(1, rules.planned - len(rungs))
            chosen = {"byes": rules.byes, "repechage": rules.repechage} if not rungs else {}
            plan = way(players, size, left, waiting=byes if is_repechage else None, **chosen)
        if plan and plan[0].again and tables > 1:
            rungs.append(Rung(players, tables, plan[0].best, byes=byes, again=True))
        else:
            advancing = plan[0].advancing if plan and (tables > 1 or is_repechage) else 0
            best, lucky = divmod(max(tables, advancing - byes), tables) if advancing else (int(tables > 1), 0)
            rungs.append(Rung(players, tables, best, lucky, byes))
        plan, size_before = plan[1:], size
    return rungs, plan


def in_order(played: Played, *, seed: str, lowest_wins: bool) -> list[Placed]:
    """Return all players at the tables of a round: first the winners, best first, then second places, and so on.

    Players who left come after those who stayed, whatever their points.
    """
    sign = 1 if lowest_wins else -1
    placed_all = []
    for table, results in played.tables.items():
        whole = sum(result.points - result.adjustments for result in results)
        ordered = sorted(
            ((result.entry in played.absent, *result.level(sign)), _lot(seed, played, result.entry), result)
            for result in results
        )
        for place, (level, lot, result) in enumerate(ordered, start=1):
            mean = Fraction(result.points * len(results), whole) if whole > 0 else Fraction(result.points)
            placed_all.append(Placed(place, (whole <= 0, sign * mean), lot, result, table, level))
    return sorted(placed_all, key=lambda one: one[:3])


def with_byes(played: Played, *, seed: str, lowest_wins: bool, before: Sequence[Placed] = ()) -> list[Placed]:
    """Like `in_order`, with byes first: in random order, or in the order and with the points of the previous round."""
    earlier = {one.entry: (Fraction(at), one.result) for at, one in enumerate(before)}
    byes = []
    for entry in played.byes:
        at, result = earlier.get(entry, (Fraction(), Result(entry)))
        byes.append(Placed(0, (False, at), _lot(seed, played, entry), result, 0, (False, 0, 0, 0)))
    byes.sort(key=lambda one: one[:3])
    return [*byes, *in_order(played, seed=seed, lowest_wins=lowest_wins)]


def _lot(seed: str, played: Played, entry: str) -> bytes:
    return sha256(f"{seed}/{played.number}/{entry}".encode()).digest()
