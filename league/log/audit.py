"""Check that a tournament's log is unchanged, and that its results follow from it.

Settings, seats and names aren't compared: the log records the actions, not always their outcome. A log with all hashes
rewritten looks intact, so an end must be stored elsewhere (league/log/anchors.py).
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
from league.log.results import LoggedHand, LoggedResults, Place, Slot, read_results
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
    """The result of an audit. `notes` are no faults: content that was anonymised or not compared. `hashes` are by row
    number."""

    faults: list[Fault]
    head: LogHead
    notes: list[str]
    hashes: Mapping[int, str]


@transaction.atomic
def verify(tournament: Tournament) -> Audited:
    """Audit a tournament. Its log is locked meanwhile."""
    head = LogHead.objects.select_for_update().filter(tournament=tournament).first() or LogHead(tournament=tournament)
    rows = LogEntry.objects.filter(tournament=tournament).order_by("number")
    links = [chain.link_of(row) for row in rows.iterator()]
    faults = list(chain.faults(links, head.number, head.hash, tournament.public_id))
    hashes = {link.number: link.hash for link in links if link.number is not None}
    faults += _records(tournament, hashes)
    erasures = [(link, [row for row, _digest in rows]) for link, rows in chain.erasures(links) if rows]
    notes = [f"{_entries(rows)} anonymised by entry {link.number}" for link, rows in erasures]
    if not {"empty", "elsewhere"} & {fault.kind for fault in faults}:  # otherwise nothing can match
        logged = read_results(links)
        faults += [fault for compare in (*COMPARED, hooks.games.compare_hands) for fault in compare(tournament, logged)]
        faults += _false_erasures(tournament, erasures, links)
        notes += _gap_notes(tournament, logged)
    return Audited(faults, head, notes, hashes)


def mismatch(about: str, number: int | None = None) -> Fault:
    return Fault(number, "differs", about=about)


def differences(where: object, number: int, actual: Mapping[str, Any], logged: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each column whose value differs from row `number` of the log."""
    for column, value in logged.items():
        if actual[column] != value:
            yield mismatch(f"{where}: {column} is {actual[column]}, by entry {number} it is {value}", number)


def places(tournament: Tournament) -> dict[int, Place]:
    """Return {round id: place}. An undone round counts before the round that replaced it."""
    undone: dict[int, int] = defaultdict(int)
    by_key = {}
    for key, number in tournament.rounds.order_by("pk").values_list("pk", "number"):
        by_key[key] = Place(number, undone[number])
        undone[number] += 1
    return by_key


def pairs(
    logged: Mapping[Slot, Sequence[LoggedHand]], rows: Mapping[Slot, Sequence[Row]], kind: str
) -> Iterator[tuple[Slot, LoggedHand, Row] | Fault]:
    """Yield each hand of the log with its row, the oldest of a slot first, or a fault if one is missing."""
    for slot in sorted({*logged, *rows}):
        for hand, row in zip_longest(logged.get(slot, ()), rows.get(slot, ())):
            if hand is None:
                yield mismatch(f"{slot}: {kind} that no entry tells of")
            elif row is None:
                yield mismatch(f"{slot}: {kind} of entry {hand.number} is not there", hand.number)
            else:
                yield slot, hand, row


def _entries(numbers: Sequence[int]) -> str:
    single = len(numbers) == 1
    return f"{'entry' if single else 'entries'} {', '.join(map(str, sorted(numbers)))} {'was' if single else 'were'}"


# --- hands


COLUMNS = (
    "entry__public_id", "played_by__public_id", "partner__public_id", "went_out", "cards_left", "points_left",
    "points_for", "points_against", "score", "source", "recorded_at", "counted_at", "voided_at",
)  # fmt: skip


