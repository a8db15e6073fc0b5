"""Forty connections that send a byte a second stop nobody else, at `web` without a proxy, at `stream` and at `serve`.

`WILD_SLOW_SECONDS` says for how long (60 in full), `WILD_WITHIN` how many seconds an answer may take meanwhile (1 in
full; more by default, for a machine that does other things).
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.conf import settings

from tests.served import Served
from tests.test_production import free_port

SLOW = int(os.environ.get("WILD_SLOW_SECONDS") or 13)  # longer than a body may take, so that they come again
WITHIN = float(os.environ.get("WILD_WITHIN") or 5)
CONNECTIONS = 40
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
POST = b"POST /i18n/setlang/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


def answer_to(port: int, sent: bytes, timeout: float = 20) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.sendall(sent)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
        return b"".join(parts)


PLAIN = ("--lifespan", "off")


class Web(Served):
    """The web processes of production by themselves, on SQLite; or a stream process. before: a command that runs it."""

    def __init__(self, folder: Path, what: str, before: Sequence[str] = ()) -> None:
        super().__init__(folder)
        self.port = free_port()
        commands = {
            "web": ["gunicorn", "--config", "python:config.gunicorn.conf", "--bind", f"127.0.0.1:{self.port}"],
            "stream": ["uvicorn", "--factory", "config.web:stream", "--port", str(self.port), *PLAIN],
        }
        with self.errors.open("ab") as log:
            command = [*before, sys.executable, "-m", *commands[what]]
            self.process = subprocess.Popen(
                command, env=self.environment, cwd=settings.BASE_DIR, stdout=log, stderr=log
            )
        until = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError):
                if answer_to(self.port, HEALTH).startswith(b"HTTP/1.1 200"):
                    return
            assert time.monotonic() < until, self.errors.read_text()
            time.sleep(0.1)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(params=["web", "stream"])
def served(request, tmp_path):
    web = Web(tmp_path, request.param)
    yield web.port
    web.end()


@pytest.fixture
def web(tmp_path):
    one = Web(tmp_path, "web")
    yield one.port
    one.end()


@pytest.fixture
def stream(tmp_path):
    one = Web(tmp_path, "stream")
    yield one.port
    one.end()


@pytest.fixture
def proxied(web, tmp_path):
    """docker/Caddyfile in front of the web processes, which have another address here."""
    if (caddy := shutil.which("caddy")) is None:
        pytest.skip("Caddy is not installed: docker/Caddyfile is not tried.")
    port = free_port()
    text = (settings.BASE_DIR / "docker" / "Caddyfile").read_text()
    upstream = re.compile(r"dynamic a web 8000 \{.*?\}", re.DOTALL)
    changed, times = upstream.subn(f"to 127.0.0.1:{web}", text)
    assert times == 1
    (tmp_path / "Caddyfile").write_text("{\n\tadmin off" + changed.removeprefix("{"))
    home = {"HOME": str(tmp_path), "WILD_SITE": f"http://localhost:{port}"}
    process = subprocess.Popen([caddy, "run", "--config", tmp_path / "Caddyfile"], env=os.environ | home)
    until = time.monotonic() + 30
    while True:
        with contextlib.suppress(OSError):
            if answer_to(port, HEALTH).startswith(b"HTTP/1.1 200"):
                break
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.1)
    yield port
    process.terminate()
    process.wait(20)


def drip(port: int, until: float, answers: list[bytes]) -> None:
    """A byte a second, and again when the connection is closed."""
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(POST + b"Content-Length: 1000\r\n\r\n")
            while time.monotonic() < until:
                connection.sendall(b"x")
                try:
                    answers.append(connection.recv(12))
                    break
                except TimeoutError:
                    pass


def test_forty_slow_bodies_stop_nobody(served):
    answers = while_bodies_drip(served)
    assert answers and set(answers) <= {b"HTTP/1.1 408", b"HTTP/1.1 413"}, "each was told in the end"


def test_forty_slow_bodies_stop_nobody_behind_the_proxy_either(proxied):
    while_bodies_drip(proxied)


def while_bodies_drip(served: int) -> list[bytes]:
    """Ask for /healthz meanwhile; returns what those who drip were told."""
    until, answers = time.monotonic() + SLOW, []
    slow = [threading.Thread(target=drip, args=(served, until, answers), daemon=True) for _one in range(CONNECTIONS)]
    for one in slow:
        one.start()
    took = []
    while time.monotonic() < until:
        began = time.monotonic()
        assert answer_to(served, HEALTH, timeout=WITHIN).startswith(b"HTTP/1.1 200")
        took.append(time.monotonic() - began)
        time.sleep(0.2)
    for one in slow:
        one.join(10)
    assert max(took) < WITHIN, f"the slowest of {len(took)} answers took {max(took):.3f} s"
    return answers


@pytest.mark.parametrize("path", [b"/i18n/setlang/", b"/t/autumn/live/", b"/new/"])
def test_what_strangers_send_is_refused_before_it_reaches_the_disk(served, path, tmp_path):
    head = POST.replace(b"/i18n/setlang/", path)
    assert answer_to(served, head + b"Content-Length: 300000000\r\n\r\n").startswith(b"HTTP/1.1 413")
    with socket.create_connection(("127.0.0.1", served), timeout=20) as connection:
        connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            for _piece in range(100):
                connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            assert connection.recv(12) == b"HTTP/1.1 413"


def test_more_bodies_at_once_than_the_memory_is_for_are_told_to_come_again(web):
    """Each is small enough by itself; together they would be 120 MB in a process."""
    waiting = []
    for _one in range(50):
        connection = socket.create_connection(("127.0.0.1", web), timeout=20)
        with contextlib.suppress(ConnectionError):
            connection.sendall(POST + b"Content-Length: 3000000\r\n\r\n" + b"x" * 2_900_000)
        waiting.append(connection)
    refused = 0
    for connection in waiting:
        connection.settimeout(0.3)
        with contextlib.suppress(OSError):
            refused += connection.recv(12) == b"HTTP/1.1 503"
        connection.close()
    assert refused
    assert answer_to(web, HEALTH).startswith(b"HTTP/1.1 200")


def test_a_result_has_room_while_slow_large_bodies_fill_the_memory(stream):
    """21 bodies without an end, of 60 MB together, from one address."""
    slow = [socket.create_connection(("127.0.0.1", stream), timeout=20) for _body in range(21)]
    for connection in slow:
        with contextlib.suppress(ConnectionError):
            connection.sendall(POST + b"Content-Length: 2900000\r\n\r\n" + b"x" * 2_857_119)
    form = b"language=fr&next=%2Frules%2F&more=".ljust(2000, b"x")
    result = POST + b"Connection: close\r\nContent-Length: 2000\r\n\r\n" + form
    answers = []
    for _result in range(26):
        answers.append(answer_to(stream, result)[:12])
        time.sleep(0.1)  # the server still reads what it was sent
    for connection in slow:
        connection.close()
    assert set(answers) == {b"HTTP/1.1 302"}


def test_a_whole_form_is_answered_as_ever(web):
    body = b"language=fr&next=%2Frules%2F"
    answer = answer_to(web, POST + b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
    assert answer.startswith(b"HTTP/1.1 302") and b"django_language=fr" in answer
