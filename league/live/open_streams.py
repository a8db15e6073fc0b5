"""Limit the streams of live pages (league/live/stream.py) per process, session and address, so that no client uses up
those of others. A whole hall may share one address.
"""

import contextlib
import threading
from collections import Counter

from django.conf import settings
from django.http import HttpRequest

from league.lib.rate_limits import address_of, network_of
from league.live.open_files import open_files_allowed, room_for_streams

A_SESSION = 6  # streams
FOR_ANYONE = 0.8  # of the streams of a process; the rest is for addresses with less than their share


def may_open(*, most: int, taken: int, of_address: int, addresses: int, share: int = 0) -> bool:
    """Return whether an address may open one more stream, of `most` in a process of which `taken` are open.

    of_address: its open streams; addresses: all with open streams, this one included; share: the fixed share of an
    address. Without it, all addresses have an equal share, and a single one has half.
    """
    if taken >= most:
        return False
    return taken < FOR_ANYONE * most or of_address < (share or max(A_SESSION, most // max(2, addresses)))


class OpenStream:
    """A slot for one stream, until it ends or is garbage-collected: a response may be lost before it is sent."""

    def __init__(self, streams: "OpenStreams", address: str, session: str | None) -> None:
        self._streams, self._address, self._session = streams, address, session
        self._is_taken = True

    def __enter__(self) -> None:
        """Do nothing: the slot was taken on creation."""

    def __exit__(self, *failed: object) -> None:
        if self._is_taken:
            self._is_taken = False
            self._streams.release(self._address, self._session)

    __del__ = __exit__


class OpenStreams:
    """Count the streams of this process by address and session."""

    def __init__(self) -> None:
        self._taken = 0
        self._addresses: Counter[str] = Counter()
        self._sessions: Counter[str] = Counter()
        # Garbage collection may release a slot while this thread counts.
        self._lock = threading.RLock()
        self.refused = 0

    @property
    def taken(self) -> int:
        return self._taken

    def release(self, address: str, session: str | None) -> None:
        with self._lock:
            self._taken -= 1
            _subtract(self._addresses, address)
            if session:
                _subtract(self._sessions, session)

    def take(self, request: HttpRequest) -> OpenStream | None:
        """Return a slot for a stream; None at the limit of the process, session or address.

        A session counts by its cookie, valid or not: invented cookies still share one address.
        """
        address, session = network_of(address_of(request)), request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        most = room_for_streams(settings.LIVE_STREAMS, open_files_allowed())
        with self._lock:
            if (session and self._sessions[session] >= A_SESSION) or not may_open(
                most=most,
                taken=self._taken,
                of_address=self._addresses[address],
                addresses=len(self._addresses) + (address not in self._addresses),
                share=settings.LIVE_STREAMS_AN_ADDRESS,
            ):
                self.refused += 1
                return None
            self._taken += 1
            self._addresses[address] += 1
            if session:
                self._sessions[session] += 1
        return OpenStream(self, address, session)


def _subtract(counts: Counter[str], holder: str) -> None:
    counts[holder] -= 1
    if not counts[holder]:
        del counts[holder]


open_streams = OpenStreams()
NOT_HELD = contextlib.nullcontext()  # for processes without streams


STREAM = "wild.stream"
"""Key in the WSGI environ: None if the server keeps streams; the view sets it to the parts, an async generator."""
