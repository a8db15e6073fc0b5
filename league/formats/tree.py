"""Compute a tree of duels: seeds decide the pairings, and seats show who advanced.

The slots are those of `seating/slots.py`. A round of the tournament is a level of the tree, from 1 to the final's
level; a level without a match is skipped. There are no reserves: if a player is missing, the opponent advances; if
both are missing, the next match has one player or none.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
from league.formats.seating.slots import level_where, levels, slot_of, slots

DUEL = 2


def pairings(seeds: Sequence[str], players: Collection[str]) -> list[list[str]]:
    """Return the matches of the next round, in slot order, better seed first: the first level with a pair."""
    slot = slot_of(seeds)
    here = sorted(players, key=slot.__getitem__)
    for level in range(1, levels(len(seeds)) + 1):
        nodes: dict[int, list[str]] = {}
        for player in here:
            nodes.setdefault(slot[player] >> level, []).append(player)
        if pairs := [sorted(pair, key=seeds.index) for pair in nodes.values() if len(pair) == DUEL]:
            return pairs
    return []


@dataclass(frozen=True)
class Reached:
    """State after a round. level: of its matches. went_on: players who are still in or have won; during the round, its
    players. lost: loser to winner.

    left: level at which eliminated players left: missing the next match counts as losing it.
    """

    played: Played
    level: int
    placed: Mapping[str, Placed]
    went_on: tuple[str, ...]
    lost: Mapping[str, str]
    left: Mapping[str, int]

    @cached_property
    def decided_by(self) -> Mapping[str, str]:
        """Return what broke a tie, at finished tables."""
        return decided_at_a_table([one for one in self.placed.values() if self.played.is_over_at(one.table)])


def reached(began: Began, rounds: Sequence[Played], following: Played | None = None) -> list[Reached]:
    """Return the state after each round, without the match for third place."""
    slot = slot_of(began.seeds)
    top = levels(len(began.seeds))
    found = []
    for at, played in enumerate(rounds):
        after = rounds[at + 1] if at + 1 < len(rounds) else following
        main = played.of_ladder(second=False)
        placed = {one.entry: one for one in in_order(main, seed=began.seed, lowest_wins=began.lowest_wins)}
        pairs = [[result.entry for result in results] for results in played.tables.values()]
        level = max((level_where(slot[pair[0]], slot[pair[1]]) for pair in pairs if len(pair) == DUEL), default=top)
        # A finalist without an opponent has won for good, as in a decided match.
        away = set(played.absent).difference(main.byes) if level == top else {*played.absent, *played.gone}
        won = {one.entry for one in placed.values() if one.place == 1 and one.entry not in played.absent}
        if after is not None:
            went_on = main.entries & after.of_ladder(second=False).entries
        elif not played.is_over:
            beaten = {one.entry for one in placed.values() if one.table in played.decided and one.place > 1}
            went_on = main.entries - (away if level == top else set(played.absent)) - beaten
        else:
            went_on = (won | set(main.byes)) - away
        lost: dict[str, str] = {}
        for results in main.tables.values():
            pair = [result.entry for result in results]
            through = went_on.intersection(pair) or (won.intersection(pair) if played.is_over else ())
            if len(through) == 1:
                [winner] = through
                lost |= {loser: winner for loser in pair if loser != winner}
        left = {
            entry: level if entry in placed and (entry in lost or entry in played.absent) else min(level + 1, top)
            for entry in main.entries - went_on
        }
        found.append(
            Reached(played, level, placed, tuple(entry for entry in began.seeds if entry in went_on), lost, left)
        )
    return found


def state_of(began: Began, rounds: Sequence[Played], following: Played | None = None, *, third_place: bool) -> State:
    """Return the state of the event; `following` as in `progression.state_of`. third_place: the losers of the
    semi-finals play for it.
    """
    if not rounds:
        return not_begun(began)
    steps = reached(began, rounds, following)
    last = steps[-1]
    over = last.played.is_over
    top = levels(len(began.seeds))
    is_final, undecided = last.level == top, _undecided(last) if following is None else 0
    for_third = _for_third_place(last, following, top) if third_place else ()
    second_ladder = tuple(entry for entry in began.seeds if entry in for_third)
    plays_on = not is_final and (not over or len(last.went_on) > 1 or bool(second_ladder))
    alone = over and not is_final and not plays_on
    through = plays_on and (over or following is not None)
    left = {entry: (level, step) for step in steps for entry, level in step.left.items()}
    lines = _Lines()
    lines.add(last, last.went_on, ACTIVE, through=through)
    for entry in last.went_on if plays_on else ():
        if entry in last.placed and last.placed[entry].table in last.played.decided:
            lines.found[entry] = lines.found[entry]._replace(through=True)
    for level in sorted({level for level, _step in left.values()}, reverse=True):
        if level < top:
            lines.add_third_place(last, began, second_ladder, is_final=is_final)
        together = [
            entry for entry in began.seeds if entry in left and left[entry][0] == level and entry not in lines.found
        ]
        to_come = undecided if level == last.level else 0  # further players who will share this place
        rank, tied = len(lines.found) + 1 - to_come, len(together) + to_come > 1
        for entry in together:
            third = third_place and following is None and _may_play_for_third(last, entry, top)
            lines.add(left[entry][1], [entry], ACTIVE if third else OUT, rank=rank, tied=tied, for_third=third)
    lines.found |= never_seated(began.entrants, began.dropped, lines.found)
    has_won = over and (is_final or alone) and len(last.went_on) == 1
    return State(
        lines.found,
        last.went_on,
        plays_on,
        (),
        final=last.played.number if is_final else None,
        winners=last.went_on if has_won else (),
        second_ladder=second_ladder,
    )


def _for_third_place(last: Reached, following: Played | None, top: int) -> Collection[str]:
    """Return the players of a future or running match for third place, in the final's round."""
    if following is not None:
        return following.of_ladder(second=True).entries
    if last.level == top:
        match = last.played.of_ladder(second=True)
        return () if match.is_over else match.entries - set(match.absent)
    if last.level != top - 1 or not last.played.is_over:
        return ()
    losers = set(last.lost) - {*last.played.absent, *last.played.gone}
    return losers if len(losers) == DUEL else ()


