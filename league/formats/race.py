r"""Replay a Challenge UNO: active players, departures and places (SCORE-4, TOUR-3).

Pure. All is recomputed from the records, so a corrected hand is right everywhere at once. Events are put in one order:
by round, within a round by the moment of recording, and

- a hand counts for its players who are still in, if at least two; else it doesn't count. A table with one player left
has ended, and with two left in the event only their hands count;\n- the round in which two are left is over at that
moment. Later hands of other tables in this round (in order before a correction) don't count, even if both of the last
two sit there;\n- a player who reaches the target is out at once. If a hand leaves no player below the target, the
lowest total stays: one player has won, several play on until a hand separates them;\n- a player who withdraws leaves
too: places go by round and hand of leaving, then by the lower total.

A correction keeps the moment of the original hand. At its own table a hand came before hands with higher numbers, so
it counts as recorded no later than they were.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.scoring import places, still_in

HEAD_TO_HEAD = 2

# Kinds of a Change.
LATE, DROP, RETURN, REINSTATED = CHANGES = ("late", "drop", "return", "reinstated")
# Statuses of an entry.
ACTIVE, OUT, DROPPED = "active", "out", "dropped"


class Hand(NamedTuple):
    """A living hand. number: at its table in the round, from 1. points: added to each dealt-in entry.

    moment: a number that grows with the order of recording; a correction has the moment of the original hand.
    """

    round: int
    table: int
    number: int
    moment: int
    points: Mapping[str, int]


class Adjustment(NamedTuple):
    """Points added, or subtracted if negative: at its moment in its round, or with round None before the first hand."""

    entry: str
    round: int | None
    moment: int
    points: int


class Change(NamedTuple):
    """An entry arrives, leaves or returns (CHANGES), at its moment in its round.

    A late entry is not in before; its start points are an adjustment. A reinstated entry was out and has less than the
    target. A change that doesn't fit the entry's status has no effect; `challenge.check_change` reports it beforehand.
    """

    entry: str
    kind: str
    round: int
    moment: int


class Departure(NamedTuple):
    """When an entry left. table None and hand 0: without a hand in that round; round 0: before round 1."""

    round: int
    table: int | None
    hand: int


@dataclass(frozen=True)
class Line:
    """rank: active entries by lower total, then the others by departure. place: only of the winner and of entries no
    longer in; it can still change during the round, and through late entries.
    """

    entry: str
    status: str
    total: int
    departure: Departure | None
    rank: int
    place: int | None


class Step(NamedTuple):
    """Effect of a hand on one entry: penalty points, new total, elimination."""

    entry: str
    round: int
    table: int
    hand: int
    caught: int
    total: int
    out: bool


@dataclass(frozen=True)
class State:
    """lines: by entry, best first. still_in: in the order of the entrants. race: in the order of play.

    for_nobody: hands that don't count, as (round, table, number).
    """

    lines: Mapping[str, Line]
    still_in: tuple[str, ...]
    winner: str | None
    race: tuple[Step, ...]
    for_nobody: tuple[tuple[int, int, int], ...]
    event: "_Event" = field(repr=False, compare=False)

    def after(self, hands: Iterable[Hand]) -> "State | None":
        """Return the state after more hands; None if one of them belongs before a recorded one."""
        event = self.event.copy()
        for hand in sorted(hands, key=lambda hand: (hand.round, hand.moment)):
            if not event.ends_with(hand):
                return None
            event.play(hand)
        return event.state()

    @property
    def has_more(self) -> bool:
        """Return whether there is more to play."""
        return len(self.still_in) >= HEAD_TO_HEAD


def state_of(
    *,
    target: int,
    entrants: Sequence[str],
    hands: Iterable[Hand] = (),
    adjustments: Iterable[Adjustment] = (),
    changes: Iterable[Change] = (),
    as_of_round: int | None = None,
) -> State:
    """Replay all records; the order of the arguments' items doesn't matter.

    entrants: in draw order, late entries included. as_of_round: leave out later rounds. Raises ValueError for an
    unknown entrant or kind of change.
    """
    event, records = _begin(target, entrants, hands, adjustments, changes)
    for record in records:
        if as_of_round is not None and (record.round or 0) > as_of_round:
            break
        event.take(record)
    return event.state()


def ranks_after(
    rounds: Iterable[int],
    *,
    target: int,
    entrants: Sequence[str],
    hands: Iterable[Hand],
    adjustments: Iterable[Adjustment],
    changes: Iterable[Change],
) -> dict[int, dict[str, int]]:
    """Return {round: {entry: rank after it}}, as in `state_of`, from one replay."""
    event, records = _begin(target, entrants, hands, adjustments, changes)
    to_come, ranks = sorted(set(rounds), reverse=True), {}
    for record in records:
        while to_come and (record.round or 0) > to_come[-1]:
            ranks[to_come.pop()] = event.ranks()
        event.take(record)
    return ranks | {number: event.ranks() for number in to_come}


Record = Hand | Adjustment | Change


def _begin(
    target: int,
    entrants: Sequence[str],
    hands: Iterable[Hand],
    adjustments: Iterable[Adjustment],
    changes: Iterable[Change],
) -> tuple["_Event", list[Record]]:
    """Return the event before its first hand, and its records in order."""
    all_changes = list(changes)
    event = _Event(target, entrants, late={change.entry for change in all_changes if change.kind == LATE})
    dated: list[Adjustment] = []
    for adjustment in adjustments:
        if adjustment.round is None:
            event.totals[_check_entrant(adjustment.entry, event.totals)] += adjustment.points
        else:
            dated.append(adjustment)
    event.leave_at_target(list(event.active), Departure(0, None, 0))
    return event, _in_order(list(hands), dated, all_changes)


def _in_order(hands: Sequence[Hand], adjustments: Sequence[Adjustment], changes: Sequence[Change]) -> list[Record]:
    """Sort by round and moment; within a moment hands come first, by table, and changes last, by entry."""
    latest: dict[tuple[int, int], int] = {}
    ordered: list[tuple[tuple[int, int, int, int, int], Record]] = []
    for hand in sorted(hands, key=lambda hand: hand.number, reverse=True):
        slot = hand.round, hand.table
        latest[slot] = min(hand.moment, latest.get(slot, hand.moment))
        ordered.append(((hand.round, latest[slot], 0, hand.table, hand.number), hand))
    for number, adjustment in enumerate(sorted(adjustments)):
        ordered.append(((adjustment.round or 0, adjustment.moment, 1, number, 0), adjustment))
    for number, change in enumerate(sorted(changes)):
        ordered.append(((change.round, change.moment, 2, number, 0), change))
    ordered.sort(key=lambda keyed: keyed[0])
    return [record for _key, record in ordered]


def _check_entrant(entry: str, entrants: Collection[str]) -> str:
    if entry not in entrants:
        raise ValueError(f"There is no entrant {entry}.")
    return entry


class _Event:
    """The event up to a moment."""

    def __init__(self, target: int, entrants: Sequence[str], late: Collection[str]) -> None:
        self.target = target
        self.totals = dict.fromkeys(entrants, 0)
        self.status = {entry: ACTIVE for entry in entrants if entry not in late}
        self.active = dict.fromkeys(self.status)  # as a set with an order
        self.departure: dict[str, Departure] = {}
        self.last_hand: dict[str, Departure] = {}
        self.begun = 0
        """Round of the last hand."""
        self.down_to_two: Departure | None = None
        """Latest point with two left. None if the round had not begun: these two play it."""
        self.race: list[Step] = []
        self.for_nobody: list[tuple[int, int, int]] = []
        self.latest = 0, 0
        """Round and moment of the last record."""
        self.numbers: dict[tuple[int, int], int] = {}
        """Highest number of a hand, by round and table."""

    def copy(self) -> "_Event":
        copy = _Event(self.target, (), ())
        for name, value in vars(self).items():
            setattr(copy, name, value.copy() if isinstance(value, dict | list) else value)
        return copy

    def ends_with(self, hand: Hand) -> bool:
        """Return whether this hand follows all played ones, also at its own table."""
        number = self.numbers.get((hand.round, hand.table), 0)
        return (hand.round, hand.moment) > self.latest and hand.number > number

    @property
    def over(self) -> bool:
        return len(self.active) < HEAD_TO_HEAD

    def take(self, record: Record) -> None:
        if isinstance(record, Hand):
            self.play(record)
        elif isinstance(record, Adjustment):
            self.adjust(record)
        else:
            self.change(record)

    def play(self, hand: Hand) -> None:
        self.begun = hand.round
        self.latest = max(self.latest, (hand.round, hand.moment))
        slot = hand.round, hand.table
        self.numbers[slot] = max(hand.number, self.numbers.get(slot, 0))
        here = [entry for entry in hand.points if _check_entrant(entry, self.totals) in self.active]
        if len(here) < HEAD_TO_HEAD or self._is_over(hand.round, hand.table):
            self.for_nobody.append((hand.round, hand.table, hand.number))
            return
        at = Departure(hand.round, hand.table, hand.number)
        for entry in here:
            self.totals[entry] += hand.points[entry]
            self.last_hand[entry] = at
        gone = self.leave_at_target(here, at)
        for entry in here:
            caught, out = hand.points[entry], entry in gone
            self.race.append(Step(entry, hand.round, hand.table, hand.number, caught, self.totals[entry], out))

    def adjust(self, adjustment: Adjustment) -> None:
        entry = _check_entrant(adjustment.entry, self.totals)
        self.latest = max(self.latest, (adjustment.round or 0, adjustment.moment))
        self.totals[entry] += adjustment.points
        if entry in self.active and adjustment.points > 0:
            self.leave_at_target([entry], self._departure_in(entry, adjustment.round or 0))

    def _is_over(self, round_number: int, table: int) -> bool:
        """Return whether the round is over for a table: two were left after a hand at another table."""
        down = self.down_to_two
        return (
            len(self.active) == HEAD_TO_HEAD and down is not None and down.round == round_number and down.table != table
        )

    def change(self, change: Change) -> None:
        entry = _check_entrant(change.entry, self.totals)
        if change.kind not in CHANGES:
            raise ValueError(f"There is no change “{change.kind}”.")
        self.latest = max(self.latest, (change.round, change.moment))
        if self.over:
            return
        status = self.status.get(entry)
        if change.kind == DROP and status == ACTIVE:
            self._leave(entry, DROPPED, self._departure_in(entry, change.round))
        elif (status, change.kind) in ((None, LATE), (DROPPED, RETURN)) or (
            (status, change.kind) == (OUT, REINSTATED) and self.totals[entry] < self.target
        ):
            self.status[entry] = ACTIVE
            self.active[entry] = None
            self.departure.pop(entry, None)
            self.leave_at_target([entry], self._departure_in(entry, change.round))

    def leave_at_target(self, entries: Sequence[str], at: Departure) -> list[str]:
        """After a change of totals, let entries at the target leave; return those that left."""
        totals = {entry: self.totals[entry] for entry in entries}
        if len(entries) < len(self.active):  # others are in, so all of these may leave
            gone = [entry for entry, total in totals.items() if total >= self.target]
        else:
            staying = still_in(totals, self.target) if totals else []
            gone = [entry for entry in entries if entry not in staying]
        for entry in gone:
            self._leave(entry, OUT, at)
        return gone

    def _leave(self, entry: str, status: str, at: Departure) -> None:
        del self.active[entry]
        self.status[entry] = status
        self.departure[entry] = at
        if len(self.active) == HEAD_TO_HEAD:
            self.down_to_two = at if at.round == self.begun else None

    def _departure_in(self, entry: str, round_number: int) -> Departure:
        last = self.last_hand.get(entry)
        return last if last and last.round == round_number else Departure(round_number, None, 0)

    def ranks(self) -> dict[str, int]:
        """Return ranks by entry, in draw order, late entries last."""
        return dict(zip(self.status, places([self._order(entry) for entry in self.status]), strict=True))

    def state(self) -> State:
        winner = next(iter(self.active)) if len(self.active) == 1 else None
        ranks = self.ranks()
        lines = {
            entry: Line(
                entry=entry,
                status=self.status[entry],
                total=self.totals[entry],
                departure=self.departure.get(entry),
                rank=rank,
                place=rank if entry in self.departure or entry == winner else None,
            )
            for entry, rank in sorted(ranks.items(), key=lambda ranked: ranked[1])
        }
        return State(
            lines=lines,
            still_in=tuple(entry for entry in self.totals if entry in self.active),
            winner=winner,
            race=tuple(self.race),
            for_nobody=tuple(self.for_nobody),
            event=self,
        )

    def _order(self, entry: str) -> tuple[int, ...]:
        departure = self.departure.get(entry)
        if departure is None:
            return 0, 0, 0, self.totals[entry]
        return 1, -departure.round, -departure.hand, self.totals[entry]
