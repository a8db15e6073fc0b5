"""That something changed, told to open streams at once: by a call in this process, by Redis to the others.

A wake names a tournament, or one of its tables, and the number of the change; nothing else travels. It may get lost on
its way: the hub (league/live/stream.py) looks at the database at least every second whatever it hears.
"""

import threading
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from redis import Redis, RedisError
from redis.asyncio import Redis as AsyncRedis
from redis.backoff import NoBackoff
from redis.retry import Retry

PATIENCE = 1.0  # seconds that Redis has for an answer; it is waited for in a thread that nothing else waits for
BACK_OFF = 5.0  # seconds in which a Redis that did not answer is told nothing


class Wake(NamedTuple):
    """`number`: of the last row of the tournament's log, or with a `table` (its key) that table's `play_version`.

    `about`: the key of the one table whose play such a row is about; those who play at others need not hear of it.
    `by`: whose move it is (`Entry.plays_as`): they have what follows from it by the answer to it.
    """

    tournament: int
    table: int | None
    number: int
    about: int | None = None
    by: str | None = None


def wake_after_commit(
    tournament: int, number: int, *, table: int | None = None, about: int | None = None, by: str | None = None
) -> None:
    """Called inside the transaction that makes the change; one that is rolled back wakes nobody."""
    transaction.on_commit(partial(wake, Wake(tournament, table, number, about, by)), robust=True)


def wake(what: Wake) -> None:
    """Never waits and never fails: whatever is told here has happened already."""
    for hears in _hearers:
        hears(what)
    if settings.REDIS_URL:
        _sender.send(what)


def hear(hears: Callable[[Wake], None]) -> None:
    """Let `hears` be called with every wake of this process, in the thread that made the change. It must not wait."""
    _hearers.append(hears)


_hearers: list[Callable[[Wake], None]] = []


class Sender:
    """A thread with one connection, which starts with the first wake, in a forked process anew."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[Wake] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._silent_until = 0.0

    def send(self, what: Wake) -> None:
        if time.monotonic() < self._silent_until:
            return
        self._waiting.put(what)
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
            retry=Retry(NoBackoff(), 1),  # a connection from before Redis was restarted is dead
        )
        channel = channel_of(client)
        while True:
            what = self._waiting.get()
            if time.monotonic() < self._silent_until:
                continue
            try:
                client.publish(channel, as_text(what))
            except RedisError:
                self._silent_until = time.monotonic() + BACK_OFF


_sender = Sender()


async def arriving() -> AsyncIterator[Wake | None]:
    """None as soon as it listens, then every wake that any process sends. Raises `RedisError` when Redis is gone."""
    client = AsyncRedis.from_url(settings.REDIS_URL, socket_connect_timeout=PATIENCE)
    try:
        async with client.pubsub(ignore_subscribe_messages=True) as subscribed:
            await subscribed.subscribe(channel_of(client))
            yield None
            async for message in subscribed.listen():
                if (what := from_text(message["data"])) is not None:
                    yield what
    finally:
        await client.aclose()


def channel_of(client: Redis | AsyncRedis) -> str:
    """Subscriptions know nothing of Redis's numbered databases, by which two installations are kept apart."""
    kwargs: dict[str, Any] = client.connection_pool.connection_kwargs
    return f"wild-wakes-{kwargs.get('db', 0)}"


def as_text(what: Wake) -> str:
    return " ".join("-" if part is None else str(part) for part in what)


def from_text(text: bytes) -> Wake | None:
    """None for what no process of this version sends."""
    try:
        tournament, table, number, about, by = text.decode().split(" ")
        return Wake(int(tournament), _key(table), int(number), _key(about), None if by == "-" else by)
    except ValueError:
        return None


def _key(text: str) -> int | None:
    return None if text == "-" else int(text)
