"""How often something may be tried in a minute, counted in a cache; in “limits” all web processes count together."""

import time

from django.core.cache import caches
from redis.exceptions import RedisError

MINUTE = 60


def wait_after(what: str, who: str, most: int, *, seconds: int = MINUTE, cache: str = "limits") -> int | None:
    """Count one try. The seconds to wait when there were more than `most` in this minute, else None."""
    now = int(time.time())
    key = f"limit:{what}:{who}:{now // seconds}"
    kept = caches[cache]
    try:
        kept.add(key, 0, timeout=2 * seconds)
        tries = kept.incr(key)
    except (ValueError, RedisError):
        return None  # the cache forgot it, or is down: results must come in all the same
    return seconds - now % seconds if tries > most else None
