"""Online tables: how many moves a second, how soon another player has a move's data, and what a move costs.

    .venv/bin/python -m benchmarks.tables [--production] [--tables N] [--pace N] [--seconds N] [--turns N] [--smoke]
    .venv/bin/python -m benchmarks.tables --beside-boardgame [--rounds N] …          (benchmarks/beside.py)

First the CPU of one move under gunicorn with one worker, beside the least that a durable move can cost (lock, update,
insert, commit; benchmarks/floors.py), by turns. Then tables of four, each player with an open stream: closed loop,
where whoever is told that it is their turn moves at once, and at a pace. Served by `manage.py serve` on SQLite, or with
--production by docker/production.py (gunicorn, stream, worker, beat) on PostgreSQL and Redis from the test packages.

Times are in milliseconds on the wall, from the moment a move is sent until another player of the table has what the
server says after it, asked for when the stream told of it. CPU is that of all processes that serve; PostgreSQL's and
that of the players, who are this process on the same machine, are told apart. The last line is one JSON object. It
needs Linux.
"""

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.live import Serving, served, services
from benchmarks.live import spread as times
from benchmarks.pages import prepare, spread
from benchmarks.players import TOKEN, Tally, chosen, play
from benchmarks.serving import Server, Visitor

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

SLICE = 10  # requests of one kind before the next has its turn
SETTLE = 0.002  # seconds in which a worker ends what it does after an answer
GOAL = 3.0  # a move to the floor
MOST_HANDS = 500
AS_PAGES_ASK = {"Accept": "text/html", "Wild-Live": "1"}
WARM_UP = 3.0  # seconds of play before anything is counted
STANDSTILL = 0.001  # moves a second: the streams are open, and nothing is played

Seats = list[tuple[int, str, str]]
"""(table's key, slug, cookie) for every player, by table."""


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
        options.tables, options.pace, options.seconds, options.turns, options.rounds = 2, 4.0, 2.0, 1, 1
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
    from benchmarks import beside

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
        prepare(folder, database)
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
        environment = {"DJANGO_SETTINGS_MODULE": "config.settings", "WILD_STREAMS": str(len(seats) + 10)}
        with served(os.environ | environment) as serving:
            idle = under_load(serving, seats, STANDSTILL, options.seconds / 4, postgres)
            result["idle_cpu_share"] = idle["cpu_share"]
            for name, pace in (("closed", None), ("paced", options.pace)):
                result[name] = under_load(serving, seats, pace, options.seconds, postgres)
    return result


def online_table(tables: int, seed: int) -> Seats:
    """A tournament whose tables are all online, and its players."""
    from django.conf import settings
    from django.contrib.sessions.backends.base import SessionBase
    from django.db import transaction
    from django.utils.module_loading import import_string

    from benchmarks import factory
    from games.models import OnlineSettings
    from games.online.deals import get_ready, next_deal
    from games.services import lock_table
    from league.held import SESSION
    from league.models import Seat, Stage, Table

    made = factory.tournament(4 * tables, 1, seed, played=False)
    Stage.objects.filter(tournament=made).update(hands_per_round=MOST_HANDS)
    of_it = Table.objects.filter(round__tournament=made)
    of_it.update(hands_wanted=MOST_HANDS, mode=Table.Mode.ONLINE)
    OnlineSettings.objects.create(tournament=made, move_seconds=3600, no_show_seconds=3600, between_seconds=3600)
    deals = {}
    for key in of_it.values_list("pk", flat=True):
        with transaction.atomic():
            deals[key] = next_deal(lock_table(key))
    players = []
    for seat in Seat.objects.filter(round__tournament=made).select_related("entry").order_by("table", "number"):
        session: SessionBase = import_string(f"{settings.SESSION_ENGINE}.SessionStore")()
        session[SESSION] = [[seat.entry.public_id, seat.entry.link_generation]]
        session.save()
        cookie = f"{settings.SESSION_COOKIE_NAME}={session.session_key}; {settings.CSRF_COOKIE_NAME}={TOKEN}"
        players.append((seat.table_id, made.slug, cookie))
        get_ready(table_id=seat.table_id, deal_id=deals[seat.table_id].pk, entry=seat.entry)
    return players


def of_one_move(server: Server, seats: Seats, turns: int, seed: int) -> dict[str, Any]:
    """CPU of a move's request, of those by which a program and a page of another player see it, and of the floors;
    queries of each."""
    from benchmarks import factory

    factory.floor_rows(seed)
    table = AtOneTable(server, seats)
    for _ in range(2):
        table.measure(SLICE, random.Random(seed))  # warms templates and connections
    measured = [table.measure(5 * SLICE, random.Random(seed + turn)) for turn in range(turns)]
    ratio = {name: spread([turn[name] / turn["write"] for turn in measured]) for name in ("move", "look", "page")}
    return {
        "queries": table.queries,
        "cpu_ms": {name: spread([1000 * turn[name] for turn in measured]) for name in measured[0]},
        "to_write": ratio | {"goal": GOAL},
    }


