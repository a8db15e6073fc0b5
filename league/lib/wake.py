"""Notify open streams and beat of a change: by a call in this process, by Redis in other processes.

A wake contains only a tournament, or one of its tables, and the number of the change. It may get lost: the hub
(league/live/stream.py) polls the database at least every second, and beat (config/idle/beat.py) every few seconds.
"""

import os
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cache, partial
from queue import SimpleQueue
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from redis import Redis, RedisError
from redis.asyncio import Redis as AsyncRedis
from redis.backoff import NoBackoff
from redis.retry import Retry

PATIENCE = 1.0  # seconds to wait for Redis, in a separate thread
BACK_OFF = 5.0  # seconds without wakes after a timeout of Redis


class Wake(NamedTuple):
    """`number`: of the last row of the tournament's log; with a `table` (its key), that table's `play_version`.

    `about`: key of the only table concerned; players at other tables need no wake. `by`: player of the move
    (`Entry.plays_as`), whose response already has the result.
    """

    tournament: int
    table: int | None
    number: int
    about: int | None = None
    by: str | None = None


def wake_after_commit(
    tournament: int, number: int, *, table: int | None = None, about: int | None = None, by: str | None = None
) -> None:
    """Call this inside the transaction of the change; a rollback sends no wake."""
    transaction.on_commit(partial(wake, Wake(tournament, table, number, about, by)), robust=True)


WORK = Wake(0, None, 0)  # of no tournament: only for beat


def call_worker_after_commit() -> None:
    """Call this in a transaction that writes a row for the worker, if it writes no log row: those wake beat too."""
    transaction.on_commit(partial(wake, WORK), robust=True)


def wake(news: Wake) -> None:
    """Notify all listeners of a change. Never waits or fails, since the change has already happened."""
    for listener in _listeners:
        listener(news)
    if settings.REDIS_URL:
        _sender.send(news)


def add_listener(listener: Callable[[Wake], None]) -> None:
    """Call `listener` with every wake of this process, in the thread of the change. It must not wait."""
    _listeners.append(listener)


_listeners: list[Callable[[Wake], None]] = []


class Sender:
    """A thread with one connection, started by the first wake of each process, forked ones included."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[Wake] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._silent_until = 0.0

    def send(self, news: Wake) -> None:
        if time.monotonic() < self._silent_until:
            return
        self._waiting.put(news)
        if self._thread is None or not self._thread.is_alive():
            with self._starting:
                if self._thread is None or not self._thread.is_alive():
                    self._thread = threading.Thread(target=self._run, name="wakes", daemon=True)
                    self._thread.start()

    def _run(self) -> None:
        client = Redis.from_url(
            settings.REDIS_URL,
            socket_connect_timeout=PATIENCE,
            socket_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 1),  # connections from before a Redis restart are dead
        )
        channel, to_beat = channel_of(client), channel_of(client, "work")
        while True:
            news = [self._waiting.get()]
            while not self._waiting.empty():
                news.append(self._waiting.get())
            if time.monotonic() < self._silent_until:
                continue
            try:
                client.publish(channel, as_text(news))
                if any(one.table is None for one in news):  # moves at tables don't concern beat
                    client.publish(to_beat, "")
            except RedisError:
                self._silent_until = time.monotonic() + BACK_OFF


_sender = Sender()


async def incoming_wakes() -> AsyncIterator[Wake | None]:
    """Yield None once listening, then every wake of other processes. Raises `RedisError` if Redis is down."""
    client = AsyncRedis.from_url(settings.REDIS_URL, socket_connect_timeout=PATIENCE)
    try:
        async with client.pubsub(ignore_subscribe_messages=True) as subscribed:
            await subscribed.subscribe(channel_of(client))
            yield None
            async for message in subscribed.listen():
                for news in from_text(message["data"]):
                    yield news
    finally:
        await client.aclose()


def channel_of(client: Redis | AsyncRedis, purpose: str = "wakes") -> str:
    """Return the channel of this installation. Subscriptions ignore Redis's numbered databases, so the name includes
    the number.
    """
    kwargs: dict[str, Any] = client.connection_pool.connection_kwargs
    return f"wild-{purpose}-{kwargs.get('db', 0)}"


def _own() -> str:
    """Return a name for this process."""
    return _name(os.getpid())


@cache
def _name(pid: int) -> str:  # differs in forked processes
    return secrets.token_hex(4)


def as_text(news: Sequence[Wake]) -> str:
    """Join wakes committed together into one message: a line for the process, and one for each wake."""
    return "\n".join([_own(), *(" ".join("-" if part is None else str(part) for part in wake) for wake in news)])


def from_text(text: bytes) -> list[Wake]:
    """Return the wakes in a message; none from this process, or from other versions."""
    try:
        sender, *lines = text.decode().split("\n")
        return [] if sender == _own() else list(map(_wake, lines))
    except ValueError:
        return []


def _wake(line: str) -> Wake:
    tournament, table, number, about, by = line.split(" ")
    return Wake(int(tournament), _key(table), int(number), _key(about), None if by == "-" else by)


def _key(text: str) -> int | None:
    return None if text == "-" else int(text)
