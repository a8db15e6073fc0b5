"""Our online tables beside boardgame.io's, by turns in one run: what `benchmarks.tables --beside-boardgame` does.

Once, in the project's folder:

    mkdir -p var/boardgame && cp benchmarks/boardgame/package.json var/boardgame/
    npm install --prefix var/boardgame --no-package-lock --ignore-scripts

Both sides keep tables of four on one PostgreSQL server. Every player has an open stream or socket and plays the first
card that fits, in closed loop and at a pace. Ours is docker/production.py as it is. Theirs is boardgame.io's own server
with the storage bgio-postgres and a game of the same cards (benchmarks/boardgame/). Each side is started for its turn
and stopped after it, and what serves, PostgreSQL and the players are three figures of CPU.
"""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.live import Serving, free_ports, served, services
from benchmarks.load import WARM_UP, Seats, Spent, figures, online_table, serving_all, under_load
from benchmarks.pages import prepare, spread
from benchmarks.players import Tally
from benchmarks.serving import ROOT
from tests.postgres import PostgresServer

INSTALLED = ROOT / "var" / "boardgame" / "node_modules"
PROGRAMS = ROOT / "benchmarks" / "boardgame"
GOAL = 1.0  # our moves a second in closed loop to theirs
SIDES = ("ours", "boardgame.io")
TOLD = ("moves_per_s", "p50_ms", "p99_ms", "cpu_ms_a_move", "database_cpu_ms_a_move", "players_cpu_share")


class Missing(Exception):
    """What boardgame.io needs is not installed: what is missing, and the way to it."""


def node() -> str:
    """Raises `Missing`."""
    program = shutil.which("node")
    if program is None:
        raise Missing("boardgame.io needs Node.js 18 or later; there is no program “node” here.")
    if not (INSTALLED / "boardgame.io").is_dir():
        raise Missing(
            "boardgame.io is not in var/boardgame; the first lines of benchmarks/beside.py tell how to get it."
        )
    return program


def run(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Raises `Missing`."""
    program = node()
    with services(folder, production=True) as (database, redis, postgres):
        assert postgres is not None
        os.environ |= redis
        prepare(folder, database, smoke=options.smoke)
        from django.db import connections

        seats = online_table(options.tables, options.seed)
        connections.close_all()
        sides: dict[str, Callable[[], dict[str, Any]]] = {
            SIDES[0]: lambda: ours(seats, postgres, options),
            SIDES[1]: lambda: theirs(program, postgres, options),
        }
        rounds = [{name: side() for name, side in sides.items()} for _ in range(options.rounds)]
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    package = json.loads((INSTALLED / "boardgame.io" / "package.json").read_text(encoding="utf-8"))
    about = {"shape": "production", "tables": options.tables, "streams": len(seats), "rounds": options.rounds}
    return about | {"node": version, "boardgame.io": package["version"]} | report(rounds)


def ours(seats: Seats, postgres: PostgresServer, options: argparse.Namespace) -> dict[str, Any]:
    with served(os.environ | serving_all(seats)) as serving:
        return {
            name: under_load(serving, seats, pace, options.seconds, postgres)
            for name, pace in (("closed", None), ("paced", options.pace))
        }


def theirs(program: str, postgres: PostgresServer, options: argparse.Namespace) -> dict[str, Any]:
    """Each load has new matches: their log, which grows in one row, is then as long as that of one or two hands."""
    found = {}
    for name, pace in (("closed", None), ("paced", options.pace)):
        with boardgame(program, postgres) as serving:
            found[name] = their_load(program, serving, postgres, pace, options)
    return found


@contextlib.contextmanager
def boardgame(program: str, postgres: PostgresServer) -> Iterator[Serving]:
    [port] = free_ports(1)
    database = urlsplit(postgres.new_database()).path[1:]
    command = [program, str(PROGRAMS / "server.js"), str(port), database, str(postgres.folder)]
    server = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        if not any(line.startswith("ready") for line in server.stdout):
            raise RuntimeError("boardgame.io did not start.")
        yield Serving(port, (port,), server.pid)
    finally:
        server.terminate()
        server.wait()


def environment() -> dict[str, str]:
    return os.environ | {"NODE_PATH": str(INSTALLED), "NODE_ENV": "production"}


def their_load(
    program: str, serving: Serving, postgres: PostgresServer, pace: float | None, options: argparse.Namespace
) -> dict[str, Any]:
    numbers = (serving.pages, options.tables, pace or 0, WARM_UP, options.seconds)
    command = [program, str(PROGRAMS / "players.js"), *map(str, numbers)]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) as players:
        assert players.stdout is not None
        spent = Spent(serving, postgres, Serving(0, (), players.pid).cpu_seconds)
        for line in players.stdout:
            if line.strip() in ("begin", "end"):
                spent.at(line.strip())
            else:
                tally = json.loads(line)
    if players.returncode != 0:
        raise RuntimeError("The players of boardgame.io failed.")
    return figures(Tally(**tally), spent, pace, options.seconds)


# Telling


def report(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """Median and range over the rounds; a ratio is made within a round."""
    found: dict[str, Any] = {
        side: {
            load: {name: spread([told(one[side][load])[name] for one in rounds]) for name in TOLD}
            | {"late": sum(one[side][load]["late"] for one in rounds)}
            for load in ("closed", "paced")
        }
        for side in SIDES
    }
    moves = [[one[side]["closed"]["moves_per_s"] for side in SIDES] for one in rounds]
    found["closed_to_theirs"] = spread([ours / max(0.1, theirs) for ours, theirs in moves]) | {"goal": GOAL}
    found["load"] = os.getloadavg()[0]
    return found


def told(load: dict[str, Any]) -> dict[str, float]:
    others = load["sent_to_others_ms"]
    return load | {"p50_ms": others["p50"], "p99_ms": others["p99"]}


def table(result: dict[str, Any]) -> str:
    lines = [f"{'':22}" + "".join(f"{name:>26}" for name in TOLD)]
    for load in ("closed", "paced"):
        for side in SIDES:
            cells = ("{median} ({low}–{high})".format(**result[side][load][name]) for name in TOLD)
            lines.append(f"{load:8}{side:14}" + "".join(f"{cell:>26}" for cell in cells))
    ratio = "{median} ({low}–{high}), goal {goal}".format(**result["closed_to_theirs"])
    return "\n".join([*lines, f"ours to boardgame.io, moves a second in closed loop: {ratio}"])
