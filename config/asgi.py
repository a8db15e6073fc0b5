"""The ASGI application: the streams of live pages, in a process of their own (docker/)."""

import os
from typing import Any

from django.core.asgi import get_asgi_application

from config.web import Receive, Send, refuse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_streams = get_asgi_application()


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Nobody sends anything to a stream. What somebody sends all the same is not read: ASGI would write it to disk."""
    framing = dict(scope.get("headers", ()))
    if framing.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in framing:
        return await refuse(send, 413, "This is too large.")
    await _streams(scope, receive, send)  # type: ignore[arg-type]
