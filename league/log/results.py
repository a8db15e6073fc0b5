"""Read the results recorded in a log, from its rows in order. Pure.

`league/log/audit.py` and `games/hands/audit.py` compare them with stored results. Other kinds of rows hold no result. A
row may have been tampered with, so unreadable rows are set aside.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from league.log.chain import Link, upgraded_at


class Place(NamedTuple):
    """A round: its number, and the number of undone rounds with that number before it."""

    round: int
    undone: int


class Slot(NamedTuple):
    """A hand of a table. `table` is the table's final number."""

    place: Place
    table: int
    hand: int

    def __str__(self) -> str:
        return f"round {self.place.round}, table {self.table}, hand {self.hand}"


@dataclass
class LoggedHand:
    """A hand recorded by row `number`, and possibly voided by row `over`.

    Hands from older logs have no source and no times. A correction has the `counted_at` of the hand it replaces.
    `counts` is False if time was up, so that no one scores.
    """

    number: int
    went_out: int | None
    seats: Sequence[Mapping[str, Any]]
    source: str | None
    recorded_at: datetime | None
    counted_at: datetime | None
    counts: bool = True
    over: int | None = None


@dataclass
class LoggedPoints:
    """A points adjustment, except for byes. `goes_with_round`: undoing the round voids it."""

    number: int
    player_id: str
    round: int | None
    kind: str
    points: int
    over: int | None = None
    goes_with_round: bool = False


@dataclass
class LoggedEvent:
    number: int
    player_id: str
    kind: str
    round: int | None
    over: int | None = None


@dataclass
class LoggedRecord:
    """Frozen standings. `sha256` is None in older logs."""

    number: int
    sha256: str | None


@dataclass
class LoggedResults:
    """The results in a log. `byes`: by round, the final points of each bye; rounds of older logs are missing.

    `unread`: rows that lack today's keys.
    """

    hands: dict[Slot, list[LoggedHand]] = field(default_factory=dict)
    points: list[LoggedPoints] = field(default_factory=list)
    byes: dict[int, dict[str, int]] = field(default_factory=dict)
    events: dict[int, LoggedEvent] = field(default_factory=dict)
    records: dict[tuple[Place, int], LoggedRecord] = field(default_factory=dict)
    undone: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    unread: list[Link] = field(default_factory=list)

    def place(self, link: Link) -> Place:
        number = _checked_number(link.round)
        return Place(number, self.undone[number])

    def slot(self, link: Link) -> Slot:
        return Slot(self.place(link), _checked_number(link.table), _checked_number(link.hand))


def _checked_number(number: int | None) -> int:
    if number is None:
        raise ValueError("The row does not say where.")
    return number


def read_results(links: Iterable[Link]) -> LoggedResults:
    chained = {link.number: link for link in links if link.number is not None}
    logged, since = LoggedResults(), upgraded_at(chained.values())
    for number in sorted(chained):
        link = chained[number]
        try:
            if link.action == "publish" and number >= since:  # the log records byes from here on
                logged.byes[link.round or 0] = {}
            elif step := STEPS.get(link.action):
                step(logged, number, link)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            logged.unread.append(link)
    return logged


def _record(logged: LoggedResults, number: int, link: Link) -> None:
    recorded_at = datetime.fromisoformat(link.new["recorded_at"]) if "recorded_at" in link.new else None
    seats = [dict(seat) for seat in link.new["seats"]]
    if not all(isinstance(seat["seat"], int) for seat in seats):
        raise TypeError("Seats are numbers.")
    hand = LoggedHand(
        number,
        link.new["went_out"],
        seats,
        link.new.get("source"),
        recorded_at,
        recorded_at,
        link.new.get("counts", True),
    )
    hands = logged.hands.setdefault(logged.slot(link), [])
    if link.action == "correct":
        hands[-1].over, hand.counted_at = number, hands[-1].counted_at
    hands.append(hand)


def _void(logged: LoggedResults, number: int, link: Link) -> None:
    logged.hands[logged.slot(link)][-1].over = number


