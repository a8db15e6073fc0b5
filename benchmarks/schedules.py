"""How seldom the same people meet at tables without partners, and what a seating costs.

    .venv/bin/python -m benchmarks.schedules [--seed S] [--smoke]

Whole schedules beside what plain simulated annealing reached (swap two players of a round, ten seconds of Python), and
growth: the sixth round of an event in which everybody is still in. CPU time; the last line printed is one JSON object.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any, TypeVar

from league.formats.seating import golfers
from league.formats.seating.golfers import next_round, schedule

T = TypeVar("T")

# (players, seats at a table, rounds): repeated meetings that plain annealing was left with.
ANNEALED = {
    (16, 4, 5): 0,
    (24, 4, 6): 1,
    (32, 4, 8): 4,
    (40, 4, 8): 0,
    (64, 4, 8): 0,
    (100, 5, 6): 0,
    (36, 6, 5): 15,
}
GROWTH = ((8, 4), (30, 4), (100, 4), (300, 4), (1000, 4), (1000, 3), (1000, 10))
ROUNDS = 6
SMOKE_STEPS = 2_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--smoke", action="store_true", help="few swaps: whether it runs")
    options = parser.parse_args()
    steps = {"steps": SMOKE_STEPS} if options.smoke else {}
    result: dict[str, Any] = {"benchmark": "schedules", "seed": options.seed, "smoke": options.smoke}

    tell(f"{'players/seats/rounds':>22}{'repeats':>10}{'annealed':>10}{'CPU s':>8}")
    result["schedules"] = {}
    for (players, seats, rounds), annealed in ANNEALED.items():
        tables = golfers.count_tables(players, seats)
        found, seconds = measured(lambda p=players, t=tables, r=rounds: schedule(p, t, r, seed=options.seed, **steps))
        name, repeated = f"{players}/{seats}/{rounds}", count_repeats(players, found)
        result["schedules"][name] = {"repeats": repeated, "annealed": annealed, "cpu_s": seconds}
        tell(f"{name:>22}{repeated:>10}{annealed:>10}{seconds:>8.2f}")

    tell(f"\n{'round 6 of players/seats':>26}{'repeats in all':>16}{'CPU s':>8}")
    result["growth"] = {}
    for players, seats in GROWTH:
        tables, past, seconds = golfers.count_tables(players, seats), [], 0.0
        for _ in range(ROUNDS):
            one, seconds = measured(
                lambda p=players, t=tables, so_far=past: next_round(range(p), t, so_far, seed=options.seed, **steps)
            )
            past.append(one)
        name, repeated = f"{players}/{seats}", count_repeats(players, past)
        result["growth"][name] = {"repeats": repeated, "cpu_s": seconds}
        tell(f"{name:>26}{repeated:>16}{seconds:>8.2f}")

    tell(json.dumps(result))
    return 0


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")


def measured(work: Callable[[], T]) -> tuple[T, float]:
    """What it made, and the CPU seconds it took."""
    before = time.process_time()
    made = work()
    return made, round(time.process_time() - before, 3)


def count_repeats(players: int, rounds: list[list[list[int]]]) -> int:
    """Over all pairs of players, the pairs of rounds in which they met: counted once more, from the tables alone."""
    met = [[0] * players for _ in range(players)]
    for tables in rounds:
        if sorted(player for table in tables for player in table) != list(range(players)):
            raise ValueError("Somebody sits nowhere, or twice.")
        for table in tables:
            for one, other in combinations(sorted(table), 2):
                met[one][other] += 1
    return sum(times * (times - 1) // 2 for row in met for times in row)


if __name__ == "__main__":
    sys.exit(main())
