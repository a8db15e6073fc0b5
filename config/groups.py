"""Answers the requests for moves at online tables in groups: what waits at one moment is answered in one transaction,
by one thread, one request after the other (games/online/play/append.py).

A move alone costs the database ten statements and a commit, and a group not many more. Whatever cannot be answered so
gets a transaction and a thread of its own, as every other request.
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

ADDRESS = re.compile(r"/tables/(\d{1,18})/play/act/")
MOST_AT_ONCE = 32

Environ = dict[str, Any]


class MoveRequest(NamedTuple):
    table: int
    environ: Environ
    answer: asyncio.Future[Any]  # None: it is to be answered alone


class Groups:
    """`answer` makes the answer to an environ of WSGI."""

    def __init__(self, answer: Callable[[Environ], Any]) -> None:
        self._answer = answer
        self._waiting: list[MoveRequest] = []
        self._lock = threading.Lock()
        self._works = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="moves")

    async def answer(self, environ: Environ) -> Any:
        """The answer to a move that a script sent; None for what is to be answered alone."""
        address = ADDRESS.fullmatch(environ["PATH_INFO"])
        if address is None or environ["REQUEST_METHOD"] != "POST" or "HTTP_COOKIE" not in environ:
            return None
        loop = asyncio.get_running_loop()
        waiting = MoveRequest(int(address[1]), environ, loop.create_future())
        with self._lock:
            self._waiting.append(waiting)
            begins, self._works = not self._works, True
        if begins:
            loop.call_soon(self._thread.submit, self._work)  # what has come with it is of the same group
        return await waiting.answer

    def _work(self) -> None:
        """In the thread: answer all that waits, and what has come meanwhile."""
        while batch := self._next():
            self._answer_together(batch)

    def _next(self) -> list[MoveRequest]:
        """What waits, in order; a second request for a table waits for the next group. Without any the thread rests."""
        batch: dict[int, MoveRequest] = {}
        with self._lock:
            for waiting in self._waiting:
                if len(batch) < MOST_AT_ONCE:
                    batch.setdefault(waiting.table, waiting)
            self._waiting = [waiting for waiting in self._waiting if batch.get(waiting.table) is not waiting]
            self._works = bool(batch)
        return list(batch.values())

    def _answer_together(self, batch: list[MoveRequest]) -> None:
        """Nobody is told anything before the commit, so where that fails all are asked alone."""
        answers: dict[int, Any] = {}  # by table

        def give() -> None:
            for loop in {waiting.answer.get_loop() for waiting in batch}:
                with suppress(RuntimeError):  # the loop is closed: the process stops
                    loop.call_soon_threadsafe(_give, batch, answers, loop)

        try:
            close_old_connections()
            with group([waiting.table for waiting in batch]) as members, read_together(_sessions(batch)):
                # First of all, so that who moved has the answer before a stream says that something has changed.
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
                connection.close()  # the database does not answer, or was restarted
        finally:
            give()


def within_transaction(handler: WSGIHandler, environ: Environ, start_response: Callable[..., Any]) -> list[bytes]:
    """As the handler itself, which also sends signals before and after: they close a connection that is in use."""
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