def _undo_round(logged: LoggedResults, number: int, link: Link) -> None:
    place = logged.place(link)
    for slot, hands in logged.hands.items():
        if slot.place == place and hands[-1].over is None:
            hands[-1].over = number
    for points in logged.points:
        if points.goes_with_round and points.round == place.round and points.over is None:
            points.over = number
    logged.byes.pop(place.round, None)
    logged.undone[place.round] += 1


def _move_table(logged: LoggedResults, number: int, link: Link) -> None:
    """Swap the numbers of two tables, which keep their hands."""
    place, now = logged.place(link), {link.old["number"]: link.new["number"], link.new["number"]: link.old["number"]}
    logged.hands = {
        slot._replace(table=now.get(slot.table, slot.table)) if slot.place == place else slot: hands
        for slot, hands in logged.hands.items()
    }


def _adjust(logged: LoggedResults, number: int, link: Link) -> None:
    # The log has the kind since lost points can be a prize too.
    kind = link.new.get("kind") or ("penalty" if link.new["points"] < 0 else "carried")
    player, points = str(link.new["player_id"]), int(link.new["points"])
    goes = kind == "extra-hand"
    logged.points.append(LoggedPoints(number, player, link.round, kind, points, goes_with_round=goes))


def _carry_points(logged: LoggedResults, number: int, link: Link) -> None:
    for row in link.new:
        points = LoggedPoints(
            number, str(row["player_id"]), link.round, "carried-on", row["points"], goes_with_round=True
        )
        logged.points.append(points)


def _void_adjustment(logged: LoggedResults, number: int, link: Link) -> None:
    """Void one of several equal adjustments. Older rows have no kind, only points."""
    gone, kind = (link.old["player_id"], link.round, link.old["points"]), link.old.get("kind")
    alike = [row for row in logged.points if (row.player_id, row.round, row.points) == gone and row.over is None]
    next(row for row in alike if kind in (None, row.kind)).over = number


def _bye_points(logged: LoggedResults, number: int, link: Link) -> None:
    logged.byes[logged.place(link).round] = {str(bye["player_id"]): bye["points"] for bye in link.new}


def _value_bye(logged: LoggedResults, number: int, link: Link) -> None:
    worth = logged.byes.get(logged.place(link).round)
    if worth is not None:
        worth.pop(player := str(link.new["player_id"]), None)
        worth |= {player: link.new["points"]} if link.new["points"] else {}


def _event(logged: LoggedResults, number: int, link: Link) -> None:
    player = str(link.new["player_id"])
    logged.events[link.new["event"]] = LoggedEvent(number, player, EVENTS[link.action], link.round)
    if link.action == "late-entry" and link.new["total"]:
        logged.points.append(LoggedPoints(number, player, link.round, "late", int(link.new["total"])))


def _undo_event(logged: LoggedResults, number: int, link: Link) -> None:
    undone = logged.events[link.old["event"]]
    undone.over = number
    if undone.kind == "late":  # undoing it voids its points too
        logged.points = [points for points in logged.points if points.player_id != undone.player_id]


def _snapshot(logged: LoggedResults, number: int, link: Link) -> None:
    logged.records[logged.place(link), link.new["revision"]] = LoggedRecord(number, link.new.get("sha256"))


EVENTS = {
    "late-entry": "late",
    "drop-out": "drop",
    "no-show": "no-show",
    "come-back": "return",
    "reinstate": "reinstated",
}

STEPS: dict[str, Callable[[LoggedResults, int, Link], None]] = {
    "record": _record,
    "correct": _record,
    "void": _void,
    "undo-round": _undo_round,
    "move-table": _move_table,
    "adjust": _adjust,
    "void-adjustment": _void_adjustment,
    "carry-points": _carry_points,
    "bye-points": _bye_points,
    "value-bye": _value_bye,
    **dict.fromkeys(EVENTS, _event),
    "undo-event": _undo_event,
    "snapshot": _snapshot,
}
