"""What results there must be, by what the log tells: its rows, walked in their order. Pure.

`league/log/audit.py` and `games/hands/audit.py` compare it with what there is. Rows of other kinds tell of no result. A
row may have been rewritten by anybody: what cannot be read is put aside.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from league.log.chain import Link, upgraded_at


class Place(NamedTuple):
    """Of a round by its number, and by how often a round of that number was undone before it."""

    round: int
    undone: int


class Slot(NamedTuple):
    """A hand of a table. The table has the number that it has in the end."""

    place: Place
    table: int
    hand: int

    def __str__(self) -> str:
        return f"round {self.place.round}, table {self.table}, hand {self.hand}"


@dataclass
class ToldHand:
    """A hand as it was recorded by row `number`, and perhaps taken back by row `over`.

    Hands from before the log kept it have no source and no moments. `counted_at` is that of the hand that it corrects.
    `counts`: False where time was up, so that nobody has a score of it.
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
class ToldPoints:
    """Points beside the hands, but for byes."""

    number: int
    player_id: str
    round: int | None
    kind: str
    points: int
    over: int | None = None


@dataclass
class ToldEvent:
    number: int
    player_id: str
    kind: str
    round: int | None
    over: int | None = None


@dataclass
class ToldRecord:
    """Frozen standings. `sha256` is None where the log did not keep it yet."""

    number: int
    sha256: str | None


@dataclass
class Told:
    """`byes`: by round, in the end, what each bye is worth that is worth something; rounds from before the log kept it
    are not there. `unread`: rows that do not say what they would say today."""

    hands: dict[Slot, list[ToldHand]] = field(default_factory=dict)
    points: list[ToldPoints] = field(default_factory=list)
    byes: dict[int, dict[str, int]] = field(default_factory=dict)
    events: dict[int, ToldEvent] = field(default_factory=dict)
    records: dict[tuple[Place, int], ToldRecord] = field(default_factory=dict)
    undone: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    unread: list[Link] = field(default_factory=list)

    def place(self, link: Link) -> Place:
        number = _known(link.round)
        return Place(number, self.undone[number])

    def slot(self, link: Link) -> Slot:
        return Slot(self.place(link), _known(link.table), _known(link.hand))


def _known(number: int | None) -> int:
    if number is None:
        raise ValueError("The row does not say where.")
    return number


def tell(links: Iterable[Link]) -> Told:
    chained = {link.number: link for link in links if link.number is not None}
    told, since = Told(), upgraded_at(chained.values())
    for number in sorted(chained):
        link = chained[number]
        try:
            if link.action == "publish" and number >= since:  # what byes are worth is told from here on
                told.byes[link.round or 0] = {}
            elif step := STEPS.get(link.action):
                step(told, number, link)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            told.unread.append(link)
    return told


def _record(told: Told, number: int, link: Link) -> None:
    recorded_at = datetime.fromisoformat(link.new["recorded_at"]) if "recorded_at" in link.new else None
    seats = [dict(seat) for seat in link.new["seats"]]
    if not all(isinstance(seat["seat"], int) for seat in seats):
        raise TypeError("Seats are numbers.")
    made = ToldHand(
        number,
        link.new["went_out"],
        seats,
        link.new.get("source"),
        recorded_at,
        recorded_at,
        link.new.get("counts", True),
    )
    there = told.hands.setdefault(told.slot(link), [])
    if link.action == "correct":
        there[-1].over, made.counted_at = number, there[-1].counted_at
    there.append(made)


def _void(told: Told, number: int, link: Link) -> None:
    told.hands[told.slot(link)][-1].over = number


def _undo_round(told: Told, number: int, link: Link) -> None:
    place = told.place(link)
    for slot, there in told.hands.items():
        if slot.place == place and there[-1].over is None:
            there[-1].over = number
    told.byes.pop(place.round, None)
    told.undone[place.round] += 1


def _move_table(told: Told, number: int, link: Link) -> None:
    """Two tables change numbers, with the hands that they have."""
    place, now = told.place(link), {link.old["number"]: link.new["number"], link.new["number"]: link.old["number"]}
    told.hands = {
        slot._replace(table=now.get(slot.table, slot.table)) if slot.place == place else slot: there
        for slot, there in told.hands.items()
    }


def _adjust(told: Told, number: int, link: Link) -> None:
    kind = "penalty" if link.new["points"] < 0 else "carried"
    told.points.append(ToldPoints(number, str(link.new["player_id"]), link.round, kind, int(link.new["points"])))


def _void_adjustment(told: Told, number: int, link: Link) -> None:
    """One of several alike is as good as another."""
    gone = (link.old["player_id"], link.round, link.old["points"])
    alike = [one for one in told.points if (one.player_id, one.round, one.points) == gone and one.over is None]
    alike[0].over = number


def _bye_points(told: Told, number: int, link: Link) -> None:
    told.byes[told.place(link).round] = {str(one["player_id"]): one["points"] for one in link.new}


def _value_bye(told: Told, number: int, link: Link) -> None:
    worth = told.byes.get(told.place(link).round)
    if worth is not None:
        worth.pop(player := str(link.new["player_id"]), None)
        worth |= {player: link.new["points"]} if link.new["points"] else {}


def _event(told: Told, number: int, link: Link) -> None:
    player = str(link.new["player_id"])
    told.events[link.new["event"]] = ToldEvent(number, player, EVENTS[link.action], link.round)
    if link.action == "late-entry" and link.new["total"]:
        told.points.append(ToldPoints(number, player, link.round, "late", int(link.new["total"])))


def _undo_event(told: Told, number: int, link: Link) -> None:
    undone = told.events[link.old["event"]]
    undone.over = number
    if undone.kind == "late":  # nothing of it stays
        told.points = [one for one in told.points if one.player_id != undone.player_id]


def _snapshot(told: Told, number: int, link: Link) -> None:
    told.records[told.place(link), link.new["revision"]] = ToldRecord(number, link.new.get("sha256"))


EVENTS = {
    "late-entry": "late",
    "drop-out": "drop",
    "no-show": "no-show",
    "come-back": "return",
    "reinstate": "reinstated",
}

STEPS: dict[str, Callable[[Told, int, Link], None]] = {
    "record": _record,
    "correct": _record,
    "void": _void,
    "undo-round": _undo_round,
    "move-table": _move_table,
    "adjust": _adjust,
    "void-adjustment": _void_adjustment,
    "bye-points": _bye_points,
    "value-bye": _value_bye,
    **dict.fromkeys(EVENTS, _event),
    "undo-event": _undo_event,
    "snapshot": _snapshot,
}
