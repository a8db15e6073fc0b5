"""A player's evening, hand by hand, from the ledger: of partners, of a Challenge UNO, of a points race."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.formats.race import Step
from league.models import Round
from league.standings.ranking import Score, Standing
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
class RoundLine:
    """One round. `seat` is the player's row of `exports.seating_rows`."""

    seat: Mapping[str, Any]

    @property
    def is_bye(self) -> bool:
        return bool(self.seat["table"] == "bye")

    @property
    def open(self) -> bool:
        return self.seat["round_state"] in (Round.State.PUBLISHED, Round.State.RUNNING)


@dataclass(frozen=True)
class Line(RoundLine):
    """With partners; a bye has no cells."""

    cells: tuple[Cell, ...]
    total: int


@dataclass(frozen=True)
class Catch:
    """A hand. `won`: went out. `counts` is False for a hand that is for nobody, or not for this player."""

    hand: int
    points: int
    won: bool
    out: bool
    counts: bool
    disputed: bool


@dataclass(frozen=True)
class SingleLine(RoundLine):
    """Of who plays alone. `others` sat there too; `total` is the one after the round, None before."""

    others: tuple[str, ...]
    catches: tuple[Catch, ...]
    caught: int
    total: int | None


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
        is_open = RoundLine(seat).open
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
        made.append(Line(seat, tuple(cells), sum(cell.points or 0 for cell in cells)))
    return made


def race_lines(
    book: Ledger,
    player_id: str,
    seats: Sequence[Mapping[str, Any]],
    others: Mapping[int, Sequence[str]],
    disputed: Container[tuple[int, int]] = (),
) -> list[SingleLine]:
    """A line for each of the player's seats in a Challenge UNO, in the order given: what they caught, when they were
    out. others: by round, who sat there too. disputed: (table's key, hand).
    """
    assert book.race is not None
    steps: dict[tuple[int, int], Step] = {
        (step.round, step.hand): step for step in book.race.state.race if step.entry == player_id
    }
    made = []
    for seat in seats:
        number = seat["round"]
        catches = []
        for score in _own(book, player_id, number):
            step = steps.get((number, score.hand))
            catches.append(_catch(score, disputed, out=step is not None and step.out, counts=step is not None))
        counted = [steps[number, one.hand] for one in catches if one.counts]
        total = counted[-1].total if counted else None
        there = tuple(others.get(number, ()))
        made.append(SingleLine(seat, there, tuple(catches), sum(step.caught for step in counted), total))
    return made


def points_lines(
    book: Ledger,
    standing: Standing,
    seats: Sequence[Mapping[str, Any]],
    others: Mapping[int, Sequence[str]],
    disputed: Container[tuple[int, int]] = (),
) -> list[SingleLine]:
    """As `race_lines` for a points race, with what the scoring makes of each hand."""
    player_id = standing.entrant.id
    counted = {(one.table, one.hand) for one in book.counted if one.entry == player_id}
    carried = standing.total - sum(standing.by_round.values())
    made = []
    for seat in seats:
        number = seat["round"]
        catches = tuple(
            _catch(one, disputed, counts=(one.table, one.hand) in counted) for one in _own(book, player_id, number)
        )
        upto = sum(points for played, points in standing.by_round.items() if played <= number)
        caught = sum(one.points for one in catches if one.counts)
        total = carried + upto if catches else None
        made.append(SingleLine(seat, tuple(others.get(number, ())), catches, caught, total))
    return made


def _own(book: Ledger, player_id: str, round_number: int) -> list[Score]:
    own = [one for one in book.scores if one.entry == player_id and one.round == round_number]
    return sorted(own, key=lambda one: one.hand)


def _catch(score: Score, disputed: Container[tuple[int, int]], *, counts: bool, out: bool = False) -> Catch:
    return Catch(score.hand, score.score, score.went_out, out, counts, (score.table, score.hand) in disputed)


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
