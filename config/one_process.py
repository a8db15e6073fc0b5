"""What `manage.py serve` runs: everything in one process, in the shape of the production (docker/Caddyfile).

Pages are made by a few threads under WSGI (config/web.py), and only the streams of live pages run under ASGI.
"""

import os
from typing import Any

from config.asgi import application as streams
from config.web import Receive, Send, pages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

THREADS = 10  # requests that are worked on at a time; others wait

_pages = pages(THREADS, packs=True)


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    path = scope.get("path", "")
    if path.startswith("/t/") and path.endswith("/live/"):
        await streams(scope, receive, send)
    else:
        await _pages(scope, receive, send)
