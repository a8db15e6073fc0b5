"""Bodies of requests in memory (config/web.py): large ones that are sent slowly leave room for small ones."""

import asyncio
import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from config import web
from config.web import ALWAYS, BLOCK, MOST_BODY, MOST_WHOLE, SMALL, BodyMemory, WholeRequests

RESULT = 2_000
FORM = 40_000


class Server:
    """An application that answers each whole request with 200, and bodies that are sent but for their end."""

    def __init__(self):
        def pages(environ, start_response):
            start_response("200 OK", [])
            return [b""]

        self._application = WholeRequests(pages, threads=1, packs=False, groups=None)
        self._slow = []

    async def send(self, size, *, address="192.0.2.1", ends=True, headers=()):
        """The status of the answer; None while the body has no end."""
        statuses = []
        parts = [{"type": "http.request", "body": b"x" * size, "more_body": not ends}]

        async def receive():
            return parts.pop() if parts else await asyncio.Future()

        async def send(message):
            statuses.extend([message["status"]] if "status" in message else [])

        scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "http_version": "1.1"}
        scope |= {"headers": list(headers), "client": (address, 1)}
        asked = asyncio.ensure_future(self._application(scope, receive, send))
        if ends:
            await asked
        else:
            self._slow.append(asked)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        return statuses[0] if statuses else None

    async def stop(self):
        for asked in self._slow:
            asked.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*self._slow)


def tried(attack):
    """Run it with a server, which has no bodies in memory afterwards."""

    async def run():
        server = Server()
        await attack(server)
        await server.stop()
        memory = server._application._bodies
        assert (memory._small, memory._rest, dict(memory._of_address)) == (0, 0, {})

    # In a thread, since a browser test before this one leaves the loop of its driver running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, run()).result()


def test_slow_large_bodies_of_one_address_leave_others_the_other_half():
    async def attack(server):
        answers = [await server.send(MOST_BODY - 1, ends=False) for _body in range(21)]
        assert answers.count(None) == 9 and answers.count(503) == 12
        assert await server.send(RESULT) == 200
        assert await server.send(FORM) == 200
        assert await server.send(MOST_BODY, address="192.0.2.2") == 200

    tried(attack)


def test_slow_large_bodies_of_many_addresses_keep_out_no_small_one():
    async def attack(server):
        answers = [await server.send(MOST_BODY, address=f"192.0.2.{host}", ends=False) for host in range(40)]
        assert answers.count(503) == 40 - 18
        assert await server.send(MOST_BODY, address="198.51.100.1") == 503
        assert await server.send(FORM) == 200

    tried(attack)


def test_a_result_has_room_when_small_bodies_have_taken_all():
    async def attack(server):
        for number in range(1100):
            await server.send(SMALL, address=f"192.0.2.{number % 10}", ends=False)
        assert await server.send(SMALL) == 503
        assert await server.send(ALWAYS) == await server.send(RESULT) == 200

    tried(attack)


def test_behind_our_proxy_the_address_is_the_visitors(settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    async def attack(server):
        for host in range(18):
            forged = [(b"x-forwarded-for", f"203.0.113.{host}, 192.0.2.1".encode())]
            await server.send(MOST_BODY, address="10.0.0.1", ends=False, headers=forged)
        from_another = [(b"x-forwarded-for", b"192.0.2.2")]
        assert await server.send(MOST_BODY, address="10.0.0.1", headers=from_another) == 200

    tried(attack)


@pytest.mark.parametrize("sizes", [(SMALL, SMALL + 1), (1, ALWAYS, ALWAYS + 1, SMALL, MOST_BODY)])
def test_a_body_that_grows_is_counted_once(sizes):
    memory = BodyMemory()
    with memory.place("192.0.2.1") as grow_to:
        assert all(grow_to(size) for size in sizes)
        assert memory._small + memory._rest == sizes[-1]
    assert memory._small + memory._rest == 0


class Download:
    """A request for a file of `size` bytes; the client leaves after `leaves_after` blocks."""

    def __init__(self, folder, size, *, leaves_after=10**9, method="GET"):
        self._path, self._leaves_after, self._method = folder / "backup.zip", leaves_after, method
        self.content = bytes(range(256)) * (size // 256 + 1)
        self._path.write_bytes(self.content)
        self.blocks, self.closed = [], 0

    def pages(self, environ, start_response):
        start_response("200 OK", [("Content-Type", "application/zip")])
        file = environ["wsgi.file_wrapper"](self._path.open("rb"), 4096)
        closed = file.close

        def close():
            self.closed += 1
            closed()

        file.close = close
        return file

    async def run(self):
        asked, left = False, asyncio.Event()

        async def receive():
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": b""}
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            if message.get("body"):
                self.blocks.append(message["body"])
            if len(self.blocks) == self._leaves_after:
                left.set()
                await asyncio.Future()

        scope = {"type": "http", "method": self._method, "path": "/", "query_string": b"", "http_version": "1.1"}
        application = WholeRequests(self.pages, threads=1, packs=True, groups=None)
        await asyncio.wait_for(application(scope | {"headers": [], "client": ("192.0.2.1", 1)}, receive, send), 60)
        return self


def downloaded(*arguments, **options):
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, Download(*arguments, **options).run()).result()


def test_a_large_file_is_sent_in_blocks_and_a_small_one_whole(tmp_path):
    large = downloaded(tmp_path, 5 * MOST_WHOLE)
    assert max(map(len, large.blocks)) == BLOCK and b"".join(large.blocks) == large.content and large.closed == 1
    small = downloaded(tmp_path, MOST_WHOLE // 2)
    assert small.blocks == [small.content] and small.closed == 1
    assert downloaded(tmp_path, 5 * MOST_WHOLE, method="HEAD").blocks == []


def test_a_client_that_leaves_ends_the_reading_of_a_large_file(tmp_path):
    left = downloaded(tmp_path, 5 * MOST_WHOLE, leaves_after=2)
    assert len(left.blocks) == 2 and left.closed == 1


def test_a_request_that_hangs_is_logged_with_its_place_and_one_that_waits_for_it_too(monkeypatch):
    logged, let_go, all_told = [], threading.Event(), threading.Event()

    def told(event, **details):
        logged.append((event, details))
        if len(logged) == 2:
            all_told.set()

    def pages(environ, start_response):
        start_response("200 OK", [])
        assert let_go.wait(30)
        return [b""]

    monkeypatch.setattr(web, "STUCK", 0.05)
    monkeypatch.setattr(web.logger, "error", told)
    server = Server()
    server._application._pages = pages

    async def run():
        both = [asyncio.ensure_future(server.send(RESULT)) for _request in range(2)]
        await asyncio.get_running_loop().run_in_executor(None, all_told.wait, 30)
        let_go.set()
        assert await asyncio.gather(*both) == [200, 200]

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, run()).result()
    assert sorted(event for event, _details in logged) == ["request_stuck", "request_waits_for_a_thread"]
    [where] = [details["where"] for event, details in logged if event == "request_stuck"]
    assert "let_go.wait(30)" in where and all(details["request"] == "POST /" for _event, details in logged)
