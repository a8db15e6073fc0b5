"""Engine-checked paper entry: check whether a hand with this result is possible.

Reject only what is proven impossible, jointly over all seats, whose cards come from one deck.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine import cards
from engine.one_deck import Group, can_be_dealt, can_be_worth, fewest_copies
from engine.rules import MAX_PLAYERS, MIN_PLAYERS, SCORINGS, TEAM_PLAYERS, Edition
from engine.scoring import does_not_count
from engine.sentences import Sentence, counted, sentence
from engine.state import SCARCE


@dataclass(frozen=True)
class SeatReport:
    """The entry for a seat: the cards left, or their number and points, or the points alone."""

    seat: int
    cards: tuple[str, ...] | None = None
    cards_left: int | None = None
    points_left: int | None = None


@dataclass(frozen=True)
class CheckedHand:
    """A possible hand, by seat; None where nothing was reported."""

    cards_left: tuple[int | None, ...]
    points_left: tuple[int | None, ...]
    checked: bool  # False if a counting seat reported only its points
    went_out: int | None


class ImpossibleHand(ValueError):
    """Raised for an impossible hand. `str()` is an English sentence that names no seat.

    `sentence` is its translatable form; `code` and `params` identify the case.
    """

    def __init__(self, code: str, why: Sentence, seat: int | None = None, **params: object) -> None:
        super().__init__(str(why))
        self.code = code
        self.sentence = why
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
    turns_counted: bool = False,
) -> CheckedHand:
    """Check the reports of one hand against each other and the edition's deck (SCORE-1, SCORE-6, OUT-1, PLAY-7).

    `went_out` is None for a blocked hand. `turns_counted`: turns were counted, as at an online table. Then PLAY-8 may
    have blocked the hand, with any number of free cards.

    The report of the player who went out may be missing or empty. Under SCORE-2 their partner's may be missing too
    (TEAM-3), and in a blocked hand everyone's (SCORE-6). Raises `ImpossibleHand`; ValueError for invalid `players`,
    `teams` or `scoring`.
    """
    if not MIN_PLAYERS <= players <= MAX_PLAYERS or (teams and players != TEAM_PLAYERS) or scoring not in SCORINGS:
        raise ValueError("A hand has 2 to 10 players, four with teams, and a known scoring.")
    if went_out is not None and not 0 <= went_out < players:
        raise _no_such_seat(went_out, players)
    reports = [_with_sums(edition, report) for report in _by_seat(players, seats)]
    if went_out is not None:
        _check_winner(reports[went_out])
        reports[went_out] = SeatReport(went_out, (), 0, 0)
    checked = True
    for report in reports:
        if report.seat == went_out:
            continue
        _check_loser(report, went_out)
        if not does_not_count(report.seat, scoring=scoring, went_out=went_out, teams=teams):
            _check_complete(report)
            checked = checked and report.cards_left is not None
    most_out = SCARCE if went_out is None and not turns_counted else None
    _check_one_deck(edition, [report for report in reports if report.seat != went_out], most_out=most_out)
    cards_left = tuple(report.cards_left for report in reports)
    return CheckedHand(cards_left, tuple(report.points_left for report in reports), checked, went_out)


def _by_seat(players: int, reports: Sequence[SeatReport]) -> list[SeatReport]:
    by_seat: dict[int, SeatReport] = {}
    for report in reports:
        if not 0 <= report.seat < players:
            raise _no_such_seat(report.seat, players)
        if report.seat in by_seat:
            raise ImpossibleHand("seat-twice", sentence("This seat is entered twice."), report.seat)
        by_seat[report.seat] = report
    return [by_seat.get(seat, SeatReport(seat)) for seat in range(players)]


def _no_such_seat(seat: int, players: int) -> ImpossibleHand:
    return ImpossibleHand(
        "no-such-seat", sentence("This table has %(seats)d seats.", seats=players), seat, players=players
    )


def _with_sums(edition: Edition, report: SeatReport) -> SeatReport:
    """Add the number and points of the cards. Raises `ImpossibleHand` if entered numbers contradict the cards."""
    for number in (report.cards_left, report.points_left):
        if number is not None and number < 0:
            message = sentence("Cards and points can’t be negative.")
            raise ImpossibleHand("negative", message, report.seat, entered=number)
    if report.cards is None:
        return report
    for card in report.cards:
        if not cards.is_card(card):
            message = sentence("“%(text)s” is not a card.", text=card)
            raise ImpossibleHand("unknown-card", message, report.seat, card=card)
        if card not in edition.deck:
            message = sentence(
                "There is no %(card)s in the deck of “%(edition)s”.",
                card=edition.card_in_words(card),
                edition=Sentence(edition.name),
            )
            raise ImpossibleHand("not-in-deck", message, report.seat, card=card, edition=edition.key)
    count, points = len(report.cards), cards.points_of(report.cards)
    if report.cards_left not in (None, count):
        message = sentence(
            "Cards chosen: %(cards)d, not %(entered)d.",
            cards=count,
            entered=report.cards_left,
        )
        raise ImpossibleHand("count-disagrees", message, report.seat, cards=count, entered=report.cards_left)
    if report.points_left not in (None, points):
        message = sentence(
            "The chosen cards are worth %(points)s, not %(entered)d.",
            points=_points(points),
            entered=report.points_left,
        )
        raise ImpossibleHand("points-disagree", message, report.seat, points=points, entered=report.points_left)
    return replace(report, cards_left=count, points_left=points)


def _check_winner(report: SeatReport) -> None:
    """Check that the player who went out holds nothing (OUT-1)."""
    if report.cards_left or report.points_left:
        message = sentence("The player who went out has no cards. Clear these fields, or choose another player.")
        raise ImpossibleHand(
            "winner-holds-cards", message, report.seat, cards=report.cards_left, points=report.points_left
        )


def _check_loser(report: SeatReport, went_out: int | None) -> None:
    if report.cards_left != 0:
        return
    if went_out is None:
        message = sentence("A player without cards has gone out. Choose that player.")
        raise ImpossibleHand("winner-not-named", message, report.seat)
    message = sentence("Only one player can go out. Enter cards for this one.")
    raise ImpossibleHand("two-winners", message, report.seat, went_out=went_out)


def _check_complete(report: SeatReport) -> None:
    if report.points_left is not None:
        return
    if report.cards_left is None:
        message = sentence("Enter the cards left, or the points.")
        raise ImpossibleHand("missing", message, report.seat)
    message = sentence("Enter the points too.")
    raise ImpossibleHand("points-missing", message, report.seat, cards=report.cards_left)


def _check_one_deck(edition: Edition, reports: Sequence[SeatReport], *, most_out: int | None) -> None:
    """Check that the losers' cards come from one deck and leave one card on the discard pile.

    `most_out`: in a blocked hand, the most cards that no player holds.
    """
    pool = Counter(cards.points(card) for card in edition.deck)
    _check_copies(edition, reports)
    _check_size(len(edition.deck), reports, most_out)
    for report in reports:
        if report.cards_left is not None and report.points_left is not None and report.cards is None:
            _check_worth(pool, report.cards_left, report.points_left, report.seat)
    _check_sums(pool, reports)

    # Named cards leave the pool, so only the rest can form the groups.
    named = Counter(cards.points(card) for report in reports for card in report.cards or ())
    left_min, groups = 1, []
    for report in reports:
        if report.points_left is None:  # does not count: any cards
            left_min += report.cards_left or 1
            most_out = None
        elif report.cards is None:
            fewest, most = report.cards_left or 1, report.cards_left or len(edition.deck)
            groups.append(Group(report.points_left, fewest, most))
    rest = {value: copies - named[value] for value, copies in pool.items()}
    if not can_be_dealt(rest, groups, left_min=left_min, left_max=most_out or len(edition.deck)):
        message = sentence("These cards can’t all come from one deck.", deck=len(edition.deck))
        if most_out is not None:
            message = sentence(
                "These cards can’t all come from one deck. In a blocked hand, the players hold all "
                "cards but 1 to %(out)d.",
                deck=len(edition.deck),
                out=most_out,
            )
        raise ImpossibleHand("not-one-deck", message, deck=len(edition.deck), blocked=most_out is not None)


def _check_copies(edition: Edition, reports: Sequence[SeatReport]) -> None:
    entered = Counter(card for report in reports for card in report.cards or ())
    for card, copies in entered.items():
        if copies > (available := edition.deck.count(card)):
            message = counted(
                "The deck has %(count)d %(card)s card; %(entered)d are entered.",
                "The deck has %(count)d %(card)s cards; %(entered)d are entered.",
                available,
                card=edition.card_in_words(card),
                entered=copies,
            )
            raise ImpossibleHand("too-many-copies", message, card=card, deck=available, entered=copies)


def _check_size(deck: int, reports: Sequence[SeatReport], most_out: int | None) -> None:
    """Check the number of cards. A blocked hand needs nearly all cards in the players' hands (PLAY-7, PLAY-8)."""
    counts = [report.cards_left for report in reports if report.cards_left is not None]
    unknown, entered = len(reports) - len(counts), sum(counts)
    if entered + unknown > deck - 1:
        numbers = {"deck": deck, "most": deck - 1, "entered": entered + unknown}
        message = sentence(
            "The players can hold at most %(most)d of the %(deck)d cards, not %(entered)d or more.", **numbers
        )
        raise ImpossibleHand("too-many-cards", message, deck=deck, entered=entered, others=unknown)
    if most_out is not None and not unknown and entered < deck - most_out:
        message = sentence(
            "In a blocked hand, the players hold %(fewest)d to %(most)d of the %(deck)d cards, not "
            "%(entered)d. Correct the cards, or choose the player who went out.",
            fewest=deck - most_out,
            most=deck - 1,
            deck=deck,
            entered=entered,
        )
        raise ImpossibleHand("not-blocked", message, deck=deck, entered=entered)


