"""Keeps values in memory that were worked out once and are right for as long as the database says so."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, ClassVar, Generic, TypeVar

from django.db import connection

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Remembered(Generic[_Key, _Value]):
    """At most `most` values under their keys; the least recently used go first.

    Each is kept with a version from the database, mostly the end of a log, and is returned only for an equal version.
    So nothing is older than the last commit, in whichever process that was made, and nothing has to be told to forget.
    In a transaction nothing is kept, since it may be rolled back.
    """

    _all: ClassVar[list["Remembered[Any, Any]"]] = []

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
        """Empty all of them, for measurements and tests."""
        for memory in cls._all:
            memory.forget()
