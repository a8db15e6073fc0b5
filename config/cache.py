"""The cache in Redis, with one client for all commands of a thread."""

import time
from typing import Any

from django.core.cache.backends import redis
from django.core.cache.backends.locmem import LocMemCache
from redis.exceptions import RedisError

TRY_AGAIN_AFTER = 5  # seconds


class _Client(redis.RedisCacheClient):
    """Django makes a client for each command, which takes longer than the command."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._clients: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]


class RedisCache(redis.RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client


class FallbackCache(RedisCache):
    """Redis, and this process's own memory while Redis doesn't answer: everyone can still sign in."""

    _down_until = 0.0  # of all threads

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("fallback", {})

    def add(self, *arguments: Any, **options: Any) -> Any:
        return self._ask("add", arguments, options)

    def get(self, *arguments: Any, **options: Any) -> Any:
        return self._ask("get", arguments, options)

    def set(self, *arguments: Any, **options: Any) -> Any:
        return self._ask("set", arguments, options)

    def delete(self, *arguments: Any, **options: Any) -> Any:
        return self._ask("delete", arguments, options)

    def _ask(self, command: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if time.monotonic() >= FallbackCache._down_until:
            try:
                return getattr(super(), command)(*arguments, **options)
            except RedisError:
                FallbackCache._down_until = time.monotonic() + TRY_AGAIN_AFTER
        return getattr(self._own, command)(*arguments, **options)
