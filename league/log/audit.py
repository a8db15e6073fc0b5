"""Whether a tournament's log is as it was written, and whether what there is follows from it.

Settings, seats and names are not compared: the log tells what was done about them, and not always what came of it.
Whether all hashes were made anew is not seen from inside: so somebody keeps an end of the log (league/log/anchors.py).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

from django.db import transaction

from engine.scoring import score_hand
from league import hooks
from league.log import chain
from league.log.chain import Fault, Link
from league.log.results import Place, Slot, Told, ToldHand, tell
from league.models import (
    Adjustment,
    Entry,
    EntryEvent,
    HandScore,
    LogEntry,
    LogHead,
    Player,
    Round,
    SignUp,
    Snapshot,
    Stage,
    Table,
    Tournament,
    User,
)

Row = TypeVar("Row")


class Audited(NamedTuple):
    """`notes` are no faults: what was anonymised, and what could not be compared. `hashes` are the rows', by number."""

    faults: list[Fault]
    head: LogHead
    notes: list[str]
    hashes: Mapping[int, str]


@transaction.atomic
def verify(tournament: Tournament) -> Audited:
    """Nothing is added to the log meanwhile."""
    head = LogHead.objects.select_for_update().filter(tournament=tournament).first() or LogHead(tournament=tournament)
    rows = LogEntry.objects.filter(tournament=tournament).order_by("number")
    links = [chain.link_of(row) for row in rows.iterator()]
    faults = list(chain.faults(links, head.number, head.hash, tournament.public_id))
    hashes = {link.number: link.hash for link in links if link.number is not None}
    faults += _records(tournament, hashes)
    erasures = [(link, [row for row, _digest in rows]) for link, rows in chain.erasures(links) if rows]
    notes = [f"{_entries(rows)} anonymised by entry {link.number}" for link, rows in erasures]
    if not {"empty", "elsewhere"} & {fault.what for fault in faults}:  # else nothing fits
        told = tell(links)
        faults += [fault for compare in (*COMPARED, hooks.games.compare_hands) for fault in compare(tournament, told)]
        faults += _not_erased(tournament, erasures, links)
        notes += _not_compared(tournament, told)
    return Audited(faults, head, notes, hashes)


def differs(about: str, number: int | None = None) -> Fault:
    return Fault(number, "differs", about=about)


