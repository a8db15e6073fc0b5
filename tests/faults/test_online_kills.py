"""Web, stream, worker, Redis and PostgreSQL are killed while people play online: what anybody was shown stays true.

Two tables and a kill of each of three; `WILD_KILLS=50` kills each of the five so often, with twenty tables, and
`WILD_SEED` changes the order. One JSON line says how long the first move after each kill took.
"""

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from hashlib import sha256
from uuid import uuid4

import pytest
from django.conf import settings

from engine.shuffle import promise
from tests.online_seats import Phone, choice
from tests.served import Served, Stream, migrated_on
from tests.test_production import free_port

KILLS = int(os.environ.get("WILD_KILLS") or 0)
TABLES = int(os.environ.get("WILD_TABLES") or (20 if KILLS else 2))
SEED = int(os.environ.get("WILD_SEED") or 7)
PROCESSES = ("web", "stream", "worker")
MOVE_SECONDS = 8
LONG = MOVE_SECONDS + 4  # seconds for which the web is gone once: longer than the time for a move
PATIENCE = 60  # seconds until a move must have been made after a kill
PREPARE = """
from games.models import OnlineSettings
from league.formats import FORMATS
from league.access.signed_links import player_token
from league.models import Entry, Seat, Table
fits = next(number for number in FORMATS["pairs"].possible() if number >= 4 * {tables})
made = cast.tournament(fits, hands_per_round=20, name="Kills")
OnlineSettings.objects.create(tournament=made, move_seconds={seconds}, bank_seconds=60, no_show_seconds=600,
                              between_seconds=600)
start(tournament=made, by=made.owner)
tables = list(made.rounds.get(number=1).tables.order_by("number"))
for table in tables:  # a bot at each, so that worker and beat have something to do
    Entry.objects.filter(seats__table=table, seats__number=3).update(bot="careful")
    table.mode = Table.Mode.ONLINE
    table.save(update_fields=["mode"])
def tokens(table):
    seats = table.seats.filter(entry__bot="").select_related("entry").order_by("number")
    return [player_token(seat.entry) for seat in seats]
print(json.dumps([made.slug, {{table.pk: tokens(table) for table in tables}}]))
"""
AFTERWARDS = """
from engine.log import lines, read
from engine.replay import verify
from engine.view import view_for
from games.models import Deal, Hand, Move
from games.online.play.places import names_of, places_of
from games.online.play.replay import replay
from league.models import HandScore
deals, views = [], {}
for deal in Deal.objects.order_by("pk"):
    numbers = list(deal.moves.values_list("number", flat=True))
    assert numbers == list(range(1, deal.moves_made + 1)), (deal.pk, numbers)
    places = places_of(deal)
    scores = HandScore.objects.living().filter(table=deal.table_id, hand=deal.number).count()
    hands = Hand.objects.living().filter(table=deal.table_id, number=deal.number).count()
    deals.append([deal.pk, deal.state, hands, scores, [place.data["bank"] for place in places if not place.is_bot]])
    if deal.dealt_at is None:
        continue
    played = replay(deal, names_of(places))
    if deal.state == "over":
        [logged] = read(list(lines(played.hand.log)))
        verify(logged)
    for seat in (None, *range(len(places))):
        views[f"{deal.pk} {seat}"] = view_for(played.hand, seat)["events"]
keys = list(Move.objects.exclude(key="").values_list("key", flat=True))
by_time = Move.objects.filter(bot="time").count()
print(json.dumps({"deals": deals, "views": views, "keys": keys, "by_time": by_time}))
"""


class Service(Served):
    """The shape of production, each process with a group of its own, so that a kill takes its children too."""

    def __init__(self, folder, database, broker):
        super().__init__(folder, database)
        self.environment["REDIS_URL"] = broker.url
        self.port, self.stream_port = free_port(), free_port()
        web = ["gunicorn", "--config", "python:config.gunicorn.conf", "--bind", f"127.0.0.1:{self.port}"]
        stream = ["uvicorn", "--factory", "config.web:stream", "--port", str(self.stream_port)]
        # Worker and beat in one process: where both are killed, nothing moves by itself.
        worker = ["celery", "-A", "config", "worker", "--without-mingle", "--without-gossip", "--concurrency", "2"]
        beat = ["--beat", "--schedule", str(folder / "beat"), "--loglevel", "WARNING"]
        self.commands = {
            "web": web,
            "stream": [*stream, "--lifespan", "off", "--no-access-log"],
            "worker": [*worker, *beat],
        }
        self.running = {}

    def launch(self, name):
        environment = self.environment | {"WILD_DATABASE_KEEP": "60" if name == "web" else ""}
        with self.errors.open("ab") as log:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", *self.commands[name]],
                env=environment,
                cwd=settings.BASE_DIR,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def tend(self):
        """Start again what ended by itself, as docker does: a worker may, when its Redis dies."""
        for name, process in [*self.running.items()]:
            if process.poll() is not None:
                self.launch(name)

    def end(self, name):
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self):
        for name in list(self.running):
            self.end(name)

    def wait_for_web(self):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/healthz")
                return connection.getresponse().read()
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)
        raise AssertionError(self.errors.read_text()[-3000:])


