"""What one move at an online table costs under gunicorn with one worker, beside the floors (benchmarks/floors.py)."""

import contextlib
import json
import random
import time
from collections.abc import Callable
from typing import Any

from benchmarks.load import Seats
from benchmarks.pages import spread
from benchmarks.players import chosen
from benchmarks.serving import Server, Visitor

SLICE = 10  # requests of one kind before the next has its turn
SETTLE = 0.002  # seconds in which a worker ends what it does after an answer
GOAL = 3.0  # a move to the floor
AS_PAGES_ASK = {"Accept": "text/html", "Wild-Live": "1"}


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
