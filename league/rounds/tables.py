"""Change tables of an open round: swap two seats, move, close and reopen tables.

Every change of seats raises the tables' `seating_version`, so a hand typed for the old seats is refused.
"""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.formats.race import HEAD_TO_HEAD
from league.ledger.entered import members_in
from league.ledger.lineups import check_free, lineups_of
from league.ledger.locks import lock_tournament, tell_tables
from league.ledger.progress import (
    PLAYING,
    closed_early,
    hands_in,
    hands_of_round,
    race_of,
    table_now,
    tables_now,
)
from league.ledger.scores import note_byes, settle
from league.lib.errors import Conflict, Refused
from league.log.write import note, note_at_table, player_in_log
from league.models import Adjustment, Entry, Player, Round, Seat, Table, Tournament, User

MOST_TABLES = 999


@transaction.atomic
def swap_seats(
    *, tournament: Tournament, round_number: int, one: Entry, other: Entry, reason: str, by: User | None
) -> None:
    """Swap two players or teams of a round, also with a bye. Recorded hands stay with their players.

    Raises `Refused` for players not in the round, and for a table without further hands or with a missing one;
    `Conflict("closed")`.
    """
    tournament = lock_tournament(tournament.pk)
    played = changeable_round(tournament, round_number)
    if played.stage.plays.in_tree:
        raise Refused("format", _("Seeds and results decide the meetings."))
    if one.pk == other.pk:
        raise _refusal("other", _("Choose two players."))
    first_seats, second_seats = seats_of_entry(played, one), seats_of_entry(played, other)
    if first_seats[0].table is None and second_seats[0].table is None:
        raise _refusal("other", _("Both have a bye in round %(number)d.") % {"number": round_number})
    check_pair(played, first_seats[0], second_seats[0])
    tables = lock_tables_of(
        played, {seat.table_id for seat in (first_seats[0], second_seats[0]) if seat.table_id is not None}
    )
    if played.state != Round.State.DRAFT:
        _check_seats(played, (first_seats[0], second_seats[0]), tables)
        if played.stage.values.get("byes") and None in (first_seats[0].table, second_seats[0].table):
            _refuse_with_hands(tables)
    exchange_seats(first_seats, second_seats)
    now = timezone.now()
    _swap_bye_points(played, first_seats[0], second_seats[0])
    tell_tables(table.pk for table in tables)
    note(
        tournament=tournament,
        by=by,
        action="swap-seats",
        round_number=round_number,
        new=[player_in_log(seat.entry) for seat in (first_seats[0], second_seats[0])],
        reason=reason.strip()[:200],
    )
    note_byes(tournament, by, now)


def check_pair(played: Round, one: Seat, other: Seat) -> None:
    """Refuse pairs of different groups or ladders, and byes won in a repechage."""
    members = members_in(played.stage) if played.stage.groups > 1 else {}
    players = (one.entry.public_id, other.entry.public_id)
    if len({members[player].group for player in players if player in members}) > 1:
        raise _refusal("other", _("They are in different groups. Choose two of one group."))
    if len({seat.table.ladder if seat.table else 1 for seat in (one, other)}) > 1:  # byes are in the first ladder
        raise _refusal("other", _("One of them plays the second ladder. Choose two of one ladder."))
    waits = None in (one.table, other.table) and played.number > played.stage.rounds_before + 1
    if waits and played.stage.plays.advances:
        raise _refusal("other", _("A bye was won in the round before. Choose two players with seats."))


@transaction.atomic
def move_table(
    *, tournament: Tournament, round_number: int, number: int, to: int, reason: str, by: User | None
) -> None:
    """Give a table another number, swapping with the table that has it. Scorer links open tables by number."""
    tournament = lock_tournament(tournament.pk)
    played = changeable_round(tournament, round_number)
    if not 1 <= to <= MOST_TABLES:
        raise _refusal("to", _("Table numbers are 1 to %(most)d.") % {"most": MOST_TABLES})
    if number == to:
        raise _refusal("to", _("The table already has this number."))
    moved = table_of(played, number)
    displaced = played.tables.filter(number=to).first()
    lock_tables_of(played, {table.pk for table in (moved, displaced) if table})
    # No table has the number 0, so it is free as a temporary number.
    for table, new_number in ((moved, 0), (displaced, number), (moved, to)):
        if table is not None:
            table.number = new_number
            table.save(update_fields=["number"])
    note_at_table(
        table=moved,
        by=by,
        action="move-table",
        old={"number": number},
        new={"number": to},
        reason=reason.strip()[:200],
    )


