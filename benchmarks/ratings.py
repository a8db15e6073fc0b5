"""What the ratings of a large club cost to compute: from nothing, and after a change early or late.

    .venv/bin/python -m benchmarks.ratings [--seed N] [--smoke]

Evenings of a club, pairs and Challenge UNO in turn, are written as rows; then `manage.py recompute_ratings` runs in a
process of its own, whose CPU time, time on the wall and greatest memory are told. The last line is one JSON object.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.pages import prepare

SLUG = "bench"
FIRST = datetime(2020, 1, 4, 19, tzinfo=UTC)
HANDS, SEATS = 4, 4

# evenings, rounds of each, players of each, members of the club
FULL = (300, 7, 48, 240)
SMOKE = (3, 2, 8, 12)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.ratings", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="three small evenings: whether it runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wild-bench-") as folder:
        prepare(Path(folder), "", smoke=options.smoke)
        result = run(*(SMOKE if options.smoke else FULL), options.seed)
    tell(json.dumps({"benchmark": "ratings", "seed": options.seed} | result))


def run(evenings: int, rounds: int, players: int, members: int, seed: int) -> dict[str, Any]:
    from django.db import connections

    from benchmarks import clubs

    club = clubs.club(SLUG, members)
    dice = random.Random(f"{seed} ratings")
    people = list(club.members.order_by("pk"))
    for number in range(evenings):
        on = FIRST + timedelta(weeks=number)
        clubs.evening(club, dice.sample(people, players), rounds, on, dice, challenge=number % 2 == 1)
    result: dict[str, Any] = {
        "hands": evenings * rounds * players // SEATS * HANDS,
        "tables": evenings * rounds * players // SEATS,
    }
    changes = {
        "from_nothing": lambda: None,
        "nothing_changed": lambda: None,
        "last_evening": lambda: clubs.correct(club, latest=True),
        "first_evening": lambda: clubs.correct(club, latest=False),
    }
    for name, change in changes.items():
        change()
        connections.close_all()
        result[name] = measured()
        tell(f"{name:>16}: {result[name]}")
    return result


def measured() -> dict[str, float]:
    """CPU and wall seconds and greatest memory (MB) of the command, its start included."""
    began = time.monotonic()
    command = [sys.executable, "manage.py", "recompute_ratings", SLUG]
    child = os.posix_spawn(
        command[0], command, dict(os.environ), file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    )
    _pid, status, used = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"recompute_ratings ended with {os.waitstatus_to_exitcode(status)}")
    return {
        "cpu_s": round(used.ru_utime + used.ru_stime, 2),
        "wall_s": round(time.monotonic() - began, 2),
        "memory_mb": round(used.ru_maxrss / 1024),
    }


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
