"""Limits how many streams of open pages (league/live/stream.py) this process keeps, in all and for each session and
address, so that nobody takes those of others.
"""

import contextlib
import threading
from collections import Counter

from django.conf import settings
from django.http import HttpRequest

from league.lib.rate_limits import address_of

A_SESSION = 6  # streams


class OpenStream:
    """Room for one stream, until it is left or garbage-collected, since an answer may be lost before anything of it was
    sent."""

    def __init__(self, streams: "OpenStreams", holders: tuple[str, ...]) -> None:
        self._streams, self._holders = streams, holders

    def __enter__(self) -> None:
        """The room was taken when the object was made."""

    def __exit__(self, *failed: object) -> None:
        self._streams.release(self._holders)
        self._holders = ()

    def __del__(self) -> None:
        self._streams.release(self._holders)


class OpenStreams:
    """Counts the streams of this process by holder."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        # Room may be given back while the same thread counts: garbage is collected at any time.
        self._lock = threading.RLock()

    def release(self, holders: tuple[str, ...]) -> None:
        with self._lock:
            self._counts.subtract(holders)
            for holder in holders:
                if not self._counts[holder]:
                    del self._counts[holder]

    def take(self, request: HttpRequest) -> OpenStream | None:
        """Room for a stream; None if all is taken, or as much as one session or address may have.

        A session counts by its cookie, valid or not: whoever makes up cookies still has only one address.
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
NOT_HELD = contextlib.nullcontext()  # where no stream is kept


STREAM = "wild.stream"
"""The key in the environ of a request: None where the server keeps streams, and then the parts, an async generator. The
view's own answer has the headers."""
