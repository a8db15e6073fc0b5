"""Streams of live pages, from a real `serve`: what they say, when they end, and what they cost."""

import asyncio
import contextlib
import signal
import socket
import time

import pytest
import redis
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.online.play.notify import notify_page
from league.access.table_rows import at_table
from league.lib import wake as wakes
from league.live import stream as live
from league.log.write import note
from league.models import Round, Table, Tournament
from league.roles.roles import take_back_role
from league.rounds.steps import start
from tests import cast
from tests.apart import run_apart
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
def evening(programs, tmp_path_factory):
    """One server for all tests here that leave it running: (server, {name: (slug, table, role)})."""
    wanted = [("hand", "public"), ("missed", "public"), ("cut", "public"), ("closed", "public"), ("inside", "private")]
    wanted.append(("online", "public"))
    served, made = serve(tmp_path_factory.mktemp("live"), *wanted)
    yield served, {name: one for (name, _seen), one in zip(wanted, made, strict=True)}
    served.stop()


@pytest.fixture(scope="module")
def scorer(evening):
    return evening[0].visitor()


@pytest.fixture
def few_streams(programs, tmp_path):
    served, [[slug, *_keys]] = serve(tmp_path, ("few", "public"), WILD_STREAMS="2", WILD_STREAMS_AN_ADDRESS="2")
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


# One table of it

PLAY = """
from django.db import transaction
from games.online.play.notify import notify_page
from games.hands.locks import lock_table
with transaction.atomic():
    notify_page(lock_table({table}))
print(0)
"""


def test_a_table_s_stream_tells_of_its_play_too_and_that_of_the_tournament_does_not(evening, scorer):
    served, (slug, table, _role) = evening[0], evening[1]["online"]
    number = version(scorer, slug)
    at_the_table, of_it_all = Stream(served.port, slug, query=f"?table={table}"), Stream(served.port, slug)
    served.prepare([PLAY.format(table=table)])
    told = f"{number}.1"
    assert at_the_table.event() == {"id": told, "event": "changed", "data": told}
    assert Stream(served.port, slug, query=f"?table={table}&since={number}.0").event()["id"] == told
    record(scorer, table, 1)
    now = version(scorer, slug)
    assert int(now) > int(number)
    assert at_the_table.event()["id"] == f"{now}.1"
    assert of_it_all.event()["id"] == now, "the first that it hears of"


def test_a_table_has_a_stream_only_where_its_page_can_be_seen(evening):
    served, made = evening
    slug, table, _role = made["online"]
    other, inside = made["closed"][1], made["inside"]

    def status(slug, table, visitor=None):
        return Stream(served.port, slug, visitor, query=f"?table={table}").answer.status

    assert status(slug, table) == 200
    assert [status(slug, wrong) for wrong in (other, 0, "x", "1" * 30, "%C2%B2", "-1", "")] == [404] * 7
    assert status(inside[0], inside[1]) == 404
    assert status(inside[0], inside[1], served.visitor()) == 200


@pytest.mark.django_db
def test_a_table_that_is_void_or_in_a_round_that_nobody_sees_yet_has_no_stream(client):
    tournament = cast.tournament()
    start(tournament=tournament, by=tournament.owner)
    shown, draft = cast.table(tournament, 1, 1), cast.table(tournament, 2, 1)

    def status(table):
        return client.get(f"/t/{tournament.slug}/live/?table={table.pk}").status_code

    assert (status(shown), status(draft)) == (204, 404), "204: this server keeps no streams"
    Table.objects.filter(pk=shown.pk).update(state=Table.State.VOID)
    assert status(shown) == 404
    Table.objects.filter(pk=shown.pk).update(state=Table.State.SCHEDULED)
    Round.objects.filter(pk=shown.round_id).update(state=Round.State.VOID)
    assert status(shown) == 404


@pytest.mark.django_db
def test_two_queries_read_the_marks_of_all_tables_and_a_page_of_one_has_the_same_version():
    made = cast.tournament()
    start(tournament=made, by=made.owner)
    tables = [cast.table(made, 1, 1), cast.table(made, 1, 2)]
    notify_page(tables[1])
    topics = [live.Topic(made.pk), *(live.Topic(made.pk, table.pk) for table in tables), live.Topic(made.pk, 999_999)]
    with CaptureQueriesContext(connection) as asked:
        marks = live.marks_of(topics)
    assert len(asked) == 2
    number = live.version_of(made)
    assert {topic.table: str(mark) for topic, mark in marks.items()} == {
        None: str(number),
        tables[0].pk: f"{number}.0",
        tables[1].pk: f"{number}.1",
    }
    assert live.version_of_table(at_table(tables[1].pk).table) == f"{number}.1"


# Heard of before it is looked for


