"""The seats of a leaving player go to free players or a stand-in, or the drafts are redrawn.

The caller holds the tournament's lock.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.day.stand_in import hand_over, seats_to_come, stand_in_for
from league.formats.seating.late_rounds import PARTNER, SEATS, meetings
from league.formats.tree import DUEL
from league.ledger.entered import join
from league.ledger.field import field_of
from league.ledger.locks import lock_tables
from league.ledger.progress import PLAYING, started_tables, table_now
from league.lib.errors import Conflict, Refused
from league.log.write import player_in_log
from league.models import Adjustment, Entry, Round, Seat, Stage, Table, Tournament
from league.rounds.redraw import (
    bye_points,
    drafts_of,
    fingerprint,
    redraw_without,
    renumber_drafts,
    seat_again,
    seating_of,
    staying,
)

BYES, REDRAW, STAND_IN, FEWER = "byes", "redraw", "stand-in", "fewer"
"""Plans for vacated seats: players with a bye take them, the drafts are redrawn, a stand-in takes them or, where rounds
are drawn one by one, the table plays with fewer."""
PLANS = (BYES, REDRAW, STAND_IN, FEWER)


def vacate(
    tournament: Tournament, stage: Stage, entry: Entry, *, plan: str = "", stand_in: str = "", another: bool = False
) -> dict[str, Any]:
    """Give away an entry's seats to come, where all rounds are drawn ahead; return data for the log.

    Players with a bye come first and a stand-in takes the rest, unless the organiser gave a `plan` or a stand-in's
    name.
    """
    plan = plan or (STAND_IN if stand_in else BYES)
    how: dict[str, Any] = {}
    if plan == REDRAW:
        how = redraw_without(tournament, stage, entry)
    seats = seats_to_come(entry)
    byes = [seat for seat in seats if seat.table_id is None]
    Seat.objects.filter(pk__in=[seat.pk for seat in byes]).delete()
    if byes:
        how["byes"] = [seat.round.number for seat in byes]
    seats = [seat for seat in seats if seat.table_id is not None]
    if plan != STAND_IN:
        filled = fill(stage, seats)
        how |= {"filled": filled} if filled else {}
        seats = [seat for seat in seats if seat.entry_id == entry.pk]
    if seats:
        taker = stand_in_for(tournament, stand_in, seats, another=another)
        hand_over(seats, taker)
        join(stage, taker, group_of=entry)
        how |= {"stand_in": player_in_log(taker), "seats": len(seats)}
    return how


def fill(stage: Stage, seats: Sequence[Seat], field: Sequence[Entry] | None = None) -> list[dict[str, Any]]:
    """Give an entry's seats at tables to players without a seat in these rounds; return rows for the log.

    The player with the most byes comes first, then the one with the fewest repeated meetings. A transferred seat gets
    its new `entry`. field: the candidates, if not all remaining players.
    """
    if not seats:
        return []
    if field is None:
        field = staying(stage, seats[0].entry)
    living = stage.rounds.living()
    byes = Counter(Seat.objects.filter(round__in=living, table=None).values_list("entry", flat=True))
    filled = []
    for seat in seats:
        free = _without_seat(field, seat.round)
        if not free:
            continue
        costs = _meeting_costs(stage, seat, free)
        taker = min(free, key=lambda player: (-byes[player.pk], costs[player.pk], player.number))
        byes[taker.pk] -= 1
        filled.append((seat, taker, _seat_taker(seat, taker)))
    if any(taker.fixed_table and seat.round.state == Round.State.DRAFT for seat, taker, _bye in filled):
        renumber_drafts(stage.tournament)
    rows = []
    for seat, taker, bye in filled:
        place = Seat.objects.select_related("table").get(round=seat.round, entry=taker)
        assert place.table is not None
        where = {"round": seat.round.number, "table": place.table.number, "seat": place.number}
        rows.append({**player_in_log(taker), **where, "bye": bye})
    return rows


def _without_seat(field: Sequence[Entry], played: Round) -> list[Entry]:
    """Return the players who sit at no table of a round, not even as a substitute."""
    seats = Seat.objects.filter(round=played).exclude(table=None)
    taken = list(seats.values_list("entry", "substitute"))
    entries, people = {entry for entry, _person in taken}, {person for _entry, person in taken}
    return [player for player in field if player.pk not in entries and player.player_id not in people]


def _meeting_costs(stage: Stage, seat: Seat, players: Sequence[Entry]) -> dict[int, int]:
    """Return the cost of repeated meetings in this seat, by player key."""
    by_table = _tables_of(stage.rounds.living())
    here = by_table.pop(seat.table_id or 0, {})
    size = _partner_seats(stage)
    met = Counter(meeting for table in by_table.values() for meeting in meetings(list(table.values()), size))
    costs = {}
    for player in players:
        table = [player.pk if number == seat.number else entry for number, entry in here.items()]
        mine = [meeting for meeting in meetings(table, size) if player.pk in meeting[:2]]
        costs[player.pk] = sum(meeting[2] * met[meeting] for meeting in mine)
    return costs


def meetings_again(stage: Stage) -> int:
    """Return how many partnerships (in duels, meetings) of coming rounds are repeats."""
    rounds = stage.rounds.living()
    to_come = _tables_of(rounds.exclude(state=Round.State.CLOSED))
    size = _partner_seats(stage)
    before: Counter[tuple[int, ...]] = Counter()
    again = 0
    for key, table in _tables_of(rounds).items():
        for meeting in meetings(list(table.values()), size):
            if meeting[2] == PARTNER:
                again += key in to_come and before[meeting] > 0
                before[meeting] += 1
    return again


def _tables_of(rounds: QuerySet[Round]) -> dict[int, dict[int, int]]:
    """Return the seated entries of these rounds, by round: {table: {seat: entry}}."""
    rows = (
        Seat.objects.filter(round__in=rounds).exclude(table=None).order_by("round__number", "table__number", "number")
    )
    tables: dict[int, dict[int, int]] = {}
    for table, number, entry in rows.values_list("table", "number", "entry"):
        if number is not None:
            tables.setdefault(table, {})[number] = entry
    return tables


def _partner_seats(stage: Stage) -> int:
    """Return the number of seats with partners: four in pairs, two in a duel, 0 at larger tables."""
    if stage.has_partners:
        return SEATS
    return DUEL if stage.plays.table_size(stage.values) == DUEL else 0


def _seat_taker(seat: Seat, taker: Entry) -> int | None:
    """Give a seat to an entry; return the worth of its bye, or None without a bye."""
    bye = Seat.objects.filter(round=seat.round, entry=taker, table=None)
    had_bye = bye.exists()
    worth = bye_points(seat.round, [taker.public_id])
    points = sum(worth.values_list("points", flat=True))
    worth.update(voided_at=timezone.now())
    bye.delete()
    hand_over([seat], taker)
    seat.entry, seat.substitute = taker, None
    return points if had_bye else None


def fill_table(tournament: Tournament, stage: Stage, entry: Entry) -> list[dict[str, Any]]:
    """Give the entry's seat at a table that has not started to a free player; return rows for the log.

    For rounds drawn one by one. Raises `Refused` without such a table or player.
    """
    offer = fillable(stage, entry)
    if offer is None:
        raise Refused("no-player", _("No free player can take this seat now."))
    seat, players = offer
    lock_tables([seat.table_id])
    return fill(stage, [seat], players)


def fillable(stage: Stage, entry: Entry) -> tuple[Seat, list[Entry]] | None:
    """Return the entry's seat at a table that has not started, and the free players for it, if any."""
    if stage.drawn_ahead or stage.has_teams or stage.plays.advances:
        return None
    seats = entry.seats.filter(round__in=_open_rounds(stage)).exclude(table=None)
    seat = seats.select_related("round__stage", "round__tournament", "table", "entry__player").first()
    if seat is None or seat.table is None or started_tables([seat.table]):
        return None
    seat.table.round = seat.round
    still_in = field_of(stage.tournament, stage).players
    field = [player for player in staying(stage, entry) if player.public_id in still_in]
    free = _without_seat(field, seat.round)
    return (seat, free) if free else None


