"""Who deals at a table: which seat deals first, and how that was decided; who deals the next hand.

Where a schedule spreads the deals over the evening, seat 0 deals first. Where none does, at the tables of a points race
and of a Challenge UNO at one table, a draw (DEAL-1), the birthdays (DEAL-2) or the table itself decides.
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
    """`by`: SCHEDULE, CARDS, BIRTHDAY, or WORD of the table. `draws`: rounds of (seat, card), in which the tied draw
    again. `deal`: the key of the online deal whose seed decided the cards.
    """

    seat: int
    by: str
    draws: tuple[tuple[tuple[int, str], ...], ...] = ()
    deal: int | None = None


def is_drawn(table: Table) -> bool:
    """Whether no schedule says who deals first at this table."""
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
    """Who deals first; None where it is not decided yet, or nobody said so before the first hand was in.

    `begun`: whether a hand is in. Until then, a decision holds only as long as the seating stays the same.
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
    """The seat that deals hand number `hand`, which is not in yet; None where nobody is dealt in, or nobody knows.

    here: the seats that are dealt in for it, hands: those that are in at the table, where they are known.
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
    """The seat that deals first, by the number of the table, where that is known."""
    tables = list(played.tables.exclude(state=Table.State.VOID))
    for table in tables:
        table.round = played
    first = first_seats(tables)
    return {table.number: first[table.pk] for table in tables if table.pk in first}


def first_seats(tables: Iterable[Table]) -> dict[int, int]:
    """The seat that deals first, by the key of the table, where that is known. All tables are of one stage."""
    tables = list(tables)
    if not tables:
        return {}
    begun = begun_tables(tables)
    dealers = {table.pk: _decided_dealer(table, table.pk in begun) for table in tables}
    by_schedule = None if _draws_dealer(tables[0].round.stage) else 0
    seats = {pk: first.seat if first is not None else by_schedule for pk, first in dealers.items()}
    return {pk: seat for pk, seat in seats.items() if seat is not None}
