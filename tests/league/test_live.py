"""Streams of live pages, from a real `serve`: what they say, when they end, and what they cost."""

import asyncio
import contextlib
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from league import live
from league.models import Tournament
from league.services import take_back_role
from tests import cast
from tests.served import Served, Stream

PREPARE = """
from league.models import Role
made = [cast.tournament(name=name, visibility=seen) for name, seen in {wanted!r}]
for one in made:
    start(tournament=one, by=one.owner)
    Role.objects.create(tournament=one, user=cast.someone_else(), kind=Role.Kind.SPECTATOR)
print(json.dumps([[one.slug, cast.table(one, 1, 1).pk, one.roles.get().pk] for one in made]))
"""
HAND = {"went_out": "0", "cards_1": "R7 GD B6", "cards_3": "W"}


def serve(data, *wanted, **environment):
    """A server, and for each wanted (name, visibility) the slug, the first table's key and the spectator's role."""
    served = Served(data)
    served.environment |= environment
    made = served.prepare([PREPARE.format(wanted=wanted)])
    return served.start(), made


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """One server for all tests here that leave it running: (server, {name: (slug, table, role)})."""
    wanted = [("hand", "public"), ("missed", "public"), ("cut", "public"), ("closed", "public"), ("inside", "private")]
    served, made = serve(tmp_path_factory.mktemp("live"), *wanted)
    yield served, {name: one for (name, _seen), one in zip(wanted, made, strict=True)}
    served.stop()


@pytest.fixture(scope="module")
def scorer(evening):
    return evening[0].visitor()


@pytest.fixture
def few_streams(tmp_path):
    served, [[slug, *_keys]] = serve(tmp_path, ("few", "public"), WILD_STREAMS="2")
    yield served, slug
    served.stop()


def record(visitor, table, hand):
    fields = HAND | visitor.form(table, hand)
    assert visitor.post(f"/tables/{table}/", fields)[0] == 303


def version(visitor, slug):
    """The version that a page shows."""
    _status, text = visitor.get(f"/t/{slug}/standings/")
    return text.partition('data-version="')[2].partition('"')[0]


def test_every_open_stream_is_told_of_a_hand_and_of_nothing_but_its_number(evening, scorer):
    served, (slug, table, _role) = evening[0], evening[1]["hand"]
    before = version(scorer, slug)
    streams = [Stream(served.port, slug) for _ in range(3)]
    headers = streams[0].answer.headers
    assert headers["Content-Type"] == "text/event-stream"
    assert (headers["Cache-Control"], headers["X-Accel-Buffering"]) == ("no-store", "no")
    record(scorer, table, 1)
    now = version(scorer, slug)
    assert int(now) > int(before)
    for stream in streams:
        assert stream.event() == {"id": now, "event": "changed", "data": now}
        stream.close()


def test_who_comes_back_is_told_at_once_of_what_they_missed_and_else_of_nothing(evening, scorer):
    served, (slug, table, _role) = evening[0], evening[1]["missed"]
    seen = version(scorer, slug)
    record(scorer, table, 1)
    now = version(scorer, slug)
    assert Stream(served.port, slug, **{"Last-Event-ID": seen}).event()["id"] == now
    up_to_date = Stream(served.port, slug, **{"Last-Event-ID": now})
    record(scorer, table, 2)
    assert up_to_date.event()["id"] == version(scorer, slug) != now


def test_a_private_tournament_has_a_stream_for_those_who_may_look_and_ends_it_with_their_role(evening, scorer):
    served, (slug, table, role) = evening[0], evening[1]["inside"]
    spectator = served.visitor("sven@example.org")
    assert Stream(served.port, slug).answer.status == 404
    assert Stream(served.port, "no-such-tournament").answer.status == 404
    stream = Stream(served.port, slug, spectator)
    record(scorer, table, 1)
    assert stream.event()["event"] == "changed"
    assert scorer.post(f"/t/{slug}/people/{role}/take-back/", {})[0] == 302
    while stream.event():
        pass
    assert Stream(served.port, slug, spectator).answer.status == 404
    assert Stream(served.port, slug, scorer).answer.status == 200


