"""What `manage.py serve` runs: everything in one process, in the shape of the production (docker/Caddyfile).

Pages are made by a few threads under WSGI, and only the streams of live pages run under ASGI. Under ASGI every page
would pay for a thread of its own and for each step between its middlewares: more than twice the CPU
(docs/performance.md).
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

THREADS = 10  # requests that are worked on at one time; more of them wait
MOST_BODY = 3_000_000  # bytes; as docker/Caddyfile
PATIENCE = 60.0  # seconds in which a body must have come

_streams = get_asgi_application()
# No limit to what waits to be sent, so that no thread ever waits for a phone that reads slowly.
_pages = WSGIMiddleware(get_wsgi_application(), workers=THREADS, send_queue_size=0)  # type: ignore[arg-type]

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Gone(Exception):
    """Whoever asked has left before all of it was here."""


class TooLarge(Exception):
    """The body is larger than anything that is sent here."""


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        # Read here, where waiting costs nothing: ten phones on a bad network would hold all threads.
        try:
            async with asyncio.timeout(PATIENCE):
                body = await _body_of(scope, receive)
        except Gone:
            return
        except TooLarge:
            return await _refuse(send, 413, b"This is too large.\n")
        except TimeoutError:
            return await _refuse(send, 408, b"This took too long to arrive.\n")
        except asyncio.CancelledError:  # the process stops
            return await _refuse(send, 503, b"This server stops.\n")
        scope, receive = _read_already(scope, receive, body)
    path = scope["path"]
    streams = path.startswith("/t/") and path.endswith("/live/")
    await (_streams if streams else _pages)(scope, receive, send)  # type: ignore[arg-type]


async def _body_of(scope: dict[str, Any], receive: Receive) -> bytes:
    said = dict(scope["headers"]).get(b"content-length", b"0")
    if len(said) > 9 or int(said) > MOST_BODY:  # a server that parses requests lets only digits through
        raise TooLarge
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MOST_BODY:
            raise TooLarge
    return bytes(body)


def _read_already(scope: dict[str, Any], receive: Receive, body: bytes) -> tuple[dict[str, Any], Receive]:
    """The request with its body at hand, and its length, without which a body that came in chunks is none for WSGI.

    Without names that pass for others in WSGI: X_Forwarded_For would count as the proxy's X-Forwarded-For.
    """
    framing = (b"content-length", b"transfer-encoding")
    headers = [(name, value) for name, value in scope["headers"] if name not in framing and b"_" not in name]
    if body:
        headers.append((b"content-length", str(len(body)).encode()))
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return scope | {"headers": headers}, again


async def _refuse(send: Send, status: int, sentence: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence})