def _check_worth(pool: Mapping[int, int], count: int, points: int, seat: int) -> None:
    if can_be_worth(pool, count, points):
        return
    near = _nearest(pool, count, points)
    possible = sentence("%(first)s or %(second)s", first=near[0], second=near[1]) if len(near) == 2 else near[0]
    message = counted(
        "One card can’t be worth %(points)s. Possible: %(possible)s.",
        "%(count)d cards can’t be worth %(points)s. Possible: %(possible)s.",
        count,
        points=_points(points),
        possible=possible,
    )
    raise ImpossibleHand("cannot-be-worth", message, seat, cards=count, points=points, possible=near)


def _nearest(pool: Mapping[int, int], count: int, points: int) -> list[int]:
    """Return the nearest possible points for this number of cards, below and above."""
    most = sum(sorted(Counter(pool).elements())[-count:])
    below = next((near for near in range(min(points, most), -1, -1) if can_be_worth(pool, count, near)), None)
    above = next((near for near in range(points, most + 1) if can_be_worth(pool, count, near)), None)
    return [near for near in (below, above) if near is not None]


def _check_sums(pool: Mapping[int, int], reports: Sequence[SeatReport]) -> None:
    """Report the two usual causes of an insufficient deck with their own messages."""
    points = sum(report.points_left or 0 for report in reports)
    most = sum(value * copies for value, copies in pool.items()) - min(pool)
    if points > most:
        message = sentence(
            "All hands together can’t be worth %(points)d points. The deck allows at most %(most)d.",
            points=points,
            most=most,
        )
        raise ImpossibleHand("too-many-points", message, points=points, deck=most)
    for value, copies in pool.items():
        need = sum(_copies_needed(pool, report, value) for report in reports)
        if need > copies:
            message = sentence(
                "These points need %(needed)d cards worth %(value)d. The deck has %(copies)d.",
                needed=need,
                value=value,
                copies=copies,
            )
            raise ImpossibleHand("too-many-of-value", message, value=value, needed=need, deck=copies)


def _copies_needed(pool: Mapping[int, int], report: SeatReport, value: int) -> int:
    if report.cards is not None:
        return sum(cards.points(card) == value for card in report.cards)
    if report.cards_left is None or report.points_left is None:
        return 0
    return fewest_copies(pool, report.cards_left, report.points_left, value)


def _points(points: int) -> Sentence:
    return counted("%(count)d point", "%(count)d points", points)
