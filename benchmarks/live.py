"""How soon open pages hear of a result: 200 streams, a hand every second.

    .venv/bin/python -m benchmarks.live [--production] [--pages] [--cuts] [--streams N] [--hands N] [--smoke]
                                        [--hall N] [--page NAME] [--web N] [--workers N] [--events N] [--proxied]

Each stream is the one of an open page. With --pages every one of them then fetches its page too, as browsers do, after
up to 0.3 seconds: that of the standings, or another (--page seating). With --hall it is a Challenge UNO of so many
players instead of pairs of 64; with --events there are several, whose hands come in turn. `made_a_change` is how often
a change had its page made, by all processes together. With --cuts the streams break off at random, every one about
every ten seconds, wherever in an event they are, and come again as browsers do; how long each was out of date is
measured. Served by `manage.py serve` on SQLite, or with --production by docker/production.py (gunicorn, stream, worker,
beat) on PostgreSQL and Redis started from the test packages.

Times are in milliseconds on the wall, from the moment a hand is sent to each stream or page. The pages of the first
hand are told apart: what they are made of is read for the first time since the start. CPU and memory are those of all
processes that serve, the databases aside. The last line is one JSON object. It needs Linux.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import platform
import random
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.pages import empty_slots, prepare, signed_in, type_hand
from benchmarks.serving import ROOT, Visitor

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

PLAYERS = 64
ROUNDS = 7
JITTER = 0.3  # seconds, as in live.js
AGAIN = 0.5  # seconds until a broken stream is opened again, and up to a quarter more, as in live.js
CUT_EVERY = 10.0  # seconds on average
STREAMS = int(os.environ.get("WILD_STREAM_PROCESSES") or 2)  # processes of production for streams and play
PATIENCE = 20.0  # seconds after which a stream that heard nothing has missed the hand


@dataclass
class Serving:
    """What serves: where its pages and its streams are, and the process above all of its processes."""

    pages: int
    streams: tuple[int, ...]  # of more than one each has its share of the tables, by their keys
    pid: int

    def processes(self) -> list[int]:
        parents: dict[int, list[int]] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                parent = int(stat.read_text().rpartition(")")[2].split()[1])
                parents.setdefault(parent, []).append(int(stat.parent.name))
        found = [self.pid]
        for pid in found:
            found += parents.get(pid, [])
        return found

    def cpu_seconds(self) -> float:
        return sum(map(cpu_seconds, self.processes()))

    def memory_mb(self) -> float:
        """What each has for itself, and its share of what several have together."""
        return round(sum(map(memory_mb, self.processes())), 1)


@dataclass
class Crowd:
    """The open pages, and what they have heard: (hand, seconds since it was sent).

    `outdated` is for how long each stream that broke off did not know what the server knew.
    """

    serving: Serving
    slugs: Sequence[str]  # of tournaments; the open pages are of each in turn
    pages: str | None  # the page that each fetches
    cuts: bool
    sides: bool = True  # as in pairs
    proxied: bool = False
    kept: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=list)
    sent: float = 0.0
    hand: int = -1
    events: list[tuple[int, float]] = field(default_factory=list)
    shown: list[tuple[int, float]] = field(default_factory=list)
    outdated: list[float] = field(default_factory=list)
    versions: dict[int, str] = field(default_factory=dict)  # what each stream knows

    def slug_of(self, at: int) -> str:
        return self.slugs[at % len(self.slugs)]

    async def open(self, at: int, known: str | None = None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.serving.streams[0])
        last = f"Last-Event-ID: {known}\r\n" if known else ""
        writer.write(f"GET /t/{self.slug_of(at)}/live/ HTTP/1.1\r\nHost: localhost\r\n{last}\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.partition(b"\r\n")[0]:
            raise RuntimeError(head.decode())
        return reader, writer

    async def watch(self, at: int, dice: random.Random) -> None:
        """One open page, from beginning to end."""
        reader, writer = await self.open(at)
        while True:
            cut = dice.expovariate(1 / CUT_EVERY) if self.cuts else None
            try:
                await asyncio.wait_for(self.listen(at, reader, dice), cut)
            except TimeoutError:
                broke = time.perf_counter()
            finally:
                writer.transport.abort()
            await asyncio.sleep(AGAIN * (1 + dice.random() / 4))
            reader, writer = await self.open(at, self.versions.get(at))
            self.heard(at, await reader.readuntil(b"\n\n"))
            self.outdated.append(time.perf_counter() - broke)

    async def listen(self, at: int, reader: asyncio.StreamReader, dice: random.Random) -> None:
        while True:
            if self.heard(at, await reader.readuntil(b"\n\n")) and self.pages:
                hand, sent = self.hand, self.sent
                await asyncio.sleep(dice.random() * JITTER)
                await self.fetch(at)
                self.shown.append((hand, time.perf_counter() - sent))

    def heard(self, at: int, message: bytes) -> bool:
        """Take in what a stream sent; whether it was an event that this page did not know."""
        version = message.rpartition(b"data: ")[2].strip().decode()
        if b"event: changed" not in message or self.versions.get(at) == version:
            return False
        self.versions[at] = version
        self.events.append((self.hand, time.perf_counter() - self.sent))
        return True

    async def fetch(self, at: int) -> None:
        path = f"/t/{self.slug_of(at)}/{self.pages}/"
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
        if not self.proxied:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.serving.pages)
            writer.write(f"{asked}Connection: close\r\n\r\n".encode())
            answer = await reader.read()
        else:
            answer = await self.through_proxy(f"{asked}\r\n".encode())
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"{path} did not come.")

    async def through_proxy(self, asked: bytes) -> bytes:
        """An answer over a connection that is kept open, as the proxy keeps those to the web processes."""
        while True:
            reader, writer = self.kept.pop() if self.kept else await asyncio.open_connection(
                "127.0.0.1", self.serving.pages
            )  # fmt: skip
            writer.write(asked)
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):  # it was idle for too long, and closed
                writer.transport.abort()
                continue
            length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            answer = head + await reader.readexactly(length)
            self.kept.append((reader, writer))
            return answer
        writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="How soon open pages hear of a result.")
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--hands", type=int, default=60)
    parser.add_argument("--pages", action="store_true", help="fetch the page after each event, as browsers do")
    parser.add_argument("--page", default="standings", help="which one")
    parser.add_argument("--hall", type=int, default=0, metavar="PLAYERS", help="a Challenge UNO instead of pairs")
    parser.add_argument(
        "--events", type=int, default=1, metavar="N", help="tournaments, with equal shares of the pages"
    )
    parser.add_argument("--web", type=int, default=2, help="processes of production for pages")
    parser.add_argument("--workers", type=int, default=2, help="processes of production for work in the background")
    parser.add_argument(
        "--proxied", action="store_true", help="fetch pages over kept connections, as the proxy of production does"
    )
    parser.add_argument("--cuts", action="store_true", help="let streams break off at random")
    parser.add_argument("--production", action="store_true", help="gunicorn and a stream process, PostgreSQL and Redis")
    parser.add_argument("--smoke", action="store_true", help="few of everything: whether it runs")
    options = parser.parse_args()
    if options.smoke:
        options.streams, options.hands = 5, 2
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with tempfile.TemporaryDirectory(prefix="wild-bench-") as folder:
        result = run(Path(folder), options)
    sys.stdout.write(json.dumps({"benchmark": "live"} | result) + "\n")


def run(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    with services(folder, options.production) as (database, redis, _postgres):
        prepare(folder, database, smoke=options.smoke)
        from django.db import connections

        made = [hall(options.hall) if options.hall else pairs(number) for number in range(1, options.events + 1)]
        slugs = [event.slug for event in made]
        slots = list(itertools.islice(in_turn(slugs), options.hands))
        cookies = signed_in()
        connections.close_all()
        streams = str(options.streams + 10)
        environment = {"DJANGO_SETTINGS_MODULE": "config.settings", "WILD_BACKUPS": "0"}
        environment |= {"WILD_WEB_PROCESSES": str(options.web)}
        environment |= {"WILD_STREAMS": streams, "WILD_STREAMS_AN_ADDRESS": streams}  # all are from one
        with served(os.environ | environment | redis, options.workers) as serving:
            page = options.page if options.pages else None
            crowd = Crowd(serving, slugs, page, options.cuts, not options.hall, options.proxied)
            shape = {
                "shape": "production" if options.production else "serve",
                "players": options.hall or PLAYERS,
                "events": options.events,
            }
            figures = asyncio.run(measured(crowd, Visitor(serving.pages, cookies), slots, options.streams))
        if redis and options.pages:
            figures["made_a_change"] = made_a_change(redis["REDIS_URL"], options.hands)
        return shape | figures


def in_turn(slugs: Sequence[str]) -> Iterator[tuple[int, int]]:
    """A hand of each tournament, again and again."""
    return itertools.chain.from_iterable(zip(*map(empty_slots, slugs), strict=False))


def pairs(seed: int) -> Any:
    from benchmarks import factory

    return factory.tournament(PLAYERS, ROUNDS, seed, played=False)


def hall(players: int) -> Any:
    from benchmarks.factory import challenge
    from league.rounds.steps import start

    made = challenge(players)
    start(tournament=made, by=made.owner)
    return made


def made_a_change(redis: str, hands: int) -> float:
    """By the count of league/pages/cached_page.py."""
    from redis import Redis

    client = Redis.from_url(redis)
    made = sum(int(client.get(key) or 0) for key in client.scan_iter("*pages-made"))
    return round(made / hands, 2)


@contextlib.contextmanager
def services(folder: Path, production: bool) -> Iterator[tuple[str, dict[str, str], "PostgresServer | None"]]:
    """The DATABASE_URL, the environment that names a Redis where there is one, and the PostgreSQL server likewise."""
    if not production:
        yield f"sqlite:///{folder / 'wild.sqlite3'}", {}, None
        return
    from tests.postgres import PostgresServer
    from tests.redis_server import RedisServer

    with contextlib.ExitStack() as stack:
        postgres, redis = PostgresServer.start(), RedisServer.start()
        stack.callback(postgres.stop)
        stack.callback(redis.stop)
        yield postgres.new_database(), {"REDIS_URL": redis.url}, postgres


@contextlib.contextmanager
def served(environment: dict[str, str], workers: int = 2) -> Iterator[Serving]:
    ports = free_ports(1 + STREAMS)
    command = [sys.executable, "manage.py", "serve", "--no-demo", "--port", str(ports[0])]
    if "REDIS_URL" in environment:
        command = [sys.executable, "docker/production.py", "--port", str(ports[0])]
        command += ["--stream-port", *map(str, ports[1:]), "--workers", str(workers)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        if not any(line.startswith("Wild League is at") for line in server.stdout):
            raise RuntimeError("The service did not start.")
        yield Serving(ports[0], tuple(ports[1:] if "REDIS_URL" in environment else ports[:1]), server.pid)
    finally:
        server.terminate()
        server.wait()


def free_ports(number: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _port in range(number)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


async def measured(crowd: Crowd, scorer: Visitor, slots: Sequence[tuple[int, int]], streams: int) -> dict[str, Any]:
    await asyncio.to_thread(scorer.get, f"/t/{crowd.slugs[0]}/standings/")
    serving = crowd.serving
    alone = serving.memory_mb()
    watching = [asyncio.create_task(crowd.watch(at, random.Random(at))) for at in range(streams)]
    await asyncio.sleep(3)
    idle_cpu, idle_from = serving.cpu_seconds(), time.perf_counter()
    await asyncio.sleep(3)
    idle = (serving.cpu_seconds() - idle_cpu) / (time.perf_counter() - idle_from)
    with_streams, cpu, began, saves = serving.memory_mb(), serving.cpu_seconds(), time.perf_counter(), []
    for number, slot in enumerate(slots):
        scorer.connection.close()  # the server has done so after some seconds without a request
        crowd.hand, crowd.sent = number, time.perf_counter()
        await asyncio.to_thread(type_hand, scorer, slot, {}, sides=crowd.sides)
        saves.append(time.perf_counter() - crowd.sent)
        await all_heard(crowd, streams // len(crowd.slugs))
        await asyncio.sleep(max(0.0, 1 - (time.perf_counter() - crowd.sent)))
    spent, lasted = serving.cpu_seconds() - cpu, time.perf_counter() - began
    after = serving.memory_mb()
    for task in watching:
        if task.done():
            task.result()
        task.cancel()
    newest = [
        max((version for at, version in crowd.versions.items() if crowd.slug_of(at) == slug), key=int, default="")
        for slug in crowd.slugs
    ]
    return {
        "python": platform.python_version(),
        "streams": streams,
        "hands": len(slots),
        "seconds": round(lasted, 1),
        "missed": sum(version != newest[at % len(newest)] for at, version in crowd.versions.items()),
        "sent_to_saved_ms": spread(saves),
        "sent_to_event_ms": spread([late for _hand, late in crowd.events]),
        "sent_to_page_ms": spread([late for hand, late in crowd.shown if hand]) if crowd.pages else None,
        "first_hand_to_page_ms": ms(max(late for hand, late in crowd.shown if not hand)) if crowd.pages else None,
        "cuts": len(crowd.outdated),
        "cut_to_current_ms": spread(crowd.outdated) if crowd.outdated else None,
        "cpu_share": round(spent / lasted, 3),
        "idle_cpu_share": round(idle, 3),
        "memory_mb": {"alone": alone, "with_streams": with_streams, "after": after},
    }


async def all_heard(crowd: Crowd, streams: int) -> None:
    """Wait until every stream (or page) has the hand, so that the next one is not taken for this."""
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        of = crowd.shown if crowd.pages and not crowd.cuts else crowd.events
        if sum(hand == crowd.hand for hand, _late in of[-2 * streams :]) >= streams:
            return
        await asyncio.sleep(0.01)


def spread(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return {"p50": ms(statistics.median(ordered)), "p99": ms(last), "max": ms(ordered[-1])}


def ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def cpu_seconds(pid: int) -> float:
    """User and system time, that of children which have ended included."""
    with contextlib.suppress(OSError):
        ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def memory_mb(pid: int) -> float:
    with contextlib.suppress(OSError):
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(rollup.partition("\nPss:")[2].split()[0]) / 1024
    return 0.0


if __name__ == "__main__":
    main()
