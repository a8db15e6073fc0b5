"""The result of a hand: names for what the last line of its log says."""

from dataclasses import dataclass

from engine.state import Hand


@dataclass(frozen=True)
class Result:
    """By seat: names, points of the cards left (SCORE-1), and what the hand adds to the totals (SCORE-2 to SCORE-4)."""

    names: tuple[str, ...]
    winner: int | None  # the seat that went out; None: the hand is blocked
    points: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def blocked(self) -> bool:
        """Return whether the hand was blocked (PLAY-7, PLAY-8)."""
        return self.winner is None

    @property
    def winner_name(self) -> str | None:
        return None if self.winner is None else self.names[self.winner]

    @property
    def scores_by_name(self) -> dict[str, int]:
        """Return scores by name; of equal names only the last one."""
        return dict(zip(self.names, self.scores, strict=True))


def result_of(hand: Hand) -> Result:
    """Raises ValueError while the hand is being played."""
    if not hand.over:
        raise ValueError("This hand is not over: play it to its end first.")
    _end, winner, points, scores, _seed, _deck = hand.log[-1]
    return Result(hand.public.names, winner, points, scores)
