"""`manage.py serve` as a process of its own: it starts on an empty folder, answers, and stops without complaint."""

import io
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from django.conf import settings

from games.management.commands import serve
from tests.served import migrated

pytestmark = pytest.mark.slow


class Server:
    def __init__(self, data, *options, demo=False, **environment):
        environment = os.environ | environment | {"WILD_DATA": str(data), "PYTHONUNBUFFERED": "1"}
        environment.pop("DATABASE_URL", None)
        command = [sys.executable, settings.BASE_DIR / "manage.py", "serve", *options]
        if not demo:
            command.append("--no-demo")
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def port(self):
        """Wait for the line that says where the page is; what was said before it is kept in `said`."""
        self.said = []
        while not (line := self.process.stdout.readline()).startswith("Wild League is at http://"):
            assert line, "".join(self.said) + self.process.stderr.read()
            self.said.append(line)
        return int(line.split()[4].rstrip("/").rpartition(":")[2])

    def finish(self):
        output, errors = self.process.communicate()
        return self.process.returncode, output, errors


@pytest.fixture
def start(tmp_path):
    """A function that starts a server on the test's folder, which has its tables already unless it is to be empty."""
    servers = []

    def start(*options, empty=False, data=tmp_path, **more):
        if not empty and not (data / "wild.sqlite3").exists():
            shutil.copy(migrated(), data)
        servers.append(Server(data, *options, **more))
        return servers[-1]

    yield start
    for server in servers:
        server.process.kill()
        server.process.communicate()


def status(port, path, host):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Host": host})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.fixture(scope="module")
def first_run(tmp_path_factory):
    """A folder that was not there, on which a server without a demo ran once; what it answered, how it ended."""
    data = tmp_path_factory.mktemp("first") / "data"
    server = Server(data, "--port", "0")
    try:
        port = server.port()
        answered = status(port, "/healthz", "127.0.0.1"), status(port, "/readyz", "localhost")
        server.process.send_signal(signal.SIGINT)
        return data, answered, server.finish()
    finally:
        server.process.kill()


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """That of a server which goes on, for tests that only ask it something."""
    data = tmp_path_factory.mktemp("serves")
    shutil.copy(migrated(), data)
    server = Server(data, "--port", "0")
    yield server.port()
    server.process.kill()
    server.process.communicate()


def test_it_serves_from_an_empty_folder_and_stopping_it_is_no_failure(first_run):
    data, answered, ended = first_run
    assert answered == (200, 200)
    assert (data / "wild.sqlite3").exists()
    assert ended == (0, "", "")


def test_a_service_manager_stops_it_without_failure_too(start):
    server = start("--port", "0")
    server.port()
    server.process.send_signal(signal.SIGTERM)
    assert server.finish() == (0, "", "")


def test_an_open_connection_does_not_hold_up_the_stop(start):
    server = start("--port", "0")
    with socket.create_connection(("127.0.0.1", server.port())) as browser:
        browser.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert browser.recv(15) == b"HTTP/1.1 200 OK"
        server.process.send_signal(signal.SIGINT)
        assert server.finish()[0] == 0


def test_a_taken_port_is_refused_in_one_sentence(start, port):
    second = start("--port", str(port))
    assert second.finish() == (
        2,
        "",
        f"Port {port} is taken by another program; choose a free one, for example --port {port + 1}.\n",
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--port", "70000"], "There is no port 70000; choose one from 1024 to 65535 with --port.\n"),
        (["--host", "192.0.2.7"], "Cannot listen on 192.0.2.7, port 8000: "),
    ],
)
def test_an_address_that_is_not_there_is_refused(start, tmp_path, options, sentence):
    code, output, errors = start(*options, empty=True).finish()
    assert (code, output) == (2, "")
    assert errors.startswith(sentence)
    assert errors.count("\n") == 1
    assert not (tmp_path / "wild.sqlite3").exists()


def test_on_the_local_network_its_address_is_printed_and_let_in(start):
    addresses = serve.lan_addresses()
    server = start("--host", "0.0.0.0", "--port", "0")
    port = server.port()
    assert status(port, "/healthz", "league.example") == 400
    for address in addresses:
        assert server.process.stdout.readline() == f"On the local network: http://{address}:{port}/\n"
        assert status(port, "/healthz", f"{address}:{port}") == 200
    if not addresses:
        assert server.process.stdout.readline() == "This machine has no address on a local network now.\n"


def test_allowed_hosts_that_are_named_are_left_as_they_are(start):
    server = start("--host", "0.0.0.0", "--port", "0", WILD_ALLOWED_HOSTS="league.example")
    port = server.port()
    assert status(port, "/healthz", "league.example") == 200
    for address in serve.lan_addresses():
        assert status(port, "/healthz", address) == 400


