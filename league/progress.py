"""What the tables of a round have done and lack, and who is dealt in: read, never stored."""

from dataclasses import dataclass
from datetime import datetime

from league.formats import challenge
from league.formats.challenge import COMPLETE, ENDED, PLAYING, STOPPED
from league.models import HandScore, Round, Seat, Stage, Table
from league.race_ledger import RaceLedger, read_race

__all__ = [
    "COMPLETE",
    "ENDED",
    "PLAYING",
    "STOPPED",
    "TableNow",
    "closed_early",
    "dealt_in",
    "hands_of_round",
    "is_race",
    "missing_tables",
    "race_of",
    "table_now",
    "tables_now",
]


@dataclass(frozen=True)
class TableNow:
    """A table of a round. `played` hands are in, `wanted` are to be (None: as long as it lasts).

    `state`: PLAYING has hands to come, COMPLETE has them all, ENDED has one player left, STOPPED was overtaken by the
    rest of the event, which has come to its last two.
    """

    table: Table
    played: int
    wanted: int | None
    state: str


def is_race(stage: Stage) -> bool:
    """Whether people are out at a target, so that who is dealt in follows from the hands before."""
    return stage.format == "challenge"


def hands_of_round(played: Round) -> int | None:
    """How many hands its tables were to play when it was published; None: until it is closed."""
    stage, published = played.stage, played.published_at
    if published is not None:
        for one in stage.amendments:  # the oldest first
            if one["field"] == "hands_per_round" and datetime.fromisoformat(one["at"]) > published:
                before: int | None = one["old"]
                return before
    return stage.hands_per_round


def closed_early(table: Table) -> bool:
    """Whether a table was closed before its round had all hands there."""
    wanted = hands_of_round(table.round)
    return table.hands_wanted is not None and (wanted is None or table.hands_wanted < wanted)


def race_of(played: Round) -> RaceLedger | None:
    return read_race(played.tournament, played.stage) if is_race(played.stage) else None


def tables_now(played: Round, race: RaceLedger | None = None, *, stopped: bool = False) -> list[TableNow]:
    """The tables of a round by number, not those that are void. race: read already; else it is read if need be.

    stopped: as if the round's time were up, which only tells something of rounds that have no number of hands.
    """
    tables = list(played.tables.exclude(state=Table.State.VOID).order_by("number"))
    hands: dict[int, set[int]] = {}
    for table_id, hand in HandScore.objects.living().filter(table__round=played).values_list("table_id", "hand"):
        hands.setdefault(table_id, set()).add(hand)
    counts = {table.pk: len(hands.get(table.pk, ())) for table in tables}
    race = race or race_of(played)
    if race is None:
        return [
            TableNow(
                table,
                counts[table.pk],
                table.hands_wanted,
                COMPLETE if table.hands_wanted is not None and counts[table.pk] >= table.hands_wanted else PLAYING,
            )
            for table in tables
        ]
    seated: dict[int, set[str]] = {table.number: set() for table in tables}
    seats = Seat.objects.filter(table__in=tables).values_list("table__number", "entry__public_id")
    for number, entry in seats:
        seated[number].add(entry)
    limits = {table.number: table.hands_wanted for table in tables}
    found = challenge.progress(
        race.settings, race.state, played.number, seated, race.hands, limits=limits, stopped=stopped
    )
    states = {one.table: one.state for one in found}
    return [TableNow(table, counts[table.pk], table.hands_wanted, states[table.number]) for table in tables]


def table_now(table: Table, race: RaceLedger | None = None) -> TableNow:
    return next(one for one in tables_now(table.round, race) if one.table.pk == table.pk)


def missing_tables(played: Round) -> tuple[tuple[Table, int], ...]:
    """The tables of a round with hands still to come, each with the number of hands that are in.

    Where a round lasts until it is closed, no table keeps it open but that of the last two.
    """
    stopped = is_race(played.stage) and hands_of_round(played) is None
    return tuple((one.table, one.played) for one in tables_now(played, stopped=stopped) if one.state == PLAYING)


def dealt_in(table: Table, hand: int, race: RaceLedger | None = None) -> list[Seat]:
    """Who is dealt in for a hand, by seat: whoever sat there if it is in, else those of the table who are in now.

    Of a hand that is in, the seats are those of its rows, since seats may have been changed after it.
    """
    scores = HandScore.objects.living().filter(table=table, hand=hand)
    rows = list(scores.select_related("entry__player", "played_by").order_by("seat"))
    if rows:
        return [
            Seat(round=table.round, table=table, number=row.seat, entry=row.entry, substitute=row.played_by)
            for row in rows
        ]
    seats = list(table.seats.select_related("entry__player", "substitute").order_by("number"))
    if not is_race(table.round.stage):
        return seats
    race = race or race_of(table.round)
    still_in = set(race.state.still_in) if race else set()
    return [seat for seat in seats if seat.entry.public_id in still_in]
