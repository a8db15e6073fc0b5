"""Simulated hands before the independent referee: the engine's are accepted, and none with a planted change.

WILD_HANDS and WILD_PLANTED say how many; the full size is 10 000 hands and 1 000 changes.
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import cycle, product
from pathlib import Path

import pytest

from tests.second.planted import plant
from tests.second.referee import OPTIONS, SCORINGS, referee
from tests.second.referee_cards import EDITIONS
from tests.second.referee_lines import Fault, Unreadable

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HANDS = int(os.environ.get("WILD_HANDS", "300"))
PLANTED = int(os.environ.get("WILD_PLANTED", "60"))


def tables() -> list[list[str]]:
    """Every edition with every number of players and every option, the three scorings in turn, and teams."""
    sorts = [["--players", str(players)] for players in range(2, 11)]
    sorts += [["--players", "4", "--teams", "--scoring", scoring] for scoring in SCORINGS[:2]]
    some = cycle(range(2, 11))
    sorts += [["--players", str(next(some)), "--options", f"{option}=true"] for option in OPTIONS]
    sorts += [["--players", "2", "--options", ",".join(f"{option}=true" for option in OPTIONS)]]
    scorings = cycle(SCORINGS)
    return [
        ["--edition", edition, *sort, *([] if "--teams" in sort else ["--scoring", next(scorings)])]
        for edition, sort in product(EDITIONS, sorts)
    ]


def simulated(table: list[str], hands: int, seed: int) -> list[str]:
    """The JSON lines of that many hands, or of more where whole games are played."""
    game = ["--target", "200"] if "challenge" in table else []
    command = [sys.executable, "-m", "engine", "simulate", *table, *game, "--hands", str(hands), "--seed", str(seed)]
    done = subprocess.run([*command, "--log", "-"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout.splitlines()


@cache
def all_simulated() -> list[tuple[str, list[str]]]:
    """For each table how it was asked for, and its log."""
    each = -(-HANDS // len(tables()))
    return [(" ".join(table), simulated(table, each, seed)) for seed, table in enumerate(tables())]


def hands_of(lines: list[str]) -> list[list[dict]]:
    hands: list[list[dict]] = []
    for line in map(json.loads, lines):
        if line["type"] == "start":
            hands.append([])
        hands[-1].append(line)
    return hands


def test_the_referee_accepts_every_simulated_hand() -> None:
    accepted = 0
    for table, lines in all_simulated():
        try:
            accepted += referee(lines)
        except (Fault, Unreadable) as refusal:
            pytest.fail(f"{table}: {refusal}")
    assert accepted >= HANDS


def test_the_referee_rejects_every_planted_change() -> None:
    rng = random.Random(11)
    logs = [lines for _, lines in all_simulated()]
    missed: Counter[str] = Counter()
    for _ in range(PLANTED):
        kind, changed = plant(rng.choice(hands_of(rng.choice(logs))), rng)
        try:
            referee(json.dumps(line) for line in changed)
        except (Fault, Unreadable):
            continue
        missed[kind] += 1
    assert not missed
