"""Celery's broker of `manage.py serve`: kombu's memory of the process, with a wait instead of its polling."""

import threading
import time
from queue import Empty
from typing import Any

from kombu.transport import memory

_changed = threading.Event()  # a message has arrived, or the worker has room for one


class Channel(memory.Channel):
    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:
        super()._put(queue, message, **kwargs)
        _changed.set()

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        super().basic_ack(delivery_tag, multiple)
        _changed.set()


class Transport(memory.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Deliver one message. Raises `TimeoutError`. Only one thread may call this: the worker's."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            _changed.clear()
            try:
                assert self.cycle is not None
                self.cycle.get(self._deliver, timeout=timeout)
                return
            except Empty:
                remaining = None if until is None else until - time.monotonic()
            if remaining is not None and remaining <= 0:
                raise TimeoutError
            _changed.wait(remaining)


def waiting(queue: str) -> int:
    """Return the number of messages that no worker has taken."""
    messages = Channel.queues.get(queue)
    return messages.qsize() if messages else 0