def vacant_seats(stage: Stage) -> list[Seat]:
    """Return the seats of departed players at tables that have not started, by table."""
    if stage.drawn_ahead or stage.has_teams or stage.plays.advances or stage.groups > 1:
        return []
    seats = Seat.objects.filter(round__in=_open_rounds(stage), entry__status=Entry.Status.DROPPED).exclude(table=None)
    found = list(seats.select_related("table", "round", "entry__player").order_by("table__number", "number"))
    started = started_tables([seat.table for seat in found if seat.table is not None])
    return [seat for seat in found if seat.table_id not in started]


def take_vacant_seat(stage: Stage, entry: Entry, table: int) -> dict[str, Any]:
    """Seat a late entry at a table that has not started; return data for the log. Raises `Refused`."""
    lock_tables(Table.objects.filter(round__in=_open_rounds(stage), number=table).values_list("pk", flat=True))
    seat = next((seat for seat in vacant_seats(stage) if seat.table is not None and seat.table.number == table), None)
    if seat is None:
        sentence = _("Table %(number)d has no free seat or has started.") % {"number": table}
        raise Refused("table", sentence, fields={"table": [sentence]})
    left = player_in_log(seat.entry)
    hand_over([seat], entry)
    return {"seat": "vacant", "from": left, "round": seat.round.number, "table": table}


