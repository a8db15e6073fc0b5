"""The hands that forecasts draw from: of the engine, played by careful bots, the same in every process. Pure.

A forecast needs a million hands and the engine plays about two thousand a second, so HANDS of them are played for each
setting, from a fixed seed, and kept for as long as the process lives (docs/decisions/0010).
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

from engine.rules import EDITIONS
from engine.scoring import score_hand
from engine.simulate import Setting, hands
from engine.state import Rules
from league.forecast import Outcome

HANDS = 2000
SIDES = 2


class HandPools(dict[int, Sequence[Outcome]]):
    """By how many are dealt in; played when first asked for.

    teams: the scores are those of the two sides, since a team's points count once.
    """

    def __init__(
        self, edition: str, scoring: str, *, partners: bool = False, teams: bool = False, options: Collection[str] = ()
    ) -> None:
        super().__init__()
        self._setting = edition, scoring, partners, teams, tuple(sorted(options))

    def __missing__(self, players: int) -> Sequence[Outcome]:
        pool = self[players] = _pool(HANDS, players, *self._setting)
        return pool


@lru_cache(maxsize=64)
def _pool(
    count: int, players: int, edition: str, scoring: str, partners: bool, teams: bool, options: tuple[str, ...]
) -> tuple[Outcome, ...]:
    """Each hand once for each way of seating it, so that no seat is better than another."""
    played = _played(count, players, edition, partners, options)
    return tuple(
        turned(went_out, left, by, scoring, partners, teams) for went_out, left in played for by in range(players)
    )


def turned(
    went_out: int | None, left: Sequence[int], by: int, scoring: str, partners: bool = False, teams: bool = False
) -> Outcome:
    """The outcome of a hand, everybody so many seats further left."""
    players = len(left)
    here = tuple(left[(seat - by) % players] for seat in range(players))
    out = None if went_out is None else (went_out + by) % players
    scores = score_hand(scoring, here, out, partners).scores
    return Outcome(scores[:SIDES] if teams else scores, out, here)


@lru_cache(maxsize=64)
def _played(
    count: int, players: int, edition: str, partners: bool, options: tuple[str, ...]
) -> tuple[tuple[int | None, tuple[int, ...]], ...]:
    rules = Rules(EDITIONS[edition], teams=partners, options=options)
    setting = Setting(rules, players, ("careful",), "forecast")
    # The line with which a hand ends: who went out (None: blocked), the points that each holds.
    return tuple((hand.log[-1][1], tuple(hand.log[-1][2])) for hand in hands(setting, count))
