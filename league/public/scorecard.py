"""A player's evening, hand by hand, from the ledger."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.models import Round
from league.standings.ranking import Score
from league.standings.read import Ledger


@dataclass(frozen=True)
class Cell:
    """One hand: `points` is None while it has not been played. `now`: it is the next one of an open round.

    `disputed`: somebody at the table says that it was another.
    """

    hand: int
    points: int | None = None
    won: bool = False
    went_out: bool = False
    now: bool = False
    disputed: bool = False


@dataclass(frozen=True)
class Line:
    """One round. `seat` is the player's row of `exports.seating_rows`; a bye has no cells."""

    seat: Mapping[str, Any]
    cells: tuple[Cell, ...]
    total: int
    open: bool

    @property
    def is_bye(self) -> bool:
        return bool(self.seat["table"] == "bye")


@dataclass(frozen=True)
class Partner:
    """What two made together. `share` is the bar's length: 100 for the best partner."""

    name: str
    rounds: tuple[int, ...]
    hands: int
    won: int
    points: int
    share: int


def lines(
    book: Ledger,
    player_id: str,
    seats: Sequence[Mapping[str, Any]],
    hands_per_round: int,
    disputed: Container[tuple[int, int]] = (),
) -> list[Line]:
    """A line for each of the player's seats, in the order given. `disputed` has (table's key, hand)."""
    winners = book.winners()
    own: dict[tuple[int, int], Score] = {
        (score.round, score.hand): score for score in book.counted if score.entry == player_id
    }
    made = []
    for seat in seats:
        number = seat["round"]
        is_open = seat["round_state"] in (Round.State.PUBLISHED, Round.State.RUNNING)
        hands = range(1, hands_per_round + 1) if seat["table"] != "bye" else range(0)
        missing = next((hand for hand in hands if (number, hand) not in own), None)
        cells = [
            Cell(
                hand,
                score.score,
                player_id in winners[score.table, hand],
                score.went_out,
                disputed=(score.table, hand) in disputed,
            )
            if (score := own.get((number, hand)))
            else Cell(hand, now=is_open and hand == missing)
            for hand in hands
        ]
        made.append(Line(seat, tuple(cells), sum(cell.points or 0 for cell in cells), is_open))
    return made


def partners(book: Ledger, player_id: str) -> list[Partner]:
    """Everybody the player has sat opposite, the best first."""
    winners = book.winners()
    names = {entrant.id: entrant.name for entrant in book.entrants}
    together: dict[str, list[Score]] = {}
    for score in book.scores:
        if score.entry == player_id and score.partner not in (None, player_id):
            together.setdefault(score.partner, []).append(score)
    points = {partner: sum(score.points_for for score in scores) for partner, scores in together.items()}
    most = max(points.values(), default=0)
    return [
        Partner(
            name=names[partner],
            rounds=tuple(sorted({score.round for score in together[partner]})),
            hands=len(together[partner]),
            won=sum(player_id in winners[score.table, score.hand] for score in together[partner]),
            points=points[partner],
            share=round(100 * points[partner] / most) if most else 0,
        )
        for partner in sorted(together, key=lambda partner: (-points[partner], names[partner]))
    ]