def test_a_network_that_leads_nowhere_has_addresses_too(monkeypatch):
    """Without a default route no packet says where it would leave from, and many machines do not know their name."""

    class NoRoute(socket.socket):
        def connect(self, address):
            raise OSError("Network is unreachable")

    monkeypatch.setattr(serve.socket, "socket", NoRoute)
    monkeypatch.setattr(serve.socket, "gethostbyname_ex", lambda name: (name, [], ["127.0.1.1"]))
    monkeypatch.setattr(serve, "interface_addresses", lambda: iter(["127.0.0.1", "192.168.1.20", "192.168.1.20"]))
    assert serve.lan_addresses() == ["192.168.1.20"]


@pytest.mark.skipif(sys.platform != "linux", reason="it asks Linux")
def test_the_interfaces_of_this_machine_are_found():
    assert "127.0.0.1" in list(serve.interface_addresses())


def test_a_terminal_shows_a_qr_code_of_the_first_address_and_a_file_does_not(monkeypatch):
    class Terminal(io.TextIOWrapper):
        def isatty(self):
            return True

    def said(encoding, kind=Terminal):
        out = kind(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr(serve.sys, "stdout", out)
        serve.Command(stdout=out).tell_addresses("0.0.0.0", 8000, ["192.168.1.20", "10.0.0.5"])
        out.seek(0)
        return out.read()

    assert said("utf-8").endswith(f"scan this:\n{serve.qr('http://192.168.1.20:8000/')}")
    assert "█" in said("utf-8")
    assert "scan" not in said("ascii")
    assert "scan" not in said("utf-8", io.TextIOWrapper)


def test_this_machine_is_named_since_passkeys_need_a_name():
    assert serve.local_address("127.0.0.1", 8000) == serve.local_address("0.0.0.0", 8000) == "http://localhost:8000"
    assert serve.local_address("192.168.1.20", 8000) == "http://192.168.1.20:8000"
    assert serve.local_address("::1", 8000) == "http://[::1]:8000"


def test_this_machine_alone_is_no_local_network(monkeypatch):
    monkeypatch.setattr(serve.socket, "gethostbyname_ex", lambda name: (name, [], ["127.0.1.1", "192.168.1.20"]))
    assert "192.168.1.20" in serve.lan_addresses()
    assert "127.0.1.1" not in serve.lan_addresses()


def test_the_first_run_makes_a_demo_and_prints_its_password_and_later_ones_say_where_it_is(start, tmp_path):
    first = start("--port", "0", demo=True)
    port = first.port()
    assert status(port, "/", "localhost") == 200
    said = "".join(first.said)
    password_file = tmp_path / "demo_password"
    assert "demo@example.org" in said
    assert str(password_file) in said
    password = password_file.read_text().strip()
    assert password in said
    first.process.send_signal(signal.SIGINT)
    assert first.finish() == (0, "", "")

    again = start("--port", "0", demo=True)
    port = again.port()
    said = "".join(again.said)
    assert "demo@example.org" in said and str(password_file) in said and password not in said
    urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz").close()  # it has loaded everything
    again.process.send_signal(signal.SIGINT)
    assert again.finish() == (0, "", "")


def test_a_demo_that_was_not_wanted_does_not_come_later(start, first_run):
    data = first_run[0]
    start("--port", "0", data=data, demo=True).port()
    assert not (data / "demo_password").exists()


def test_sqlite_writes_through_to_the_disk(start, tmp_path):
    """What was answered survives a crash of the machine, which kill -9 does not show: the page cache survives."""
    start("--port", "0").port()
    lines = (
        "from django.db import connection",
        "cursor = connection.cursor()",
        "print(*(cursor.execute(f'PRAGMA {name}').fetchone()[0] for name in ('synchronous', 'journal_mode')))",
    )
    script = "\n".join(lines)
    command = [sys.executable, settings.BASE_DIR / "manage.py", "shell", "--verbosity=0", "-c", script]
    environment = os.environ | {"WILD_DATA": str(tmp_path), "DATABASE_URL": ""}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["2", "wal"]  # 2 is FULL


def test_the_data_directory_is_for_its_owner_alone(first_run):
    data = first_run[0]
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o600


def test_with_a_broker_for_others_it_serves_pages_alone(start):
    nowhere = {"REDIS_URL": "redis://127.0.0.1:1/0"}
    server = start("--port", "0", **nowhere)
    assert status(server.port(), "/", "localhost") == 200
    server.process.send_signal(signal.SIGINT)
    assert server.finish() == (0, "", "")


def test_told_so_it_runs_the_worker_all_the_same_and_stops_though_the_broker_is_not_there(start):
    server = start("--port", "0", "--with-worker", REDIS_URL="redis://127.0.0.1:1/0")
    assert status(server.port(), "/", "localhost") == 200
    server.process.send_signal(signal.SIGINT)
    code, _output, errors = server.finish()
    assert code == 0
    assert "Traceback" not in errors


def test_a_host_that_is_not_ours_is_refused_with_one_line_in_the_log(start):
    server = start("--port", "0")
    port = server.port()
    assert [status(port, "/", "evil.example") for _time in range(2)] == [400, 400]
    server.process.send_signal(signal.SIGINT)
    code, output, errors = server.finish()
    assert (code, output, errors.count("\n")) == (0, "", 1)
    assert "Requests for the unknown host 'evil.example' are refused." in errors


def opened(port, text):
    """A connection on which this was sent, and whose answer nobody reads yet."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(text)
    return connection


def answer_to(port, text):
    with opened(port, text) as connection:
        return connection.recv(65536).decode("latin-1")


def whole_answer_to(port, text):
    """Read on until the server closes, as it does when it refuses; the body may come after the headers."""
    with opened(port, text) as connection:
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode("latin-1")


HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
SWITCH = b"POST /i18n/setlang/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


def test_phones_whose_forms_arrive_slowly_do_not_keep_everybody_waiting(start):
    server = start("--port", "0")
    port = server.port()
    slow = [opened(port, SWITCH + b"Content-Length: 900\r\n\r\nlanguage=fr") for _phone in range(25)]
    assert answer_to(port, HEALTH).startswith("HTTP/1.1 200")
    server.process.send_signal(signal.SIGINT)
    code, _output, errors = server.finish()
    assert (code, "Traceback" in errors) == (0, False)
    for connection in slow:
        connection.close()


def test_phones_that_read_slowly_do_not_keep_everybody_waiting(port):
    large = b"GET /static/drf_spectacular_sidecar/redoc/bundles/redoc.standalone.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    slow = [opened(port, large * 20) for _phone in range(15)]
    assert [connection.recv(15) for connection in slow] == [b"HTTP/1.1 200 OK"] * len(slow)
    assert answer_to(port, HEALTH).startswith("HTTP/1.1 200")
    for connection in slow:
        connection.close()


def test_a_form_that_comes_in_chunks_is_read_like_any_other(port):
    body = b"1c\r\nlanguage=fr&next=%2Frules%2F\r\n0\r\n\r\n"
    answer = answer_to(port, SWITCH + b"Transfer-Encoding: chunked\r\n\r\n" + body)
    assert answer.startswith("HTTP/1.1 302") and "django_language=fr" in answer and "location: /rules/" in answer


@pytest.mark.parametrize("path", [b"/i18n/setlang/", b"/t/autumn/live/"])
def test_what_is_too_large_is_refused_before_it_fills_anything(port, path):
    head = SWITCH.replace(b"/i18n/setlang/", path)
    assert answer_to(port, head + b"Content-Length: 9999999999999\r\n\r\n").startswith("HTTP/1.1 413")
    with opened(port, head + b"Transfer-Encoding: chunked\r\n\r\n") as connection:
        try:
            for _piece in range(100):
                connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        except ConnectionError:
            return  # it was closed on us while we went on
        assert connection.recv(12) == b"HTTP/1.1 413"


def test_a_file_that_is_too_large_is_refused_with_a_sentence_and_by_the_api_as_a_problem(port):
    large = SWITCH + b"Content-Length: 3000001\r\n\r\n"
    assert "This is larger than 3 MB" in whole_answer_to(port, large)
    answer = whole_answer_to(port, large.replace(b"/i18n/setlang/", b"/api/v1/tournaments/"))
    assert "application/problem+json" in answer and "This is larger than 3 MB" in answer and "/too-large" in answer


def test_a_header_does_not_pass_for_another_of_nearly_that_name(port):
    """As gunicorn does: a proxy in front sets X-Forwarded-For and lets X_Forwarded_For through."""
    ask = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n%b\r\n"
    assert answer_to(port, ask % b"X-Forwarded-For: 192.0.2.7\r\n").startswith("HTTP/1.1 404")
    assert answer_to(port, ask % b"X_Forwarded_For: 192.0.2.7\r\n").startswith("HTTP/1.1 200")


def test_a_hall_full_of_browsers_is_let_in_where_the_system_begins_with_few_open_files(start):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        server = start("--port", "0")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    port = server.port()
    unused = [socket.create_connection(("127.0.0.1", port), timeout=20) for _browser in range(300)]
    assert answer_to(port, HEALTH).startswith("HTTP/1.1 200")
    for connection in unused:
        connection.close()
    server.process.send_signal(signal.SIGINT)
    assert server.finish() == (0, "", "")


HELD = """
import pathlib, time
pathlib.Path({held!r}).touch()
while not pathlib.Path({free!r}).exists():
    time.sleep(0.02)
raise ImportError
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "module",
    [
        "segno",  # with the command, before it listens
        "uvloop",  # with the event loop, when it listens and has said so
    ],
)
def test_stopping_it_while_it_loads_is_no_failure(start, tmp_path, number, module):
    slow, held, free = tmp_path / "slow", tmp_path / "held", tmp_path / "free"
    slow.mkdir()
    (slow / f"{module}.py").write_text(HELD.format(held=str(held), free=str(free)))
    server = start("--port", "0", PYTHONPATH=str(slow))
    while not held.exists():
        assert server.process.poll() is None, server.finish()
        time.sleep(0.02)
    server.process.send_signal(number)
    free.touch()
    code, output, errors = server.finish()
    assert (code, errors) == (0, "")
    assert ("Wild League is at" in output) == (module == "uvloop")
