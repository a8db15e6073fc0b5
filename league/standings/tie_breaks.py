"""The tie-breaks: a registry, and the history that each of them may look at.

Nothing here ranks. A tie-break turns a group of entries with the same total into one number each;
`league/standings/ranking.py` sorts by those numbers and goes on to the next tie-break where they are equal.

To add one: write its function below, give it a line in `TIE_BREAKS`, a paragraph in docs/formats.md, and a test.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from engine.sentences import mark


class Played(NamedTuple):
    """The hands that an entry played in one round with the same partner against the same opponents: their sums.

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
    """What each entry in the standings played, by entry id; an entry that has not played has an empty list."""

    played: Mapping[str, Sequence[Played]]
    lot_seed: str = ""

    def opponents_of(self, entry: str) -> frozenset[str]:
        """Everybody whom an entry has met as an opponent."""
        return frozenset().union(*(spell.opponents for spell in self.played[entry]))


Values = dict[str, int]


@dataclass(frozen=True)
class TieBreak:
    """`values(group, history)` gives each entry of the group its number, or None where the tie-break does not apply.

    direction: "most" or "least", says which of two numbers is the better one.
    among_tied: the number depends on who is tied, so it is worked out for the tied alone and again after it split them.
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
    """The place drawn, from 1. Anybody with the seed can draw it again: the order of sha256(seed + entry id)."""
    drawn = sorted(group, key=lambda entry: sha256((history.lot_seed + entry).encode()).digest())
    return {entry: place for place, entry in enumerate(drawn, start=1)}


TIE_BREAKS: dict[str, TieBreak] = {
    tie_break.code: tie_break
    for tie_break in (
        TieBreak(
            code="hands-won",
            name=mark("Hands won"),
            description=mark(
                "Hands in which the player or the partner went out. A win worth 0 points counts; "
                "a blocked hand does not."
            ),
            direction="most",
            source=mark("FIDE Tie-Break Regulations 7.1 (number of wins), with hands for games"),
            values=_hands_won,
        ),
        TieBreak(
            code="head-to-head",
            name=mark("Head-to-head"),
            description=mark(
                "Points scored in the hands played as opponents of those still tied. Skipped unless all of "
                "them have met as opponents; where it separates some, it starts again among the rest."
            ),
            direction="most",
            source=mark("FIDE Tie-Break Regulations 6 (direct encounter), with points for wins"),
            values=_head_to_head,
            among_tied=True,
        ),
        TieBreak(
            code="fewest-conceded",
            name=mark("Fewest conceded"),
            description=mark("Points given away in the hands lost; fewer is better."),
            direction="least",
            source=mark("This project"),
            values=_fewest_conceded,
        ),
        TieBreak(
            code="best-round",
            name=mark("Best round"),
            description=mark("Most points scored in one round, penalties and bonuses left aside."),
            direction="most",
            source=mark("This project"),
            values=_best_round,
        ),
        TieBreak(
            code="lot",
            name=mark("Drawn lot"),
            description=mark(
                "A place drawn from the tournament's stored seed, so that everybody can draw it again. "
                "For use only when a place must be decided."
            ),
            direction="least",
            source=mark("This project"),
            values=_lot,
        ),
    )
}

# The lot is not in it: a shared rank is a fair result, and a lot is drawn only when somebody asks for it.
DEFAULT_ORDER: tuple[str, ...] = ("hands-won", "head-to-head", "fewest-conceded", "best-round")