def _scores(tournament: Tournament, logged: LoggedResults) -> Iterator[Fault]:
    rows = HandScore.objects.filter(table__round__tournament=tournament).order_by("pk")
    place, rows_by_slot = (
        places(tournament),
        defaultdict[Slot, dict[Any, list[dict[str, Any]]]](lambda: defaultdict(list)),
    )
    for row in rows.values("table__round", "table__number", "hand", "seat", *COLUMNS):
        slot = Slot(place[row["table__round"]], row["table__number"], row["hand"])
        rows_by_slot[slot][row["recorded_at"]].append(row)
    stage_of = {place[played.pk]: played.stage for played in tournament.rounds.select_related("stage")}
    people = _People()
    scored = {slot: [hand for hand in hands if hand.counts] for slot, hands in logged.hands.items()}
    yield from _uncounted_hands(tournament, logged, place)
    for pair in pairs(scored, {slot: list(hands.values()) for slot, hands in rows_by_slot.items()}, "a result"):
        if isinstance(pair, Fault):
            yield pair
            continue
        slot, hand, seats = pair
        expected = _expected_columns(hand, stage_of[slot.place])
        if sorted(expected) != sorted(row["seat"] for row in seats):
            yield mismatch(f"{slot}: scores of other seats than entry {hand.number} tells of", hand.number)
        for row in seats:
            actual = {
                "player_id": row["entry__public_id"],
                "played_by": row["played_by__public_id"],
                "partner_id": row["partner__public_id"],
                "voided": row["voided_at"] is not None,
                **row,
            }
            by_log = expected.get(row["seat"], {})
            if "played_by" in by_log and people.are_same(actual["played_by"], str(by_log["played_by"] or "")):
                del by_log["played_by"]
            voided = {"voided": by_log.pop("voided", actual["voided"])}
            where = f"{slot}, seat {row['seat']}"
            yield from differences(where, hand.number, actual, by_log)
            yield from differences(where, hand.over or hand.number, actual, voided)


def _uncounted_hands(tournament: Tournament, logged: LoggedResults, place: Mapping[int, Place]) -> Iterator[Fault]:
    """Compare slots closed without scores with the hands whose time was up."""
    closed = {
        slot: (hand.number, sorted(seat["seat"] for seat in hand.seats))
        for slot, hands in logged.hands.items()
        for hand in hands
        if not hand.counts and hand.over is None
    }
    tables = Table.objects.filter(round__tournament=tournament).exclude(not_counted={})
    for round_id, table, hands in tables.values_list("round", "number", "not_counted"):
        for hand, seats in hands.items():
            slot = Slot(place[round_id], table, int(hand))
            if closed.pop(slot, (0, None))[1] != sorted(seats):
                yield mismatch(f"{slot}: closed without scores, and no entry tells that these seats were dealt in")
    for slot, (number, _seats) in closed.items():
        yield mismatch(f"{slot}: does not count by entry {number}, and is not closed", number)


def _expected_columns(hand: LoggedHand, stage: Stage) -> dict[int, dict[str, Any]]:
    """Return the columns that the log expects, by seat, as far as it records them."""
    numbers = [seat["seat"] for seat in hand.seats]
    expected = []
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
        expected.append(columns)
    if all("player_id" in columns for columns in expected):
        for at, columns in enumerate(expected):
            partner = expected[(at + 2) % len(expected)]
            columns["partner_id"] = partner["player_id"] if stage.has_partners else None
    try:
        went_out = None if hand.went_out is None else numbers.index(hand.went_out)
        points = [columns.get("points_left") for columns in expected]
        for name, values in score_hand(stage.scoring, points, went_out, stage.has_partners)._asdict().items():
            for columns, value in zip(expected, values, strict=True):
                columns["score" if name == "scores" else name] = value
    except (TypeError, ValueError):
        for columns in expected:
            columns["score"] = None  # such a hand can't be scored, so any score is wrong
    return dict(zip(numbers, expected, strict=True))