@transaction.atomic
def close_table(*, tournament: Tournament, round_number: int, number: int, reason: str, by: User | None) -> None:
    """End a table in this round. Its recorded hands count."""
    tournament = lock_tournament(tournament.pk)
    played = _open_round(tournament, round_number)
    table = table_of(played, number)
    [table] = lock_tables_of(played, {table.pk})
    race = race_of(played)
    if table_now(table, race).state != PLAYING:
        raise _refusal("table", _("Table %(number)d is finished.") % {"number": number})
    if race is not None and len(race.state.still_in) == HEAD_TO_HEAD:
        raise _refusal("table", _("The last two play to the end. Their table can’t be closed."))
    hands = hands_without_gap(table)
    hands_before, table.hands_wanted = table.hands_wanted, hands
    table.save(update_fields=["hands_wanted"])
    settle(table=table, confirms=True, disputed=table.state == Table.State.DISPUTED)
    note_at_table(
        table=table,
        by=by,
        action="close-table",
        old={"hands": hands_before},
        new={"hands": hands},
        reason=reason.strip()[:200],
    )


@transaction.atomic
def open_table_again(*, tournament: Tournament, round_number: int, number: int, by: User | None) -> None:
    """Reopen a closed table with as many hands as the others."""
    tournament = lock_tournament(tournament.pk)
    played = _open_round(tournament, round_number)
    table = table_of(played, number)
    [table] = lock_tables_of(played, {table.pk})
    if not closed_early(table):
        raise Conflict("open", _("Table %(number)d is not closed.") % {"number": number})
    closed_after, table.hands_wanted = table.hands_wanted, hands_of_round(played)
    table.save(update_fields=["hands_wanted"])
    settle(table=table, confirms=True, disputed=table.state == Table.State.DISPUTED)
    note_at_table(
        table=table,
        by=by,
        action="open-table",
        old={"hands": closed_after},
        new={"hands": table.hands_wanted},
    )


def check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("reason", _("Give a reason."), fields={"reason": [_("Give a reason.")]})


def table_of(played: Round, number: int) -> Table:
    """Return a table of a round by number. Raises `Refused` if there is none or it is void."""
    table = played.tables.exclude(state=Table.State.VOID).filter(number=number).first()
    if table is None:
        raise _refusal("table", _("Round %(number)d has no such table.") % {"number": played.number})
    return table


def _refusal(field: str, sentence: str) -> Refused:
    return Refused(field, sentence, fields={field: [sentence]})


def changeable_round(tournament: Tournament, number: int) -> Round:
    """Return a draft or open round by number. The caller holds the tournament's lock."""
    if tournament.is_final:
        raise Conflict("closed", _("The standings are final. Reopen the tournament to change them."))
    played = tournament.rounds.living().select_related("stage", "tournament").filter(number=number).first()
    if played is None:
        raise _refusal("round", _("There is no round %(number)d.") % {"number": number})
    if played.state == Round.State.CLOSED:
        message = _("Round %(number)d is closed.")
        raise Conflict("closed", message % {"number": number})
    return played


def _open_round(tournament: Tournament, number: int) -> Round:
    played = changeable_round(tournament, number)
    if not played.is_open:
        raise Conflict("closed", _("Round %(number)d has not been published yet.") % {"number": number})
    return played


def seats_of_entry(played: Round, entry: Entry) -> list[Seat]:
    """Return the seat of an entry in a round; a team has two at one table."""
    seats = played.seats.select_related("entry__player", "table", "substitute").filter(entry=entry).order_by("number")
    if not seats:
        message = _("%(name)s has no seat in round %(number)d.")
        raise _refusal("one", message % {"name": entry, "number": played.number})
    return list(seats)


def exchange_seats(one: Sequence[Seat], other: Sequence[Seat]) -> None:
    """Exchange the seats of two entries in a round."""
    Seat.objects.filter(pk__in=[seat.pk for seat in (*one, *other)]).delete()
    Seat.objects.bulk_create([*_moved_seats(one, other), *_moved_seats(other, one)])


