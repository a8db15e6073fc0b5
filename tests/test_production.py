"""docker/production.py: web, stream, worker and beat as processes of their own, on real PostgreSQL and Redis."""

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
from importlib.metadata import packages_distributions

import psycopg
import pytest
import redis
from django.conf import settings

from league.background import heartbeats
from tests.online_seats import Phone, choice
from tests.served import Served, Stream, Visitor

pytestmark = pytest.mark.slow

SCRIPT = settings.BASE_DIR / "docker" / "production.py"
WEB, STREAM, WORKER, _BEAT = range(4)  # in the order in which they are started
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="reads the list of children from /proc")
# The tests' packages, which an installation lacks.
HIDE = """import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
"""
TYPED = {"hand": "1", "went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W", "seating_version": "1"}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def for_tests_only():
    """The modules of all installed packages that locks/run.lock doesn't name."""
    lock = (settings.BASE_DIR / "locks" / "run.lock").read_text()
    locked = set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)) | {"pip", "setuptools"}
    named = packages_distributions().items()
    return {module for module, owners in named if not locked & {re.sub(r"[-_.]+", "-", o).lower() for o in owners}}


class Production(Served):
    def __init__(self, data, database_url, redis_url):
        super().__init__(data, database_url)
        key = data / "key"
        key.write_text("a key of fifty characters or more, from a file alone\n")
        address = data / "address"
        address.write_text(f"{database_url}\n")
        self.environment |= {"WILD_SECRET_KEY_FILE": str(key), "DATABASE_URL_FILE": str(address)}
        self.environment |= {"REDIS_URL": redis_url, "WILD_LOG": "json"}
        del self.environment["DATABASE_URL"]
        self.hiding = data / "hiding"
        self.hiding.mkdir()
        (self.hiding / "sitecustomize.py").write_text(HIDE.format(names=for_tests_only()))

    def start(self, streams=1):
        self.port, *self.stream_ports = [free_port() for _number in range(1 + streams)]
        self.stream_port = self.stream_ports[0]
        command = [sys.executable, SCRIPT, "--port", str(self.port), "--stream-port", *map(str, self.stream_ports)]
        with self.errors.open("a") as errors:
            environment = self.environment | {"PYTHONPATH": str(self.hiding)}
            self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True)
        line = self.process.stdout.readline()
        if line.startswith("This server has no owner yet."):  # as migrate tells at each start
            line = self.process.stdout.readline()
        assert line == f"Wild League is at http://127.0.0.1:{self.port}/ (Ctrl-C stops it)\n", self.errors.read_text()
        return self

    def manage(self, *arguments):
        command = [sys.executable, settings.BASE_DIR / "manage.py", *arguments]
        return subprocess.run(command, env=self.environment, check=True, stdout=subprocess.PIPE, text=True).stdout

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)  # killed, it would leave its children behind
            self.process.communicate()


@pytest.fixture
def production(postgres_url, redis_server, tmp_path):
    production = Production(tmp_path, postgres_url, redis_server.url)
    yield production
    production.stop()


def children(pid):
    """The processes that a process has started and that still run."""
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(number) for number in file.read().split()]


def eventually(question):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if answer := question():
            return answer
        time.sleep(0.2)
    raise AssertionError("it did not happen within a minute")


def opened(port, slug):
    """A stream, or None while nobody is there to open it."""
    try:
        stream = Stream(port, slug)
    except OSError:
        return None
    return stream if stream.answer.status == 200 else None


def answers(port):
    try:
        return Visitor(port).get("/healthz")[0] == 200
    except OSError:
        return False


@needs_proc
def test_the_four_processes_do_the_main_job_and_stop_together(production, postgres_url):
    production.prepare(["cast.organiser(); print(0)"])
    roster = settings.BASE_DIR / "tests" / "players8.csv"
    options = ["--name", "Autumn Pairs", "--format", "pairs", "--players", str(roster), "--owner", "olga@example.org"]
    slug = production.manage("create_tournament", *options).strip()
    [table, due] = production.prepare(
        [
            "from django.utils import timezone; from league.models import Deadline, Tournament",
            f"made = Tournament.objects.get(slug={slug!r}); start(tournament=made, by=made.owner)",
            "due = Deadline.objects.create(kind='snapshot', tournament=made, due_at=timezone.now())",
            "print(json.dumps([made.rounds.get(number=1).tables.earliest('number').pk, due.pk]))",
        ]
    )
    production.start()
    pids = children(production.process.pid)
    assert len(pids) == 4

    visitor = production.visitor()
    assert visitor.post(f"/tables/{table}/", TYPED | {"key": str(uuid.uuid4())})[0] == 303
    _status, text = visitor.get(f"/t/{slug}/hands.csv")
    assert len(text.splitlines()) == 1 + 4
    status, text = visitor.get("/readyz")
    assert (status, json.loads(text)["ready"]) == (200, True)
    assert Visitor(production.stream_port).get("/healthz")[0] == 200
    # Live pages have their streams from the one process that can keep them.
    stream = Stream(production.stream_port, slug)
    assert visitor.post(f"/tables/{table}/", TYPED | {"key": str(uuid.uuid4()), "hand": "2"})[0] == 303
    assert stream.event()["event"] == "changed"
    assert Stream(production.port, slug).answer.status == 204
    # Two web processes count together.
    _status, metrics = Visitor(production.port).get("/metrics")
    assert re.search(r"^wild_hands_recorded_total 2\.0$", metrics, re.M)
    assert re.search(r'^wild_requests_total\{method="POST",status="303",view="table"\} 2\.0$', metrics, re.M)
    # Beat calls, the worker takes.
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        ask = "SELECT 1 FROM league_deadline WHERE id = %s AND state = 'done'"
        eventually(lambda: connection.execute(ask, [due]).fetchone())
    with redis.Redis.from_url(production.environment["REDIS_URL"]) as client:
        eventually(lambda: len(client.keys("*heartbeat-*")) == len(heartbeats.PARTS))

    production.process.send_signal(signal.SIGTERM)
    production.process.communicate()
    assert production.process.returncode == 0, production.errors.read_text()
    assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)


