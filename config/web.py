"""What serves: Django under WSGI in some threads, behind an event loop that reads the requests and sends the streams.

A request gets a thread only when all of it is here; until then it waits where waiting costs nothing. If threads read
requests, as many slow lines as there are threads would stop the pages for all. Under ASGI itself every page would pay
for a thread of its own and for each step between its middlewares: more than twice the CPU (docs/performance.md). A
stream is opened by a view, as a page is, and sent by the loop alone (league/live/open_streams.py).

The `web` processes make pages. `stream` also keeps the streams of live pages and answers moves at online tables in
groups; `manage.py serve` is such a process, with everything else in it.
"""

import asyncio
import contextlib
import os
import re
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application

from league.lib.packed import TAKES_GZIP, pack
from league.live.open_streams import STREAM

if TYPE_CHECKING:
    from config.groups import Groups

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

THREADS = int(os.environ.get("WILD_WEB_THREADS") or 0)  # requests that are worked on at a time; others wait
MOST_BODY = 3_000_000  # bytes; as docker/Caddyfile
TOO_LARGE = (
    "This is larger than 3 MB, and nothing was changed. Send a long list in parts, or only its sheet with the names."
)
# Bytes of all bodies that one process reads or works on. Slow large bodies must not keep out a result.
MOST_SMALL = 5_000_000  # for small bodies alone
MOST_READ = 55_000_000  # for all others; one address may take half of it
SMALL = 64_000  # bytes of a body
ALWAYS = 4_000  # bytes of a body that always has room, as a result does
PATIENCE = 10.0  # seconds in which a body must have come
WORTH_PACKING = 700  # bytes
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


class BodyMemory:
    """The memory of a process for bodies of requests, divided so that large ones leave room for small ones."""

    def __init__(self) -> None:
        self._small, self._rest = 0, 0
        self._of_address: Counter[str] = Counter()

    @contextlib.contextmanager
    def place(self, address: str) -> Iterator[Callable[[int], bool]]:
        """Give a body a place, which is free again afterwards.

        Call the value with the size of the body whenever it has grown. Returns whether there is room for it.
        """
        small = rest = 0

        def set_to(new_small: int, new_rest: int) -> None:
            nonlocal small, rest
            self._small += new_small - small
            self._rest += new_rest - rest
            self._of_address[address] += new_rest - rest
            small, rest = new_small, new_rest

        def grow_to(size: int) -> bool:
            if size <= ALWAYS:
                return True
            if size <= SMALL and self._small - small + size <= MOST_SMALL:
                set_to(size, 0)
                return True
            set_to(0, size)
            return self._rest <= MOST_READ and self._of_address[address] <= MOST_READ // 2

        try:
            yield grow_to
        finally:
            set_to(0, 0)
            if not self._of_address[address]:
                del self._of_address[address]


