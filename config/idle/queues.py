"""The queues of Celery's broker."""

from functools import cache

from django.conf import settings
from redis import Redis

from config.idle import in_memory

QUEUES = ("deadlines", "jobs")
PATIENCE = 2.0  # seconds to wait for Redis


@cache
def _client(url: str) -> Redis:
    return Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE)


def messages_waiting(queue: str) -> int:
    """Return the number of calls that no worker has taken. Raises `RedisError`."""
    if not settings.REDIS_URL:
        return in_memory.waiting(queue)
    return _client(settings.REDIS_URL).llen(queue)
