"""What stands behind a real proxy in these tests, and how to ask through it."""

import contextlib
import http.client
import socket
import ssl
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.served import Visitor

HOST = "cards.example.org"
UNVERIFIED = ssl._create_unverified_context()


def free_port(address="127.0.0.1"):
    with socket.create_server((address, 0)) as probe:
        return probe.getsockname()[1]


def answering(name, at=("127.0.0.1", 0)):
    """A server that responds with its name."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(200)
            self.send_header("Content-Length", str(len(name)))
            self.end_headers()
            self.wfile.write(name.encode())

        do_POST = do_GET

        def log_message(self, *what):
            pass

    server = ThreadingHTTPServer(at, Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def end(server):
    server.shutdown()
    server.server_close()


@contextlib.contextmanager
def running(command, port, **options) -> Iterator[None]:
    """Run a proxy, from when it speaks https on the port: Caddy makes its certificate after it has begun to listen."""
    process = subprocess.Popen(command, **options)
    try:
        until = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), contextlib.closing(Connection(port, HOST, timeout=5)) as connection:
                connection.connect()
                break
            assert process.poll() is None and time.monotonic() < until, f"{command[0]} doesn't speak https"
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(20)


class Connection(http.client.HTTPSConnection):
    """A connection to a proxy on this machine, by the name in its file."""

    def __init__(self, port, name, timeout):
        super().__init__(name, port, timeout=timeout, context=UNVERIFIED)

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        self.sock = UNVERIFIED.wrap_socket(plain, server_hostname=self.host)


class Through(Visitor):
    """A browser that opens the service by its name and https, through a proxy."""

    def __init__(self, port, name=HOST):
        super().__init__(port)
        self.name = name

    def connect(self, timeout=60):
        return Connection(self.port, self.name, timeout)

    def _ask(self, method, path, body, headers):
        named = {"Host": self.name} | ({"Origin": f"https://{self.name}"} if method == "POST" else {})
        return super()._ask(method, path, body, headers | named)

    def ask(self, method, path):
        """Status and text of a request without a form."""
        return self._ask(method, path, None, {})

    def head(self, path):
        """Status and headers of a GET, with Set-Cookie as a list."""
        connection = self.connect()
        connection.request("GET", path, headers={"Host": self.name, "Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status, answer.headers


class Names:
    """A name server, as Docker's: the name of a service has the addresses of all its processes."""

    def __init__(self, addresses):
        self.addresses = addresses  # {name: [address]}, may change
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                query, sender = self._socket.recvfrom(512)
                self._socket.sendto(self._answer(query), sender)

    def _answer(self, query):
        labels, at = [], 12
        while length := query[at]:
            labels.append(query[at + 1 : at + 1 + length].decode())
            at += 1 + length
        question, (kind,) = query[12 : at + 5], struct.unpack("!H", query[at + 1 : at + 3])
        known = self.addresses.get(".".join(labels))
        found = known if known and kind == 1 else []
        flags = 0x8180 if known is not None else 0x8183  # no such name
        head = query[:2] + struct.pack("!5H", flags, 1, len(found), 0, 0)
        record = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 0, 4)
        return head + question + b"".join(record + socket.inet_aton(one) for one in found)

    def close(self):
        self._socket.close()