class WholeRequests:
    """An ASGI application: each request, read whole, is answered by a WSGI application in one of `threads` threads.

    `groups`: answers moves, in a process that also keeps streams.
    """

    def __init__(
        self,
        pages: Callable[[Environ, Callable[..., Any]], Iterable[bytes]],
        *,
        threads: int,
        packs: bool,
        groups: "Groups | None",
    ) -> None:
        self._pages, self._packs, self._groups = pages, packs, groups
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self._bodies = BodyMemory()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            with self._bodies.place(_address(scope)) as grow_to:
                async with asyncio.timeout(PATIENCE):
                    body = await self._read(scope, receive, grow_to)
                environ = _environ(scope, body) | ({STREAM: None} if self._groups else {})
                status, headers, content = await self._answer_in_thread(environ)
        except Gone:
            return
        except NotRead as why:
            return await refuse(send, why.status, why.sentence, scope["path"])
        except TimeoutError:
            return await refuse(send, 408, "This took too long to arrive.")
        except asyncio.CancelledError:  # the process stops
            return await refuse(send, 503, "This server stops.")
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if (stream := environ.get(STREAM)) is not None:
            return await _send_stream(stream, receive, send)
        await send({"type": "http.response.body", "body": content})

    async def _read(self, scope: Scope, receive: Receive, grow_to: Callable[[int], bool]) -> bytes:
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if len(length) > 9 or int(length) > MOST_BODY:  # a server that parses requests lets only digits through
            raise NotRead(413, TOO_LARGE)
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            more = message.get("more_body", False)
            body += message.get("body", b"")
            if len(body) > MOST_BODY:
                raise NotRead(413, TOO_LARGE)
            if not grow_to(len(body)):
                raise NotRead(503, "Too much is being sent at the moment. Try again in a minute.")
        return bytes(body)

    async def _answer_in_thread(self, environ: Environ) -> Answer:
        if self._groups and (answer := await self._groups.answer(environ)):
            return answer  # type: ignore[no-any-return]
        environ["wsgi.input"].seek(0)
        work = partial(_answer, self._pages, environ, packs=self._packs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


async def _send_stream(parts: AsyncGenerator[bytes, None], receive: Receive, send: Send) -> None:
    """Send a stream until it ends or the client has left."""

    async def send_parts() -> None:
        async with contextlib.aclosing(parts):
            async for part in parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    sending, leaving = asyncio.create_task(send_parts()), asyncio.create_task(_has_left(receive))
    try:
        await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        sending.cancel()
        leaving.cancel()
        ends = await asyncio.gather(sending, leaving, return_exceptions=True)
    for failed in ends:
        if isinstance(failed, Exception):  # what was cancelled is none
            raise failed


async def _has_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


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
        packs = _pack_once if environ["PATH_INFO"].startswith("/static/") else pack
        content = packs(content)
        named |= {"content-encoding": "gzip", "content-length": str(len(content))}
        if (tag := named.get("etag", "")) and not tag.startswith("W/"):
            named["etag"] = f"W/{tag}"  # the same text in other bytes
    single = [(name, value) for name, value in headers if name.lower() == "set-cookie"]
    return [*((name, value) for name, value in named.items() if name != "set-cookie"), *single], content


_pack_once = lru_cache(100)(pack)


def _address(scope: Scope) -> str:
    """Return the address that a request came from, past our own proxy, as league/lib/rate_limits.py does."""
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        if forwarded:
            return forwarded[-1].decode("latin-1").rpartition(",")[2].strip()  # type: ignore[no-any-return]
    return (scope.get("client") or ("",))[0]


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


async def refuse(send: Send, status: int, sentence: str, path: str = "") -> None:
    """Answer instead of reading on, and close the connection. path: below /api/ the answer to 413 is a problem."""
    content_type, content = b"text/plain; charset=utf-8", f"{sentence}\n".encode()
    if status == 413 and path.startswith("/api/"):
        from league.api.problems import CONTENT_TYPE, Problem  # it needs the apps, which are loaded by now

        content_type, content = CONTENT_TYPE.encode(), Problem("too-large", sentence).response().content
    headers = [(b"content-type", content_type), (b"connection", b"close")]
    if status == 503:
        headers.append((b"retry-after", b"60"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def _load() -> WSGIHandler:
    handler = get_wsgi_application()
    from league.pages.cached_page import release  # it needs the apps, which are loaded by now

    release()
    return handler


def application() -> WholeRequests:
    """For gunicorn: its processes share what is loaded before they are forked."""
    return WholeRequests(_load(), threads=THREADS or 4, packs=False, groups=None)


def live_application(*, packs: bool = False) -> WholeRequests:
    """With streams, and moves in groups. packs: compress what is text, where no proxy in front does."""
    handler = _load()
    from config.groups import Groups, within_transaction  # as above

    groups = Groups(partial(_answer, partial(within_transaction, handler), packs=packs))
    return WholeRequests(handler, threads=THREADS or 10, packs=packs, groups=groups)


def one_process() -> WholeRequests:
    """For `manage.py serve`, which has no proxy in front, and tells by itself that it lives."""
    return live_application(packs=True)


def stream() -> WholeRequests:
    """For the process `stream`: that it lives is why clocks at online tables go on."""
    made = live_application()
    from games.online.play import pulse

    pulse.beat()
    return made
