"""Scores of a hand from the points left, and of a game from its hands: pure functions, lists by seat."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from engine.rules import CHALLENGE, DEFAULT_TARGET, SCORINGS, TEAM_PLAYERS, WINNER_TAKES

Player = TypeVar("Player", bound=Hashable)


class HandScores(NamedTuple):
    """The scores of one hand, by seat. With teams each player has the whole team's numbers (TEAM-3)."""

    scores: tuple[int, ...]  # what the hand adds to the total under the scoring
    points_for: tuple[int, ...]  # what the side won by SCORE-2 and TEAM-3, or would have won where low totals win
    points_against: tuple[int, ...]  # what the side gave to the others by its own cards; 0 in a blocked hand


@dataclass(frozen=True)
class GameScore:
    """Where a game stands after some hands, by seat."""

    totals: tuple[int, ...]
    out_in_hand: tuple[int | None, ...]  # the hand, from 1, that put the player out; None: still in (SCORE-4)
    over: bool
    places: tuple[int, ...]  # from 1; equals share a place. The final places when the game is over


def partner(seat: int) -> int:
    """Return the seat opposite, of four (TEAM-1)."""
    return (seat + 2) % TEAM_PLAYERS


def does_not_count(seat: int, *, scoring: str, went_out: int | None, teams: bool) -> bool:
    """Return whether a seat's cards don't count: under SCORE-2 the winner's partner's (TEAM-3), and all of a blocked
    hand's (SCORE-6)."""
    return scoring == WINNER_TAKES and (went_out is None or (teams and seat == partner(went_out)))


def score_hand(scoring: str, points_left: Sequence[int | None], went_out: int | None, teams: bool) -> HandScores:
    """Score one hand (SCORE-2, SCORE-3, SCORE-4, SCORE-6, TEAM-3).

    `points_left` are the points of the cards left, by seat: 0 for the winner, None only where the cards don't
    count. `went_out` is None for a blocked hand. Raises ValueError for anything else.
    """
    own = _checked_points(scoring, points_left, went_out, teams)
    low = [points + own[partner(seat)] for seat, points in enumerate(own)] if teams else own
    nothing = (0,) * len(own)
    if went_out is None:
        return HandScores(nothing if scoring == WINNER_TAKES else tuple(low), nothing, nothing)
    mate = partner(went_out) if teams else went_out
    points_for, points_against = list(nothing), list(low)
    points_for[went_out] = points_for[mate] = sum(own) - own[mate]
    points_against[went_out] = points_against[mate] = 0
    scores = points_for if scoring == WINNER_TAKES else low
    return HandScores(tuple(scores), tuple(points_for), tuple(points_against))


def _checked_points(scoring: str, points_left: Sequence[int | None], went_out: int | None, teams: bool) -> list[int]:
    _check_scoring(scoring)
    if teams and len(points_left) != TEAM_PLAYERS:
        raise ValueError("Teams are four players.")
    if went_out is not None and not 0 <= went_out < len(points_left):
        raise ValueError(f"There is no seat {went_out}.")
    if went_out is not None and points_left[went_out] != 0:
        raise ValueError("Who went out has no points left.")
    own: list[int] = []
    for seat, points in enumerate(points_left):
        if points is None and not does_not_count(seat, scoring=scoring, went_out=went_out, teams=teams):
            raise ValueError(f"The points left of seat {seat} are needed.")
        own.append(points or 0)
    if min(own) < 0:
        raise ValueError("Points left cannot be negative.")
    return own


def score_game(
    scoring: str,
    hands: Sequence[Sequence[int]],
    *,
    players: int,
    target: int = DEFAULT_TARGET,
    teams: bool = False,
) -> GameScore:
    """Add up a game's hands until it is over; hands after the deciding one do not count (SCORE-2 to SCORE-5).

    Each hand is its `HandScores.scores` by seat; who is out of a challenge has 0. With teams, partners share a place
    and the other side has the next.
    """
    _check_scoring(scoring)
    if target < 1:
        raise ValueError("The target is at least 1.")
    if teams and players != TEAM_PLAYERS:
        raise ValueError("Teams are four players.")
    if any(len(hand) != players for hand in hands):
        raise ValueError("Every hand has one score for each player.")
    sides = 2 if teams else players
    game = _challenge(hands, sides, target) if scoring == CHALLENGE else _race(scoring, hands, sides, target)
    if not teams:
        return game
    return GameScore(game.totals * 2, game.out_in_hand * 2, game.over, game.places * 2)


def _race(scoring: str, hands: Sequence[Sequence[int]], sides: int, target: int) -> GameScore:
    """To the target: the highest total wins under SCORE-2, the lowest under SCORE-3; equal totals share the place."""
    totals = [0] * sides
    for hand in hands:
        totals = [totals[side] + hand[side] for side in range(sides)]
        if max(totals) >= target:
            break
    over = max(totals) >= target
    sign = -1 if scoring == WINNER_TAKES else 1
    return GameScore(tuple(totals), (None,) * sides, over, places([(0, sign * total) for total in totals]))


def _challenge(hands: Sequence[Sequence[int]], sides: int, target: int) -> GameScore:
    """Eliminate players at the target; the last remaining player wins (SCORE-4).

    If a hand eliminates all players, the lowest total wins; tied lowest totals play on until a hand separates them.
    Head to head needs no rule of its own: the player who goes out adds nothing, so the other reaches the target.
    """
    totals = [0] * sides
    out_in_hand: list[int | None] = [None] * sides
    playing = list(range(sides))
    for number, hand in enumerate(hands, start=1):
        for side in playing:
            totals[side] += hand[side]
        staying = still_in({side: totals[side] for side in playing}, target)
        for side in playing:
            if side not in staying:
                out_in_hand[side] = number
        playing = staying
        if len(playing) == 1:
            break
    order = [(-(out_in_hand[side] or len(hands) + 1), totals[side]) for side in range(sides)]
    return GameScore(tuple(totals), tuple(out_in_hand), len(playing) == 1, places(order))


def still_in(totals: Mapping[Player, int], target: int) -> list[Player]:
    """Return the players still in a challenge after a hand, from their totals (SCORE-4).

    If all players have reached the target, return those with the lowest total: one has won, several play on.
    """
    lowest = min(totals.values())
    return [player for player, total in totals.items() if total < target] or [
        player for player, total in totals.items() if total == lowest
    ]


def places(order: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Places from 1 for sort keys, lowest first; equal keys share the better place and the next place is left free."""
    first: dict[tuple[int, ...], int] = {}
    for place, key in enumerate(sorted(order), start=1):
        first.setdefault(key, place)
    return tuple(first[key] for key in order)


def _check_scoring(scoring: str) -> None:
    if scoring not in SCORINGS:
        raise ValueError(f"There is no scoring “{scoring}”.")
