"""What `manage.py serve` runs: everything in one process, in the shape of the production (docker/Caddyfile).

Pages are made by a few threads under WSGI, and only the streams of live pages run under ASGI. Under ASGI every page would
pay for a thread of its own and for each step between its middlewares: three times the CPU (docs/performance.md).
"""

import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

THREADS = 10  # requests that are worked on at one time; more of them wait

_streams = get_asgi_application()
_pages = WSGIMiddleware(get_wsgi_application(), workers=THREADS)

Message = MutableMapping[str, Any]


async def application(
    scope: dict[str, Any], receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    path = scope["path"]
    streams = path.startswith("/t/") and path.endswith("/live/")
    await (_streams if streams else _pages)(scope, receive, send)  # type: ignore[arg-type]
