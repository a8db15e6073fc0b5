"""Server: Django under WSGI in threads, behind an event loop that reads requests and sends streams.

A request gets a thread only when it has arrived completely; until then it waits at no cost. If threads read requests, a
few slow connections would block all pages. Under ASGI, every page would pay for its own thread and each middleware
step: more than twice the CPU (docs/performance.md). A view opens a stream like a page; only the loop sends it
(league/live/open_streams.py).

`web` processes render pages. `stream` also keeps streams and answers moves in groups; `manage.py serve` is such a
process, with everything else in it.
"""

import asyncio
import contextlib
import os
import re
import sys
import tempfile
import threading
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

import structlog
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application

from config.idle.uvicorn_loop import install as quiet_uvicorn
from league.lib.packed import TAKES_GZIP, pack
from league.live.open_files import prepare_for_streams
from league.live.open_streams import STREAM

if TYPE_CHECKING:
    from config.groups import Groups

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

MOST_BODY = 3_000_000  # bytes; as docker/Caddyfile
MOST_BACKUP = 900_000_000  # bytes; as docker/Caddyfile
RESTORES = re.compile(r"/setup/([\w-]+)/restore/$")  # games/server/urls.py
TOO_LARGE = (
    "This is larger than 3 MB, and nothing was changed. Send a long list in parts, or only its sheet with the names."
)
# Bytes of all bodies in a process. Slow large ones must not block a result.
MOST_SMALL = 5_000_000  # for small bodies only
MOST_READ = 55_000_000  # for all others; half of it an address
SMALL = 64_000  # bytes of a body
ALWAYS = 4_000  # bytes of a body that is always accepted, such as a result
PATIENCE = 10.0  # seconds for a body to arrive
STUCK = 60.0  # seconds after which an unanswered request is reported
THREAD = "wild.thread"  # in the environ: the thread that answers
MOST_FRAMES = 12  # the innermost, of a stuck request
WORTH_PACKING = 700  # bytes
MOST_WHOLE = 1_000_000  # bytes of a file that is sent whole
BLOCK = 256_000  # bytes of a larger file
PACKED = re.compile(r"text/.+|application/(json|javascript|manifest\+json|problem\+json)|image/svg\+xml")

