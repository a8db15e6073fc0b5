"""How fast hands are played: the same `deal`, `apply`, log and bots as everywhere, by CPU time."""

import random
import time
from collections.abc import Iterator

from engine.hand import deal
from engine.rules import EDITIONS
from engine.shuffle import SEED_BYTES
from engine.simulation.bots import BOTS
from engine.simulation.simulate import NAMES, play_out
from engine.state import Hand, Rules

BETWEEN_LOOKS = 20  # hands; the actions of one of them are counted when the clock has stopped


def measure(
    seconds: float, players: int, bots: str = "random", edition: str = "classic", seed: int = 0
) -> dict[str, object]:
    """Play independent hands for so many seconds of CPU time.

    An action is something that a bot did: a play, a draw, a pass, an answer, a call, a catch.
    """
    played = _hands(players, bots, edition, random.Random(seed))
    hands = 0
    sample: list[Hand] = []
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(BETWEEN_LOOKS):
            hand = next(played)
        hands += BETWEEN_LOOKS
        sample.append(hand)
    actions = sum(map(_actions, sample)) / len(sample)
    return {
        "edition": edition,
        "players": players,
        "bots": bots,
        "hands_per_cpu_s": round(hands / spent, 1),
        "actions_per_cpu_s": round(actions * hands / spent),
        "turns_per_hand": round(sum(hand.public.turns for hand in sample) / len(sample), 1),
    }


def _hands(players: int, bots: str, edition: str, rng: random.Random) -> Iterator[Hand]:
    rules, names = Rules(EDITIONS[edition]), NAMES[:players]
    seats = [BOTS[bots](rng) for _ in names]
    dealer = 0
    while True:
        hand = deal(rules, names, dealer=dealer, seed=rng.randbytes(SEED_BYTES))
        play_out(hand, seats)
        dealer = (dealer + 1) % players
        yield hand


def _actions(hand: Hand) -> int:
    """Count the actions: a forced draw, a show and what the engine writes by itself are none."""
    kinds = ("play", "pass", "accept", "challenge", "uno", "catch", "color", "penalty")
    return sum(event[0] in kinds or (event[0] == "draw" and event[3] == "turn") for event in hand.log)
