"""Play the hands that forecasts draw from: careful bots in the engine, equal in every process. Pure.

A forecast needs a million hands and the engine plays about two thousand a second. So HANDS of them are played for each
setting, from a fixed seed, and cached in the process (docs/decisions/0010). Time and memory are bounded: at ten
players a pool takes some 7 MB.
"""

import time
from collections.abc import Collection, Sequence
from functools import lru_cache

from engine.result import result_of
from engine.rules import EDITIONS
from engine.scoring import score_hand
from engine.simulation.simulate import Endless, Setting, hands
from engine.state import Rules
from league.odds.simulate import Outcome, TooMuch

HANDS = 2000
PATIENCE = 20.0  # seconds to play HANDS; nine players who draw until a card fits take four
POOLS = 16  # in memory; a Challenge UNO from ten players down to two needs nine
SIDES = 2


class HandPools(dict[int, Sequence[Outcome]]):
    """{players dealt in: hands}. The first access plays them, and raises `TooMuch` if that takes too long.

    teams: scores are those of the two sides, since a team's points count once.
    """

    def __init__(
        self, edition: str, scoring: str, *, partners: bool = False, teams: bool = False, options: Collection[str] = ()
    ) -> None:
        super().__init__()
        self._setting = edition, scoring, partners, teams, tuple(sorted(options))

    def __missing__(self, players: int) -> Sequence[Outcome]:
        pool = self[players] = _pool(HANDS, players, *self._setting)
        return pool


@lru_cache(maxsize=POOLS)
def _pool(
    count: int, players: int, edition: str, scoring: str, partners: bool, teams: bool, options: tuple[str, ...]
) -> tuple[Outcome, ...]:
    """Turn each hand to every seat, so that no seat has an advantage."""
    played = _play_hands(count, players, edition, partners, options)
    return tuple(
        turn(went_out, caught, by, scoring, partners, teams) for went_out, caught in played for by in range(players)
    )


def turn(
    went_out: int | None, caught: Sequence[int], by: int, scoring: str, partners: bool = False, teams: bool = False
) -> Outcome:
    """Return the outcome of a hand with all players moved `by` seats to the left."""
    players = len(caught)
    here = tuple(caught[(seat - by) % players] for seat in range(players))
    out = None if went_out is None else (went_out + by) % players
    scores = score_hand(scoring, here, out, partners).scores
    return Outcome(scores[:SIDES] if teams else scores, out, here)


@lru_cache(maxsize=POOLS)
def _play_hands(
    count: int, players: int, edition: str, partners: bool, options: tuple[str, ...]
) -> tuple[tuple[int | None, tuple[int, ...]], ...]:
    rules = Rules(EDITIONS[edition], teams=partners, options=options)
    setting = Setting(rules, players, ("careful",), "forecast")
    until = time.monotonic() + PATIENCE
    ends: list[tuple[int | None, tuple[int, ...]]] = []
    try:
        for hand in hands(setting, count):
            result = result_of(hand)
            ends.append((result.winner, result.points))
            if time.monotonic() > until:
                raise TooMuch
    except Endless:
        raise TooMuch from None
    return tuple(ends)