class Shown:
    """What everybody was shown and told: {(deal, seat): the events of the latest look}, and keys that were answered."""

    def __init__(self):
        self.lock = threading.Lock()
        self.events, self.wrong, self.moves, self.done = {}, [], [], False
        self.acknowledged = set()
        self.sent = set()

    def look(self, play):
        if not play or "hand" not in play or self.done:
            return
        key, events = f"{play['deal']} {play['you']}", play["hand"]["events"]
        with self.lock:
            longest = self.events.get(key, [])
            short = min(len(longest), len(events))
            if longest[:short] != events[:short]:
                self.wrong.append(f"{key}: shown {longest[:short]}, then {events[:short]}")
            if len(events) > len(longest):
                self.events[key] = events

    def answered(self, key):
        with self.lock:
            self.acknowledged.add(key)
            self.moves.append(time.monotonic())


class Player(threading.Thread):
    """Plays for everybody at a table who is no bot. What gets no answer is sent again, as it was, until it gets one."""

    def __init__(self, service, table, tokens, shown, stop):
        super().__init__(daemon=True)
        self.phones = [Phone(service.stream_port, token) for token in tokens]
        self.table, self.shown, self.stop = table, shown, stop
        self.rng = random.Random(f"{SEED} {table}")

    def run(self):
        while not self.stop.is_set():
            try:
                for phone in self.phones:
                    self.play(phone)
            except Exception as error:  # in a thread nobody would hear of it
                self.shown.wrong.append(repr(error))
                return
            time.sleep(0.1)

    def play(self, phone):
        play = self.insists(lambda: phone.look(self.table)).get("play")
        self.shown.look(play)
        if not play or play["you"] is None:
            return
        me, deal = play["you"], play["deal"]
        if play["state"] == "waiting":
            mine, extra = play["places"][me], sha256(f"{deal} {me}".encode()).digest()  # after a reload it is the same
            if not mine["ready"]:
                promised = promise(extra)
                self.insists(lambda: phone.send(self.table, "ready", {"deal": deal, "promised": promised}))
            elif play["opening"] and mine["promised"] and not mine["opened"]:
                self.insists(lambda: phone.send(self.table, "open", {"deal": deal, "entropy": extra.hex()}))
        if "hand" in play and play["hand"]["turn"] == me:
            fields = choice(play, self.rng) | {"key": str(uuid4())}
            self.shown.sent.add(fields["key"])
            answer = self.insists(lambda: phone.send(self.table, "act", fields), fields["key"])
            self.shown.look(answer.get("play"))

    def insists(self, ask, key=""):
        while not self.stop.is_set():
            try:
                status, body = ask()
            except (OSError, http.client.HTTPException):
                status, body = 0, {}
            if status in (200, 409, 422) and body:
                if status == 200 and key:
                    self.shown.answered(key)
                return body
            if status not in (0, 502, 503):
                self.shown.wrong.append(f"{status} {body}")
            time.sleep(0.05)
        return {}


class Watcher(threading.Thread):
    """Somebody whose stream brings the table: a spectator, or a player. Told of a change alone, they look."""

    def __init__(self, service, slug, table, shown, stop, *tokens):
        super().__init__(daemon=True)
        self.service, self.slug, self.table, self.shown, self.stop = service, slug, table, shown, stop
        self.phone = Phone(service.stream_port, *tokens)
        self.told = 0

    def run(self):
        while not self.stop.is_set():
            try:
                query = f"?table={self.table}&show=json&since=0"
                stream = Stream(self.service.stream_port, self.slug, self.phone, query)
                while not self.stop.is_set() and (event := stream.event()):
                    brought = json.loads(event["data"]) if event["event"] == "shown" else self.phone.look(self.table)[1]
                    self.told += event["event"] == "shown"
                    self.shown.look(brought.get("play"))
            except (OSError, http.client.HTTPException, KeyError, ValueError):  # killed in the middle of an event
                time.sleep(0.1)


