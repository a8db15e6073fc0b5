"""docker/Caddyfile: which process gets what, and who takes its place while it is away."""

import contextlib
import http.client
import os
import shutil
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.conf import settings

from tests.test_production import free_port

UPSTREAMS = {"stream:8001": "first", "stream2:8001": "second", "web:8000": "web"}


def answering(name):
    """A server that says its name to whoever asks."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(name)))
            self.end_headers()
            self.wfile.write(name.encode())

        do_POST = do_GET

        def log_message(self, *what):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture
def proxy(programs, tmp_path):
    """(port of Caddy, {name: server})"""
    if (caddy := shutil.which("caddy")) is None:
        pytest.skip("Caddy is not installed: docker/Caddyfile is not tried.")
    folder, port = tmp_path, free_port()
    servers = {name: answering(name) for name in UPSTREAMS.values()}
    text = (settings.BASE_DIR / "docker" / "Caddyfile").read_text()
    web = servers["web"].server_address[1]
    text = text.replace("dynamic a web 8000", f"dynamic a 127.0.0.1 {web}")
    for address, name in UPSTREAMS.items():
        text = text.replace(address, f"127.0.0.1:{servers[name].server_address[1]}")
    (folder / "Caddyfile").write_text("{\n\tadmin off" + text.removeprefix("{"))
    environment = os.environ | {"HOME": str(folder), "WILD_SITE": f"http://localhost:{port}"}
    process = subprocess.Popen([caddy, "run", "--config", folder / "Caddyfile"], env=environment)
    until = time.monotonic() + 30
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError):
            ask(port, "GET", "/")
            break
        time.sleep(0.1)
    yield port, servers
    process.terminate()
    process.wait(20)
    for server in servers.values():
        server.shutdown()


def ask(port, method, path):
    connection = http.client.HTTPConnection("localhost", port, timeout=20)
    connection.request(method, path)
    return connection.getresponse().read().decode()


WHO = (
    ("/", "web"),
    ("/tables/12/", "web"),
    ("/t/evening/standings/", "web"),
    ("/t/evening/live/", "first"),
    ("/t/evening/live/?since=4", "first"),
    ("/t/evening/live/?table=12&show=page&as=abc", "first"),
    ("/t/evening/live/?show=page&table=7&as=abc", "second"),
    ("/tables/12/play/", "first"),
    ("/tables/12/play/act/", "first"),
    ("/tables/21/play/?as=abc", "second"),
    ("/tables/7/play/ready/", "second"),
)


def test_a_table_has_its_streams_and_its_play_in_one_process(proxy):
    for path, name in WHO:
        method = "POST" if path.endswith(("act/", "ready/")) else "GET"
        assert ask(proxy[0], method, path) == name, path


def test_while_a_process_is_away_the_other_takes_its_tables_and_then_web(proxy):
    port, servers = proxy
    for name, instead in (("second", "first"), ("first", "web")):
        servers[name].shutdown()
        servers[name].server_close()
        assert ask(port, "POST", "/tables/7/play/act/") == instead
        assert ask(port, "GET", "/tables/12/play/") == instead
