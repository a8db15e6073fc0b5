"""Cache computed values in memory while the database has the same version."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, ClassVar, Generic, TypeVar

from django.db import connection

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class VersionedCache(Generic[_Key, _Value]):
    """A cache of at most `most` values; the least recently used are dropped.

    Each value has a version from the database, usually the end of a log. `get` returns it only for an equal version,
    so no process needs a notification of changes. Inside a transaction `put` does nothing, since that may roll back.
    """

    _all: ClassVar[list["VersionedCache[Any, Any]"]] = []

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[_Key, tuple[Hashable, _Value]] = OrderedDict()
        self._lock = threading.Lock()
        self._all.append(self)

    def get(self, key: _Key, version: Hashable) -> _Value | None:
        with self._lock:
            known = self._values.get(key)
            if known is None or known[0] != version:
                return None
            self._values.move_to_end(key)
            return known[1]

    def put(self, key: _Key, version: Hashable, value: _Value) -> None:
        if connection.in_atomic_block:
            return
        with self._lock:
            self._values[key] = version, value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)

    def forget(self) -> None:
        with self._lock:
            self._values.clear()

    @classmethod
    def forget_all(cls) -> None:
        """Empty all caches, for measurements and tests."""
        for memory in cls._all:
            memory.forget()
