"""`manage.py serve` as a process of its own: it starts on an empty folder, answers, and stops without complaint."""

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from django.conf import settings

from games.management.commands import serve


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
        """Wait for the line that says where the page is."""
        line = self.process.stdout.readline()
        assert line.startswith("Wild League is at http://"), line + self.process.stderr.read()
        return int(line.split()[4].rstrip("/").rpartition(":")[2])

    def finish(self):
        output, errors = self.process.communicate()
        return self.process.returncode, output, errors


@pytest.fixture
def start(tmp_path):
    servers = []

    def start(*options, **more):
        servers.append(Server(tmp_path, *options, **more))
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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_from_an_empty_folder_and_stopping_it_is_no_failure(start, tmp_path, number):
    server = start("--port", "0")
    port = server.port()
    assert status(port, "/healthz", "127.0.0.1") == 200
    assert status(port, "/readyz", "localhost") == 200
    assert (tmp_path / "wild.sqlite3").exists()
    server.process.send_signal(number)
    assert server.finish() == (0, "", "")


def test_an_open_connection_does_not_hold_up_the_stop(start):
    server = start("--port", "0")
    with socket.create_connection(("127.0.0.1", server.port())) as browser:
        browser.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert browser.recv(15) == b"HTTP/1.1 200 OK"
        server.process.send_signal(signal.SIGINT)
        assert server.finish()[0] == 0


def test_a_taken_port_is_refused_in_one_sentence(start):
    port = start("--port", "0").port()
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
    code, output, errors = start(*options).finish()
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


def test_this_machine_alone_is_no_local_network(monkeypatch):
    monkeypatch.setattr(serve.socket, "gethostbyname_ex", lambda name: (name, [], ["127.0.1.1", "192.168.1.20"]))
    assert "192.168.1.20" in serve.lan_addresses()
    assert "127.0.1.1" not in serve.lan_addresses()


def test_only_the_first_run_makes_a_demo_and_says_where_its_password_is(start, tmp_path):
    first = start("--port", "0", demo=True)
    said = [first.process.stdout.readline() for _ in range(2)]
    port = first.port()
    assert status(port, "/", "localhost") == 200
    assert "demo@example.org" in said[0]
    password_file = tmp_path / "demo_password"
    assert str(password_file) in said[1]
    assert password_file.read_text().strip() not in "".join(said)
    first.process.send_signal(signal.SIGINT)
    assert first.finish() == (0, "", "")

    again = start("--port", "0", demo=True)
    again.port()  # the first line it says is the address
    again.process.send_signal(signal.SIGINT)
    assert again.finish() == (0, "", "")


def test_a_demo_that_was_not_wanted_does_not_come_later(start, tmp_path):
    first = start("--port", "0")
    first.port()
    first.process.send_signal(signal.SIGINT)
    first.finish()
    start("--port", "0", demo=True).port()
    assert not (tmp_path / "demo_password").exists()
