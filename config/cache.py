"""Redis cache with one client for all commands of a thread."""

import time
from typing import Any

from django.core.cache.backends import redis
from django.core.cache.backends.locmem import LocMemCache
from redis.exceptions import RedisError

TRY_AGAIN_AFTER = 5  # seconds


class _Client(redis.RedisCacheClient):
    """Reuse clients: Django creates one a command, which takes longer than the command."""

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
    """Redis, or this process's memory while Redis is down, so that users can still sign in."""

    _down_until = 0.0  # shared by all threads

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("fallback", {})

    def add(self, *arguments: Any, **options: Any) -> Any:
        return self._call("add", arguments, options)

    def get(self, *arguments: Any, **options: Any) -> Any:
        return self._call("get", arguments, options)

    def set(self, *arguments: Any, **options: Any) -> Any:
        return self._call("set", arguments, options)

    def delete(self, *arguments: Any, **options: Any) -> Any:
        return self._call("delete", arguments, options)

    def _call(self, command: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if time.monotonic() >= FallbackCache._down_until:
            try:
                return getattr(super(), command)(*arguments, **options)
            except RedisError:
                FallbackCache._down_until = time.monotonic() + TRY_AGAIN_AFTER
        return getattr(self._own, command)(*arguments, **options)