def give_vacant_seat_back(tournament: Tournament, entry: Entry, how: Mapping[str, Any]) -> None:
    """Undo `take_vacant_seat`, unless the departed player has another seat in the round."""
    left = tournament.entries.filter(public_id=how["from"]["player_id"]).first()
    rounds = tournament.rounds.shown().filter(number=how["round"])
    seat = entry.seats.filter(round__in=rounds, table__number=how["table"]).first()
    if left is not None and seat is not None and not left.seats.filter(round=seat.round_id).exists():
        hand_over([seat], left)


def _open_rounds(stage: Stage) -> QuerySet[Round]:
    return stage.rounds.shown().exclude(state=Round.State.CLOSED)


def take_back(tournament: Tournament, entry: Entry, how: Mapping[str, Any], changed: Conflict) -> None:
    """Undo `vacate` and `fill_table`, except a stand-in's seats. Raises `changed` if seats changed since."""
    if how.get("fingerprint") and fingerprint(seating_of(drafts_of(tournament))) != how["fingerprint"]:
        raise changed
    for row in how.get("filled", ()):
        _take_fill_back(tournament, entry, row, changed)
    if how.get("fingerprint"):
        seat_again(tournament, how["before"])
    for number in how.get("byes", ()):
        draft = tournament.rounds.filter(state=Round.State.DRAFT, number=number).first()
        if draft is None or draft.seats.filter(entry=entry).exists():
            raise changed
        Seat.objects.create(round=draft, entry=entry)


def _take_fill_back(tournament: Tournament, entry: Entry, row: Mapping[str, Any], changed: Conflict) -> None:
    seat = _filled_seat(tournament, row)
    if seat is None or seat.table is None or Seat.objects.filter(round=seat.round, entry=entry).exists():
        raise changed
    seat.table.round = seat.round
    if seat.round.state != Round.State.DRAFT and table_now(seat.table).state != PLAYING:
        raise changed
    filler = seat.entry
    hand_over([seat], entry)
    if row["bye"] is None:
        return
    Seat.objects.create(round=seat.round, entry=filler)
    points = row["bye"] or seat.round.stage.bye_points
    if seat.round.is_open and points:
        Adjustment.objects.create(
            entry=filler, round=seat.round, kind=Adjustment.Kind.BYE, points=points, reason=_("Bye")
        )


def _filled_seat(tournament: Tournament, row: Mapping[str, Any]) -> Seat | None:
    """Return the seat of a row from `fill`, if its player still has it."""
    rounds = tournament.rounds.living().exclude(state=Round.State.CLOSED)
    seats = Seat.objects.filter(round__in=rounds, round__number=row["round"], table__number=row["table"])
    seats = seats.filter(number=row["seat"], entry__public_id=row["player_id"])
    return seats.select_related("round__stage", "round__tournament", "table", "entry").first()


def restore(tournament: Tournament, entry: Entry, how: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give a returning entry its old seats in unchanged drafts; return None if they changed."""
    drafts = drafts_of(tournament)
    before = seating_of(drafts)
    if how.get("fingerprint"):
        if fingerprint(before) != how["fingerprint"]:
            return None
        seat_again(tournament, how["before"])
    else:
        rows = {row["round"]: row for row in how.get("filled", ())}
        byes = set(how.get("byes", ()))
        places = {draft.number: _filled_seat(tournament, rows.get(draft.number, _NO_ROW)) for draft in drafts}
        if not drafts or not all(places[draft.number] or draft.number in byes for draft in drafts):
            return None
        for draft in drafts:
            seat = places[draft.number]
            if seat is not None:
                hand_over([seat], entry)
            Seat.objects.create(round=draft, entry=seat.entry if seat else entry)
    return {"seat": "redrawn", "before": before, "fingerprint": fingerprint(seating_of(drafts))}


_NO_ROW = {"round": 0, "table": 0, "seat": 0, "player_id": ""}
