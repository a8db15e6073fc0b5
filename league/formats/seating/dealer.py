"""Compute the dealer of a table."""

from collections.abc import Collection, Iterable, Iterator


def dealer_seat(dealt_in: Iterable[Collection[int]], first: int = 0) -> int:
    """Return the seat that deals the last hand; each hand is given by its dealt-in seats.

    Seat `first` deals first; then the deal passes left (upwards) to the next dealt-in seat (DEAL-3).
    """
    return list(dealers(dealt_in, first))[-1]


def dealers(dealt_in: Iterable[Collection[int]], first: int = 0) -> Iterator[int]:
    """Yield the seats that deal a table's hands, in order."""
    dealer = first - 1
    for seats in dealt_in:
        dealer = min((seat for seat in seats if seat > dealer), default=min(seats))
        yield dealer
