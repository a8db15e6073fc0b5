"""The first dealer for a table's page: the cards drawn for it, or an open question (DEAL-1, DEAL-2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rules import EDITIONS
from games.hands.seats import person
from league.ledger.dealer import BIRTHDAY, SCHEDULE, WORD, FirstDealer, first_dealer
from league.models import Seat, Table
from league.rulebook.editions import Picture, picture


@dataclass(frozen=True)
class Drawn:
    name: str
    card: Picture
    best: bool


@dataclass(frozen=True)
class FirstDeal:
    """`dealer` is empty until it is decided. `draws` are rounds of cards; tied players draw again.

    `choices` are the seats that can deal, with their players.
    """

    dealer: str
    by: str
    draws: list[list[Drawn]]
    choices: list[tuple[int, str]]

    @property
    def by_birthday(self) -> bool:
        return self.by == BIRTHDAY

    @property
    def by_word(self) -> bool:
        return self.by == WORD


def first_deal_of(table: Table, seats: Sequence[Seat]) -> FirstDeal | None:
    """Return the first deal of a table without a hand; None if a schedule decides. `seats` are dealt in."""
    first = first_dealer(table, begun=False)
    if first is not None and first.by == SCHEDULE:
        return None
    names = {seat.number: person(seat) for seat in seats if seat.number is not None}
    return FirstDeal(
        dealer=names.get(first.seat, "") if first else "",
        by=first.by if first else "",
        draws=draws_of(table, first, names) if first else [],
        choices=list(names.items()),
    )


def draws_of(table: Table, first: FirstDealer, names: dict[int, str]) -> list[list[Drawn]]:
    """Return the cards of the draw with their players, round by round. `best` marks players who draw again, or deal."""
    edition = EDITIONS[table.round.stage.edition]
    if not first.draws:
        return []
    following = [*({seat for seat, _card in drawn} for drawn in first.draws[1:]), {first.seat}]
    return [
        [Drawn(names.get(seat, ""), picture(card, edition), seat in best) for seat, card in drawn]
        for drawn, best in zip(first.draws, following, strict=True)
    ]