class AtOneTable:
    """Four players who take turns, one request at a time. They ask for JSON, and for the page beside it."""

    def __init__(self, server: Server, seats: Seats) -> None:
        self.server = server
        self.path = f"/tables/{seats[0][0]}/play/"
        self.players = [Visitor(server.port, dict([one.split("=") for one in seat[2].split("; ")])) for seat in seats]
        for player in self.players:
            player.headers["Accept"] = "application/json"
        self.public = Visitor(server.port)
        self.queries: dict[str, int | None] = {}
        self.count = 0

    def measure(self, requests: int, dice: random.Random) -> dict[str, float]:
        """Seconds of CPU a request, by name; moves that end a hand are `last`, and there may be none."""
        spent: dict[str, list[float]] = {}
        for _ in range(0, requests, SLICE):
            for one in dice.sample([self.write, self.hello, self.move], 3):
                for _ in range(SLICE):
                    for name, seconds in one().items():
                        spent.setdefault(name, []).append(seconds)
        return {name: sum(found) / len(found) for name, found in spent.items() if name != "last"}

    def hello(self) -> dict[str, float]:
        return {"hello": self._cost("hello", self.public, lambda: self.public.get("/floor/hello/"))}

    def write(self) -> dict[str, float]:
        self.count += 1
        path, body = f"/floor/write/{self.count}/", json.dumps({"cards": ["R7", "GD", "B6"]})
        return {"write": self._cost("write", self.public, lambda: self.public.post(path, body, "application/json"))}

    def move(self) -> dict[str, float]:
        """A move of whose turn it is, and how another one sees it."""
        view = self._view(0)
        while view["state"] != "playing":
            for player in self.players:
                with contextlib.suppress(RuntimeError):  # the hand has begun
                    player.post(f"{self.path}ready/", f"deal={view['deal']}")
            view = self._view(0)
        turn = view["hand"]["turn"]
        [at] = [n for n in range(4) if (mine := self._view(n))["you"] == turn]
        mine = self._view(at)
        fields = chosen(mine["hand"]) | {"deal": mine["deal"], "answers": mine["decision"], "key": str(time.time_ns())}
        body = "&".join(f"{name}={value}" for name, value in fields.items())
        player, other = self.players[at], self.players[at - 1]
        last = len(mine["hand"]["cards"]) == 1 and fields["kind"] == "play"
        moved = self._cost("last" if last else "move", player, lambda: player.post(f"{self.path}act/", body))
        if last:
            return {"last": moved}
        look = self._cost("look", other, lambda: other.get(self.path))
        page = self._cost("page", other, lambda: other.get(self.path, **AS_PAGES_ASK))
        return {"move": moved, "look": look, "page": page}

    def _view(self, at: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.players[at].get(self.path))["play"]
        return found

    def _cost(self, name: str, visitor: Visitor, ask: Callable[[], str]) -> float:
        counted = name not in self.queries
        visitor.headers |= {"X-Count-Queries": "1"} if counted else {}
        time.sleep(SETTLE)
        before = self.server.cpu_seconds()
        ask()
        time.sleep(SETTLE)
        spent = self.server.cpu_seconds() - before
        if counted:
            del visitor.headers["X-Count-Queries"]
            self.queries[name] = visitor.queries
        return spent


class Spent:
    """CPU seconds between "begin" and "end": of what serves, of PostgreSQL if there is one, and of the players."""

    def __init__(self, serving: Serving, postgres: "PostgresServer | None", players: Callable[[], float]) -> None:
        self.serving = serving
        self._clocks = {"serving": serving.cpu_seconds, "players": players}
        if postgres is not None and postgres.process is not None:
            self._clocks["database"] = Serving(0, 0, postgres.process.pid).cpu_seconds
        self._found: dict[str, dict[str, float]] = {}

    def at(self, when: str) -> None:
        self._found[when] = {name: clock() for name, clock in self._clocks.items()}

    def of(self, name: str) -> float:
        return self._found["end"].get(name, 0.0) - self._found["begin"].get(name, 0.0)


def under_load(
    serving: Serving, seats: Seats, pace: float | None, seconds: float, postgres: "PostgresServer | None"
) -> dict[str, Any]:
    spent = Spent(serving, postgres, time.process_time)
    ports = serving.pages, serving.streams
    tally = asyncio.run(play(seats, ports, pace=pace, warm_up=WARM_UP, seconds=seconds, at=spent.at))
    return figures(tally, spent, pace, seconds)


def figures(tally: Tally, spent: Spent, pace: float | None, seconds: float) -> dict[str, Any]:
    moves = max(1, tally.moves)
    return {
        "asked_moves_per_s": pace,
        "moves_per_s": round(tally.moves / seconds, 1),
        "late": tally.late,
        "refused": tally.refused,
        "looks_a_move": round(tally.looks / moves, 2),
        "sent_to_answer_ms": times(tally.answered or [0.0]),
        "sent_to_others_ms": times(tally.seen or [0.0]),
        "seen": len(tally.seen),
        "cpu_ms_a_move": round(1000 * spent.of("serving") / moves, 1),
        "cpu_share": round(spent.of("serving") / seconds, 2),
        "database_cpu_ms_a_move": round(1000 * spent.of("database") / moves, 1),
        "players_cpu_share": round(spent.of("players") / seconds, 2),
        "memory_mb": spent.serving.memory_mb(),
        "load": os.getloadavg()[0],
    }


if __name__ == "__main__":
    sys.exit(main())
