"""How many hands a CPU-second the engine plays, beside RLCard's UNO, all at tables of random players.

    python3 -m venv var/bench && var/bench/bin/pip install --require-hashes --no-deps -r locks/bench.lock    (once)
    var/bench/bin/python -m benchmarks.engine [--seconds S] [--rounds N] [--players N] [--seed N] [--smoke]

RLCard is measured at three depths: `env.run` with its random agents, a loop around `UnoGame.step`, and the least code
that plays its `UnoRound` to the end. Ours is what `python3 -m engine bench` runs: complete rules, every move checked,
the log built; compiled after `python3 dev.py build --engine`. The four take turns in one process, in an order drawn
anew each round, so that what else the machine does falls on all alike. The last line printed is one JSON object.
"""

import argparse
import contextlib
import gc
import itertools
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import COMPILED
from engine.simulation import bench

OURS, BARE, STEP, RUN = "ours", "bare UnoRound", "UnoGame.step", "env.run"
EDITION = "classic"  # RLCard knows no other deck
BOTS = "random"

# What is divided by what, and the least that it should be (None: no goal is set).
RATIOS: dict[str, tuple[str, float | None]] = {
    "to_bare_round": (BARE, 1.5 if COMPILED else None),
    "to_game_step": (STEP, 1.5),
    "to_env_run": (RUN, None),
}

PlayHand = Callable[[], int]
"""Plays one hand to its end; returns how many turns were taken."""


class Missing(Exception):
    """What is measured is not installed: one sentence, with the way to it."""


@dataclass(frozen=True)
class Measured:
    """A side in a round."""

    hands: float  # a CPU-second
    actions: float  # a CPU-second
    turns: float  # a hand
    crashed: int = 0


Side = Callable[[float], Measured]
"""Plays for that many CPU-seconds."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.engine", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU-seconds of each side in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="a few hands: whether it runs, not how fast")
    options = parser.parse_args()
    if options.smoke:
        options.seconds, options.rounds = 0.05, 2
    try:
        sides = rlcard_sides(options.players, options.seed)
    except Missing as missing:
        print(missing, file=sys.stderr)  # noqa: T201
        return 2
    sides[OURS] = our_side(options.players, options.seed)
    result = report(measure(sides, options.seconds, options.rounds, random.Random(options.seed)))
    print(table(result))  # noqa: T201
    about = {"benchmark": "engine", "seed": options.seed, "players": options.players, "rounds": options.rounds}
    about |= {"edition": EDITION, "bots": BOTS, "python": platform.python_version(), "rlcard": rlcard_version()}
    about["ours"] = "compiled" if COMPILED else "Python"
    print(json.dumps(about | result))  # noqa: T201
    return 0


# The sides


def rlcard_sides(players: int, seed: int) -> dict[str, Side]:
    """Raises `Missing`."""
    with contextlib.suppress(ImportError):
        import setuptools  # noqa: F401  brings distutils back, which RLCard imports and Python 3.12 has not
    try:
        import numpy
        from rlcard.games import uno
    except ImportError as error:
        raise Missing(
            f"RLCard cannot be imported ({error}); the first lines of this file tell how to install it."
        ) from None
    makers: dict[str, Callable[[], PlayHand]] = {
        RUN: lambda: env_run(players, seed),
        STEP: lambda: game_step(uno, numpy, players, seed),
        BARE: lambda: bare_round(uno, numpy, players, seed),
    }
    return {name: timed(make()) for name, make in makers.items()}


def rlcard_version() -> str:
    import rlcard

    return str(rlcard.__version__)


def env_run(players: int, seed: int) -> PlayHand:
    """As its users play it: states encoded for learning, RLCard's own random agents."""
    import numpy
    import rlcard
    from rlcard.agents.random_agent import RandomAgent

    numpy.random.seed(seed)  # its agents draw from there
    env = rlcard.make("uno", config={"seed": seed})
    env.num_players = env.game.num_players = players  # it takes no number of players for this game
    env.set_agents([RandomAgent(env.num_actions) for _ in range(players)])

    def play() -> int:
        before = env.timestep
        env.run()
        return int(env.timestep - before)

    return play


