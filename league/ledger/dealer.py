"""The dealer at a table: the first dealer, how it was decided, and the dealer of the next hand.

If a schedule spreads the deals, seat 0 deals first. Otherwise (a points race, or a Challenge UNO at one table) a draw
(DEAL-1), birthdays (DEAL-2) or the players decide.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from league.formats.seating.dealer import dealer_seat
from league.ledger.progress import begun_tables, dealt_in, hands_in
from league.ledger.race import RaceLedger
from league.models import Round, Stage, Table

SCHEDULE, CARDS, BIRTHDAY, WORD = "schedule", "cards", "birthday", "word"


@dataclass(frozen=True)
class FirstDealer:
    """The first dealer. `by`: SCHEDULE, CARDS, BIRTHDAY, or WORD (the players' choice).

    `draws`: rounds of (seat, card), in which tied players draw again. `deal`: id of the online deal whose seed drew the
    cards.
    """

    seat: int
    by: str
    draws: tuple[tuple[tuple[int, str], ...], ...] = ()
    deal: int | None = None


def is_drawn(table: Table) -> bool:
    """Return whether no schedule decides the first dealer at this table."""
    return _draws_dealer(table.round.stage)


def _draws_dealer(stage: Stage) -> bool:
    if stage.drawn_ahead:
        return False
    if not stage.eliminates:
        return True
    first = Round.objects.living().filter(stage=stage).order_by("number").first()
    first_round = Table.objects.filter(round=first)
    return first_round.exclude(state=Table.State.VOID).count() == 1


def first_dealer(table: Table, *, begun: bool) -> FirstDealer | None:
    """Return the first dealer; None if undecided, or if no choice was recorded before the first hand.

    `begun`: a hand is recorded. Until then, a decision is valid only for the same seating.
    """
    return _decided_dealer(table, begun) or (None if is_drawn(table) else FirstDealer(0, SCHEDULE))


def _decided_dealer(table: Table, begun: bool) -> FirstDealer | None:
    record = table.first_deal
    if record is None or not (begun or record["seating"] == table.seating_version):
        return None
    draws = tuple(tuple((seat, card) for seat, card in drawn) for drawn in record["draws"])
    return FirstDealer(record["dealer"], record["by"], draws, record["deal"])


def next_dealer(
    table: Table,
    hand: int,
    race: RaceLedger | None = None,
    *,
    here: Sequence[int] | None = None,
    hands: dict[int, list[int]] | None = None,
) -> int | None:
    """Return the dealer's seat of a hand not recorded yet; None if unknown.

    `here`: seats dealt in for it. `hands`: recorded hands of the table, if known.
    """
    if hands is None:
        hands = hands_in([table])[table.pk]
    played = {number: seats for number, seats in hands.items() if number < hand}
    first = first_dealer(table, begun=bool(played))
    if here is None:
        here = [seat.number for seat in dealt_in(table, hand, race) if seat.number is not None]
    if first is None or not here:
        return None
    return dealer_seat([*played.values(), here], first.seat)


def first_seats_in(played: Round) -> dict[int, int]:
    """Return {table number: seat of the first dealer}, where known."""
    tables = list(played.tables.exclude(state=Table.State.VOID))
    for table in tables:
        table.round = played
    first = first_seats(tables)
    return {table.number: first[table.pk] for table in tables if table.pk in first}


def first_seats(tables: Iterable[Table]) -> dict[int, int]:
    """Return {table id: seat of the first dealer}, where known. All tables are of one stage."""
    tables = list(tables)
    if not tables:
        return {}
    begun = begun_tables(tables)
    dealers = {table.pk: _decided_dealer(table, table.pk in begun) for table in tables}
    by_schedule = None if _draws_dealer(tables[0].round.stage) else 0
    seats = {pk: first.seat if first is not None else by_schedule for pk, first in dealers.items()}
    return {pk: seat for pk, seat in seats.items() if seat is not None}