def different(where: object, number: int, there: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[Fault]:
    """What row `number` tells of some columns, where there is something else."""
    for column, value in told.items():
        if there[column] != value:
            yield differs(f"{where}: {column} is {there[column]}, by entry {number} it is {value}", number)


def places(tournament: Tournament) -> dict[int, Place]:
    """Of the rounds by their key: one that was undone has its number before the one that was drawn in its stead."""
    undone: dict[int, int] = defaultdict(int)
    found = {}
    for key, number in tournament.rounds.order_by("pk").values_list("pk", "number"):
        found[key] = Place(number, undone[number])
        undone[number] += 1
    return found


def pairs(
    told: Mapping[Slot, Sequence[ToldHand]], there: Mapping[Slot, Sequence[Row]], what: str
) -> Iterator[tuple[Slot, ToldHand, Row] | Fault]:
    """Each hand that the log tells of with what there is of it, the oldest of a slot first, or that one is missing."""
    for slot in sorted({*told, *there}):
        for hand, row in zip_longest(told.get(slot, ()), there.get(slot, ())):
            if hand is None:
                yield differs(f"{slot}: {what} that no entry tells of")
            elif row is None:
                yield differs(f"{slot}: {what} of entry {hand.number} is not there", hand.number)
            else:
                yield slot, hand, row


def _entries(numbers: Sequence[int]) -> str:
    one = len(numbers) == 1
    return f"{'entry' if one else 'entries'} {', '.join(map(str, sorted(numbers)))} {'was' if one else 'were'}"


# --- hands


COLUMNS = (
    "entry__public_id", "played_by__public_id", "partner__public_id", "went_out", "cards_left", "points_left",
    "points_for", "points_against", "score", "source", "recorded_at", "counted_at", "voided_at",
)  # fmt: skip


def _scores(tournament: Tournament, told: Told) -> Iterator[Fault]:
    rows = HandScore.objects.filter(table__round__tournament=tournament).order_by("pk")
    place, there = places(tournament), defaultdict[Slot, dict[Any, list[dict[str, Any]]]](lambda: defaultdict(list))
    for row in rows.values("table__round", "table__number", "hand", "seat", *COLUMNS):
        slot = Slot(place[row["table__round"]], row["table__number"], row["hand"])
        there[slot][row["recorded_at"]].append(row)
    stages, people = {stage.pk: stage for stage in tournament.stages.all()}, _People()
    stage_of = dict(tournament.rounds.values_list("number", "stage"))
    scored = {slot: [hand for hand in hands if hand.counts] for slot, hands in told.hands.items()}
    yield from _not_counted(tournament, told, place)
    for found in pairs(scored, {slot: list(hands.values()) for slot, hands in there.items()}, "a result"):
        if isinstance(found, Fault):
            yield found
            continue
        slot, hand, seats = found
        wanted = _wanted(hand, stages[stage_of[slot.place.round]])
        if sorted(wanted) != sorted(row["seat"] for row in seats):
            yield differs(f"{slot}: scores of other seats than entry {hand.number} tells of", hand.number)
        for row in seats:
            said = {
                "player_id": row["entry__public_id"],
                "played_by": row["played_by__public_id"],
                "partner_id": row["partner__public_id"],
                "voided": row["voided_at"] is not None,
                **row,
            }
            by_log = wanted.get(row["seat"], {})
            if "played_by" in by_log and people.same(said["played_by"], str(by_log["played_by"] or "")):
                del by_log["played_by"]
            voided = {"voided": by_log.pop("voided", said["voided"])}
            where = f"{slot}, seat {row['seat']}"
            yield from different(where, hand.number, said, by_log)
            yield from different(where, hand.over or hand.number, said, voided)


def _not_counted(tournament: Tournament, told: Told, place: Mapping[int, Place]) -> Iterator[Fault]:
    """Slots that are closed without scores, held against the hands that time was up for."""
    closed = {
        slot: (hand.number, sorted(seat["seat"] for seat in hand.seats))
        for slot, hands in told.hands.items()
        for hand in hands
        if not hand.counts and hand.over is None
    }
    tables = Table.objects.filter(round__tournament=tournament).exclude(not_counted={})
    for round_id, table, hands in tables.values_list("round", "number", "not_counted"):
        for hand, seats in hands.items():
            slot = Slot(place[round_id], table, int(hand))
            if closed.pop(slot, (0, None))[1] != sorted(seats):
                yield differs(f"{slot}: closed without scores, and no entry tells that these seats were dealt in")
    for slot, (number, _seats) in closed.items():
        yield differs(f"{slot}: does not count by entry {number}, and is not closed", number)


def _wanted(hand: ToldHand, stage: Stage) -> dict[int, dict[str, Any]]:
    """By seat what there must be, as far as the log tells it."""
    numbers = [seat["seat"] for seat in hand.seats]
    wanted = []
    for seat in hand.seats:
        columns = {column: seat[column] for column in ("cards_left", "points_left") if column in seat}
        columns |= {"went_out": seat["seat"] == hand.went_out, "voided": hand.over is not None}
        if stage.has_teams:
            columns |= {"played_by": seat["player_id"]} if "player_id" in seat else {}
            columns |= {"player_id": seat["entry"]} if "entry" in seat else {}
        elif "player_id" in seat:
            columns |= {"player_id": seat["player_id"]}
            columns |= {"played_by": seat.get("played_by")} if hand.recorded_at else {}
        if hand.recorded_at:
            columns |= {"source": hand.source, "recorded_at": hand.recorded_at}
        if hand.counted_at:
            columns |= {"counted_at": hand.counted_at}
        wanted.append(columns)
    if all("player_id" in columns for columns in wanted):
        for at, columns in enumerate(wanted):
            partner = wanted[(at + 2) % len(wanted)]
            columns["partner_id"] = partner["player_id"] if stage.has_partners else None
    try:
        went_out = None if hand.went_out is None else numbers.index(hand.went_out)
        points = [columns.get("points_left") for columns in wanted]
        for name, values in score_hand(stage.scoring, points, went_out, stage.has_partners)._asdict().items():
            for columns, value in zip(wanted, values, strict=True):
                columns["score" if name == "scores" else name] = value
    except (TypeError, ValueError):
        for columns in wanted:
            columns["score"] = None  # there can be no such hand, or no such scoring: whatever score it has is wrong
    return dict(zip(numbers, wanted, strict=True))


class _People:
    """Who is the same person by now: records are merged, and the log keeps whom it was told of."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {"": ""}

    def same(self, one: str | None, other: str) -> bool:
        return self._now(one or "") == self._now(other)

    def _now(self, public_id: str) -> str:
        if public_id not in self.known:
            self.known[public_id] = public_id
            into = Player.objects.filter(public_id=public_id).values_list("merged_into__public_id", flat=True).first()
            self.known[public_id] = self._now(into or public_id)
        return self.known[public_id]


# --- points, who came and went


PointsOf = tuple[str, int | None, str, int]
"""Whose, in which round, of which kind, and how many."""


def _points(tournament: Tournament, told: Told) -> Iterator[Fault]:
    if _unread_points(told):
        return
    living = Adjustment.objects.filter(entry__tournament=tournament, voided_at=None).exclude(kind=Adjustment.Kind.BYE)
    there = Counter[PointsOf](living.values_list("entry__public_id", "round__number", "kind", "points"))
    by_log = [one for one in told.points if one.over is None]
    wanted = Counter[PointsOf]((one.player_id, one.round, one.kind, one.points) for one in by_log)
    for key in sorted({*wanted, *there}, key=str):
        player, number, kind, points = key
        of = f"{points} points ({kind}) for {player}" + (f" in round {number}" if number else "")
        if there[key] > wanted[key]:
            yield differs(f"{of} count, and no entry tells that they do")
        elif there[key] < wanted[key]:
            yield differs(f"{of} do not count, and by the log they do")


def _unread_points(told: Told) -> list[int | None]:
    """Rows from before the log named players by their ids."""
    return [link.number for link in told.unread if link.action in ("adjust", "void-adjustment")]


def _byes(tournament: Tournament, told: Told) -> Iterator[Fault]:
    there = _bye_points(tournament)
    for key, place in places(tournament).items():
        wanted = {} if place.undone < told.undone[place.round] else told.byes.get(place.round)
        if wanted is None:  # from before the log kept them
            continue
        for player in sorted({*there[key], *wanted}):
            found, by_log = there[key].get(player, 0), wanted.get(player, 0)
            if found != by_log:
                yield differs(f"round {place.round}: the bye of {player} is worth {found}, by the log {by_log}")


def _bye_points(tournament: Tournament) -> dict[int | None, dict[str, int]]:
    """{key of a round: {player: what the bye is worth}}"""
    given = Adjustment.objects.filter(entry__tournament=tournament, voided_at=None, kind=Adjustment.Kind.BYE)
    found: dict[int | None, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for key, player, points in given.values_list("round", "entry__public_id", "points"):
        found[key][player] += points
    return found


def _events(tournament: Tournament, told: Told) -> Iterator[Fault]:
    rows = EntryEvent.objects.filter(entry__tournament=tournament).order_by("pk")
    there = {row["pk"]: row for row in rows.values("pk", "entry__public_id", "kind", "round__number", "voided_at")}
    for key, event in told.events.items():
        row = there.pop(key, None)
        if row is not None:
            said = {"player_id": row["entry__public_id"], "kind": row["kind"], "round": row["round__number"]}
            wanted = {"player_id": event.player_id, "kind": event.kind, "round": event.round}
            where = f"event {key}"
            yield from different(where, event.number, said, wanted)
            voided = {"voided": row["voided_at"] is not None}
            yield from different(where, event.over or event.number, voided, {"voided": event.over is not None})
        elif event.over is None or event.kind != "late":  # of a late entry that is undone nothing stays
            yield differs(
                f"event {key}: what entry {event.number} tells of {event.player_id} is not there", event.number
            )
    for key, row in there.items():
        yield differs(f"event {key}: no entry tells of {row['kind']} of {row['entry__public_id']}")


# --- records, erasures


def _records(tournament: Tournament, hashes: Mapping[int, str]) -> Iterator[Fault]:
    """Records of published standings whose row the log does not have any more."""
    of = Snapshot.objects.filter(round__tournament=tournament).exclude(log_hash="").order_by("pk")
    for number, revision, row, there in of.values_list("round__number", "revision", "log_number", "log_hash"):
        if hashes.get(row or 0) != there:
            about = f"the record of round {number}, revision {revision}, names entry {row} with the hash {there}"
            yield differs(f"{about}: the log was cut or made anew since", row)


def _standings(tournament: Tournament, told: Told) -> Iterator[Fault]:
    """Records of published standings that are not what the log tells of them."""
    place, wanted = places(tournament), dict(told.records)
    for record in Snapshot.objects.filter(round__tournament=tournament).order_by("pk"):
        where = place[record.round_id], record.revision
        name = f"the record of round {where[0].round}, revision {record.revision}"
        row = wanted.pop(where, None)
        if row is None:
            yield differs(f"{name}: no entry tells of it")
        elif row.sha256 is not None and row.sha256 != chain.record_digest(record.rules, record.rows):
            yield differs(f"{name} is not what entry {row.number} tells of", row.number)
    for (at, revision), row in wanted.items():
        yield differs(
            f"the record of round {at.round}, revision {revision}, of entry {row.number} is not there", row.number
        )


def _not_erased(
    tournament: Tournament, erasures: Sequence[tuple[Link, Sequence[int]]], links: Sequence[Link]
) -> Iterator[Fault]:
    """Erasures of somebody who is still there: names and reasons were rewritten behind a row that somebody made."""
    before: set[tuple[str, str]] = set()
    for link, rows in erasures:
        key = next((key for key in ("user_id", "player_id", "player") if key in link.new), "")
        whom = key, str(link.new.get(key))
        again = whom in before  # nobody is erased twice
        before.add(whom)
        if again or not _is_erased(tournament, link, links):
            said = f"entry {link.number} tells that somebody was erased, and nobody was"
            yield differs(f"{said}: {_entries(rows)} rewritten behind it", link.number)


def _is_erased(tournament: Tournament, erasure: Link, links: Sequence[Link]) -> bool:
    of, called = erasure.new, str(erasure.new.get("player"))
    if "user_id" in of:
        return isinstance(of["user_id"], int) and User.objects.filter(pk=of["user_id"], is_active=False).exists()
    if "player_id" not in of:  # somebody who only ever substituted
        elsewhere = Player.objects.filter(name=called).exclude(entries__tournament=tournament)
        return elsewhere.exclude(erased_at=None).exists()
    player_id = str(of["player_id"])
    entry = Entry.objects.filter(tournament=tournament, public_id=player_id).select_related("player").first()
    if entry is not None:
        return entry.player.erased_at is not None
    # Or they were taken off the list, or never on it: then rows before tell of them, and their sign-up names nobody.
    known = any(player_id in str([link.old, link.new]) for link in links if link.action != chain.ERASE)
    return known and not SignUp.objects.filter(public_id=player_id).exclude(name=called).exists()


COMPARED = (_scores, _points, _byes, _events, _standings)


def _not_compared(tournament: Tournament, told: Told) -> Iterator[str]:
    """What the log of earlier versions does not tell."""
    older = [hand.number for hands in told.hands.values() for hand in hands if hand.recorded_at is None]
    if older:
        of = f"{len(older)} hands, the last of entry {max(older)}"
        yield f"not compared: source and time of {of}; now the log keeps them"
    if unread := _unread_points(told):
        yield f"not compared: points beside the hands, since entry {unread[0]} names a player without an id"
    byes = _bye_points(tournament)
    rounds = Round.objects.filter(pk__in=[key for key, worth in byes.items() if worth]).exclude(state=Round.State.VOID)
    if numbers := sorted({*rounds.values_list("number", flat=True)} - told.byes.keys()):
        yield f"not compared: points for byes in round {', '.join(map(str, numbers))}; now the log keeps them"
