"""Limit the streams of live pages (league/live/stream.py) per process, session and address, so that no client uses up
those of others.
"""

import contextlib
import threading
from collections import Counter

from django.conf import settings
from django.http import HttpRequest

from league.lib.rate_limits import address_of

A_SESSION = 6  # streams


class OpenStream:
    """A slot for one stream, until it ends or is garbage-collected: a response may be lost before it is sent."""

    def __init__(self, streams: "OpenStreams", holders: tuple[str, ...]) -> None:
        self._streams, self._holders = streams, holders

    def __enter__(self) -> None:
        """Do nothing: the slot was taken on creation."""

    def __exit__(self, *failed: object) -> None:
        self._streams.release(self._holders)
        self._holders = ()

    def __del__(self) -> None:
        self._streams.release(self._holders)


class OpenStreams:
    """Count the streams of this process by holder."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        # Garbage collection may release a slot while this thread counts.
        self._lock = threading.RLock()

    def release(self, holders: tuple[str, ...]) -> None:
        with self._lock:
            self._counts.subtract(holders)
            for holder in holders:
                if not self._counts[holder]:
                    del self._counts[holder]

    def take(self, request: HttpRequest) -> OpenStream | None:
        """Return a slot for a stream; None at the limit of the process, session or address.

        A session counts by its cookie, valid or not: invented cookies still share one address.
        """
        most = {"all": settings.LIVE_STREAMS, f"address {address_of(request)}": settings.LIVE_STREAMS_AN_ADDRESS}
        if session := request.COOKIES.get(settings.SESSION_COOKIE_NAME):
            most[f"session {session}"] = A_SESSION
        with self._lock:
            if any(self._counts[holder] >= number for holder, number in most.items()):
                return None
            self._counts.update(most.keys())
        return OpenStream(self, tuple(most))


open_streams = OpenStreams()
NOT_HELD = contextlib.nullcontext()  # for processes without streams


STREAM = "wild.stream"
"""Key in the WSGI environ: None if the server keeps streams; the view sets it to the parts, an async generator."""
