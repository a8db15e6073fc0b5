"""Compute a tree that forgives one loss: losers continue on the losers' side; a second loss eliminates.

The winners' side is the tree of `tree.py`. With 2^k slots the losers' side has 2(k - 1) rounds. In odd rounds its
survivors meet. In even rounds they meet the latest losers of the winners' side, crossed over so that rematches come as
late as possible. Finally the winners of both sides meet, and once more if that was the first loss of one of them
(unless one final was chosen).

A *step* is a round of the tournament if all players come: 1 is level 1 of the winners' side; 2 is level 2 plus round 1
of the losers' side; 3 is round 2 of the losers' side alone, and so on; 2k is the final, 2k + 1 the second final. Steps
without a match are skipped. There are no reserves: a missing player loses the match.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from league.formats.progression import (
    ACTIVE,
    DROPPED,
    LOT,
    OUT,
    Began,
    Line,
    Placed,
    Played,
    State,
    decided_at_a_table,
    in_order,
    never_seated,
    not_begun,
)
from league.formats.seating.slots import levels, slot_of
from league.formats.tree import DUEL, Match

Losses = Mapping[str, int]
"""By entry, the level of the winners' side of the first loss; one above the last level is the final."""


def last_step(top: int) -> int:
    """Return the step of the final. top: number of levels of the winners' side."""
    return 2 * top


def level_at(step: int, top: int) -> int | None:
    """Return the level of the winners' side played at a step, or None."""
    if step == 1:
        return 1
    level = step // 2 + 1
    return level if step % 2 == 0 and level <= top else None


def losers_round_at(step: int, top: int) -> int | None:
    return step - 1 if 2 <= step < last_step(top) else None


def comes_in(level: int) -> int:
    """Return the first round on the losers' side of players who lose at this level of the winners' side."""
    return 1 if level == 1 else 2 * (level - 1)