def game_step(uno: Any, numpy: Any, players: int, seed: int) -> PlayHand:
    """Its game without what is for learning: a state for every turn, with what is legal, and who has won."""
    game = uno.Game(num_players=players)
    game.np_random = numpy.random.RandomState(seed)
    dice = random.Random(seed).random

    def play() -> int:
        turns = 0
        state, _player = game.init_game()
        while not game.is_over():
            legal = state["legal_actions"]
            state, _player = game.step(legal[int(dice() * len(legal))])
            turns += 1
        game.get_payoffs()
        return turns

    return play


def bare_round(uno: Any, numpy: Any, players: int, seed: int) -> PlayHand:
    """The least that plays a hand: no state for anybody, nothing kept, nothing checked, nothing scored."""
    numbers = numpy.random.RandomState(seed)
    dice = random.Random(seed).random

    def play() -> int:
        dealer = uno.Dealer(numbers)
        people = [uno.Player(number, numbers) for number in range(players)]
        for person in people:
            dealer.deal_cards(person, 7)
        hand = uno.Round(dealer, players, numbers)
        hand.perform_top_card(people, hand.flip_top_card())
        turns = 0
        while not hand.is_over:
            legal = hand.get_legal_actions(people, hand.current_player)
            hand.proceed_round(people, legal[int(dice() * len(legal))])
            turns += 1
        return turns

    return play


def timed(play: PlayHand) -> Side:
    def side(seconds: float) -> Measured:
        hands = turns = crashed = 0
        start = time.process_time()
        while (spent := time.process_time() - start) < seconds:
            try:
                turns += play()
                hands += 1
            except IndexError:  # RLCard's, when more cards are drawn than lie in both piles
                crashed += 1
        return Measured(hands / spent, turns / spent, turns / max(hands, 1), crashed)

    return side


def our_side(players: int, seed: int) -> Side:
    seeds = itertools.count(seed * 1000)  # other hands in every round, as the others play

    def side(seconds: float) -> Measured:
        found = bench.measure(seconds, players, BOTS, EDITION, next(seeds))
        return Measured(*(float(found[key]) for key in ("hands_per_cpu_s", "actions_per_cpu_s", "turns_per_hand")))

    return side


# Measuring and telling


def measure(sides: dict[str, Side], seconds: float, rounds: int, dice: random.Random) -> dict[str, list[Measured]]:
    for side in sides.values():
        side(seconds / 10)  # what is made once is made now
    found: dict[str, list[Measured]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name in dice.sample(list(sides), len(sides)):
            gc.collect()  # nobody clears up after another
            found[name].append(sides[name](seconds))
    return found


def report(found: dict[str, list[Measured]]) -> dict[str, Any]:
    names = (OURS, BARE, STEP, RUN)
    hands = {name: [one.hands for one in found[name]] for name in names}
    ratios = {}
    for name, (other, goal) in RATIOS.items():
        pairs = zip(hands[OURS], hands[other], strict=True)
        ratios[name] = spread([ours / theirs for ours, theirs in pairs], 2) | {"goal": goal}
    return {
        "hands_per_cpu_s": {name: spread(hands[name], 0) for name in names},
        "actions_per_cpu_s": {name: spread([one.actions for one in found[name]], 0) for name in names},
        "turns_per_hand": {name: round(statistics.mean(one.turns for one in found[name]), 1) for name in names},
        "crashed": {name: sum(one.crashed for one in found[name]) for name in names},
        "ratios": ratios,
    }


def spread(values: list[float], digits: int) -> dict[str, float]:
    return {
        "median": round(statistics.median(values), digits),
        "low": round(min(values), digits),
        "high": round(max(values), digits),
    }


def table(result: dict[str, Any]) -> str:
    lines = [f"{'':14}{'hands a CPU-second':>26}{'actions a CPU-second':>32}{'turns a hand':>14}{'crashed':>9}"]
    for name in result["hands_per_cpu_s"]:
        hands, actions = (
            "{median:,.0f} ({low:,.0f}–{high:,.0f})".format(**result[what][name])
            for what in ("hands_per_cpu_s", "actions_per_cpu_s")
        )
        lines.append(
            f"{name:14}{hands:>26}{actions:>32}{result['turns_per_hand'][name]:>14}{result['crashed'][name]:>9}"
        )
    for name, ratio in result["ratios"].items():
        goal = f", goal {ratio['goal']}" if ratio["goal"] else ""
        lines.append(f"{OURS} {name.replace('_', ' ')}: " + "{median} ({low}–{high})".format(**ratio) + goal)
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