class FewLooks:
    """Marks that are read once, when the first stream opens; after that there is nothing but what is heard."""

    def __init__(self, monkeypatch):
        self.looks = 0
        monkeypatch.setattr(live, "EVERY", 3600)
        monkeypatch.setattr(live, "HEARING", 3600)
        monkeypatch.setattr(live, "_read", self.read)

    def read(self, topics):
        self.looks += 1
        return {topic: live.Mark(1, None, 0 if topic.table else None) for topic in topics}


async def looked(few):
    while not few.looks:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)


AT_5, ALL_OF_IT, AT_6, ELSEWHERE = live.Topic(1, 5), live.Topic(1), live.Topic(1, 6), live.Topic(2)


def watched_after(few, change, *, until, hub=None):
    """{topic: version that its stream was told}, once `until` were told after `change(hub)` was called."""

    async def watched():
        here = hub or live.Hub()
        topics = (AT_5, ALL_OF_IT, AT_6, ELSEWHERE)
        with contextlib.ExitStack() as streams:
            watchers = {
                topic: streams.enter_context(here.watch(topic, live.Mark(1, None, 0 if topic.table else None)))
                for topic in topics
            }
            await looked(few)
            await asyncio.to_thread(change, here)
            assert all([await watchers[topic].changed(20) for topic in until])
            return {topic: str(watcher.mark) for topic, watcher in watchers.items()}

    return run_apart(watched())


def test_what_is_played_at_a_table_is_told_to_its_streams_without_another_look(monkeypatch):
    few = FewLooks(monkeypatch)
    told = watched_after(few, lambda hub: hub.wake(wakes.Wake(1, 5, 7)), until=[AT_5])
    assert told == {AT_5: "1.7", ALL_OF_IT: "1", AT_6: "1.0", ELSEWHERE: "1"}
    assert few.looks == 1


def test_what_is_logged_is_told_to_all_streams_of_the_tournament(monkeypatch):
    few = FewLooks(monkeypatch)
    told = watched_after(few, lambda hub: hub.wake(wakes.Wake(1, None, 9)), until=[AT_5, ALL_OF_IT, AT_6])
    assert told == {AT_5: "9.0", ALL_OF_IT: "9", AT_6: "9.0", ELSEWHERE: "1"}
    assert few.looks == 1


def test_a_hand_that_ended_is_told_at_its_table_and_to_the_tournament_and_other_tables_take_note(monkeypatch):
    few = FewLooks(monkeypatch)
    told = watched_after(few, lambda hub: hub.wake(wakes.Wake(1, None, 2, about=5)), until=[AT_5, ALL_OF_IT])
    assert told == {AT_5: "2.0", ALL_OF_IT: "2", AT_6: "2.0", ELSEWHERE: "1"}
    other = live.Watcher(live.Mark(1, None, 0))
    other.hear(wakes.Wake(1, None, 2, about=5), elsewhere=True)
    assert (run_apart(other.changed(0.01)), str(other.mark)) == (False, "2.0")
    other.hear(wakes.Wake(1, None, 4, about=5), elsewhere=True)  # what the third row was is not known
    assert (run_apart(other.changed(1)), str(other.mark)) == (True, "4.0")


def test_a_wake_that_comes_late_or_twice_takes_nobody_back():
    watcher = live.Watcher(live.Mark(5, None, 5))
    for what in (wakes.Wake(1, None, 4), wakes.Wake(1, 7, 5), wakes.Wake(1, 7, 2)):
        watcher.hear(what)
    assert str(watcher.mark) == "5.5"
    assert run_apart(watcher.changed(0.01)) is False


def test_a_look_that_began_before_a_wake_does_not_take_it_back(monkeypatch):
    hub = live.Hub()

    def read(topics):
        hub.wake(wakes.Wake(1, 5, 7))  # while the query runs, which is of before
        return {topic: live.Mark(1, None, 0) for topic in topics}

    async def watched():
        with hub.watch(AT_5, live.Mark(1, None, 0)) as watcher:
            told = [await watcher.changed(20), str(watcher.mark)]
            return [*told, await watcher.changed(0.1), str(watcher.mark)]

    monkeypatch.setattr(live, "EVERY", 3600)
    monkeypatch.setattr(live, "_read", read)
    assert run_apart(watched()) == [True, "1.7", False, "1.7"]


@pytest.mark.django_db(transaction=True)
def test_a_change_is_told_after_its_commit_and_one_that_is_taken_back_never(monkeypatch):
    told = []
    tournament = cast.tournament()
    start(tournament=tournament, by=tournament.owner)
    table = cast.table(tournament, 1, 1)
    monkeypatch.setattr(wakes, "_listeners", [told.append])

    def change():
        notify_page(table)
        note(tournament=tournament, by=None, action="test")
        assert told == []

    with contextlib.suppress(ZeroDivisionError), transaction.atomic():
        change()
        raise ZeroDivisionError
    assert told == []
    table.refresh_from_db()
    with transaction.atomic():
        change()
    number = live.version_of(tournament)
    assert told == [wakes.Wake(tournament.pk, table.pk, 1), wakes.Wake(tournament.pk, None, number)]