def test_making_a_tournament_private_ends_the_streams_of_strangers(evening):
    served, (slug, *_keys) = evening[0], evening[1]["closed"]
    stranger = Stream(served.port, slug)
    change = f"Tournament.objects.filter(slug={slug!r}).update(visibility='private')"
    served.prepare([f"from league.models import Tournament; {change}; print(0)"])
    assert stranger.event() is None
    assert Stream(served.port, slug).answer.status == 404


def test_a_stream_cut_anywhere_leaves_nothing_behind(evening, scorer):
    served, (slug, table, _role) = evening[0], evening[1]["cut"]
    for length in (1, 20, 2000):
        with socket.create_connection(("127.0.0.1", served.port)) as cut:
            cut.sendall(f"GET /t/{slug}/live/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            cut.recv(length)
    whole = Stream(served.port, slug)
    record(scorer, table, 1)
    assert whole.event()["event"] == "changed"
    assert served.errors.read_text() == ""


def test_more_streams_than_allowed_come_later_and_none_holds_up_the_stop(few_streams):
    served, slug = few_streams
    first, second = (Stream(served.port, slug) for _ in range(2))
    refused = Stream(served.port, slug).answer
    assert (refused.status, refused.headers["Retry-After"]) == (503, "20")
    first.close()
    while (third := Stream(served.port, slug)).answer.status != 200:
        time.sleep(0.1)
    served.process.send_signal(signal.SIGINT)
    assert served.process.wait() == 0
    assert (second.event(), third.event()) == (None, None)
    assert "Traceback" not in served.errors.read_text()


def run_apart(coroutine):
    """In a thread of its own: the browser tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def test_a_watcher_who_is_slow_is_told_of_the_newest_alone():
    async def burst():
        watcher = live.Watcher(live.Mark(1, None))
        for number in (2, 3, 4):
            watcher.tell(live.Mark(number, None))
        told = await watcher.changed(1), watcher.mark.version
        return told, await watcher.changed(0.01)

    assert run_apart(burst()) == ((True, 4), False)


def test_however_many_streams_one_look_asks_once_for_all_of_them(monkeypatch):
    asked = []

    def read(tournaments):
        asked.append(tournaments)
        return {one: live.Mark(len(asked), None) for one in tournaments}

    async def watched():
        hub = live.Hub()
        with contextlib.ExitStack() as streams:
            all_of_them = [streams.enter_context(hub.watch(number % 3, live.Mark(0, None))) for number in range(60)]
            await asyncio.gather(*(one.changed(10) for one in all_of_them))
            looks = len(asked)
            return hub.streams, looks, [one.mark.version for one in all_of_them]

    monkeypatch.setattr(live, "_read", read)
    assert run_apart(watched()) == (60, 1, [1] * 60)
    assert asked == [(0, 1, 2)]


def test_when_the_database_is_gone_every_stream_ends(monkeypatch):
    def read(tournaments):
        raise OperationalError

    async def watched():
        hub = live.Hub()
        with hub.watch(1, live.Mark(1, None)) as watcher:
            await watcher.changed(10)
            return watcher.ended

    monkeypatch.setattr(live, "_read", read)
    assert run_apart(watched())


@pytest.mark.django_db
def test_one_query_reads_the_marks_of_all_tournaments():
    made = [cast.tournament(name=f"Evening {number}") for number in range(3)]
    with CaptureQueriesContext(connection) as asked:
        marks = live.marks(Tournament.objects.filter(pk__in=[one.pk for one in made]))
    assert len(asked) == 1
    assert {key: mark.version for key, mark in marks.items()} == {one.pk: live.version_of(one) for one in made}


@pytest.mark.django_db
def test_a_mark_tells_who_looks_only_of_private_tournaments():
    public, private = cast.tournament(), cast.tournament(visibility="private")

    def audience(made):
        return live.marks(Tournament.objects.filter(pk=made.pk))[made.pk].audience

    assert audience(public) is None
    role = private.roles.create(user=cast.someone_else(), kind="spectator")
    before = audience(private)
    take_back_role(role=role, by=private.owner)
    assert audience(private) != before
