"""Register the tie-breaks, and define the history they may read.

A tie-break turns entries with the same total into one number each. `league/standings/ranking.py` sorts by it and moves
to the next tie-break if equal.

To add one: write its function below, a line in `TIE_BREAKS`, a paragraph in docs/formats.md, and a test.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from engine.sentences import mark


class Played(NamedTuple):
    """Sums of an entry's hands in one round with the same partner against the same opponents.

    A team's two seats are one Played: its score counts once.
    """

    round: int
    partner: str | None
    opponents: frozenset[str]
    hands: int
    won: int
    points_for: int
    points_against: int
    points_caught: int
    score: int


@dataclass(frozen=True)
class History:
    """What each entry played, by entry id; empty for an entry without hands."""

    played: Mapping[str, Sequence[Played]]
    lot_seed: str = ""

    def opponents_of(self, entry: str) -> frozenset[str]:
        """Return all entries met as opponents."""
        return frozenset().union(*(spell.opponents for spell in self.played[entry]))


Values = dict[str, int]


@dataclass(frozen=True)
class TieBreak:
    """`values(group, history)` returns a number for each entry of the group, or None if the tie-break doesn't apply.

    direction: "most" or "least" is better. among_tied: the number depends on the tied entries, so compute it for them
    alone and again after a split.
    """

    code: str
    name: str
    description: str
    direction: str
    source: str
    values: Callable[[Sequence[str], History], Values | None]
    among_tied: bool = False


def _hands_won(group: Sequence[str], history: History) -> Values:
    return {entry: sum(spell.won for spell in history.played[entry]) for entry in group}


def _head_to_head(group: Sequence[str], history: History) -> Values | None:
    tied = frozenset(group)
    if any(not tied - {entry} <= history.opponents_of(entry) for entry in group):
        return None
    # A hand against two of the tied counts once, since it was scored once.
    return {
        entry: sum(spell.points_for for spell in history.played[entry] if not tied.isdisjoint(spell.opponents))
        for entry in group
    }


def _fewest_conceded(group: Sequence[str], history: History) -> Values:
    return {entry: sum(spell.points_against for spell in history.played[entry]) for entry in group}


def _best_round(group: Sequence[str], history: History) -> Values:
    best = {}
    for entry in group:
        by_round: dict[int, int] = {}
        for spell in history.played[entry]:
            by_round[spell.round] = by_round.get(spell.round, 0) + spell.points_for
        best[entry] = max(by_round.values(), default=0)
    return best


def _lot(group: Sequence[str], history: History) -> Values:
    """Return the drawn place, from 1: the order of sha256(seed + entry id), which anyone can repeat."""
    drawn = sorted(group, key=lambda entry: sha256((history.lot_seed + entry).encode()).digest())
    return {entry: place for place, entry in enumerate(drawn, start=1)}


TIE_BREAKS: dict[str, TieBreak] = {
    tie_break.code: tie_break
    for tie_break in (
        TieBreak(
            code="hands-won",
            name=mark("Hands won"),
            description=mark("Hands won by the player’s side. A win worth 0 points counts; a blocked hand doesn’t."),
            direction="most",
            source=mark("FIDE Tie-Break Regulations 7.1 (number of wins), with hands for games"),
            values=_hands_won,
        ),
        TieBreak(
            code="head-to-head",
            name=mark("Head-to-head"),
            description=mark(
                "Points in hands between the tied players, if all of them met. Players still tied are compared again."
            ),
            direction="most",
            source=mark("FIDE Tie-Break Regulations 6 (direct encounter), with points for wins"),
            values=_head_to_head,
            among_tied=True,
        ),
        TieBreak(
            code="fewest-conceded",
            name=mark("Fewest points against"),
            description=mark("Points lost in hands; fewer is better."),
            direction="least",
            source=mark("This project"),
            values=_fewest_conceded,
        ),
        TieBreak(
            code="best-round",
            name=mark("Best round"),
            description=mark("Most points in one round, without points adjustments."),
            direction="most",
            source=mark("This project"),
            values=_best_round,
        ),
        TieBreak(
            code="lot",
            name=mark("Random tie-break"),
            description=mark("A place drawn from the tournament’s published seed, so anyone can repeat it."),
            direction="least",
            source=mark("This project"),
            values=_lot,
        ),
    )
}

# Leave out the random tie-break: a shared rank is fair, and a draw happens only on request.
DEFAULT_ORDER: tuple[str, ...] = ("hands-won", "head-to-head", "fewest-conceded", "best-round")