@pytest.fixture
def service(tmp_path, postgres, redis_server):
    url = migrated_on(postgres)
    service = Service(tmp_path, url, redis_server)
    yield service
    service.stop()


def targets(chance):
    """What is killed, in its order. Of the few in the small size each is another one, and the web is gone for long."""
    every = ["web", "postgres", *chance.sample(["stream", "worker", "redis"], 1)]
    if KILLS:
        every = [name for name in (*PROCESSES, "postgres", "redis") for _time in range(KILLS)]
    chance.shuffle(every)
    return every


def kill(name, service, postgres, broker, pause):
    if name in PROCESSES:
        service.end(name)
        time.sleep(pause)
        service.launch(name)
    else:
        server = postgres if name == "postgres" else broker
        server.kill()
        time.sleep(pause)
        server.launch()


def first_move(shown, since, service, after="the start"):
    """Seconds from a moment to the first move that was acknowledged after it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if later := next((at for at in shown.moves if at > since), None):
            return later - since
        service.tend()
        time.sleep(0.05)
    raise AssertionError(f"nobody could move any more after {after}, {len(shown.moves)} moves, {shown.wrong}")


@pytest.mark.timeout(240 + 25 * 5 * KILLS)
def test_no_move_that_anybody_saw_is_lost_whatever_is_killed(service, postgres, redis_server):
    chance = random.Random(SEED)
    slug, tokens = service.prepare([PREPARE.format(tables=TABLES, seconds=MOVE_SECONDS)])
    for name in PROCESSES:
        service.launch(name)
    service.wait_for_web()
    shown, stop = Shown(), threading.Event()
    people = [Player(service, int(table), some, shown, stop) for table, some in tokens.items()]
    watchers = [Watcher(service, slug, int(table), shown, stop) for table in tokens]
    watchers += [Watcher(service, slug, int(table), shown, stop, some[0]) for table, some in tokens.items()]
    people += watchers
    for one in people:
        one.start()
    first_move(shown, 0, service)

    waits, was_long = {}, False
    for name in targets(chance):
        before = len(shown.moves)
        until = time.monotonic() + PATIENCE
        while len(shown.moves) < before + TABLES and not shown.wrong:
            assert time.monotonic() < until, f"the tables stand still before {name} is killed"
            service.tend()
            time.sleep(0.02)  # within the moves that go on
        time.sleep(chance.uniform(0, 0.5))
        is_long = name == "web" and not was_long
        was_long |= is_long
        kill(name, service, postgres, redis_server, LONG if is_long else chance.uniform(0, 0.5))
        waits.setdefault(name, []).append(first_move(shown, time.monotonic(), service, f"{name} was killed"))
    time.sleep(1.0)
    stop.set()
    shown.done = True
    for one in people[:TABLES]:  # the others may wait for a stream that says nothing
        one.join(PATIENCE)
    assert shown.wrong == []

    service.stop()
    found = service.prepare([AFTERWARDS])
    every = sorted(wait for of_name in waits.values() for wait in of_name)
    told = {
        "seed": SEED,
        "tables": TABLES,
        "kills": {name: len(of_name) for name, of_name in waits.items()},
        "moves": len(found["keys"]),
        "hands": sum(state == "over" for _deal, state, *_more in found["deals"]),
        "first_move": {"p50": every[len(every) // 2], "p95": every[int(0.95 * (len(every) - 1))], "most": every[-1]},
        "slowest": {name: max(of_name) for name, of_name in waits.items()},
    }
    print(json.dumps(told))  # noqa: T201

    assert len(found["keys"]) == len(set(found["keys"]))
    assert shown.acknowledged <= set(found["keys"]) <= shown.sent
    for seen, events in shown.events.items():
        assert found["views"][seen][: len(events)] == events, f"what was shown of {seen} is not so any more"
    for deal, state, hands, scores, banks in found["deals"]:
        assert (hands, scores) == ((1, 4) if state == "over" else (0, 0)), deal
        assert set(banks) == {60_000}, f"the time of deal {deal} ran while nothing did"
    assert found["by_time"] == 0
    assert all(one.told for one in watchers)