# From process to process


def listened(redis_server, channel="wild-wakes-0"):
    with redis.Redis.from_url(redis_server.url) as client:
        while not client.pubsub_numsub(channel)[0][1]:
            time.sleep(0.01)


def test_redis_brings_a_wake_from_another_process_and_nothing_but_numbers(monkeypatch, redis_server, settings):
    settings.REDIS_URL = redis_server.url
    few, sender = FewLooks(monkeypatch), wakes.Sender()

    def change(hub):
        listened(redis_server)
        with redis.Redis.from_url(redis_server.url) as client:
            # Nothing of ours.
            for text in (
                "",
                "1 5",
                "1 5 x -",
                "{}",
                "other\n1 5 7",
                "1 5 7 - -",
                "other 1 5 7 - -",
                b"\xff\n1 5 7 - -",
            ):
                client.publish("wild-wakes-0", text)
            sender.send(wakes.Wake(1, 6, 8))  # its own, which its streams have heard already
            time.sleep(0.2)
            client.publish("wild-wakes-0", "other\n1 5 7 - -\n1 6 0 - -")

    told = watched_after(few, change, until=[AT_5])
    assert (told[AT_5], told[AT_6]) == ("1.7", "1.0")
    assert few.looks == 1
    both = [wakes.Wake(1, None, 7, 5, "ab.1"), wakes.Wake(1, 6, 8)]
    text = wakes.as_text(both)
    _own, _blank, lines = text.partition("\n")
    assert lines == "1 - 7 5 ab.1\n1 6 8 - -"
    assert (wakes.from_text(text.encode()), wakes.from_text(f"other\n{lines}".encode())) == ([], both)


def test_while_other_processes_are_heard_versions_are_looked_at_less_often(monkeypatch, redis_server, settings):
    settings.REDIS_URL = redis_server.url
    few = FewLooks(monkeypatch)
    monkeypatch.setattr(live, "EVERY", 0.01)

    async def watched():
        hub = live.Hub()
        with hub.watch(ALL_OF_IT, live.Mark(1, None)):
            while not hub._hears:
                await asyncio.sleep(0.01)
            before = few.looks
            await asyncio.sleep(0.3)
            assert few.looks <= before + 1, "the one that had begun"
            redis_server.kill()
            while hub._hears:
                await asyncio.sleep(0.01)

    run_apart(watched())


def test_streams_that_come_and_go_while_the_database_is_away_leave_one_listener(monkeypatch, redis_server, settings):
    settings.REDIS_URL = redis_server.url

    def away(topics):
        raise OperationalError("the database is away")

    monkeypatch.setattr(live, "_read", away)

    async def watched():
        hub = live.Hub()
        for _ in range(50):
            with hub.watch(ALL_OF_IT, live.Mark(1, None)) as watcher:
                await watcher.changed(20)
                assert watcher.ended
            await asyncio.sleep(0.01)
        async with asyncio.timeout(20):
            while not hub._hears:
                await asyncio.sleep(0.01)
        return len(asyncio.all_tasks())

    assert run_apart(watched()) == 2, "this one and the listener"


def test_two_installations_at_one_redis_do_not_hear_each_other():
    def channel(url):
        return wakes.channel_of(redis.Redis.from_url(url))

    assert channel("redis://host:6379/0") == channel("redis://host:6379") != channel("redis://host:6379/1")
    assert channel("unix:///path/redis.sock?db=3") == "wild-wakes-3"


def test_while_redis_is_down_streams_hear_by_looks_and_nothing_fails_or_waits(monkeypatch, tmp_path, settings):
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    versions = iter(range(2, 10_000))
    monkeypatch.setattr(live, "EVERY", 0.01)
    monkeypatch.setattr(live, "_read", lambda topics: {one: live.Mark(next(versions), None) for one in topics})

    async def watched():
        hub = live.Hub()
        with hub.watch(ALL_OF_IT, live.Mark(1, None)) as watcher:
            heard = [await watcher.changed(20) for _ in range(3)]
            return heard, watcher.ended

    assert run_apart(watched()) == ([True] * 3, False)
    sender = wakes.Sender()
    sender.send(wakes.Wake(1, None, 2))
    while not sender._silent_until:
        time.sleep(0.01)
    sender.send(wakes.Wake(1, None, 3))
    assert sender._waiting.empty(), "nothing piles up for a Redis that does not answer"
