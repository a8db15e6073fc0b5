"""Who plays on where only some do, as one shape (`State`), and how heats go on: who is through, who is eliminated
where, and who has which place.

Seats and points in, lines out, so that a correction of an old round is right everywhere at once. Everybody begins each
round at 0. Who sat in the next round went on, whatever the points say by now. Places at a table go by points, hands
won, an extra hand, then the lot; tied finalists share theirs, as does whoever leaves in the same round. Where there is
a second ladder, those who are out after the first round play it, beside the first one, to a final of its own.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from league.formats.ladder import FEWEST_AT_A_TABLE, Ladder, Rung, any_ladder, way

ACTIVE, OUT, DROPPED = "active", "out", "dropped"
HANDS_WON, EXTRA_HAND, LOT = "hands-won", "extra-hand", "lot"  # what decides between equal points, in this order


class Result(NamedTuple):
    """A player's points at a table in a round, and the hands won. beside: how many of the points are penalties and the
    like, which are no measure of the table; extra: how many of those are of an extra hand, which only breaks a tie."""

    entry: str
    points: int = 0
    won: int = 0
    beside: int = 0
    extra: int = 0

    def level(self, sign: int) -> tuple[int, int, int]:
        return sign * (self.points - self.extra), -self.won, sign * self.extra


@dataclass(frozen=True)
class Played:
    """A round as it was seated: who sat at each table, and their results. is_over: it is closed.

    second: the numbers of the tables of the second ladder. absent: who had left when it was closed, or has by now; of a
    duel, when it was decided.
    gone: who has left before the next round. size: the most at a table when it was published. byes: who sat out.
    lost: in a tree that forgives a loss, who came with one. decided: the duels of an open round that are over.
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
    """Where somebody stands.

    round, table: where they sat last; None: they never did. place: there, from 1. points: of that round. rank: those
    who are in by their places and shares, then the others by the round in which they left, which they share. through:
    to a round to come. lucky: as one of the best of the others. by_lot: only the lot separated them from somebody at
    their table, or at the cut. second: in the second ladder. by: in duels, who has beaten them. for_third: whether they
    play, or have played, for third place. lost: they play on although they have lost. again: they are through to the
    round of a repechage, which others sit out. decided_by: what broke a tie.
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
    """Who began, in the order of the list or of a cut, and what decides between equals. seeds: of a tree, the first
    first. dropped: who left before round 1. seed: of the lot. beside: who plays a second ladder from round 1 on."""

    entrants: Sequence[str]
    seeds: Sequence[str] = ()
    dropped: Collection[str] = ()
    seed: str = ""
    lowest_wins: bool = False
    beside: Collection[str] = ()


@dataclass(frozen=True)
class State:
    """lines: by entry, the best first. still_in: who sits in the open round or in the next one, the best first, and
    `beside` who does in the second ladder, or for third place.

    another_round: whether one is still to come. rungs: of the rounds that were seated, with who was really there;
    to_come: of those after them, if nobody leaves; `beside_rungs` and `beside_to_come` are those of the second ladder.
    final: the number of the round with the final, once it is seated. winners: of it, once it is over; several share it.
    lost, pairs: in a tree that forgives a loss, who has one, and who meets in the next round. waiting: who sits out the
    next round, the repechage.
    """

    lines: Mapping[str, Line]
    still_in: tuple[str, ...]
    another_round: bool
    rungs: tuple[Rung, ...]
    to_come: Ladder = ()
    final: int | None = None
    winners: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    beside_rungs: tuple[Rung, ...] = ()
    beside_to_come: Ladder = ()
    lost: Collection[str] = ()
    pairs: tuple[tuple[str, ...], ...] = ()
    waiting: tuple[str, ...] = ()

    @property
    def winner(self) -> str | None:
        return self.winners[0] if len(self.winners) == 1 else None


class Placed(NamedTuple):
    """Somebody in the order of a round. table, place: 0 for who sat it out and comes first.

    Of unlike tables the place counts first, then the points divided by the table's mean, which knows no sizes. Where
    nothing was played there is no mean, and all are behind the others.
    """

    place: int
    behind: tuple[bool, Fraction]
    lot: bytes
    result: Result
    table: int
    level: tuple[bool, int, int, int]
    """What comes before the lot, at one table."""

    @property
    def entry(self) -> str:
        return self.result.entry


@dataclass(frozen=True)
class Rules:
    """How heats go on. table_size: the most at a table. planned: how many rounds were chosen; None: as many as are
    suggested. byes: whether some sit out round 1, so that nobody goes on by luck. repechage: whether those play once
    more who are not among the best of round 1. second_ladder: whether those play one who are out after round 1.
    """

    table_size: int
    planned: int | None = None
    byes: bool = False
    repechage: bool = False
    second_ladder: bool = False


def state_of(began: Began, rounds: Sequence[Played], following: Played | None, rules: Rules) -> State:
    """Where the event stands, or stood. rounds: those that were seated, ascending.

    following: the round that was seated after them, where an earlier state is wanted.
    """
    of_second_ladder, beside = Rules(rules.table_size), began.beside
    in_first = [entry for entry in began.entrants if entry not in beside]
    first = _one_ladder(
        replace(began, entrants=in_first), _of_ladder(rounds, second=False), _next(following, second=False), rules
    )
    next_beside = _next(following, second=True)
    if beside:
        in_second = replace(began, entrants=[entry for entry in began.entrants if entry in beside])
        second = _one_ladder(in_second, _of_ladder(rounds, second=True), next_beside, of_second_ladder)
        lines = {entry: line._replace(second=True) for entry, line in second.lines.items()}
        return _with_second(first, second, lines, len(first.lines), rules.table_size)
    is_over = bool(rounds) and rounds[0].is_over
    if not rules.second_ladder or not is_over or not first.rungs[0].best or first.rungs[0].again:
        return first
    out = [entry for entry, line in first.lines.items() if line.round == rounds[0].number and not line.through]
    of_second = _of_ladder(rounds[1:], second=True)
    gone = rounds[0].gone
    if not of_second and (len(set(out) - set(gone)) < 2 if following is None else next_beside is None):
        return first
    second = _one_ladder(replace(began, entrants=out, dropped=gone), of_second, next_beside, of_second_ladder)
    before = list(first.lines).index(out[0])
    if of_second:
        lines = {entry: line._replace(second=True) for entry, line in second.lines.items()}
        return _with_second(first, second, lines, before, rules.table_size)
    goes_on = next_beside.entries if next_beside else set(second.still_in)
    lines = {entry: first.lines[entry]._replace(second=True, rank=first.lines[entry].rank - before) for entry in out}
    lines |= {entry: lines[entry]._replace(status=ACTIVE, through=True) for entry in out if entry in goes_on}
    return _with_second(first, second, lines, before, rules.table_size)


def not_begun(began: Began) -> State:
    """Before the first round."""
    still_in = tuple(entry for entry in began.entrants if entry not in began.dropped)
    lines = {
        entry: Line(entry, DROPPED if entry in began.dropped else ACTIVE, 1, tied=True) for entry in began.entrants
    }
    return State(lines, still_in, another_round=len(still_in) > 1, rungs=())


def _with_second(first: State, second: State, lines: Mapping[str, Line], before: int, table_size: int) -> State:
    """Both ladders: the lines of the second, ranked in themselves, follow the `before` best of the first."""
    lines = {entry: line._replace(rank=line.rank + before) for entry, line in lines.items()}
    rest = [(entry, line) for entry, line in first.lines.items() if entry not in lines]
    plays_on = not second.winners and (second.another_round or bool(second.rungs))
    return replace(
        first,
        lines=dict(rest[:before]) | lines | dict(rest[before:]),
        another_round=first.another_round or second.another_round,
        beside=second.still_in if plays_on else (),
        beside_rungs=second.rungs,
        beside_to_come=second.to_come if second.rungs else any_ladder(len(second.still_in), table_size),
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
    else:  # for who does not come to the next round the best of those who did not go on moves up
        remain = [one for one in placed[last.number] if one.entry not in last.gone][: rung.goes_on]
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
    by_place = rung.players if rung.again else rung.best  # nobody goes on to a repechage by luck
    ranked.add(last, remain, ACTIVE, through=is_through, best=by_place, shares=is_final)
    if waiting:
        ranked.mark((one.entry for one in remain if one.entry not in waiting), again=True)
    if is_final:
        ranked.add(last, placed[last.number], OUT, shares=True)  # who dropped out of the final
    goes_on: Collection[str] = waiting or {one.entry for one in remain}
    for played in reversed(rounds):
        ranked.add_together(played, placed[played.number])
        if played is not last or is_through:
            level = _level_at_the_cut(placed[played.number], goes_on, {*played.absent, *played.gone})
            ranked.mark(level, by_lot=True, decided_by=LOT)
        goes_on = played.entries
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
    """Who sits out the repechage. Where so few are left that they fit one table, or that fewer than three would play
    it, nobody does: all of them play on."""
    is_played = len(remain) > size and len(remain) - best >= FEWEST_AT_A_TABLE
    return tuple(remain[:best]) if is_played else ()


class _Ranked:
    """Lines, added from the best down; who has one already is passed over."""

    def __init__(self) -> None:
        self.lines: dict[str, Line] = {}

    def add(
        self, played: Played, placed: Sequence[Placed], status: str, *, through: bool = False, best: int = 0,
        shares: bool = False,
    ) -> None:  # fmt: skip
        """Each by itself; equals share their rank if they sat at different tables, or (shares) in the final."""
        new = [one for one in placed if one.entry not in self.lines]
        keys: list[object] = [one.level if shares else one[:2] for one in new]
        first, decided = len(self.lines) + 1, decided_at_a_table(new)
        for one, key in zip(new, keys, strict=True):
            line = self._line(one, played, status, first + keys.index(key), tied=keys.count(key) > 1)
            if shares and line.tied:
                line = line._replace(place=new[keys.index(key)].place)
            elif one.entry in decided:
                line = line._replace(decided_by=decided[one.entry])
            if not played.is_over and one.behind[0]:  # no hand was played at their table, so nobody is ahead
                line = line._replace(place=None, decided_by=None)
            self.lines[one.entry] = line._replace(through=through, lucky=through and one.place > best)

    def add_together(self, played: Played, placed: Sequence[Placed]) -> None:
        """Who left in one round shares the place."""
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


def _level_at_the_cut(placed: Sequence[Placed], goes_on: Collection[str], away: Collection[str]) -> set[str]:
    """Those whom the lot alone separated from somebody with the other fate: at their table, or among the others. Who
    has left is compared with nobody, nor who went on, or did not, by results that were corrected since."""
    here = [one for one in placed if one.entry not in away]
    otherwise = {one.entry for one in here[: len(goes_on)]} ^ set(goes_on)
    fates: dict[object, set[bool]] = {}
    groups: dict[object, list[str]] = {}
    for one in here:
        for group in ((one.table, one.level), one[:2]) if one.place and one.entry not in otherwise else ():
            fates.setdefault(group, set()).add(one.entry in goes_on)
            groups.setdefault(group, []).append(one.entry)
    return {entry for group, entries in groups.items() if len(fates[group]) > 1 for entry in entries}


def never_seated(entrants: Sequence[str], dropped: Collection[str], seated: Collection[str]) -> dict[str, Line]:
    """The lines of those who never had a seat: the last place together, behind those who had one."""
    never = [entry for entry in entrants if entry not in seated]
    rank, tied = len(seated) + 1, len(never) > 1
    return {entry: Line(entry, DROPPED if entry in dropped else OUT, rank, tied) for entry in never}


def decided_at_a_table(placed: Collection[Placed]) -> dict[str, str]:
    """What separates players with equal points who sat at one table."""
    placed, decided = [one for one in placed if one.table], dict[str, str]()
    for equal, code in ((2, HANDS_WON), (3, EXTRA_HAND), (4, LOT)):  # how much of the level is equal
        levels = Counter((one.table, one.level[:equal]) for one in placed)
        placed = [one for one in placed if levels[one.table, one.level[:equal]] > 1]
        decided |= dict.fromkeys((one.entry for one in placed), code)
    return decided


def _rungs(rounds: Sequence[Played], rules: Rules) -> tuple[list[Rung], Ladder]:
    """The rung of each round, and those after them: of the ladder that was begun, or of another one where others were
    there than it says."""
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
            goes_on = plan[0].goes_on if plan and (tables > 1 or is_repechage) else 0
            best, lucky = divmod(max(tables, goes_on - byes), tables) if goes_on else (int(tables > 1), 0)
            rungs.append(Rung(players, tables, best, lucky, byes))
        plan, size_before = plan[1:], size
    return rungs, plan


def in_order(played: Played, *, seed: str, lowest_wins: bool) -> list[Placed]:
    """Everybody at the tables of a round: first those placed first there, the best of these first.

    Whoever had left stands behind those who stayed, whatever they made before.
    """
    sign = 1 if lowest_wins else -1
    found = []
    for table, results in played.tables.items():
        whole = sum(result.points - result.beside for result in results)
        ordered = sorted(
            ((result.entry in played.absent, *result.level(sign)), _lot(seed, played, result.entry), result)
            for result in results
        )
        for place, (level, lot, result) in enumerate(ordered, start=1):
            mean = Fraction(result.points * len(results), whole) if whole > 0 else Fraction(result.points)
            found.append(Placed(place, (whole <= 0, sign * mean), lot, result, table, level))
    return sorted(found, key=lambda one: one[:3])


def with_byes(played: Played, *, seed: str, lowest_wins: bool, before: Sequence[Placed] = ()) -> list[Placed]:
    """The same, with those who sat it out first: by lot, or in the order and with the points of the round before."""
    earlier = {one.entry: (Fraction(at), one.result) for at, one in enumerate(before)}
    byes = []
    for entry in played.byes:
        at, result = earlier.get(entry, (Fraction(), Result(entry)))
        byes.append(Placed(0, (False, at), _lot(seed, played, entry), result, 0, (False, 0, 0, 0)))
    byes.sort(key=lambda one: one[:3])
    return [*byes, *in_order(played, seed=seed, lowest_wins=lowest_wins)]


def _lot(seed: str, played: Played, entry: str) -> bytes:
    return sha256(f"{seed}/{played.number}/{entry}".encode()).digest()
