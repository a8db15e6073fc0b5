"""What the main pages cost: queries, CPU a request, and that as a ratio to the least Django can do.

    .venv/bin/python -m benchmarks.pages [--postgres] [--seed N] [--smoke]

The product runs under gunicorn with one worker. Pages and floors take turns in the same process, a few requests each,
so that what else the machine does falls on both alike; CPU is the worker's own time, so waiting costs nothing. The last
line printed is one JSON object.
"""

import argparse
import contextlib
import itertools
import json
import os
import platform
import random
import re
import statistics
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.serving import Server, Visitor

SIZES = (64, 256)
SLICE = 10  # requests before the next page or floor has its turn

# name: what is divided by what, and the most that it may be (None: no goal is set).
RATIOS: dict[str, tuple[str, str, float | None]] = {
    "standings_64_cold": ("standings_64_cold", "rows", 3.0),
    "standings_64_warm": ("standings_64_warm", "cached", 1.5),
    "standings_256_to_64_cold": ("standings_256_cold", "standings_64_cold", 4.5),
    "standings_64_organiser": ("standings_64_organiser", "rows", None),
    "seating_64": ("seating_64", "rows", None),
    "seating_256_to_64": ("seating_256", "seating_64", None),
    "record_page": ("record_page", "write", None),
    "record_hand": ("record_hand", "write", None),
}

Ask = Callable[[dict[str, str]], Visitor]
"""One request, with headers to add; returns who asked."""

Slots = Iterator[tuple[int, int]]
"""(table id, hand): each is filled once."""

COLD = {"X-Forget": "1"}  # floors.count_queries then drops what was kept of a page
CARDS = {1: "R7 GD B6", 3: "W"}  # what the seats of the side that lost still held
OF_PARTNER = {2: "B5"}  # where there are no sides


@dataclass(frozen=True)
class Size:
    turns: int  # independent measurements; medians and ranges are over these
    requests: int  # of each page and floor in a turn
    stale_checks: int
    rounds: int = 7  # that were played in the tournaments that are looked at


FULL = Size(turns=5, requests=20, stale_checks=20)
SMOKE = Size(turns=1, requests=1, stale_checks=3, rounds=2)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.pages", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="a few requests: whether it runs, not how fast")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL, started from the test packages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wild-bench-") as folder, database(options.postgres) as url:
        prepare(Path(folder), url, smoke=options.smoke)
        result = run(Path(folder), SMOKE if options.smoke else FULL, options.seed)
    kind = "postgresql" if options.postgres else "sqlite"
    print(json.dumps({"benchmark": "pages", "seed": options.seed, "database": kind} | result))  # noqa: T201


@contextlib.contextmanager
def database(postgres: bool) -> Iterator[str]:
    """The DATABASE_URL; "" for SQLite, which is a file in the data folder."""
    if not postgres:
        yield ""
        return
    from tests.postgres import PostgresServer

    server = PostgresServer.start()
    try:
        yield server.new_database()
    finally:
        server.stop()