def crossed(number: int, level: int, matches: int) -> int:
    """Return the match on the losers' side of the loser of a match, both from 0. matches: number in the round.

    The order is reversed, then moved by half, then both, then straight, and so on. With 8, 16, 32, 64 and 128 slots,
    players who met before the winners' final meet again in round 3, 4, 5, 7 and 8 of the losers' side at the earliest.
    """
    way = (level - 2) % 4
    if way in (0, 2):
        number = matches - 1 - number
    return (number + matches // 2) % matches if way in (1, 2) else number


def losers_match(slot: int, level: int, losers_round: int, top: int) -> int:
    """Return the match number, from 0, in a losers' round of a player who lost at a level of the winners' side."""
    number = slot >> level
    first = number >> 1 if level == 1 else crossed(number, level, 2 ** (top - level))
    return first >> ((losers_round + 1) // 2 - (comes_in(level) + 1) // 2)


def pairings(step: int, seeds: Sequence[str], winners: Sequence[str], lost: Losses) -> list[list[str]]:
    """Return the matches of a step: winners' side, then losers' side, in slot order. The better seed comes first; in
    the final, the unbeaten player.
    """
    top = levels(len(seeds))
    if step >= last_step(top):
        both = [*_by_seed(winners, seeds), *_by_seed(lost, seeds)]
        return [both] if len(both) == DUEL else []
    slot, nodes = slot_of(seeds), dict[tuple[int, int], list[str]]()
    if (level := level_at(step, top)) is not None:
        for entry in winners:
            nodes.setdefault((0, slot[entry] >> level), []).append(entry)
    if (losers_round := losers_round_at(step, top)) is not None:
        for entry, lost_at in lost.items():
            nodes.setdefault((1, losers_match(slot[entry], lost_at, losers_round, top)), []).append(entry)
    return [_by_seed(pair, seeds) for _node, pair in sorted(nodes.items()) if len(pair) == DUEL]


def matches_by_step(players: int) -> list[tuple[int, int]]:
    """Return the number of matches of both sides at each step to the final, if the better seed always wins."""
    seeds = [f"{seed:04}" for seed in range(players)]
    winners, lost, top, found = seeds, dict[str, int](), levels(players), []
    for step in range(1, last_step(top) + 1):
        pairs = pairings(step, seeds, winners, lost)
        here = {worse for _better, worse in pairs}
        of_winners = len(here.difference(lost)) if step < last_step(top) else 1
        level = level_at(step, top) or top + 1
        lost = {entry: at for entry, at in lost.items() if entry not in here} | {
            entry: level for entry in winners if entry in here
        }
        winners = [entry for entry in winners if entry not in here]
        found.append((of_winners, len(pairs) - of_winners))
    return found


def _by_seed(entries: Sequence[str] | Losses, seeds: Sequence[str]) -> list[str]:
    return sorted(entries, key=seeds.index)


def following_step(step: int, seeds: Sequence[str], winners: Sequence[str], lost: Losses) -> int | None:
    """Return the next step with a match; None at the end."""
    steps = range(step + 1, last_step(levels(len(seeds))) + 2)
    return next((later for later in steps if pairings(later, seeds, winners, lost)), None)


@dataclass(frozen=True)
class Reached:
    """State after a round at a step. winners, lost: players still in on each side; during the round, its players. by:
    loser to winner. left: step at which eliminated players left. decided_by: what broke ties.
    """

    played: Played
    step: int
    placed: Mapping[str, Placed]
    winners: tuple[str, ...]
    lost: Losses
    by: Mapping[str, str]
    left: Mapping[str, int]
    decided_by: Mapping[str, str]


def reached(
    began: Began, rounds: Sequence[Played], following: Played | None = None, *, one_final: bool = False
) -> list[Reached]:
    """After each round. one_final: whether who loses the final is out, lost before or not."""
    seeds = list(began.seeds)
    top = levels(len(seeds))
    winners, lost, step = tuple(seeds), dict[str, int](), 0
    found = []
    for played, after in pairwise([*rounds, following]):
        assert played is not None
        winners = tuple(entry for entry in winners if entry in played.entries)
        lost = {entry: level for entry, level in lost.items() if entry in played.entries}
        step = following_step(step, seeds, winners, lost) or step + 1
        placed = {one.entry: one for one in in_order(played, seed=began.seed, lowest_wins=began.lowest_wins)}
        is_last = step > last_step(top) or (one_final and step == last_step(top))
        level = level_at(step, top) or top + 1
        won = {one.entry for one in placed.values() if one.place == 1 and one.entry not in played.absent}
        here = {*winners, *lost}
        if after is not None:
            there, newly = here & after.entries, after.lost
        elif not played.is_over:
            beaten = {one.entry for one in placed.values() if one.table in played.decided and one.place > 1}
            newly = frozenset(() if is_last else beaten.intersection(winners)) - {*played.absent}
            there = here - {*played.absent} - (beaten - newly)
        else:
            newly = frozenset(() if is_last else (set(placed) - won).intersection(winners))
            decided = is_last or (step == last_step(top) and not newly)
            away = {*played.absent} if decided else {*played.absent, *played.gone}
            there = (here - set(placed) | won | newly) - away
        by: dict[str, str] = {}
        for results in played.tables.values():
            pair = [result.entry for result in results]
            remaining = [entry for entry in pair if entry in there and (entry in lost or entry not in newly)]
            if len(remaining) != 1 and played.is_over:
                remaining = [entry for entry in pair if entry in won]
            if len(remaining) == 1:
                by |= {entry: remaining[0] for entry in pair if entry != remaining[0]}
        absent = placed.keys() & played.absent  # a bye can't be lost
        left = {
            entry: _step_of_leaving(step, top, has_lost=entry in lost, beaten=entry in by or entry in absent)
            for entry in here - there
        }
        now = {entry: lost.get(entry, level) for entry in seeds if entry in there and (entry in lost or entry in newly)}
        winners, lost = tuple(entry for entry in winners if entry in there and entry not in now), now
        decided_by = decided_at_a_table([one for one in placed.values() if played.is_over_at(one.table)])
        found.append(Reached(played, step, placed, winners, lost, by, left, decided_by))
    return found


def _step_of_leaving(step: int, top: int, *, has_lost: bool, beaten: bool) -> int:
    """Return the step at which a player who left is out: on the losers' side or in the final.

    beaten: lost at this step, or left before it was over. A player without a loss falls to the losers' side, and
    misses that match too.
    """
    final = last_step(top)
    if step >= final:
        return step
    if has_lost:
        return step if beaten else min(step + 1, final)
    if beaten and level_at(step, top) is not None:
        return min(step + 1, final)
    ahead = next((later for later in range(step + 1, final) if level_at(later, top) is not None), None)
    return final if ahead is None else ahead + 1


def state_of(
    began: Began, rounds: Sequence[Played], following: Played | None = None, *, one_final: bool = False
) -> State:
    """Return the state of the event; `following` as in `progression.state_of`."""
    if not rounds:
        return not_begun(began)
    seeds = list(began.seeds)
    found = reached(began, rounds, following, one_final=one_final)
    last, final = found[-1], last_step(levels(len(seeds)))
    over = last.played.is_over
    next_step = following_step(last.step, seeds, last.winners, last.lost) if over else None
    another_round = next_step is not None if over else last.step < final
    in_final = (next_step or last.step) >= final
    lines: dict[str, Line] = {}
    for entries in (last.winners, tuple(last.lost)):
        rank = len(lines) + 1
        for entry in entries:
            line = _line(last, entry, ACTIVE, rank, tied=len(entries) > 1)
            is_decided = entry in last.placed and last.placed[entry].table in last.played.decided
            is_through = another_round and (over or following is not None or is_decided)
            lines[entry] = line._replace(through=is_through, lost=entry in last.lost)
    left = {entry: (step, round_) for round_ in found for entry, step in round_.left.items()}
    for step in sorted({step for step, _round in left.values()}, reverse=True):
        together = [entry for entry in seeds if entry in left and left[entry][0] == step and entry not in lines]
        to_come = _undecided(last) if step == last.step and following is None else 0
        rank, tied = len(lines) + 1 - to_come, len(together) + to_come > 1
        for entry in together:
            lines[entry] = _line(left[entry][1], entry, OUT, rank, tied=tied)
    lines |= never_seated(began.entrants, began.dropped, lines)
    alive = [*last.winners, *last.lost]
    return State(
        lines,
        tuple(alive) if in_final else last.winners,
        another_round,
        (),
        final=last.played.number if last.step >= final else None,
        winners=tuple(alive) if over and len(alive) == 1 else (),
        second_ladder=() if in_final else tuple(last.lost),
        lost=frozenset(last.lost),
        pairs=tuple(map(tuple, pairings(next_step, seeds, last.winners, last.lost))) if next_step else (),
    )


def _undecided(last: Reached) -> int:
    """Return the number of running duels that eliminate the loser."""
    pairs = [[one.entry for one in results] for results in last.played.tables.values()]
    return 0 if last.played.is_over else sum(len(pair) == DUEL and set(pair) <= set(last.lost) for pair in pairs)


def _line(here: Reached, entry: str, status: str, rank: int, *, tied: bool) -> Line:
    line = Line(entry, status, rank, tied, here.played.number)
    if status == OUT:
        line = line._replace(by=here.by.get(entry))
        walked = entry in here.played.gone and (line.by is None or entry not in here.played.lost)
        if walked or entry in here.played.absent:
            line = line._replace(status=DROPPED)
    if (one := here.placed.get(entry)) is not None:
        line = line._replace(table=one.table, place=one.place, points=one.result.points)
        code = here.decided_by.get(entry)
        line = line._replace(by_lot=code == LOT, decided_by=code)
    return line


WINNERS, LOSERS, FINAL = "winners", "losers", "final"


class Origin(NamedTuple):
    """The match that a player comes from, as its winner or loser."""

    side: str
    level: int
    number: int
    is_loser: bool


def origin(match: Match, at: int, top: int) -> Origin | None:
    """Return the match that feeds a place; None if the seeds decide."""
    before = 2 * match.number + at
    if match.side == WINNERS:
        return Origin(WINNERS, match.level - 1, before, is_loser=False) if match.level > 1 else None
    if match.side == FINAL:
        if match.level > 1:
            return Origin(FINAL, 1, 0, is_loser=at > 0)
        if at > 0 and top > 1:
            return Origin(LOSERS, last_step(top) - 2, 0, is_loser=False)
        return Origin(WINNERS, top, 0, is_loser=at > 0)
    if match.level == 1:
        return Origin(WINNERS, 1, before, is_loser=True)
    if match.level % 2:
        return Origin(LOSERS, match.level - 1, before, is_loser=False)
    if at == 0:
        return Origin(LOSERS, match.level - 1, match.number, is_loser=False)
    level = match.level // 2 + 1
    matches = 2 ** (top - level)
    number = next(one for one in range(matches) if crossed(one, level, matches) == match.number)
    return Origin(WINNERS, level, number, is_loser=True)


def _all_matches(top: int) -> list[tuple[int, Match]]:
    """Return all matches with their steps, each after the matches that feed it."""
    no_players, unknown = (None, None), (False, False)
    found = [
        (1 if level == 1 else 2 * (level - 1), Match(level, number, no_players, unknown, side=WINNERS))
        for level in range(1, top + 1)
        for number in range(2 ** (top - level))
    ]
    found += [
        (losers_round + 1, Match(losers_round, number, no_players, unknown, side=LOSERS))
        for losers_round in range(1, last_step(top) - 1)
        for number in range(2 ** (top - 1 - (losers_round + 1) // 2))
    ]
    found += [(last_step(top) + again, Match(1 + again, 0, no_players, unknown, side=FINAL)) for again in (0, 1)]
    return sorted(found, key=lambda one: one[0])


def matches(
    began: Began,
    rounds: Sequence[Played],
    following: Played | None = None,
    *,
    decided: Collection[int] = (),
    one_final: bool = False,
) -> list[Match]:
    """Return both sides and the final, by steps; the second final while it may be needed. Like `tree.matches`."""
    seeds = list(began.seeds)
    top = levels(len(seeds))
    by_slot = {at: entry for entry, at in slot_of(seeds).items()}
    steps = reached(began, rounds, following, one_final=one_final)
    is_open = bool(steps) and not steps[-1].played.is_over and following is None
    known: dict[tuple[str, int, int], Match] = {}
    for step, blank in _all_matches(top):
        here = next((one for one in steps if one.step == step), None)
        there = _players_present(step, steps)
        players: list[str | None] = []
        is_known: list[bool] = []
        for at in range(DUEL):
            if (source := origin(blank, at, top)) is None:
                entry, certain = by_slot.get(2 * blank.number + at), True
            else:
                before = known[source.side, source.level, source.number]
                entry, certain = before.loser if source.is_loser else before.winner, before.over
            players.append(entry if there is None or entry in there else None if certain else entry)
            is_known.append(certain)
        match = blank._replace(players=(players[0], players[1]), is_known=(is_known[0], is_known[1]))
        known[match.side, match.level, match.number] = _decide(match, here, is_open and here is steps[-1], decided)
    final, again = known[FINAL, 1, 0], known[FINAL, 2, 0]
    is_left = bool(steps) and steps[-1].step == last_step(top) and len({*steps[-1].winners, *steps[-1].lost}) < DUEL
    if one_final or is_left or (final.over and (final.winner != final.players[1] or None in final.players)):
        del known[FINAL, 2, 0]
    elif not final.over:
        known[FINAL, 2, 0] = again._replace(players=(None, None), is_known=(False, False), over=False, winner=None)
    return list(known.values())


def _players_present(step: int, steps: Sequence[Reached]) -> Collection[str] | None:
    """Return the players present for a step; None before any seating."""
    later = next((one for one in steps if one.step >= step), None)
    if later is not None:
        return later.played.entries
    return {*steps[-1].winners, *steps[-1].lost} if steps else None


def _decide(match: Match, here: Reached | None, is_open: bool, decided: Collection[int]) -> Match:
    """Add the table, and the winner and loser as far as certain."""
    if not all(match.is_known):
        return match
    there = [player for player in match.players if player is not None]
    if len(there) < DUEL:
        return match._replace(winner=there[0] if there else None, over=True)
    if here is None or there[0] not in here.placed:
        return match
    one = here.placed[there[0]]
    match = match._replace(round=here.played.number, table=one.table)
    if is_open and one.table not in decided:
        return match
    if is_open:
        best, other = sorted(there, key=lambda player: here.placed[player].place)
        return match._replace(winner=best, loser=other, over=True)
    loser = next((player for player in there if player in here.by), None)
    return match._replace(winner=here.by[loser] if loser else None, loser=loser, over=True)
