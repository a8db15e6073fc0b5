"""How often something may be tried in a minute, counted in a cache; in “limits” all web processes count together."""

import secrets
import time

from django.core.cache import caches
from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

MINUTE = 60
BY_ADDRESS = 10  # times what one session may: a class, or a hall, comes through one address
VISITOR = "visitor"  # in a session: who it is, since its key changes when a seat is taken


def address_of(request: HttpRequest | Request) -> str:
    """The address that the request came from, past our own proxies (REST_FRAMEWORK["NUM_PROXIES"])."""
    return BaseThrottle().get_ident(request) or ""  # type: ignore[arg-type]  # of either it reads META alone


def wait_of_visitor(request: HttpRequest, what: str, most: int) -> int | None:
    """As `wait_after`, for a visitor: by their session first, then by their address.

    Whoever refuses cookies is counted by address alone. Who is turned away is not given a session for it.
    """
    visitor = request.session.get(VISITOR)
    if visitor and (wait := wait_after(what, f"session-{visitor}", most)):
        return wait
    wait = wait_after(what, address_of(request), BY_ADDRESS * most)
    if wait is None and not visitor:
        visitor = request.session[VISITOR] = secrets.token_hex(8)
        wait_after(what, f"session-{visitor}", most)
    return wait


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
