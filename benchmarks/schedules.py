"""How seldom the same people meet at tables without partners, and what a seating costs.

    .venv/bin/python -m benchmarks.schedules [--seed S] [--smoke]

Whole schedules beside what plain simulated annealing reached (swap two players of a round, ten seconds of Python);
growth: the sixth round of an event in which everybody is still in; Swiss: a round by points, beside the best that the
same search finds in about a minute; and trees: a knockout to its winner. CPU time; the last line printed is one JSON
object.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any, TypeVar

from league.formats import FORMATS
from league.formats.progression import Began, Played, Result
from league.formats.protocol import Draw
from league.formats.seating import by_points, golfers
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
SWISS = ((40, 4), (200, 4), (1000, 4), (1000, 10))
SWISS_ROUNDS = 5
LONGER = 50  # times the usual number of swaps
SMOKE_STEPS = 2_000
TREES = ((8, 1), (32, 1), (128, 1), (256, 1), (8, 2), (32, 2), (128, 2), (256, 2))
"""Players, and with how many losses they are out."""


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

    tell(f"\n{'Swiss, players/seats':>22}{'repeats':>10}{'CPU s':>8}{'to the best':>13}{'CPU s':>8}")
    result["swiss"] = {}
    for players, seats in SWISS[:2] if options.smoke else SWISS:
        repeated, seconds, ratio, long = swiss(players, seats, options.seed, SMOKE_STEPS if options.smoke else None)
        result["swiss"][f"{players}/{seats}"] = {
            "repeats": repeated,
            "cpu_s": seconds,
            "to_best": ratio,
            "long_cpu_s": long,
        }
        tell(f"{f'{players}/{seats}':>22}{repeated:>10}{seconds:>8.2f}{ratio:>13.3f}{long:>8.2f}")

    tell(f"\n{'knockout, players/losses':>26}{'rounds':>8}{'seeds, ms':>11}{'a draw, ms':>12}{'the last, ms':>14}")
    result["trees"] = {}
    for players, losses in TREES[:2] if options.smoke else TREES:
        rounds, seeds, draws, last = tree(players, losses, options.seed)
        result["trees"][f"{players}/{losses}"] = {
            "rounds": rounds,
            "seeds_ms": seeds,
            "dearest_draw_ms": draws,
            "last_state_ms": last,
        }
        tell(f"{f'{players}/{losses}':>26}{rounds:>8}{seeds:>11.1f}{draws:>12.1f}{last:>14.1f}")

    tell(json.dumps(result))
    return 0


def tree(players: int, losses: int, seed: str) -> tuple[int, float, float, float]:
    """How many rounds there are to the winner, and the CPU milliseconds of seeding everybody with four of each club
    apart, of the dearest draw, and of where everybody stands at the end."""
    plays, dice = FORMATS["knockout"], random.Random(seed)
    values = plays.complete({"losses": losses})
    everybody = [str(player) for player in range(players)]
    clubs = [everybody[at : at + 4] for at in range(0, players, 4)]
    seeds, seeding = measured(lambda: plays.seeds(everybody, clubs, seed=seed))
    began, rounds, dearest = Began(everybody, seeds), list[Played](), 0.0
    state, seconds = measured(lambda: plays.state_of(began, rounds, None, values))
    while state.another_round:
        second = state.second_ladder
        wanted = Draw((*state.still_in, *second), seeds=seeds, second_ladder=second, pairs=state.pairs)
        drawn, drawing = measured(lambda of=wanted: plays.draw(of, values))
        dearest = max(dearest, drawing + seconds)
        at = {number: [Result(player, dice.randrange(1000)) for player in pair] for number, pair in enumerate(drawn, 1)}
        second = [number for number, pair in enumerate(drawn, 1) if set(pair) <= set(state.second_ladder)]
        byes = sorted(set(wanted.players).difference(*drawn))
        rounds.append(Played(len(rounds) + 1, at, True, second, byes=byes, lost=state.lost))
        state, seconds = measured(lambda: plays.state_of(began, rounds, None, values))
    return len(rounds), *(round(1000 * taken, 1) for taken in (seeding, dearest, seconds))


def swiss(players: int, seats: int, seed: str, steps: int | None) -> tuple[int, float, float, float]:
    """Repeated meetings after some rounds, the CPU seconds of the dearest, how much more the points at its tables are
    spread than in the last round that a longer search finds, and the seconds of that."""
    dice, tables = random.Random(seed), golfers.count_tables(players, seats)
    scores, past, dearest, drawn = dict.fromkeys(range(players), 0), [], 0.0, []
    for _ in range(SWISS_ROUNDS):
        drawn, seconds = measured(
            lambda so_far=past: by_points.next_round(range(players), scores, tables, so_far, seed=seed, steps=steps)
        )
        dearest = max(dearest, seconds)
        if len(past) == SWISS_ROUNDS - 1:
            break
        past.append(drawn)
        for table in drawn:
            for _hand in range(4):
                scores[dice.choice(table)] += sum(round(dice.expovariate(1 / 35)) for _loser in table[1:])
    longer = LONGER * (steps or by_points.usual_steps(players))
    best, long = measured(
        lambda: by_points.next_round(range(players), scores, tables, past, seed=f"{seed}/long", steps=longer)
    )
    repeated = count_repeats(players, [*past, drawn])
    least = min(spread(drawn, scores), spread(best, scores)) if count_repeats(players, [*past, best]) <= repeated else 0
    return repeated, dearest, round(spread(drawn, scores) / least, 3) if least else 1.0, long


def spread(tables: list[list[int]], scores: dict[int, int]) -> int:
    """Over all pairs at a table, the squares of the points between them, where a gap at the top counts up to double."""
    ranked = sorted(scores, key=lambda player: scores[player])
    level = {ranked[0]: 0}
    for place, (lower, player) in enumerate(pairwise(ranked), start=2):
        level[player] = level[lower] + (scores[player] - scores[lower]) * (len(ranked) + place - 1)
    return sum((level[one] - level[other]) ** 2 for table in tables for one, other in combinations(table, 2))


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
