"""Answer moves at online tables in groups: waiting requests run one by one in a single transaction and thread
(games/online/play/append.py).

A single move costs ten statements and a commit, a group little more. Other requests get their own transaction and
thread.
"""

import asyncio
import logging
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.db import Error, close_old_connections, connection, transaction
from django.http import HttpResponse, parse_cookie

from config.sessions import read_together
from games.online.play.append import RetryOutsideGroup, group

logger = logging.getLogger(__name__)

ADDRESS = re.compile(rf"{re.escape(settings.BASE_PATH)}tables/(\d{{1,18}})/play/act/")
MOST_AT_ONCE = 32

Environ = dict[str, Any]


class MoveRequest(NamedTuple):
    table: int
    environ: Environ
    answer: asyncio.Future[Any]  # None: run alone


class Groups:
    """`answer` returns the response to a WSGI environ."""

    def __init__(self, answer: Callable[[Environ], Any]) -> None:
        self._answer = answer
        self._waiting: list[MoveRequest] = []
        self._lock = threading.Lock()
        self._works = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="moves")

    async def answer(self, environ: Environ) -> Any:
        """Return the response to a scripted move; None if the request must run alone."""
        address = ADDRESS.fullmatch(environ["PATH_INFO"])
        if address is None or environ["REQUEST_METHOD"] != "POST" or "HTTP_COOKIE" not in environ:
            return None
        loop = asyncio.get_running_loop()
        waiting = MoveRequest(int(address[1]), environ, loop.create_future())
        with self._lock:
            self._waiting.append(waiting)
            begins, self._works = not self._works, True
        if begins:
            loop.call_soon(self._thread.submit, self._work)  # simultaneous requests join the group
        return await waiting.answer

    def _work(self) -> None:
        """Answer all waiting requests, including new arrivals. Runs in the thread."""
        while batch := self._next():
            self._answer_together(batch)

    def _next(self) -> list[MoveRequest]:
        """Return the waiting requests in order, one a table. Without any, the thread rests."""
        batch: dict[int, MoveRequest] = {}
        with self._lock:
            for waiting in self._waiting:
                if len(batch) < MOST_AT_ONCE:
                    batch.setdefault(waiting.table, waiting)
            self._waiting = [waiting for waiting in self._waiting if batch.get(waiting.table) is not waiting]
            self._works = bool(batch)
        return list(batch.values())

    def _answer_together(self, batch: list[MoveRequest]) -> None:
        """Answer a group. Responses follow the commit; if it fails, all requests run alone."""
        answers: dict[int, Any] = {}  # by table

        def give() -> None:
            for loop in {waiting.answer.get_loop() for waiting in batch}:
                with suppress(RuntimeError):  # the loop is closed: the process is stopping
                    loop.call_soon_threadsafe(_give, batch, answers, loop)

        try:
            close_old_connections()
            with group([waiting.table for waiting in batch]) as members, read_together(_sessions(batch)):
                # First, so that the player gets the response before a stream reports the change.
                transaction.on_commit(give, robust=True)
                for waiting in batch:
                    if waiting.table in members.tables:
                        with suppress(RetryOutsideGroup):
                            answers[waiting.table] = self._answer(waiting.environ)
                for table in members.write():
                    del answers[table]
        except Exception as failed:
            answers.clear()
            if not isinstance(failed, Error):
                logger.exception("Moves could not be written together")
            with suppress(Error):
                connection.close()  # the database is down, or was restarted
        finally:
            give()


def within_transaction(handler: WSGIHandler, environ: Environ, start_response: Callable[..., Any]) -> list[bytes]:
    """Like the handler itself, without its signals before and after, which would close a connection in use."""
    request = WSGIRequest(environ)
    response = cast(HttpResponse, handler.get_response(request))
    request.close()
    cookies = [("Set-Cookie", cookie.OutputString()) for cookie in response.cookies.values()]
    start_response(f"{response.status_code} {response.reason_phrase}", [*response.items(), *cookies])
    return [response.content]


def _sessions(batch: list[MoveRequest]) -> list[str]:
    keys = (parse_cookie(waiting.environ["HTTP_COOKIE"]).get(settings.SESSION_COOKIE_NAME, "") for waiting in batch)
    return [key for key in keys if key.isascii() and key.isalnum()]


def _give(batch: list[MoveRequest], answers: dict[int, Any], loop: asyncio.AbstractEventLoop) -> None:
    for waiting in batch:
        if waiting.answer.get_loop() is loop and not waiting.answer.done():
            waiting.answer.set_result(answers.get(waiting.table))
