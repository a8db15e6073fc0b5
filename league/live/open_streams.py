"""How many streams of open pages (league/live/stream.py) this process keeps, and for whom: nobody holds those of
others.
"""

import asyncio
import contextlib
from collections import Counter

from django.conf import settings
from django.http import HttpRequest

from league.lib.rate_limits import address_of

A_SESSION = 6  # streams


class OpenStream:
    """Room for one stream, until it is left; or until nobody has it any more, since an answer may be lost before
    anything of it was sent."""

    def __init__(self, held: Counter[str], holders: tuple[str, ...]) -> None:
        self._held, self._holders = held, holders
        self._loop = asyncio.get_running_loop()
        held.update(holders)

    def __enter__(self) -> None:
        """It was taken when it was made."""

    def __exit__(self, *failed: object) -> None:
        _leave(self._held, self._holders)
        self._holders = ()

    def __del__(self) -> None:
        if self._holders:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the process stops
                self._loop.call_soon_threadsafe(_leave, self._held, self._holders)  # in whatever thread this is


def _leave(held: Counter[str], holders: tuple[str, ...]) -> None:
    held.subtract(holders)
    for who in holders:
        if not held[who]:
            del held[who]


class OpenStreams:
    """How many streams this process keeps, and for whom. For the thread of its event loop alone."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    def take(self, request: HttpRequest) -> OpenStream | None:
        """None where all are taken, or as many as one session or one address may have.

        A session counts by its cookie, whether it holds or not: who makes some up still has but one address.
        """
        most = {"all": settings.LIVE_STREAMS, f"address {address_of(request)}": settings.LIVE_STREAMS_AN_ADDRESS}
        if session := request.COOKIES.get(settings.SESSION_COOKIE_NAME):
            most[f"session {session}"] = A_SESSION
        if any(self._held[who] >= number for who, number in most.items()):
            return None
        return OpenStream(self._held, tuple(most))


open_streams = OpenStreams()
NOT_HELD = contextlib.nullcontext()  # where no stream is kept