@needs_proc
def test_any_that_ends_is_begun_anew_while_the_others_go_on(production, postgres_url):
    with psycopg.connect(postgres_url) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    production.start()
    with psycopg.connect(postgres_url) as connection:  # it has made the tables
        assert connection.execute("SELECT count(*) FROM league_tournament").fetchone() == (0,)
    [slug, table] = production.prepare(
        [
            "made = cast.tournament(hands_per_round=4); start(tournament=made, by=made.owner)",
            "print(json.dumps([made.slug, made.rounds.get(number=1).tables.earliest('number').pk]))",
        ]
    )
    before = children(production.process.pid)

    # Without the stream hands are recorded, and who opens it again is told of the next one.
    visitor, stream = production.visitor(), Stream(production.stream_port, slug)
    os.kill(before[STREAM], signal.SIGKILL)
    assert stream.event() is None
    for hand in ("1", "2"):
        assert visitor.post(f"/tables/{table}/", TYPED | {"key": str(uuid.uuid4()), "hand": hand})[0] == 303
    eventually(lambda: "stream has ended; starting it again." in production.errors.read_text())
    again = eventually(lambda: opened(production.stream_port, slug))
    assert set(before) - set(children(production.process.pid)) == {before[STREAM]}, "the others went on"
    assert visitor.post(f"/tables/{table}/", TYPED | {"key": str(uuid.uuid4()), "hand": "3"})[0] == 303
    assert again.event()["event"] == "changed"
    assert len(visitor.get(f"/t/{slug}/hands.csv")[1].splitlines()) == 1 + 3 * 4

    of_web = children(before[WEB])
    assert of_web
    for number, name in ((WORKER, "worker"), (WEB, "web")):
        os.kill(before[number], signal.SIGKILL)
        eventually(lambda name=name: f"{name} has ended; starting it again." in production.errors.read_text())
    eventually(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in of_web))
    eventually(lambda: answers(production.port))
    now = children(production.process.pid)
    assert len(now) == 4
    assert set(before) - set(now) == {before[STREAM], before[WORKER], before[WEB]}


def test_a_move_may_be_sent_to_any_process_and_is_seen_in_all(production):
    """A proxy sends a table always to the same one; here each move goes to another, and everybody looks elsewhere."""
    production.start(streams=2)
    [table, tokens] = production.prepare(
        [
            "from league.access.signed_links import player_token",
            "from tests.games.online_table import everybody_ready, put_online, at_place",
            "made = cast.tournament(); start(tournament=made, by=made.owner)",
            "deal = everybody_ready(put_online(cast.table(made, 1, 1)))",
            "entries = [at_place(deal, at) for at in range(len(deal.places))]",
            "print(json.dumps([deal.table_id, [player_token(entry) for entry in entries]]))",
        ]
    )
    ports = (*production.stream_ports, production.port)
    phones = [Phone(production.port, token) for token in tokens]
    rng = random.Random(1)
    for number in range(1, 19):
        port, elsewhere = ports[number % 3], ports[(number + 1) % 3]
        shown = []
        for phone in phones:
            phone.port = elsewhere
            shown.append(phone.look(table)[1]["play"])
        assert {seen["version"] for seen in shown} == {number - 1}
        mover = shown[0]["hand"]["turn"]
        sender = next(n for n, seen in enumerate(shown) if seen["you"] == mover)
        phones[sender].port = port
        fields = choice(shown[sender], rng) | {"key": f"move {number}"}
        for _time in range(2):  # sent again, it is answered as before
            status, answer = phones[sender].send(table, "act", fields)
            assert (status, answer["play"]["version"]) == (200, number)
            phones[sender].port = elsewhere


def test_a_port_that_is_taken_is_named_before_anything_is_started():
    environment = os.environ | {"DATABASE_URL": "postgres://nowhere/wild", "REDIS_URL": "redis://nowhere"}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, SCRIPT, "--port", str(free_port()), "--stream-port", str(port)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Cannot listen on 127.0.0.1, port {port}: Address already in use")


@pytest.mark.parametrize("missing", ["DATABASE_URL", "REDIS_URL"])
def test_without_a_database_or_broker_it_says_what_to_set(missing):
    environment = os.environ | {"DATABASE_URL": "postgres://nowhere/wild", "REDIS_URL": "redis://nowhere"}
    del environment[missing]
    done = subprocess.run([sys.executable, SCRIPT], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Set {missing}, for example {missing}=")
    assert done.stderr.count("\n") == 1
