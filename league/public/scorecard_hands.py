"""List a player's hands from the ledger: with partners, in a Challenge UNO, or in a points race."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.formats.race import Step
from league.lib.csv import Row
from league.lib.translate import names
from league.models import Round
from league.standings.ranking import Score, Standing
from league.standings.read import Ledger


@dataclass(frozen=True)
class Cell:
    """One hand. `points`: None until played. `now`: next hand of an open round.

    `disputed`: a player at the table objects to the result.
    """

    hand: int
    points: int | None = None
    won: bool = False
    went_out: bool = False
    now: bool = False
    disputed: bool = False


@dataclass(frozen=True)
class CardSeat:
    """A player's seat in a round. `table` is its number and `number` the seat's; both are None for a bye.

    `against`: the opposing team; `player` and `partner`: the people seated for a `team`.
    """

    round: int
    table: int | None
    number: int | None
    is_open: bool
    player: str
    partner: str
    team: str
    against: str = ""


def seat_of(row: Row, against: str = "") -> CardSeat:
    """Return the seat of a row of `tables.sitting_rows`."""
    is_bye = row["table"] == "bye"
    return CardSeat(
        round=row["round"],
        table=None if is_bye else row["table"],
        number=row["seat"],
        is_open=row["round_state"] in (Round.State.PUBLISHED, Round.State.RUNNING),
        player=row["player"],
        partner=row["partner"] or "",
        team=row["team"],
        against=against,
    )


@dataclass(frozen=True)
class RoundLine:
    """One round of a player."""

    seat: CardSeat

    @property
    def is_bye(self) -> bool:
        return self.seat.table is None

    @property
    def open(self) -> bool:
        return self.seat.is_open


@dataclass(frozen=True)
class Line(RoundLine):
    """A round with partners; a bye has no cells."""

    cells: tuple[Cell, ...]
    total: int

    @property
    def companion(self) -> str:
        """The partner, or the other team."""
        return self.seat.against or self.seat.partner


@dataclass(frozen=True)
class Catch:
    """A hand. `won`: the player went out. `counts`: False for a hand that doesn't count for this player."""

    hand: int
    points: int
    won: bool
    out: bool
    counts: bool
    disputed: bool


@dataclass(frozen=True)
class SingleLine(RoundLine):
    """A round without partners. `opponents`: players at the same table; `total`: as of the round, None before a hand.

    `bye_words`: name of a round without a table.
    """

    opponents: tuple[str, ...]
    catches: tuple[Catch, ...]
    caught: int
    total: int | None
    bye_words: str = ""

    @property
    def where(self) -> str:
        """Return text such as “table 3, with Ana and Zoë”."""
        if self.is_bye:
            return self.bye_words
        words = {"number": self.seat.table, "names": names(self.opponents)}
        return (_("table %(number)s, with %(names)s") if self.opponents else _("table %(number)s")) % words

    @property
    def no_hands(self) -> str:
        """Return why the table has no hands; empty if it has some."""
        if self.is_bye or self.catches:
            return ""
        return _("No hands recorded yet.") if self.open else _("No hands were played.")


@dataclass(frozen=True)
class Partner:
    """Results with one partner. `share`: length of the bar; 100 for the best partner."""

    name: str
    rounds: tuple[int, ...]
    hands: int
    won: int
    points: int
    share: int

    @property
    def about(self) -> str:
        """Return text such as “round 1, 4, 2 of 3 hands”."""
        words = {"number": ", ".join(map(str, self.rounds)), "won": self.won, "hands": self.hands}
        return _("round %(number)s, %(won)s of %(hands)s hands") % words


def lines(
    book: Ledger,
    player_id: str,
    seats: Sequence[CardSeat],
    hands_per_round: int,
    disputed: Container[tuple[int, int]] = (),
) -> list[Line]:
    """Return a line for each seat, in order. disputed: (table key, hand)."""
    winners = book.winners()
    own: dict[tuple[int, int], Score] = {
        (score.round, score.hand): score for score in book.counted if score.entry == player_id
    }
    card_lines = []
    for seat in seats:
        number = seat.round
        hands = range(1, hands_per_round + 1) if seat.table is not None else range(0)
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
            else Cell(hand, now=seat.is_open and hand == missing)
            for hand in hands
        ]
        card_lines.append(Line(seat, tuple(cells), sum(cell.points or 0 for cell in cells)))
    return card_lines


