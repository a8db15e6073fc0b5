"""What a stream brings of an online table with the news that it changed: for each viewer what their page would fetch.

So a change costs one look at the database a table, and not a request for each of its viewers; and they have it one way
over the network sooner. Who may see what is asked anew each time, as a request would.
"""

import asyncio
import contextlib
import logging
from collections.abc import Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor

import structlog
from django.conf import settings
from django.db import Error, connection, connections
from django.http import Http404, HttpRequest
from django.utils import translation

from league import hooks
from league.access.table_rows import one_moment
from league.hooks import Shown

logger = logging.getLogger(__name__)


PIECE = 16  # viewers shown something of their own, until other tables have their turn


def look_at(request: HttpRequest, table: int) -> Shown | None:
    """As `hooks.Games.show_table`."""
    # The thread has another request's language, and the log what that one was about.
    with translation.override(getattr(request, "LANGUAGE_CODE", None)), structlog.contextvars.bound_contextvars():
        return hooks.games.show_table(request, table)


def let_go() -> None:
    """Close what connections this thread has: a stream goes on for minutes, and its thread must not hold one.

    Called in the thread. (Handed to another one, `connection.close` is the method of whoever looks it up.)
    """
    for one in connections.all(initialized_only=True):
        if not one.in_atomic_block:
            one.close()


_Wanted = tuple[HttpRequest, asyncio.Future[Shown | None]]


class Pushes:
    """Looks of the streams of this process. Those of one table that are wanted in one moment are one job."""

    def __init__(self) -> None:
        self._wanted: dict[int, list[_Wanted]] = {}
        # A thread of its own: one connection, however many streams there are.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="push")

    async def look(self, request: HttpRequest, table: int) -> Shown | None:
        """None when the table cannot be shown; the viewer's page then asks by itself, and is told why."""
        loop = asyncio.get_running_loop()
        shown: asyncio.Future[Shown | None] = loop.create_future()
        if table not in self._wanted:
            # All streams of the table are woken in one go: by the time that this runs they have come here.
            self._wanted[table] = []
            loop.call_soon(self._begin, loop, table)
        self._wanted[table].append((request, shown))
        return await shown

    def rest(self) -> None:
        """Nobody watches any more: let go of the connection."""
        self._thread.submit(let_go)

    def _begin(self, loop: asyncio.AbstractEventLoop, table: int) -> None:
        self._thread.submit(self._looks, loop, table, sorted(self._wanted.pop(table), key=_order))

    def _looks(self, loop: asyncio.AbstractEventLoop, table: int, wanted: Sequence[_Wanted]) -> None:
        """Each viewer is given theirs as soon as it is made: first who plays, then who is signed out, of whom all see
        the same, then the others."""
        alike: dict[Hashable, Shown | None] = {}
        later: list[_Wanted] = []
        done = 0
        try:
            with one_moment():
                for request, shown in wanted:
                    if shown.done():  # nobody waits for it any more
                        continue
                    sees = _sees(request)
                    if sees in alike:
                        made = alike[sees]
                    elif done == PIECE:
                        later.append((request, shown))
                        continue
                    else:
                        done += 1
                        made = _one(request, table)
                        if sees is not None:
                            made = alike[sees] = None if made is not None and made.own else made
                    _give(loop, shown, made)
        except Exception as failed:
            for _request, shown in wanted:
                _give(loop, shown, None)
            connection.close()  # the database does not answer, or was restarted
            if not isinstance(failed, Error):
                logger.exception("An online table could not be shown to its viewers")
            return
        if later:
            self._thread.submit(self._looks, loop, table, later)


def _order(wanted: _Wanted) -> int:
    if wanted[0].GET.get("as"):
        return 0
    return 1 if _sees(wanted[0]) is not None else 2


def _sees(request: HttpRequest) -> Hashable:
    """What is the same for all who see the same; None for who has a session, which may make them somebody."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        return None
    return request.GET.get("show"), getattr(request, "LANGUAGE_CODE", "")


def _give(loop: asyncio.AbstractEventLoop, shown: asyncio.Future[Shown | None], made: Shown | None) -> None:
    """The first that is given counts."""

    def give() -> None:
        if not shown.done():
            shown.set_result(made)

    with contextlib.suppress(RuntimeError):  # the loop is closed: the process stops
        loop.call_soon_threadsafe(give)


def _one(request: HttpRequest, table: int) -> Shown | None:
    try:
        return look_at(request, table)
    except Http404:
        return None
    except Error:
        raise
    except Exception:
        logger.exception("An online table could not be shown to a viewer")
        return None


pushes = Pushes()
