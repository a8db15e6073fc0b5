"""Who deals the next hand of a table, from the hands that are in."""

from league.models import HandScore, Table
from league.progress import dealt_in
from league.race_ledger import RaceLedger
from league.seating.deal import dealer_seat


def next_dealer(table: Table, hand: int, race: RaceLedger | None = None) -> int | None:
    """The seat that deals hand number `hand`, which is not in yet; None where nobody is dealt in."""
    played: dict[int, set[int]] = {}
    rows = HandScore.objects.living().filter(table=table, hand__lt=hand)
    for number, seat in rows.values_list("hand", "seat"):
        played.setdefault(number, set()).add(seat)
    here = [seat.number for seat in dealt_in(table, hand, race) if seat.number is not None]
    return dealer_seat([*(seats for _hand, seats in sorted(played.items())), here]) if here else None
