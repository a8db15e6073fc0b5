"""Limits how many streams of open pages (league/live/stream.py) this process keeps, in all and for each session and
address, so that nobody takes those of others.
"""

import asyncio
import contextlib
from collections import Counter

from django.conf import settings
from django.http import HttpRequest

from league.lib.rate_limits import address_of

A_SESSION = 6  # streams


class OpenStream:
    """Room for one stream, until it is left or garbage-collected, since an answer may be lost before anything of it was
    sent."""

    def __init__(self, counts: Counter[str], holders: tuple[str, ...]) -> None:
        self._counts, self._holders = counts, holders
        self._loop = asyncio.get_running_loop()
        counts.update(holders)

    def __enter__(self) -> None:
        """The room was taken when the object was made."""

    def __exit__(self, *failed: object) -> None:
        _release(self._counts, self._holders)
        self._holders = ()

    def __del__(self) -> None:
        if self._holders:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the process stops
                self._loop.call_soon_threadsafe(_release, self._counts, self._holders)  # in whatever thread this is


def _release(counts: Counter[str], holders: tuple[str, ...]) -> None:
    counts.subtract(holders)
    for holder in holders:
        if not counts[holder]:
            del counts[holder]


class OpenStreams:
    """Counts the streams of this process by holder. Only for the thread of its event loop."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def take(self, request: HttpRequest) -> OpenStream | None:
        """Room for a stream; None if all is taken, or as much as one session or address may have.

        A session counts by its cookie, valid or not: whoever makes up cookies still has only one address.
        """
        most = {"all": settings.LIVE_STREAMS, f"address {address_of(request)}": settings.LIVE_STREAMS_AN_ADDRESS}
        if session := request.COOKIES.get(settings.SESSION_COOKIE_NAME):
            most[f"session {session}"] = A_SESSION
        if any(self._counts[holder] >= number for holder, number in most.items()):
            return None
        return OpenStream(self._counts, tuple(most))


open_streams = OpenStreams()
NOT_HELD = contextlib.nullcontext()  # where no stream is kept