def race_lines(
    book: Ledger,
    player_id: str,
    seats: Sequence[CardSeat],
    opponents: Mapping[int, Sequence[str]],
    disputed: Container[tuple[int, int]] = (),
) -> list[SingleLine]:
    """Return a line for each seat in a Challenge UNO: penalty points, and when the player was eliminated. opponents:
    names at the table, by round. disputed: (table key, hand).
    """
    assert book.race is not None
    steps: dict[tuple[int, int], Step] = {
        (step.round, step.hand): step for step in book.race.state.race if step.entry == player_id
    }
    card_lines = []
    for seat in seats:
        number = seat.round
        catches = []
        for score in _scores_of(book, player_id, number):
            step = steps.get((number, score.hand))
            catches.append(_catch(score, disputed, out=step is not None and step.out, counts=step is not None))
        counted = [steps[number, catch.hand] for catch in catches if catch.counts]
        total = counted[-1].total if counted else None
        caught = sum(step.caught for step in counted)
        card_lines.append(SingleLine(seat, tuple(opponents.get(number, ())), tuple(catches), caught, total, _("Bye")))
    return card_lines


def points_lines(
    book: Ledger,
    standing: Standing,
    seats: Sequence[CardSeat],
    opponents: Mapping[int, Sequence[str]],
    disputed: Container[tuple[int, int]] = (),
) -> list[SingleLine]:
    """Like `race_lines`, for a points race: with the scored points of each hand."""
    player_id = standing.entrant.id
    counted = {(score.table, score.hand) for score in book.counted if score.entry == player_id}
    carried = standing.total - sum(standing.by_round.values())
    bye_words = _("bye") if book.stage.plays.advances else _("Bye")
    card_lines = []
    for seat in seats:
        number = seat.round
        catches = tuple(
            _catch(score, disputed, counts=(score.table, score.hand) in counted)
            for score in _scores_of(book, player_id, number)
        )
        upto = sum(points for played, points in standing.by_round.items() if played <= number)
        caught = sum(catch.points for catch in catches if catch.counts)
        total = carried + upto if catches else None
        if catches and book.progression is not None:  # each round starts at 0
            total = standing.by_round.get(number)
        card_lines.append(SingleLine(seat, tuple(opponents.get(number, ())), catches, caught, total, bye_words))
    return card_lines


def _scores_of(book: Ledger, player_id: str, round_number: int) -> list[Score]:
    own = [score for score in book.scores if score.entry == player_id and score.round == round_number]
    return sorted(own, key=lambda score: score.hand)


def _catch(score: Score, disputed: Container[tuple[int, int]], *, counts: bool, out: bool = False) -> Catch:
    return Catch(score.hand, score.score, score.went_out, out, counts, (score.table, score.hand) in disputed)


def partners(book: Ledger, player_id: str) -> list[Partner]:
    """Return all partners of the player, best first."""
    winners = book.winners()
    together: dict[str, list[Score]] = {}
    for score in book.scores:
        if score.entry == player_id and score.partner not in (None, player_id):
            together.setdefault(score.partner, []).append(score)
    points = {partner: sum(score.points_for for score in scores) for partner, scores in together.items()}
    most = max(points.values(), default=0)
    return [
        Partner(
            name=book.names[partner],
            rounds=tuple(sorted({score.round for score in together[partner]})),
            hands=len(together[partner]),
            won=sum(player_id in winners[score.table, score.hand] for score in together[partner]),
            points=points[partner],
            share=round(100 * points[partner] / most) if most else 0,
        )
        for partner in sorted(together, key=lambda partner: (-points[partner], book.names[partner]))
    ]
