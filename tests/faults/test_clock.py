"""Worker, beat, Redis and PostgreSQL are killed while rounds fall due: each happens once, and none is lost."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time

import psycopg
import pytest
import redis
from django.conf import settings

from league.background import heartbeats
from tests import requirements
from tests.redis_server import RedisServer, RedisUnavailable
from tests.served import Served, Visitor, migrated_on

KILLS = int(os.environ.get("WILD_KILLS") or 1)  # of each; 30 for the full size
PATIENCE = 90  # seconds until what is left over must have happened
VERBS = [sys.executable, "-m", "config.verbs"]
COMMANDS = {"worker": [*VERBS, "worker"], "beat": [*VERBS, "beat"], "second beat": [*VERBS, "beat"]}


class Processes:
    """Worker and two beats, each in a process group of its own, so that a kill takes the worker's children too."""

    def __init__(self, environment, log):
        self.environment = environment
        self.log = log
        self.running = {}

    def start(self, *names):
        for name in names:
            with self.log.open("ab") as log:
                self.running[name] = subprocess.Popen(
                    COMMANDS[name],
                    env=self.environment,
                    cwd=settings.BASE_DIR,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )

    def kill(self, name):
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self):
        for name in list(self.running):
            self.kill(name)


@pytest.fixture
def broker():
    """A Redis whose address is known before it runs."""
    try:
        server = RedisServer.prepare()
    except RedisUnavailable as reason:
        requirements.missing("redis", str(reason))
    yield server
    server.stop()


@pytest.fixture
def service(tmp_path, postgres, broker):
    """The web process (not started), worker and beats on PostgreSQL and Redis."""
    url = migrated_on(postgres)
    served = Served(tmp_path, url)
    served.environment["REDIS_URL"] = broker.url
    processes = Processes(served.environment, tmp_path / "log")
    served.processes = processes
    yield served
    processes.stop()
    served.stop()


def rows(served, query):
    with psycopg.connect(served.environment["DATABASE_URL"]) as connection:
        return connection.execute(query).fetchall()


def write(served, query):
    with psycopg.connect(served.environment["DATABASE_URL"]) as connection:
        connection.execute(query)


def wait_for(served, query):
    """Until a count is 0. A failure shows what the processes said."""
    until = time.monotonic() + PATIENCE
    while (left := rows(served, query)[0][0]) and time.monotonic() < until:
        time.sleep(0.2)
    assert left == 0, served.processes.log.read_text()[-5000:]


PENDING = "SELECT count(*) FROM league_deadline WHERE state = 'pending'"
UNFINISHED = "SELECT count(*) FROM league_job WHERE state IN ('queued', 'running')"
PUBLISHED = "SELECT tournament_id, count(*) FROM league_logentry WHERE action = 'publish' GROUP BY 1"
FROZEN = "SELECT round_id, count(*) FROM league_snapshot GROUP BY 1"


def drawn_and_due(served, seconds):
    """Four drawn tournaments for each second, whose first rounds fall due together. Returns their ids."""
    return served.prepare(
        [
            "from datetime import timedelta; from django.utils import timezone",
            "from league.models import Deadline; from league.rounds.draw import draw",
            f"made = [cast.tournament(4, hands_per_round=1, name=f'Pairs {{n}}') for n in range({4 * seconds})]",
            "[draw(tournament=one, by=one.owner) for one in made]",
            "now = timezone.now() + timedelta(seconds=2)",
            "[Deadline.objects.create(kind='publish-round', tournament=one, round=one.rounds.get(number=1),"
            " due_at=now + timedelta(seconds=n // 4)) for n, one in enumerate(made)]",
            "print(json.dumps([one.pk for one in made]))",
        ]
    )


@pytest.mark.timeout(300 + 20 * KILLS)
def test_each_round_is_published_once_whatever_is_killed(service, postgres, broker):
    seed = int(os.environ.get("WILD_SEED") or 7)
    targets = [name for name in ("worker", "beat", "redis", "postgres") for _ in range(KILLS)]
    chance = random.Random(seed)
    chance.shuffle(targets)
    pauses = [chance.uniform(0.3, 1.3) for _ in targets]
    # From the start of the processes to about the last kill; starting again takes its time too.
    made = drawn_and_due(service, 4 + int(sum(pauses) + 0.5 * len(targets)))
    broker.launch()
    service.processes.start(*COMMANDS)
    for name, pause in zip(targets, pauses, strict=True):
        time.sleep(pause)
        match name:
            case "postgres":
                postgres.kill()
                postgres.launch()
            case "redis":
                broker.kill()
                broker.launch()
            case _:
                service.processes.kill(name)
                service.processes.start(name)
    wait_for(service, PENDING)
    states = dict(rows(service, "SELECT state, count(*) FROM league_deadline GROUP BY 1"))
    print(json.dumps({"seed": seed, "kills": len(targets), "deadlines": len(made), "states": states}))  # noqa: T201
    assert states == {"done": len(made)}
    assert dict(rows(service, PUBLISHED)) == dict.fromkeys(made, 1)
    with redis.Redis.from_url(broker.url) as client:  # which forgot the heartbeats when it was killed
        until = time.monotonic() + PATIENCE
        while (alive := len(client.keys("*heartbeat-*"))) < len(heartbeats.PARTS) and time.monotonic() < until:
            time.sleep(0.2)
    assert alive == len(heartbeats.PARTS)


