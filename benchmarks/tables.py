"""Online tables: how many moves a second, how soon another player has a move's data, and what a move costs.

    .venv/bin/python -m benchmarks.tables [--production] [--tables N] [--pace N] [--seconds N] [--turns N] [--smoke]
    .venv/bin/python -m benchmarks.tables --beside-boardgame [--rounds N] …          (benchmarks/beside.py)

First the CPU of one move under gunicorn with one worker, beside the least that a durable move can cost (lock, update,
insert, commit; benchmarks/floors.py), by turns. Then tables of four, each player with an open stream: closed loop,
where whoever is told that it is their turn moves at once, at a pace, and at that pace while each player also has a page
open that the stream brings as HTML, as browsers do. Served by `manage.py serve` on SQLite, or with
--production by docker/production.py (gunicorn, stream, worker, beat) on PostgreSQL and Redis from the test packages.

Times are in milliseconds on the wall, from the moment a move is sent until another player of the table has what the
server says after it, asked for when the stream told of it. CPU is that of all processes that serve; PostgreSQL's and
that of the players, who are this process on the same machine, are told apart. The last line is one JSON object. It
needs Linux.
"""

import argparse
import json
import os
import platform
import resource
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import beside
from benchmarks.live import Serving, served, services
from benchmarks.load import Seats, online_table, serving_all, under_load
from benchmarks.move import of_one_move
from benchmarks.pages import prepare
from benchmarks.serving import Server

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

STANDSTILL = 0.001  # moves a second: the streams are open, and nothing is played


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.tables", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--pace", type=float, default=50.0, help="moves a second of all tables")
    parser.add_argument("--seconds", type=float, default=20.0, help="of closed loop, and of the pace")
    parser.add_argument("--turns", type=int, default=5, help="measurements of the CPU of a move; 0 leaves them out")
    parser.add_argument("--production", action="store_true", help="gunicorn and a stream process, PostgreSQL and Redis")
    parser.add_argument("--beside-boardgame", action="store_true", help="by turns with boardgame.io on PostgreSQL")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each side beside boardgame.io")
    parser.add_argument("--smoke", action="store_true", help="few of everything: whether it runs")
    options = parser.parse_args()
    if options.smoke:
        options.tables, options.pace, options.seconds, options.turns, options.rounds = 2, 4.0, 1.0, 1, 1
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with tempfile.TemporaryDirectory(prefix="wild-bench-") as folder:
        result = beside_boardgame(Path(folder), options) if options.beside_boardgame else run(Path(folder), options)
    if result is None:
        return 2
    sys.stdout.write(json.dumps({"benchmark": "tables", "seed": options.seed} | result) + "\n")
    return 0


def beside_boardgame(folder: Path, options: argparse.Namespace) -> dict[str, Any] | None:
    """None, and a word about it, where boardgame.io is not installed."""
    try:
        result = beside.run(folder, options)
    except beside.Missing as missing:
        sys.stderr.write(f"{missing}\n")
        return None
    sys.stdout.write(f"{beside.table(result)}\n")
    return result


def run(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    with services(folder, options.production) as (database, redis, postgres):
        os.environ |= redis
        prepare(folder, database, smoke=options.smoke)
        from django.db import connections

        alone, seats = online_table(1, options.seed), online_table(options.tables, options.seed)
        connections.close_all()
        result: dict[str, Any] = {
            "python": platform.python_version(),
            "shape": "production" if options.production else "serve",
            "tables": options.tables,
            "streams": len(seats),
        }
        if options.turns:
            # Connections are kept as in production; four players move faster here than people may.
            as_served = {"WILD_DATABASE_KEEP": "60", "WILD_PLAY_RATE": "1000000"}
            with Server(os.environ | as_served, folder / "gunicorn.log") as server:
                result["move"] = of_one_move(server, alone, options.turns, options.seed)
        with served(os.environ | serving_all(seats)) as serving:
            idle = under_load(serving, seats, STANDSTILL, options.seconds / 4, postgres)
            result["idle_cpu_share"] = idle["cpu_share"]
            for name, pace in (("closed", None), ("paced", options.pace)):
                result[name] = under_load(serving, seats, pace, options.seconds, postgres)
            result["html"] = with_pages(serving, seats, options, postgres, result["paced"])
    return result


def with_pages(
    serving: Serving,
    seats: Seats,
    options: argparse.Namespace,
    postgres: "PostgresServer | None",
    without: dict[str, Any],
) -> dict[str, Any]:
    """As many viewers who get HTML, beside the same pace without them: what one of them costs with each change."""
    found = under_load(serving, seats, options.pace, options.seconds, postgres, html=True)
    more = (found["cpu_share"] - without["cpu_share"]) * options.seconds
    return found | {"cpu_ms_a_view": round(1000 * more / max(1, found["pages"]), 2)}


if __name__ == "__main__":
    sys.exit(main())
