"""Send views along with the news that an online table changed: each viewer gets what their page would fetch.

So a change costs one database read a table instead of a request a viewer, and saves one network round trip. Rights are
checked each time, as in a request.
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
from league.access.session_links import forget_visitor
from league.access.table_rows import one_moment
from league.hooks import Shown

logger = logging.getLogger(__name__)


PIECE = 16  # individual views of a table before other tables get a turn


def look_at(request: HttpRequest, table: int) -> Shown | None:
    """Like `hooks.Games.show_table`."""
    forget_visitor(request)  # roles may have been revoked during the stream
    # The thread still has another request's language and log context.
    with translation.override(getattr(request, "LANGUAGE_CODE", None)), structlog.contextvars.bound_contextvars():
        return hooks.games.show_table(request, table)


def close_connections() -> None:
    """Close this thread's database connections: a stream lasts minutes, and its thread must not keep one.

    Call it in that thread: `connection.close` passed to another thread belongs to the one that looked it up.
    """
    for database in connections.all(initialized_only=True):
        if not database.in_atomic_block:
            database.close()


_Viewer = tuple[HttpRequest, asyncio.Future[Shown | None]]


class Pushes:
    """Render the views for this process's streams. Views of one table at one moment are one job."""

    def __init__(self) -> None:
        self._viewers: dict[int, list[_Viewer]] = {}
        # One thread, so one connection for any number of streams.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="push")

    async def look(self, request: HttpRequest, table: int) -> Shown | None:
        """Return a viewer's view; None if the table can't be shown: the page then fetches itself and shows why."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Shown | None] = loop.create_future()
        if table not in self._viewers:
            # All streams of the table wake together, so they are all here when this runs.
            self._viewers[table] = []
            loop.call_soon(self._begin, loop, table)
        self._viewers[table].append((request, future))
        return await future

    def rest(self) -> None:
        """Close the connection: no viewers are left."""
        self._thread.submit(close_connections)

    def _begin(self, loop: asyncio.AbstractEventLoop, table: int) -> None:
        self._thread.submit(self._looks, loop, table, sorted(self._viewers.pop(table), key=_order))

    def _looks(self, loop: asyncio.AbstractEventLoop, table: int, viewers: Sequence[_Viewer]) -> None:
        """Deliver each view as soon as it is rendered: first players, then signed-out viewers, who share one, then
        others.
        """
        alike: dict[Hashable, Shown | None] = {}
        later: list[_Viewer] = []
        done = 0
        try:
            with one_moment():
                for request, future in viewers:
                    if future.done():  # no longer awaited
                        continue
                    audience = _audience_of(request)
                    if audience in alike:
                        view = alike[audience]
                    elif done == PIECE:
                        later.append((request, future))
                        continue
                    else:
                        done += 1
                        view = _look_safely(request, table)
                        if audience is not None:
                            view = alike[audience] = None if view is not None and view.own else view
                    _give(loop, future, view)
        except Exception as failed:
            for _request, future in viewers:
                _give(loop, future, None)
            connection.close()  # the database is down, or was restarted
            if not isinstance(failed, Error):
                logger.exception("An online table could not be shown to its viewers")
            return
        if later:
            self._thread.submit(self._looks, loop, table, later)


def _order(viewer: _Viewer) -> int:
    if viewer[0].GET.get("as"):
        return 0
    return 1 if _audience_of(viewer[0]) is not None else 2


def _audience_of(request: HttpRequest) -> Hashable:
    """Return a key, equal for viewers who see the same; None for viewers with a session."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        return None
    return request.GET.get("show"), getattr(request, "LANGUAGE_CODE", "")


def _give(loop: asyncio.AbstractEventLoop, future: asyncio.Future[Shown | None], view: Shown | None) -> None:
    """Deliver a view; later ones are ignored."""

    def give() -> None:
        if not future.done():
            future.set_result(view)

    with contextlib.suppress(RuntimeError):  # the loop is closed: the process is stopping
        loop.call_soon_threadsafe(give)


def _look_safely(request: HttpRequest, table: int) -> Shown | None:
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