def _undecided(last: Reached) -> int:
    """Return the number of running duels of an open round."""
    if last.played.is_over:
        return 0
    tables = last.played.of_ladder(second=False).tables.values()
    return sum(len(results) == DUEL and not {one.entry for one in results} - set(last.went_on) for results in tables)


def _may_play_for_third(last: Reached, entry: str, top: int) -> bool:
    """Return whether a player has lost a semi-final of an open round, and a match for third place can follow."""
    if last.level != top - 1 or last.played.is_over or last.left.get(entry) != last.level:
        return False
    duels = [results for results in last.played.tables.values() if len(results) == DUEL]
    return len(duels) == DUEL and entry in last.lost and entry not in last.played.absent


class _Lines:
    """Lines, added from the best down."""

    def __init__(self) -> None:
        self.found: dict[str, Line] = {}

    def add(
        self,
        step: Reached,
        entries: Sequence[str],
        status: str,
        *,
        rank: int = 0,
        tied: bool = False,
        through: bool = False,
        for_third: bool = False,
    ) -> None:
        rank = rank or len(self.found) + 1
        tied = tied or len(entries) > 1
        for entry in entries:
            one = step.placed.get(entry)
            line = Line(entry, status, rank, tied, step.played.number, through=through, for_third=for_third)
            line = line._replace(by=step.lost.get(entry))
            walked = status == OUT and entry in step.played.gone and line.by is None
            if walked or entry in step.played.absent:
                line = line._replace(status=DROPPED)
            if one is not None:
                line = line._replace(table=one.table, place=one.place, points=one.result.points)
                decided_by = step.decided_by.get(entry)
                line = line._replace(by_lot=decided_by == LOT, decided_by=decided_by)
            self.found[entry] = line

    def add_third_place(self, last: Reached, began: Began, second_ladder: Sequence[str], *, is_final: bool) -> None:
        """Add the players of the match for third place, if there is one."""
        if not is_final:
            new = [entry for entry in second_ladder if entry not in self.found]
            return self.add(last, new, ACTIVE, through=True, for_third=True)
        match = last.played.of_ladder(second=True)
        ordered = in_order(match, seed=began.seed, lowest_wins=began.lowest_wins)
        names = [one.entry for one in ordered if one.entry not in self.found]
        came = [entry for entry in names if entry not in match.absent]
        over = all(map(match.is_over_at, match.tables))
        is_over = over and bool(came)
        lost = {names[1]: names[0]} if is_over and names else {}
        step = Reached(match, last.level, {one.entry: one for one in ordered}, (), lost, {})
        for together in [[entry] for entry in names] if is_over else [names]:
            self.add(step, together, OUT if over else ACTIVE, for_third=True)


