"""The alarm clock of beat: sleep until a time, or until a request has written a row for the worker."""

import threading
import time

from django.conf import settings
from redis import Redis, RedisError
from redis.client import PubSub

from league.lib.wake import Wake, add_listener, channel_of

PATIENCE = 2.0  # seconds to wait for Redis
TRY_AGAIN = 1.0  # seconds


class Alarm:
    """Hears wakes by Redis; without REDIS_URL, those of its own process."""

    def __init__(self) -> None:
        self._rung = threading.Event()
        self._subscribed: PubSub | None = None
        if not settings.REDIS_URL:
            add_listener(self._hear)

    def ring(self) -> None:
        """End a wait in this process."""
        self._rung.set()

    def wait(self, seconds: float) -> bool:
        """Sleep at most this long. Return whether it rang, or may have rung while Redis was down."""
        if not settings.REDIS_URL:
            rung = self._rung.wait(seconds)
            self._rung.clear()
            return rung
        try:
            if self._subscribed is None:
                self._subscribed = self._subscribe()
                return True
            rung = self._subscribed.get_message(timeout=seconds) is not None
            while self._subscribed.get_message(timeout=0) is not None:  # one look is for all of them
                pass
            return rung
        except (RedisError, OSError):
            self._subscribed = None
            time.sleep(min(seconds, TRY_AGAIN))
            return False

    def _hear(self, news: Wake) -> None:
        if news.table is None:
            self._rung.set()

    def _subscribe(self) -> PubSub:
        client = Redis.from_url(settings.REDIS_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE)
        subscribed: PubSub = client.pubsub()  # type: ignore[no-untyped-call]
        subscribed.subscribe(channel_of(client, "work"))
        subscribed.get_message(timeout=PATIENCE)  # the confirmation
        return subscribed
