"""What the `web` processes run, and the pages of `manage.py serve` (one_process.py): Django under WSGI in some threads,
behind an event loop that reads the requests.

A request gets a thread only when all of it is here; until then it waits where waiting costs nothing. If threads read
requests, as many slow lines as there are threads would stop the pages for all. Under ASGI itself every page would pay
for a thread of its own and for each step between its middlewares: more than twice the CPU (docs/performance.md).
"""

import asyncio
import gzip
import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from io import BytesIO
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

MOST_BODY = 3_000_000  # bytes; as docker/Caddyfile
MOST_READ = 60_000_000  # bytes of all bodies that one process reads or works on
PATIENCE = 10.0  # seconds in which a body must have come
WORTH_PACKING = 700  # bytes
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")
PACKED = re.compile(r"text/.+|application/(json|javascript|manifest\+json|problem\+json)|image/svg\+xml")

Message = MutableMapping[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Environ = dict[str, Any]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


class Gone(Exception):
    """The client has left before all of the request was here."""


class NotRead(Exception):
    """A request that is not read to its end. It is answered with this status and sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


class WholeRequests:
    """An ASGI application: each request, read whole, is answered by a WSGI application in one of `threads` threads."""

    def __init__(
        self, pages: Callable[[Environ, Callable[..., Any]], Iterable[bytes]], *, threads: int, packs: bool
    ) -> None:
        self._pages, self._packs = pages, packs
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self._read = 0  # bytes of bodies in this process

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = bytearray()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._read_into(body, scope, receive)
            status, headers, content = await self._answer_in_thread(scope, bytes(body))
        except Gone:
            return
        except NotRead as why:
            return await refuse(send, why.status, why.sentence)
        except TimeoutError:
            return await refuse(send, 408, "This took too long to arrive.")
        except asyncio.CancelledError:  # the process stops
            return await refuse(send, 503, "This server stops.")
        finally:
            self._read -= len(body)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    async def _read_into(self, body: bytearray, scope: Scope, receive: Receive) -> None:
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if len(length) > 9 or int(length) > MOST_BODY:  # a server that parses requests lets only digits through
            raise NotRead(413, "This is too large.")
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            more = message.get("more_body", False)
            body += part
            self._read += len(part)
            if len(body) > MOST_BODY:
                raise NotRead(413, "This is too large.")
            if self._read > MOST_READ:
                raise NotRead(503, "Too much is being sent at the moment. Try again in a minute.")

    async def _answer_in_thread(self, scope: Scope, body: bytes) -> Answer:
        work = partial(_answer, self._pages, _environ(scope, body), packs=self._packs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def _answer(
    pages: Callable[[Environ, Callable[..., Any]], Iterable[bytes]], environ: Environ, *, packs: bool
) -> Answer:
    """Run in a thread; return the whole answer at once, so that no thread waits for a phone that reads slowly."""
    head: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
        head[:] = status, headers

    parts = pages(environ, start_response)
    try:
        content = b"".join(parts)
    finally:
        if close := getattr(parts, "close", None):
            close()
    status, headers = head
    if packs and status.startswith("200"):
        headers, content = _packed(environ, headers, content)
    named = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return int(status.split(" ", 1)[0]), named, content


def _packed(environ: Environ, headers: list[tuple[str, str]], content: bytes) -> tuple[list[tuple[str, str]], bytes]:
    """An answer of text, compressed for those who take it so."""
    named = {name.lower(): value for name, value in headers}
    text = named.get("content-type", "").partition(";")[0]
    if len(content) < WORTH_PACKING or not PACKED.fullmatch(text) or "content-encoding" in named:
        return headers, content
    named["vary"] = ", ".join(filter(None, [named.get("vary"), "Accept-Encoding"]))
    if TAKES_GZIP.search(environ.get("HTTP_ACCEPT_ENCODING", "")):
        pack = _pack_once if environ["PATH_INFO"].startswith("/static/") else _pack
        content = pack(content)
        named |= {"content-encoding": "gzip", "content-length": str(len(content))}
        if (tag := named.get("etag", "")) and not tag.startswith("W/"):
            named["etag"] = f"W/{tag}"  # the same text in other bytes
    single = [(name, value) for name, value in headers if name.lower() == "set-cookie"]
    return [*((name, value) for name, value in named.items() if name != "set-cookie"), *single], content


def _pack(content: bytes) -> bytes:
    return gzip.compress(content, 6, mtime=0)


_pack_once = lru_cache(100)(_pack)


def _environ(scope: Scope, body: bytes) -> Environ:
    """The environ of PEP 3333. A body that came in chunks has a length by now."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "CONTENT_LENGTH": str(len(body)) if body else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        # WSGI takes a name with _ for another one: X_Forwarded_For would count as the proxy's X-Forwarded-For.
        if name in (b"content-length", b"transfer-encoding") or b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        text = value.decode("latin-1")
        if key in environ:
            text = f"{environ[key]}{';' if key == 'HTTP_COOKIE' else ','}{text}"
        environ[key] = text
    return environ


async def refuse(send: Send, status: int, sentence: str) -> None:
    """Answer instead of reading on, and close the connection."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    if status == 503:
        headers.append((b"retry-after", b"60"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{sentence}\n".encode()})


def pages(threads: int, *, packs: bool = False) -> WholeRequests:
    """packs: compress what is text, where no proxy in front does."""
    return WholeRequests(get_wsgi_application(), threads=threads, packs=packs)


def application() -> WholeRequests:
    """For gunicorn: its processes share what is loaded before they are forked."""
    return pages(int(os.environ.get("WILD_WEB_THREADS") or 4))
