"""Who deals at a table."""

from collections.abc import Collection, Iterable, Iterator


def dealer_seat(dealt_in: Iterable[Collection[int]], first: int = 0) -> int:
    """The seat that deals the last of a table's hands, each given by the seats that are dealt in.

    Seat `first` deals first; then the deal passes left (that is up) to the next seat that is dealt in (DEAL-3).
    """
    return list(dealers(dealt_in, first))[-1]


def dealers(dealt_in: Iterable[Collection[int]], first: int = 0) -> Iterator[int]:
    """The seats that deal a table's hands, one after the other."""
    dealer = first - 1
    for seats in dealt_in:
        dealer = min((seat for seat in seats if seat > dealer), default=min(seats))
        yield dealer
