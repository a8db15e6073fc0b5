"""How soon open pages hear of a result: 200 streams on `manage.py serve`, a hand every second.

    .venv/bin/python -m benchmarks.live [--streams N] [--hands N] [--pages] [--smoke]

Each stream is the one of an open page. With --pages every one of them then fetches its page too, as browsers do, after
up to 0.3 seconds. Times are in milliseconds on the wall, from the moment a hand is sent to each stream or page; CPU and
memory are those of the one process that serves everything. The last line is one JSON object. It needs Linux.
"""

import argparse
import asyncio
import itertools
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.pages import empty_slots, prepare, signed_in, type_hand
from benchmarks.serving import ROOT, Visitor

PLAYERS = 64
ROUNDS = 7
JITTER = 0.3  # seconds, as in live.js
PATIENCE = 20.0  # seconds after which a stream that heard nothing has missed the hand


@dataclass
class Crowd:
    """The open pages, and what they have heard: (hand, seconds since it was sent)."""

    port: int
    slug: str
    pages: bool
    sent: float = 0.0
    hand: int = -1
    events: list[tuple[int, float]] = field(default_factory=list)
    shown: list[tuple[int, float]] = field(default_factory=list)

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET /t/{self.slug}/live/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.partition(b"\r\n")[0]:
            raise RuntimeError(head.decode())
        await reader.readuntil(b": live\n\n")
        return reader, writer

    async def listen(self, reader: asyncio.StreamReader, dice: random.Random) -> None:
        while line := await reader.readline():
            if line.startswith(b"event: changed"):
                hand, sent = self.hand, self.sent
                self.events.append((hand, time.perf_counter() - sent))
                if self.pages:
                    await asyncio.sleep(dice.random() * JITTER)
                    await self.fetch()
                    self.shown.append((hand, time.perf_counter() - sent))

    async def fetch(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        path = f"/t/{self.slug}/standings/"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        if not (await reader.read()).startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"{path} did not come.")
        writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="How soon open pages hear of a result.")
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--hands", type=int, default=60)
    parser.add_argument("--pages", action="store_true", help="fetch the page after each event, as browsers do")
    parser.add_argument("--smoke", action="store_true", help="few of everything: whether it runs")
    options = parser.parse_args()
    if options.smoke:
        options.streams, options.hands = 5, 2
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with tempfile.TemporaryDirectory(prefix="wild-bench-") as folder:
        result = run(Path(folder), options.streams, options.hands, options.pages)
    sys.stdout.write(json.dumps({"benchmark": "live"} | result) + "\n")


def run(folder: Path, streams: int, hands: int, pages: bool) -> dict[str, Any]:
    prepare(folder, f"sqlite:///{folder / 'wild.sqlite3'}")
    from django.db import connections

    from benchmarks import factory

    made = factory.tournament(PLAYERS, ROUNDS, 1, played=False)
    slots = list(itertools.islice(empty_slots(made.slug), hands))
    cookies = signed_in()
    connections.close_all()
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "WILD_STREAMS": str(streams + 10)}
    command = [sys.executable, "manage.py", "serve", "--no-demo", "--port", "0"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = next(line for line in server.stdout if line.startswith("Wild League is at"))
        port = int(line.split()[4].rstrip("/").rpartition(":")[2])
        crowd = Crowd(port, made.slug, pages)
        return asyncio.run(measured(crowd, server.pid, Visitor(port, cookies), slots, streams))
    finally:
        server.terminate()
        server.wait()


async def measured(
    crowd: Crowd, pid: int, scorer: Visitor, slots: Sequence[tuple[int, int]], streams: int
) -> dict[str, Any]:
    await asyncio.to_thread(scorer.get, f"/t/{crowd.slug}/standings/")
    alone = memory_mb(pid)
    opened = [await crowd.open() for _ in range(streams)]
    listening = [asyncio.create_task(crowd.listen(reader, random.Random(at))) for at, (reader, _) in enumerate(opened)]
    await asyncio.sleep(1)
    idle_cpu, idle_from = cpu_seconds(pid), time.perf_counter()
    await asyncio.sleep(3)
    idle = (cpu_seconds(pid) - idle_cpu) / (time.perf_counter() - idle_from)
    with_streams, cpu, began, saves = memory_mb(pid), cpu_seconds(pid), time.perf_counter(), []
    for number, slot in enumerate(slots):
        scorer.connection.close()  # the server has done so after some seconds without a request
        crowd.hand, crowd.sent = number, time.perf_counter()
        await asyncio.to_thread(type_hand, scorer, slot, {})
        saves.append(time.perf_counter() - crowd.sent)
        await all_heard(crowd, streams)
        await asyncio.sleep(max(0.0, 1 - (time.perf_counter() - crowd.sent)))
    spent, lasted = cpu_seconds(pid) - cpu, time.perf_counter() - began
    for task in listening:
        task.cancel()
    return {
        "python": platform.python_version(),
        "streams": streams,
        "hands": len(slots),
        "seconds": round(lasted, 1),
        "missed": streams * len(slots) - len(crowd.events),
        "sent_to_saved_ms": spread(saves),
        "sent_to_event_ms": spread([late for _hand, late in crowd.events]),
        "sent_to_page_ms": spread([late for _hand, late in crowd.shown]) if crowd.pages else None,
        "cpu_share": round(spent / lasted, 3),
        "idle_cpu_share": round(idle, 3),
        "memory_mb": {"alone": alone, "with_streams": with_streams, "after": memory_mb(pid)},
    }


async def all_heard(crowd: Crowd, streams: int) -> None:
    """Wait until every stream (or page) has the hand, so that the next one is not taken for this."""
    of = crowd.shown if crowd.pages else crowd.events
    end = time.perf_counter() + PATIENCE
    wanted = streams * (crowd.hand + 1)
    while len(of) < wanted and time.perf_counter() < end:
        await asyncio.sleep(0.01)


def spread(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return {"p50": round(1000 * statistics.median(ordered), 1), "p99": round(1000 * last, 1)}


def cpu_seconds(pid: int) -> float:
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return round(int(status.partition("VmRSS:")[2].split()[0]) / 1024, 1)


if __name__ == "__main__":
    main()