def test_a_job_whose_worker_was_killed_is_taken_up_by_the_next(service, broker):
    """The search lasts half a minute, because eight players at two tables meet again in any second round."""
    service.prepare(
        [
            "from league.background import jobs",
            "made = cast.challenge(players=8, target=5000); start(tournament=made, by=made.owner)",
            "cast.play_round(made.rounds.get()); cast.go_on(made)",
            "jobs.request(tournament=made, kind=jobs.BETTER_SEATING, by=made.owner)",
            "print(0)",
        ]
    )
    broker.launch()
    service.processes.start("worker", "beat")
    wait_for(service, "SELECT count(*) FROM league_job WHERE NOT (state = 'running' AND length(result) > 0)")
    service.processes.kill("worker")
    write(service, "UPDATE league_job SET started_at = started_at - interval '4 minutes'")
    service.processes.start("worker")
    wait_for(service, "SELECT count(*) FROM league_job WHERE NOT (state = 'running' AND attempts = 2)")
    write(service, "UPDATE league_job SET state = 'failed'")  # its worker notices with the next second's progress


LONG_SEARCHES = """
from league.background import jobs
made = [cast.challenge(name=f"Challenge {n}", players=8, target=5000) for n in range(2)]
for one in made:
    start(tournament=one, by=one.owner)
    cast.play_round(one.rounds.get()); cast.go_on(one)
    jobs.request(tournament=one, kind=jobs.BETTER_SEATING, by=one.owner)
print(0)
""".strip().splitlines()
SEARCHING = "SELECT count(*) FROM league_job WHERE state = 'running'"
UNFINISHED = "SELECT count(*) > 0 FROM league_job WHERE state IN ('queued', 'running')"


def test_two_long_jobs_hold_up_neither_a_round_nor_a_backup(service, broker, tmp_path):
    """The searches last half a minute, as in the test above."""
    service.prepare(LONG_SEARCHES)
    service.environment["WILD_BACKUPS"] = "14"
    broker.launch()
    service.processes.start("worker", "beat")
    wait_for(service, "SELECT 2 - count(*) FROM league_job WHERE state = 'running'")
    made = drawn_and_due(service, 1)
    wait_for(service, PENDING)
    assert dict(rows(service, PUBLISHED)).items() >= dict.fromkeys(made, 1).items()
    wait_for_backup(tmp_path)
    assert rows(service, SEARCHING) == [(2,)]
    write(service, "UPDATE league_job SET state = 'failed'")


def test_a_long_job_in_the_one_process_holds_up_neither_a_round_nor_a_backup(tmp_path):
    served = Served(tmp_path)
    served.prepare(LONG_SEARCHES)
    served.environment["WILD_BACKUPS"] = "14"
    try:
        served.start()
        with sqlite3.connect(tmp_path / "wild.sqlite3", timeout=30) as database:
            until = time.monotonic() + PATIENCE
            while database.execute(SEARCHING).fetchone() != (1,) and time.monotonic() < until:
                time.sleep(0.2)
            made = drawn_and_due(served, 1)
            while database.execute(PENDING).fetchone() != (0,) and time.monotonic() < until:
                time.sleep(0.2)
            assert dict(database.execute(PUBLISHED)).items() >= dict.fromkeys(made, 1).items()
            wait_for_backup(tmp_path)
            # The second search may wait for its turn just now. In both threads at once they would be over by now.
            assert database.execute(UNFINISHED).fetchone() == (1,)
    finally:
        served.stop()


def wait_for_backup(folder):
    until = time.monotonic() + PATIENCE
    while not (written := list((folder / "backups").glob("wild-*.zip"))) and time.monotonic() < until:
        time.sleep(0.2)
    assert written