class Match(NamedTuple):
    """A node of the tree, from the first level on.

    number: from 0, in slot order; its players come from 2 × number and the next match, a level below. players: better
    slot first; None if unknown or missing. is_known: whether that is certain for each. round, table: where it is or
    was played. winner: the player who advanced; over: nothing can change any more. side, loser: in a tree that
    forgives a loss (`double_tree.py`), where `level` is of that side.
    """

    level: int
    number: int
    players: tuple[str | None, str | None]
    is_known: tuple[bool, bool]
    round: int | None = None
    table: int | None = None
    winner: str | None = None
    over: bool = False
    side: str = ""
    loser: str | None = None


def matches(
    began: Began, rounds: Sequence[Played], following: Played | None = None, *, decided: Collection[int] = ()
) -> list[Match]:
    """Return all matches of the tree. rounds: seated rounds; the last may be an unplayed draft.

    decided: finished tables of an open round, so that the winner is certain unless a player leaves or a hand is
    corrected.
    """
    slot = slot_of(began.seeds)
    by_slot: dict[int, str] = {at: entry for entry, at in slot.items()}
    steps = reached(began, rounds, following)
    all_matches: list[Match] = []
    come: list[tuple[str | None, bool]] = [(by_slot.get(at), True) for at in range(len(slots(len(began.seeds))))]
    for level in range(1, levels(len(began.seeds)) + 1):
        step = next((step for step in steps if step.level == level), None)
        before = [step for step in steps if step.level <= level]
        here = before[-1] if before else None
        at_table = (
            {result.entry: table for table, results in step.played.of_ladder(second=False).tables.items()
             for result in results}
            if step else {}
        )  # fmt: skip
        after: list[tuple[str | None, bool]] = []
        for number in range(len(come) // 2):
            (one, known), (other, other_known) = come[2 * number], come[2 * number + 1]
            match = Match(level, number, (one, other), (known, other_known), step.played.number if step else None)
            table = at_table.get(one or other or "")
            winner, over = _next_player(match, here, seated=table is not None and table not in decided)
            if table in decided and here is not None:
                there = [player for player in match.players if player in here.placed and player in here.went_on]
                winner = min(there, key=lambda player: here.placed[player].place, default=None)
            all_matches.append(match._replace(table=table, winner=winner, over=over))
            after.append((winner, over))
        come = after
    return all_matches


def _next_player(match: Match, here: Reached | None, *, seated: bool) -> tuple[str | None, bool]:
    """Return the player who advances from a match, and whether that is certain. here: the last drawn round up to its
    level.
    """
    if not all(match.is_known):
        return None, False
    present = [player for player in match.players if player is not None]
    if here is None:  # nothing is drawn yet
        return (present[0] if len(present) == 1 else None), len(present) < DUEL
    if seated and not here.played.is_over:
        return None, False
    if here.level < match.level and len(present) == DUEL:
        return None, False
    came = [player for player in present if player in here.went_on]
    return (came[0] if len(came) == 1 else None), True