def _moved_seats(moving: Sequence[Seat], to: Sequence[Seat]) -> list[Seat]:
    """Return new seats in the places `to`, and delete the old ones. A bye is one seat, also for a team."""
    sitters: Sequence[tuple[int, Player | None]] = [(seat.member, seat.substitute) for seat in moving]
    if len(moving) < len(to):
        usual = lineups_of([moving[0].entry])[moving[0].entry_id]
        check_free(usual, [to[0].round_id])
        sitters = list(enumerate(usual))
    elif len(moving) > len(to):
        sitters = [(0, None)]
    return [
        Seat(
            round=seat.round,
            table=seat.table,
            number=seat.number,
            entry=moving[0].entry,
            member=member,
            substitute=player,
            has_lost=moving[0].has_lost,
        )
        for seat, (member, player) in zip(to, sitters, strict=True)
    ]


def lock_tables_of(played: Round, tables: Collection[int]) -> list[Table]:
    """Lock these tables in order of their ids, and return their current rows."""
    rows = list(Table.objects.select_for_update().filter(pk__in=tables).order_by("pk"))
    for table in rows:
        table.round = played
    return rows


def _refuse_with_hands(tables: Sequence[Table]) -> None:
    """Refuse a swap with a bye after a hand: a bye means that the player advances."""
    for table in tables:
        if hands_in([table])[table.pk]:
            message = _("Table %(number)d has started. Swap before the first hand.")
            raise _refusal("one", message % {"number": table.number})


def _check_seats(played: Round, seats: Sequence[Seat], tables: Sequence[Table]) -> None:
    """Check that both are in the field, and that their tables have hands left and no gap before a recorded hand."""
    race = race_of(played)
    if race is not None:
        for seat in seats:
            if seat.entry.public_id not in race.state.still_in:
                raise _refusal("one", _("%(name)s no longer plays.") % {"name": seat.entry})
    for seat in seats:
        if seat.entry.status == Entry.Status.DROPPED:
            raise _refusal("one", _("%(name)s no longer plays.") % {"name": seat.entry})
    states = {now.table.pk: now.state for now in tables_now(played, race)}
    for table in tables:
        if states.get(table.pk) != PLAYING:
            message = _("Table %(number)d is finished.")
            raise _refusal("one", message % {"number": table.number})
        hands_without_gap(table)


def hands_without_gap(table: Table) -> int:
    """Return the number of recorded hands. Raises `Refused` for a gap, since a change starts with the next hand."""
    hands = hands_in([table])[table.pk]
    for number in range(1, max(hands, default=0)):
        if number not in hands:
            message = _("Table %(table)d has later hands. Enter hand %(hand)d first.")
            raise Refused("gap", message % {"table": table.number, "hand": number})
    return len(hands)


def _swap_bye_points(played: Round, first: Seat, second: Seat) -> None:
    """Move the points of a bye to the entry that has it now."""
    sat_out, sits_out = (first, second) if first.table_id is None else (second, first)
    bye_points = Adjustment.objects.filter(round=played, entry=sat_out.entry, kind=Adjustment.Kind.BYE, voided_at=None)
    worth = bye_points.first() if sat_out.table_id is None else None
    if worth is None:
        return
    bye_points.update(voided_at=timezone.now())
    Adjustment.objects.create(
        entry=sits_out.entry, round=played, kind=Adjustment.Kind.BYE, points=worth.points, reason=worth.reason
    )


def swappable_seats(played: Round) -> list[Seat]:
    """Return the seats to offer for a swap, by table and name, byes last; `swap_seats` decides."""
    if played.stage.plays.in_tree:
        return []
    race = race_of(played)
    playing = {now.table.pk for now in tables_now(played, race) if now.state == PLAYING}
    seats = played.seats.filter(member=0).select_related("entry__player", "table")
    seats = seats.order_by("table__number", "entry__player__name", "entry__addition")
    return sorted(
        (
            seat
            for seat in seats
            if (seat.table_id is None or seat.table_id in playing)
            and seat.entry.status != Entry.Status.DROPPED
            and (race is None or seat.entry.public_id in race.state.still_in)
        ),
        key=lambda seat: seat.table_id is None,
    )