@pytest.mark.timeout(300 + 20 * KILLS)
def test_each_round_is_published_once_when_the_one_process_is_killed(tmp_path):
    """Worker and beat inside `manage.py serve`, on SQLite and its own memory."""
    served = Served(tmp_path)
    made = drawn_and_due(served, 4 * KILLS)
    try:
        for kill in range(KILLS):
            served.start()
            time.sleep(1.2 + 0.37 * kill % 1)
            served.kill()
        served.start()
        until = time.monotonic() + PATIENCE
        with sqlite3.connect(tmp_path / "wild.sqlite3") as database:
            while database.execute(PENDING).fetchone() != (0,) and time.monotonic() < until:
                time.sleep(0.2)
            assert dict(database.execute("SELECT state, count(*) FROM league_deadline GROUP BY 1")) == {
                "done": len(made)
            }
            assert dict(database.execute(PUBLISHED)) == dict.fromkeys(made, 1)
    finally:
        served.stop()


def test_the_worker_in_the_one_process_reports_again_and_again_that_it_lives(tmp_path):
    served = Served(tmp_path).start()
    visitor, oldest, until = Visitor(served.port), -1.0, time.monotonic() + PATIENCE
    try:
        while (age := _since_heartbeat(visitor, "jobs")) >= oldest and time.monotonic() < until:
            oldest = age
            time.sleep(0.5)
        assert age < oldest
    finally:
        served.stop()


def _since_heartbeat(visitor, part):
    figures = visitor.get("/metrics")[1]
    return float(re.search(rf'^wild_heartbeat_age_seconds{{part="{part}"}} (\S+)', figures, re.MULTILINE)[1])


def test_without_a_broker_results_go_on_and_the_rest_follows_once(service, broker):
    tables = service.prepare(
        [
            "made = cast.tournament(hands_per_round=1); start(tournament=made, by=made.owner)",
            "print(json.dumps([table.pk for table in made.rounds.get(number=1).tables.order_by('number')]))",
        ]
    )
    # Nobody answers at REDIS_URL: not for the web process, and not for worker and beat, which wait for it.
    service.processes.start("worker", "beat")
    visitor = service.start().visitor()
    for table in tables:
        typed = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"}
        assert visitor.post(f"/tables/{table}/", typed | visitor.form(table, 1))[0] == 303
    assert visitor.post("/t/autumn-pairs/advance/", {"step": "close-1"})[0] == 302
    assert visitor.post("/t/autumn-pairs/jobs/", {})[0] == 302
    assert "Ana Lucía" in visitor.get("/t/autumn-pairs/standings/")[1]
    assert rows(service, PENDING + " AND kind = 'snapshot'") == [(1,)]
    broker.launch()
    wait_for(service, PENDING)
    wait_for(service, UNFINISHED)
    assert [count for _round, count in rows(service, FROZEN)] == [1]
    jobs = rows(service, "SELECT state, attempts, length(result) > 0 FROM league_job")
    assert jobs == [("done", 1, True)]


RACE = """
from datetime import timedelta
from threading import Barrier, Thread
from django.db import connection
from django.utils import timezone
from league.background import deadlines
from league.models import Deadline
from league.rounds.steps import advance
from league.rounds.draw import draw

made = [cast.tournament(4, hands_per_round=1, name=f"Pairs {n}") for n in range(12)]
for one in made:
    draw(tournament=one, by=one.owner)
    Deadline.objects.create(
        kind="publish-round", tournament=one, round=one.rounds.get(number=1), due_at=timezone.now()
    )
done, wrong, ready = [], [], Barrier(5)

def run(what):
    ready.wait()
    try:
        what()
    except Exception as error:
        wrong.append(repr(error))
    finally:
        connection.close()

def sweep():
    for _ in range(8):
        done.append(deadlines.sweep(timezone.now()))

def by_hand():
    for one in reversed(made):
        advance(tournament=one, token="publish-1", by=one.owner)

def take_back():
    for deadline in Deadline.objects.order_by("-pk"):
        deadlines.cancel(tournament=deadline.tournament, deadline_id=deadline.pk, by=None)

threads = [Thread(target=run, args=(what,)) for what in (sweep, sweep, sweep, by_hand, take_back)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
from league.models import LogEntry
logged = [LogEntry.objects.filter(tournament=one, action="publish").count() for one in made]
itself = LogEntry.objects.filter(action="publish", by=None).count()
print(json.dumps({"wrong": wrong, "logged": logged, "swept": sum(done), "itself": itself,
    "left": Deadline.objects.pending().count(), "done": Deadline.objects.filter(state="done").count()}))
"""


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_sweepers_and_organisers_at_once_publish_once(database, request, tmp_path):
    url = request.getfixturevalue("postgres_url") if database == "postgres" else ""
    told = Served(tmp_path, url).prepare(RACE.splitlines())
    assert told["wrong"] == []
    assert told["logged"] == [1] * 12
    assert told["swept"] == told["itself"] == told["done"]
    assert told["left"] == 0
