"""Engine-checked paper entry: can a hand that ended like this exist?

Refused is only what is proven impossible, jointly over all seats: they hold cards of one deck.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine import cards
from engine.one_deck import Wanted, can_be_dealt, can_be_worth, needed
from engine.rules import MAX_PLAYERS, MIN_PLAYERS, SCORINGS, TEAM_PLAYERS, Edition
from engine.scoring import counts_for_nobody


@dataclass(frozen=True)
class SeatReport:
    """What was written down for a seat: the cards left, or their number and points, or the points alone."""

    seat: int
    cards: tuple[str, ...] | None = None
    cards_left: int | None = None
    points_left: int | None = None


@dataclass(frozen=True)
class CheckedHand:
    """A hand that can exist, by seat; None where nothing was reported."""

    cards_left: tuple[int | None, ...]
    points_left: tuple[int | None, ...]
    checked: bool  # False when a seat whose cards count gave its points alone
    went_out: int | None


class ImpossibleHand(ValueError):
    """Why such a hand cannot exist. `str()` is a sentence that names no seat; `code` and `params` allow others."""

    def __init__(self, code: str, message: str, seat: int | None = None, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.seat = seat
        self.params = params


def check_hand(
    edition: Edition,
    *,
    players: int,
    went_out: int | None,
    seats: Sequence[SeatReport],
    teams: bool,
    scoring: str,
) -> CheckedHand:
    """Check the reports of one hand against each other and the edition's deck (SCORE-1, SCORE-6, OUT-1, PLAY-7).

    `went_out` is None for a blocked hand. The one who went out may be left out or reported with nothing; under SCORE-2
    the partner of who went out may be left out too (TEAM-3). Raises `ImpossibleHand`; ValueError when `players`,
    `teams` or `scoring` make no sense.
    """
    if not MIN_PLAYERS <= players <= MAX_PLAYERS or (teams and players != TEAM_PLAYERS) or scoring not in SCORINGS:
        raise ValueError("A hand has 2 to 10 players, four with teams, and a known scoring.")
    if went_out is not None and not 0 <= went_out < players:
        raise _no_such_seat(went_out, players)
    held = [_with_sums(edition, report) for report in _by_seat(players, seats)]
    if went_out is not None:
        _check_winner(held[went_out])
        held[went_out] = SeatReport(went_out, (), 0, 0)
    checked = True
    for report in held:
        if report.seat == went_out:
            continue
        _check_loser(report, went_out)
        if not counts_for_nobody(report.seat, scoring=scoring, went_out=went_out, teams=teams):
            _check_complete(report)
            checked = checked and report.cards_left is not None
    _check_one_deck(edition, [report for report in held if report.seat != went_out], blocked=went_out is None)
    cards_left = tuple(report.cards_left for report in held)
    return CheckedHand(cards_left, tuple(report.points_left for report in held), checked, went_out)


def _by_seat(players: int, reports: Sequence[SeatReport]) -> list[SeatReport]:
    by_seat: dict[int, SeatReport] = {}
    for report in reports:
        if not 0 <= report.seat < players:
            raise _no_such_seat(report.seat, players)
        if report.seat in by_seat:
            raise ImpossibleHand("seat-twice", "This seat is entered twice.", report.seat)
        by_seat[report.seat] = report
    return [by_seat.get(seat, SeatReport(seat)) for seat in range(players)]


def _no_such_seat(seat: int, players: int) -> ImpossibleHand:
    return ImpossibleHand("no-such-seat", f"This table has {players} seats.", seat, players=players)


def _with_sums(edition: Edition, report: SeatReport) -> SeatReport:
    """The report with the number and points of its cards; numbers that contradict the cards are refused."""
    for number in (report.cards_left, report.points_left):
        if number is not None and number < 0:
            raise ImpossibleHand("negative", "Cards and points left are 0 or more.", report.seat, entered=number)
    if report.cards is None:
        return report
    for card in report.cards:
        if not cards.is_card(card):
            raise ImpossibleHand("unknown-card", f"“{card}” is not a card.", report.seat, card=card)
        if card not in edition.deck:
            message = f"There is no {edition.card_name(card)} in the deck of “{edition.name}”."
            raise ImpossibleHand("not-in-deck", message, report.seat, card=card, edition=edition.key)
    count, points = len(report.cards), cards.points_of(report.cards)
    if report.cards_left not in (None, count):
        message = f"The cards chosen are {count}, but the number entered is {report.cards_left}."
        raise ImpossibleHand("count-disagrees", message, report.seat, cards=count, entered=report.cards_left)
    if report.points_left not in (None, points):
        message = f"The cards chosen are worth {_points(points)}, but the points entered are {report.points_left}."
        raise ImpossibleHand("points-disagree", message, report.seat, points=points, entered=report.points_left)
    return replace(report, cards_left=count, points_left=points)


def _check_winner(report: SeatReport) -> None:
    """OUT-1: who went out holds nothing."""
    if report.cards_left or report.points_left:
        message = "Who goes out has no cards left. Leave their cards and points empty, or choose who did go out."
        raise ImpossibleHand(
            "winner-holds-cards", message, report.seat, cards=report.cards_left, points=report.points_left
        )


def _check_loser(report: SeatReport, went_out: int | None) -> None:
    if report.cards_left != 0:
        return
    if went_out is None:
        message = "A player without cards has gone out. Choose that player as the one who went out."
        raise ImpossibleHand("winner-not-named", message, report.seat)
    message = "Only one player can go out; everybody else holds at least one card."
    raise ImpossibleHand("two-winners", message, report.seat, went_out=went_out)


def _check_complete(report: SeatReport) -> None:
    if report.points_left is not None:
        return
    if report.cards_left is None:
        message = "Enter the cards left, or their number and points, or the points alone."
        raise ImpossibleHand("missing", message, report.seat)
    message = "Enter the points of these cards too."
    raise ImpossibleHand("points-missing", message, report.seat, cards=report.cards_left)


def _check_one_deck(edition: Edition, held: Sequence[SeatReport], *, blocked: bool) -> None:
    """Everybody who did not go out holds cards of one deck, of which one at least lies on the discard pile."""
    pool = Counter(cards.points(card) for card in edition.deck)
    _check_copies(edition, held)
    _check_size(len(edition.deck), held, blocked=blocked)
    for report in held:
        if report.cards_left is not None and report.points_left is not None and report.cards is None:
            _check_worth(pool, report.cards_left, report.points_left, report.seat)
    _check_sums(pool, held)

    # From here on the cards known by name are out of the pool.
    named = Counter(cards.points(card) for report in held for card in report.cards or ())
    left_min, wanted = 1, []
    for report in held:
        if report.points_left is None:  # counts for nobody: any cards
            left_min += report.cards_left or 1
        elif report.cards is None:
            fewest, most = report.cards_left or 1, report.cards_left or len(edition.deck)
            wanted.append(Wanted(report.points_left, fewest, most))
    rest = {value: copies - named[value] for value, copies in pool.items()}
    if not can_be_dealt(rest, wanted, left_min=left_min, left_max=1 if blocked else len(edition.deck)):
        message = f"These cards cannot all come from one deck of {len(edition.deck)} cards."
        if blocked:
            message += " When nobody goes out, the players hold all of them but one."
        raise ImpossibleHand("not-one-deck", message, deck=len(edition.deck), blocked=blocked)


def _check_copies(edition: Edition, held: Sequence[SeatReport]) -> None:
    entered = Counter(card for report in held for card in report.cards or ())
    for card, copies in entered.items():
        if copies > (has := edition.deck.count(card)):
            noun = "card" if has == 1 else "cards"
            message = f"The deck has {has} {edition.card_name(card)} {noun}; {copies} are entered."
            raise ImpossibleHand("too-many-copies", message, card=card, deck=has, entered=copies)


def _check_size(deck: int, held: Sequence[SeatReport], *, blocked: bool) -> None:
    """PLAY-7: a hand is blocked only when nothing but the top card of the discard pile is left to reshuffle."""
    counts = [report.cards_left for report in held if report.cards_left is not None]
    unknown, entered = len(held) - len(counts), sum(counts)
    if entered + unknown > deck - 1:
        message = (
            f"The deck has {deck} cards and one of them lies on the discard pile, so the players can hold {deck - 1};"
            f" these are {entered + unknown}{' or more' if unknown else ''}."
        )
        raise ImpossibleHand("too-many-cards", message, deck=deck, entered=entered, others=unknown)
    if blocked and not unknown and entered != deck - 1:
        message = (
            f"If nobody went out, the players hold all cards but one, {deck - 1} of {deck}; {entered} are entered."
            " If somebody went out, choose that player."
        )
        raise ImpossibleHand("not-blocked", message, deck=deck, entered=entered)


def _check_worth(pool: Mapping[int, int], count: int, points: int, seat: int) -> None:
    if can_be_worth(pool, count, points):
        return
    near = _nearest(pool, count, points)
    one_or_more = "One card" if count == 1 else f"{count} cards"
    message = f"{one_or_more} cannot be worth {_points(points)}. {' or '.join(map(str, near))} would be possible."
    raise ImpossibleHand("cannot-be-worth", message, seat, cards=count, points=points, possible=near)


def _nearest(pool: Mapping[int, int], count: int, points: int) -> list[int]:
    """The points next to these, below and above, that so many cards can be worth."""
    most = sum(sorted(Counter(pool).elements())[-count:])
    below = next((near for near in range(min(points, most), -1, -1) if can_be_worth(pool, count, near)), None)
    above = next((near for near in range(points, most + 1) if can_be_worth(pool, count, near)), None)
    return [near for near in (below, above) if near is not None]


def _check_sums(pool: Mapping[int, int], held: Sequence[SeatReport]) -> None:
    """The two reasons for which a deck mostly does not suffice, in words of their own."""
    points = sum(report.points_left or 0 for report in held)
    most = sum(value * copies for value, copies in pool.items()) - min(pool)
    if points > most:
        message = f"Together these cards would be worth {points} points; the whole deck but one card is worth {most}."
        raise ImpossibleHand("too-many-points", message, points=points, deck=most)
    for value, copies in pool.items():
        need = sum(_needed(pool, report, value) for report in held)
        if need > copies:
            message = f"Together these cards need {need} cards worth {value}; the deck has {copies}."
            raise ImpossibleHand("too-many-of-value", message, value=value, needed=need, deck=copies)


def _needed(pool: Mapping[int, int], report: SeatReport, value: int) -> int:
    if report.cards is not None:
        return sum(cards.points(card) == value for card in report.cards)
    if report.cards_left is None or report.points_left is None:
        return 0
    return needed(pool, report.cards_left, report.points_left, value)


def _points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"