class _People:
    """Compare players by their current record: records are merged, but the log keeps old ids."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {"": ""}

    def are_same(self, first: str | None, second: str) -> bool:
        return self._current_id(first or "") == self._current_id(second)

    def _current_id(self, public_id: str) -> str:
        if public_id not in self.known:
            self.known[public_id] = public_id
            into = Player.objects.filter(public_id=public_id).values_list("merged_into__public_id", flat=True).first()
            self.known[public_id] = self._current_id(into or public_id)
        return self.known[public_id]


# --- points, and events of entries


PointsOf = tuple[str, int | None, str, int]
"""(player's id, round, kind, points)"""


def _points(tournament: Tournament, logged: LoggedResults) -> Iterator[Fault]:
    if _unread_points(logged):
        return
    living = Adjustment.objects.filter(entry__tournament=tournament, voided_at=None).exclude(kind=Adjustment.Kind.BYE)
    actual = Counter[PointsOf](living.values_list("entry__public_id", "round__number", "kind", "points"))
    by_log = [logged_points for logged_points in logged.points if logged_points.over is None]
    expected = Counter[PointsOf](
        (logged_points.player_id, logged_points.round, logged_points.kind, logged_points.points)
        for logged_points in by_log
    )
    for key in sorted({*expected, *actual}, key=str):
        player, number, kind, points = key
        label = f"{points} points ({kind}) for {player}" + (f" in round {number}" if number else "")
        if actual[key] > expected[key]:
            yield mismatch(f"{label} count, and no entry tells that they do")
        elif actual[key] < expected[key]:
            yield mismatch(f"{label} do not count, and by the log they do")


def _unread_points(logged: LoggedResults) -> list[int | None]:
    """Return the rows that name players without ids, from older versions."""
    return [link.number for link in logged.unread if link.action in ("adjust", "void-adjustment")]


def _byes(tournament: Tournament, logged: LoggedResults) -> Iterator[Fault]:
    actual = _bye_points(tournament)
    for key, place in places(tournament).items():
        expected = {} if place.undone < logged.undone[place.round] else logged.byes.get(place.round)
        if expected is None:  # older versions didn't log them
            continue
        for player in sorted({*actual[key], *expected}):
            worth, by_log = actual[key].get(player, 0), expected.get(player, 0)
            if worth != by_log:
                yield mismatch(f"round {place.round}: the bye of {player} is worth {worth}, by the log {by_log}")


def _bye_points(tournament: Tournament) -> dict[int | None, dict[str, int]]:
    """Return {round id: {player_id: points of the bye}}."""
    byes = Adjustment.objects.filter(entry__tournament=tournament, voided_at=None, kind=Adjustment.Kind.BYE)
    by_round: dict[int | None, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for key, player, points in byes.values_list("round", "entry__public_id", "points"):
        by_round[key][player] += points
    return by_round


def _events(tournament: Tournament, logged: LoggedResults) -> Iterator[Fault]:
    rows = EntryEvent.objects.filter(entry__tournament=tournament).order_by("pk")
    rows_by_key = {
        row["pk"]: row for row in rows.values("pk", "entry__public_id", "kind", "round__number", "voided_at")
    }
    taken_off = {event.player_id for event in logged.events.values() if event.kind == "late" and event.over is not None}
    for key, event in logged.events.items():
        row = rows_by_key.pop(key, None)
        if row is not None:
            actual = {"player_id": row["entry__public_id"], "kind": row["kind"], "round": row["round__number"]}
            expected = {"player_id": event.player_id, "kind": event.kind, "round": event.round}
            where = f"event {key}"
            yield from differences(where, event.number, actual, expected)
            voided = {"voided": row["voided_at"] is not None}
            yield from differences(where, event.over or event.number, voided, {"voided": event.over is not None})
        elif event.over is None or event.player_id not in taken_off:  # undoing a late entry deletes its rows
            yield mismatch(
                f"event {key}: what entry {event.number} tells of {event.player_id} is not there", event.number
            )
    for key, row in rows_by_key.items():
        yield mismatch(f"event {key}: no entry tells of {row['kind']} of {row['entry__public_id']}")


# --- records, erasures


def _records(tournament: Tournament, hashes: Mapping[int, str]) -> Iterator[Fault]:
    """Yield a fault for each record of published standings whose log row is missing."""
    records = Snapshot.objects.filter(round__tournament=tournament).exclude(log_hash="").order_by("pk")
    for number, revision, row, log_hash in records.values_list("round__number", "revision", "log_number", "log_hash"):
        if hashes.get(row or 0) != log_hash:
            about = f"the record of round {number}, revision {revision}, names entry {row} with the hash {log_hash}"
            yield mismatch(f"{about}: the log was cut or rewritten since", row)


def _standings(tournament: Tournament, logged: LoggedResults) -> Iterator[Fault]:
    """Yield a fault for each record of published standings that differs from the log."""
    place, expected = places(tournament), dict(logged.records)
    for record in Snapshot.objects.filter(round__tournament=tournament).order_by("pk"):
        where = place[record.round_id], record.revision
        name = f"the record of round {where[0].round}, revision {record.revision}"
        row = expected.pop(where, None)
        if row is None:
            yield mismatch(f"{name}: no entry tells of it")
        elif row.sha256 is not None and row.sha256 != chain.record_digest(record.rules, record.rows):
            yield mismatch(f"{name} is not what entry {row.number} tells of", row.number)
    for (at, revision), row in expected.items():
        yield mismatch(
            f"the record of round {at.round}, revision {revision}, of entry {row.number} is not there", row.number
        )


def _false_erasures(
    tournament: Tournament, erasures: Sequence[tuple[Link, Sequence[int]]], links: Sequence[Link]
) -> Iterator[Fault]:
    """Yield a fault for each erasure of a person who isn't erased: a forged row would hide rewritten texts."""
    before: set[tuple[str, str]] = set()
    for link, rows in erasures:
        key = next((key for key in ("user_id", "player_id", "player") if key in link.new), "")
        person = key, str(link.new.get(key))
        again = person in before  # a person is erased only once
        before.add(person)
        if again or not _is_erased(tournament, link, links):
            claim = f"entry {link.number} records an erasure, but no one was erased"
            yield mismatch(f"{claim}: {_entries(rows)} rewritten behind it", link.number)


def _is_erased(tournament: Tournament, erasure: Link, links: Sequence[Link]) -> bool:
    new, name = erasure.new, str(erasure.new.get("player"))
    if "user_id" in new:
        return isinstance(new["user_id"], int) and User.objects.filter(pk=new["user_id"], is_active=False).exists()
    if "player_id" not in new:  # a person who only ever was a substitute
        elsewhere = Player.objects.filter(name=name).exclude(entries__tournament=tournament)
        return elsewhere.exclude(erased_at=None).exists()
    player_id = str(new["player_id"])
    entry = Entry.objects.filter(tournament=tournament, public_id=player_id).select_related("player").first()
    if entry is not None:
        return entry.player.erased_at is not None
    # A player removed from the list, or never on it, is named in earlier rows, and the sign-up has no name.
    known = any(player_id in str([link.old, link.new]) for link in links if link.action != chain.ERASE)
    return known and not SignUp.objects.filter(public_id=player_id).exclude(name=name).exists()


COMPARED = (_scores, _points, _byes, _events, _standings)


def _gap_notes(tournament: Tournament, logged: LoggedResults) -> Iterator[str]:
    """Yield notes on content that older versions didn't log, so that it can't be compared."""
    older = [hand.number for hands in logged.hands.values() for hand in hands if hand.recorded_at is None]
    if older:
        label = f"{len(older)} hands, the last of entry {max(older)}"
        yield f"not compared: source and time of {label}; now the log keeps them"
    if unread := _unread_points(logged):
        yield f"not compared: points adjustments, since entry {unread[0]} names a player without an id"
    byes = _bye_points(tournament)
    rounds = Round.objects.filter(pk__in=[key for key, worth in byes.items() if worth]).exclude(state=Round.State.VOID)
    if numbers := sorted({*rounds.values_list("number", flat=True)} - logged.byes.keys()):
        yield f"not compared: points for byes in round {', '.join(map(str, numbers))}; now the log keeps them"