Message = MutableMapping[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Environ = dict[str, Any]
# Status, headers, and the body: a large file is open.
Answer = tuple[int, list[tuple[bytes, bytes]], bytes | BinaryIO]


logger = structlog.get_logger(__name__)
quiet_uvicorn()


class Gone(Exception):
    """The client left before the request was complete."""


class NotRead(Exception):
    """A request that isn't read completely. Responds with this status and sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


class BodyMemory:
    """Memory of a process for request bodies, divided so that large ones leave room for small ones."""

    def __init__(self) -> None:
        self._small, self._rest = 0, 0
        self._of_address: Counter[str] = Counter()

    @contextlib.contextmanager
    def place(self, address: str) -> Iterator[Callable[[int], bool]]:
        """Reserve memory for a body, and release it at the end.

        Call the yielded function with the size whenever the body grows. It returns whether there is room.
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
    """ASGI application that passes each complete request to a WSGI application in one of `threads` threads.

    groups: answers moves, in a process that also keeps streams.
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
                if await self._is_backup(scope):
                    body: BinaryIO = await _read_to_disk(receive)
                else:
                    async with asyncio.timeout(PATIENCE):
                        body = BytesIO(await self._read(scope, receive, grow_to))
                environ = _environ(scope, body) | ({STREAM: None} if self._groups else {})
                status, headers, content = await self._answer_in_thread(environ)
        except Gone:
            return
        except NotRead as why:
            return await refuse(send, why.status, why.sentence, scope["path"])
        except TimeoutError:
            return await refuse(send, 408, "This took too long to arrive.")
        except asyncio.CancelledError:  # the process is stopping
            return await refuse(send, 503, "This server stops.")
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if (stream := environ.get(STREAM)) is not None:
            return await _send_stream(stream, receive, send)
        if not isinstance(content, bytes):
            return await _send_stream(self._blocks(content), receive, send)
        await send({"type": "http.response.body", "body": content})

    async def _blocks(self, file: BinaryIO) -> AsyncGenerator[bytes, None]:
        with file:
            loop = asyncio.get_running_loop()
            while block := await loop.run_in_executor(self._threads, file.read, BLOCK):
                yield block

    async def _read(self, scope: Scope, receive: Receive, grow_to: Callable[[int], bool]) -> bytes:
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if len(length) > 9 or int(length) > MOST_BODY:  # the server accepts only digits
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

    async def _is_backup(self, scope: Scope) -> bool:
        """Return whether a large body comes through the link of a first start, which works."""
        length = dict(scope["headers"]).get(b"content-length", b"0")
        path = RESTORES.search(scope["path"])
        if not path or len(length) > 9 or not MOST_BODY < int(length) <= MOST_BACKUP:
            return False
        from league.accounts.first_link import may_send_backup  # needs loaded apps

        return await asyncio.get_running_loop().run_in_executor(self._threads, may_send_backup, path[1])

    async def _answer_in_thread(self, environ: Environ) -> Answer:
        loop = asyncio.get_running_loop()
        watch = loop.call_later(STUCK, _report_stuck, environ)
        try:
            if self._groups and (answer := await self._groups.answer(environ)):
                return answer  # type: ignore[no-any-return]
            environ["wsgi.input"].seek(0)
            work = partial(_answer, self._pages, environ, packs=self._packs)
            return await loop.run_in_executor(self._threads, work)
        finally:
            watch.cancel()


def _report_stuck(environ: Environ) -> None:
    """Log a request that isn't answered yet, and where its thread is. Python can't end a thread."""
    details = {"request": f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}", "seconds": STUCK}
    if frame := sys._current_frames().get(environ.get(THREAD, 0)):
        where = "".join(traceback.format_stack(frame)[-MOST_FRAMES:])
        logger.error("request_stuck", where=where, **details)
    else:
        logger.error("request_waits_for_a_thread", **details)


async def _read_to_disk(receive: Receive) -> BinaryIO:
    """Return a large body as a temporary file. Only pauses are limited: a backup may take long to arrive."""
    body, size, more = tempfile.TemporaryFile(), 0, True  # noqa: SIM115 - the request closes it
    while more:
        async with asyncio.timeout(PATIENCE):
            message = await receive()
        if message["type"] == "http.disconnect":
            body.close()
            raise Gone
        more = message.get("more_body", False)
        size += len(message.get("body", b""))
        if size > MOST_BACKUP:
            body.close()
            raise NotRead(413, "This is larger than 900 MB. Use the command “restore” on the server.")
        try:
            body.write(message.get("body", b""))
        except OSError:
            body.close()
            raise NotRead(507, "The disk for temporary files is full. Make room, then try again.") from None
    return body


async def _send_stream(parts: AsyncGenerator[bytes, None], receive: Receive, send: Send) -> None:
    """Send a stream until it ends or the client leaves."""

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
        if isinstance(failed, Exception):  # cancellations aren't
            raise failed


async def _has_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class FileParts:
    """What a view answers with a file (`wsgi.file_wrapper`)."""

    def __init__(self, file: BinaryIO, block_size: int = BLOCK) -> None:
        self._file, self._block_size = file, block_size

    def __iter__(self) -> Iterator[bytes]:
        return iter(partial(self._file.read, self._block_size), b"")

    def opened(self) -> BinaryIO | None:
        """Return the file, open once more, if it is too large to send it whole."""
        try:
            descriptor = self._file.fileno()
        except OSError:  # in memory
            return None
        is_large = os.fstat(descriptor).st_size > MOST_WHOLE
        return os.fdopen(os.dup(descriptor), "rb") if is_large else None

    def close(self) -> None:
        self._file.close()


def _answer(
    pages: Callable[[Environ, Callable[..., Any]], Iterable[bytes]], environ: Environ, *, packs: bool
) -> Answer:
    """Return the whole response at once, so that no thread waits for a slow client. Runs in a thread.

    The loop reads a large file, so that it doesn't pass through memory.
    """
    head: list[Any] = []
    environ[THREAD] = threading.get_ident()

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
        head[:] = status, headers

    parts = pages(environ, start_response)
    content: bytes | BinaryIO
    try:
        if isinstance(parts, FileParts) and environ["REQUEST_METHOD"] == "HEAD":
            content = b""
        else:
            file = parts.opened() if isinstance(parts, FileParts) else None
            content = file or b"".join(parts)
    finally:
        if close := getattr(parts, "close", None):
            close()
    status, headers = head
    if packs and status.startswith("200") and isinstance(content, bytes):
        headers, content = _packed(environ, headers, content)
    named = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return int(status.split(" ", 1)[0]), named, content


def _packed(environ: Environ, headers: list[tuple[str, str]], content: bytes) -> tuple[list[tuple[str, str]], bytes]:
    """Compress a text response for clients that accept it."""
    named = {name.lower(): value for name, value in headers}
    text = named.get("content-type", "").partition(";")[0]
    if len(content) < WORTH_PACKING or not PACKED.fullmatch(text) or "content-encoding" in named:
        return headers, content
    named["vary"] = ", ".join(filter(None, [named.get("vary"), "Accept-Encoding"]))
    if TAKES_GZIP.search(environ.get("HTTP_ACCEPT_ENCODING", "")):
        packs = _pack_once if environ["PATH_INFO"].startswith(settings.STATIC_URL) else pack
        content = packs(content)
        named |= {"content-encoding": "gzip", "content-length": str(len(content))}
        if (tag := named.get("etag", "")) and not tag.startswith("W/"):
            named["etag"] = f"W/{tag}"  # same text, other bytes
    single = [(name, value) for name, value in headers if name.lower() == "set-cookie"]
    return [*((name, value) for name, value in named.items() if name != "set-cookie"), *single], content


_pack_once = lru_cache(100)(pack)


def _address(scope: Scope) -> str:
    """Return the client address of a request, past our own proxy, as in league/lib/rate_limits.py."""
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        if forwarded:
            return forwarded[-1].decode("latin-1").rpartition(",")[2].strip()  # type: ignore[no-any-return]
    return (scope.get("client") or ("",))[0]


def _environ(scope: Scope, body: BinaryIO) -> Environ:
    """Return the environ of PEP 3333. A chunked body has a length now."""
    length = body.seek(0, os.SEEK_END)
    body.seek(0)
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
        "CONTENT_LENGTH": str(length) if length else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": FileParts,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        # WSGI maps _ and - to one name: X_Forwarded_For would replace the proxy's X-Forwarded-For.
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
    """Respond without reading on, and close the connection. path: below /api/, a 413 is a problem."""
    content_type, content = b"text/plain; charset=utf-8", f"{sentence}\n".encode()
    if status == 413 and path.startswith(f"{settings.BASE_PATH}api/"):
        from league.api.problems import CONTENT_TYPE, Problem  # needs loaded apps

        content_type, content = CONTENT_TYPE.encode(), Problem("too-large", sentence).response().content
    headers = [(b"content-type", content_type), (b"connection", b"close")]
    if status == 503:
        headers.append((b"retry-after", b"60"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def _load() -> WSGIHandler:
    handler = get_wsgi_application()
    from league.pages.cached_page import release  # needs loaded apps

    release()
    return handler


def application() -> WholeRequests:
    """Return the application for gunicorn, whose processes share everything loaded before forking."""
    return WholeRequests(_load(), threads=settings.WEB_THREADS or 4, packs=False, groups=None)


def live_application(*, packs: bool = False) -> WholeRequests:
    """Return the application with streams and grouped moves. packs: compress text, without a proxy."""
    handler = _load()
    from config.groups import Groups, within_transaction  # as above

    groups = Groups(partial(_answer, partial(within_transaction, handler), packs=packs))
    return WholeRequests(handler, threads=settings.WEB_THREADS or 10, packs=packs, groups=groups)


def one_process() -> WholeRequests:
    """Return the application for `manage.py serve`, without a proxy, which reports its own heartbeat."""
    return live_application(packs=True)


def stream() -> WholeRequests:
    """Return the application of the process `stream`, whose heartbeat keeps the clocks of online tables running."""
    made = live_application()
    from games.online.play import pulse

    prepare_for_streams(settings.LIVE_STREAMS)
    pulse.beat()
    return made
