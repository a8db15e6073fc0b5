"""Bots at online tables by beat, Redis and two workers on PostgreSQL, while a worker is killed."""

import sqlite3
import time

import psycopg
import pytest

from tests.faults.test_clock import COMMANDS, VERBS, Processes
from tests.served import Served

PATIENCE = 60  # seconds
WORKER = [*VERBS, "worker", "--concurrency", "2"]
PREPARED = [
    "from league.models import Entry, Tournament",
    "made = cast.tournament(hands_per_round=1, online='all')",
    "Entry.objects.update(bot='careful')",
    "start(tournament=made, by=made.owner)",
    "print(json.dumps(made.pk))",
]
HANDS = "SELECT id, encode(seed, 'hex'), state, moves_made FROM games_deal ORDER BY id"


def hands(served):
    with psycopg.connect(served.environment["DATABASE_URL"]) as connection:
        return connection.execute(HANDS).fetchall()


def moved(served, moves):
    """The hands, once at each of the two tables so many moves were made."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = hands(served)
        if len(found) >= 2 and all(state == "over" or made >= moves for _id, _seed, state, made in found):
            return found
        time.sleep(0.2)
    raise AssertionError(f"{hands(served)}\n{served.processes.log.read_text()[-3000:]}")


@pytest.fixture
def served(tmp_path, postgres_url, redis_server):
    served = Served(tmp_path, postgres_url)
    served.environment["REDIS_URL"] = redis_server.url
    served.prepare(PREPARED)
    served.processes = Processes(served.environment, tmp_path / "log")
    yield served
    served.processes.stop()


def test_hands_of_bots_go_on_with_the_same_deck_when_a_worker_is_killed(served, monkeypatch):
    monkeypatch.setitem(COMMANDS, "second worker", [*WORKER, "-n", "second@%h"])
    served.processes.start("worker", "second worker", "beat")
    before = moved(served, 2)
    served.processes.kill("worker")
    after = moved(served, max(made for *_hand, made in before) + 3)
    assert [hand[:2] for hand in after[:2]] == [hand[:2] for hand in before[:2]]
    with psycopg.connect(served.environment["DATABASE_URL"]) as connection:
        numbers = connection.execute("SELECT deal_id, array_agg(number ORDER BY number) FROM games_move GROUP BY 1")
        assert all(made == list(range(1, len(made) + 1)) for _deal, made in numbers)


def test_the_one_process_keeps_up_with_beat(tmp_path):
    """With kombu's own second between two looks into its memory all calls went stale, and no table was looked at."""
    served = Served(tmp_path)
    served.prepare(PREPARED)
    served.start()
    made, until = 0, time.monotonic() + PATIENCE
    try:
        with sqlite3.connect(tmp_path / "wild.sqlite3") as database:
            while made < 10 and time.monotonic() < until:
                time.sleep(0.5)
                [made] = database.execute("SELECT count(*) FROM games_move").fetchone()
    finally:
        served.stop()
    assert made >= 10