def prepare(folder: Path, url: str, *, smoke: bool = False) -> None:
    """Settings for this process and the server, and an empty database."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "benchmarks.settings", "WILD_DATA": str(folder), "DATABASE_URL": url}
    import django
    from django.core.management import call_command

    django.setup()
    if smoke:
        make_tables()
    call_command("migrate", verbosity=0, run_syncdb=True, fake=smoke)


class NoMigrations:
    """Of every app, in the place of MIGRATION_MODULES."""

    def __contains__(self, app: str) -> bool:
        return True

    def __getitem__(self, app: str) -> None:
        return None


def make_tables() -> None:
    """From the models: the migrations take longer than all else of a smoke. They are then noted as done."""
    from django.core.management import call_command
    from django.test.utils import override_settings

    with override_settings(MIGRATION_MODULES=NoMigrations()):
        call_command("migrate", verbosity=0, run_syncdb=True)


def run(folder: Path, size: Size, seed: int) -> dict[str, Any]:
    import django
    from django.db import connections

    from benchmarks import factory

    factory.floor_rows(seed)
    played = {players: factory.tournament(players, size.rounds, seed) for players in SIZES}
    # Both ways of recording, the checks, a count and a warm-up each; 16 tables a round.
    hands = 4 * (size.turns + 1) * size.requests + size.stale_checks + 10
    to_play = factory.tournament(64, -(-hands // (16 * factory.HANDS)), seed, played=False)
    cookies = signed_in()
    owner = factory.organiser().pk
    slots = empty_slots(to_play.slug)
    connections.close_all()
    with Server(dict(os.environ), folder / "gunicorn.log") as server:
        public, organiser = Visitor(server.port), Visitor(server.port, cookies)
        slugs = {players: one.slug for players, one in played.items()}
        asks = reading(public, organiser, slugs) | writing(public, organiser, slots, owner)
        queries = {name: ask({"X-Count-Queries": "1"}).queries for name, ask in asks.items()}
        measured(server, asks, size.requests, random.Random(seed))  # warms templates and connections
        turns = [measured(server, asks, size.requests, random.Random(seed + turn)) for turn in range(size.turns)]
        wrong = stale_pages(public, organiser, to_play.slug, slots, size.stale_checks)
    return {
        "python": platform.python_version(),
        "django": django.__version__,
        "turns": size.turns,
        "requests": size.requests,
        "queries": queries,
        "cpu_ms": {name: spread([1000 * turn[name] for turn in turns]) for name in asks},
        "ratios": {
            name: spread([turn[page] / turn[floor] for turn in turns]) | {"goal": goal}
            for name, (page, floor, goal) in RATIOS.items()
        },
        "stale": {"checked": size.stale_checks, "wrong": wrong},
    }


def signed_in() -> dict[str, str]:
    """The cookies of the organiser."""
    from django.conf import settings
    from django.test import Client

    from benchmarks import factory

    client = Client()
    client.force_login(factory.organiser())
    return {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}


def empty_slots(slug: str) -> Slots:
    """Every hand of a tournament in which nothing was played."""
    from benchmarks.factory import HANDS
    from league.models import Table

    tables = list(Table.objects.filter(round__tournament__slug=slug).values_list("pk", flat=True))
    return itertools.product(tables, range(1, HANDS + 1))


def reading(public: Visitor, organiser: Visitor, slugs: dict[int, str]) -> dict[str, Ask]:
    """Pages and floors that change nothing, by their names in the result."""

    def page(path: str, visitor: Visitor = public, **always: str) -> Ask:
        def ask(headers: dict[str, str]) -> Visitor:
            visitor.get(path, **headers, **always)
            return visitor

        return ask

    asks = {floor: page(f"/floor/{floor}/") for floor in ("hello", "row", "rows", "cached")}
    for players, slug in slugs.items():
        asks |= {
            f"standings_{players}_cold": page(f"/t/{slug}/standings/", **COLD),
            f"standings_{players}_warm": page(f"/t/{slug}/standings/"),
            f"standings_{players}_organiser": page(f"/t/{slug}/standings/", organiser, **COLD),
            f"seating_{players}": page(f"/t/{slug}/seating/"),
        }
    return asks


def writing(public: Visitor, organiser: Visitor, slots: Slots, owner: int) -> dict[str, Ask]:
    """The floor of a durable write, and a hand recorded by the page and by the service alone."""
    numbers = itertools.count(1)

    def write(headers: dict[str, str]) -> Visitor:
        body = json.dumps({"cards": ["R7", "GD", "B6"]})
        public.post(f"/floor/write/{next(numbers)}/", body, "application/json", **headers)
        return public

    def record_page(headers: dict[str, str]) -> Visitor:
        type_hand(organiser, next(slots), headers)
        return organiser

    def record_hand(headers: dict[str, str]) -> Visitor:
        table, hand = next(slots)
        cards = [[seat, held.split()] for seat, held in CARDS.items()]
        sent = {"hand": hand, "went_out": 0, "cards": cards, "by": owner, "key": str(uuid.uuid4())}
        public.post(f"/floor/record/{table}/", json.dumps(sent), "application/json", **headers)
        return public

    return {"write": write, "record_page": record_page, "record_hand": record_hand}


def type_hand(organiser: Visitor, slot: tuple[int, int], headers: dict[str, str], *, sides: bool = True) -> None:
    """Send the form of a table's page, as a browser would."""
    table, hand = slot
    if "csrftoken" not in organiser.cookies:
        organiser.get(f"/tables/{table}/")
    fields = {"hand": hand, "seating_version": 1, "key": uuid.uuid4(), "went_out": 0}
    held = CARDS if sides else CARDS | OF_PARTNER
    fields |= {f"cards_{seat}": cards for seat, cards in held.items()}
    organiser.post(f"/tables/{table}/", urlencode(fields), **headers)


def measured(server: Server, asks: dict[str, Ask], requests: int, dice: random.Random) -> dict[str, float]:
    """CPU seconds a request, by name. The pages and floors take turns in an order that is drawn each time."""
    spent = dict.fromkeys(asks, 0.0)
    for start in range(0, requests, SLICE):
        count = min(SLICE, requests - start)
        for name in dice.sample(list(asks), len(asks)):
            asks[name]({})  # what the others did to it is not measured: a warm page is one that was just asked for
            before = server.cpu_seconds()
            for _ in range(count):
                asks[name]({})
            spent[name] += server.cpu_seconds() - before
    return {name: seconds / requests for name, seconds in spent.items()}


def stale_pages(public: Visitor, organiser: Visitor, slug: str, slots: Slots, checks: int) -> int:
    """How often the standings, read just before and just after a hand was recorded, lacked that hand."""
    from league.models import Tournament
    from league.standings import read as ledger

    wrong = 0
    for _ in range(checks):
        public.get(f"/t/{slug}/standings/")
        type_hand(organiser, next(slots), {})
        shown = re.findall(r'<td class="pts">(-?\d+)</td>', public.get(f"/t/{slug}/standings/"))
        book = ledger.read(Tournament.objects.get(slug=slug))
        wrong += shown != [str(line.total) for line in book.standings()]
    return wrong


def spread(values: Sequence[float]) -> dict[str, float]:
    middle = statistics.median(values)
    return {"median": round(middle, 3), "low": round(min(values), 3), "high": round(max(values), 3)}


if __name__ == "__main__":
    main()
