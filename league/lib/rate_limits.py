"""Limit actions per minute, counted in a cache; all web processes share “limits”."""

import ipaddress
import secrets
import time

from django.core.cache import caches
from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

MINUTE = 60
BY_ADDRESS = 10  # times the limit of a session: a school or a hall shares one address
VISITOR = "visitor"  # constant id of a session, whose key changes when a seat is taken


def address_of(request: HttpRequest | Request) -> str:
    """Return the request's address, past our own proxies (REST_FRAMEWORK["NUM_PROXIES"])."""
    return BaseThrottle().get_ident(request) or ""  # type: ignore[arg-type]  # it reads only META, which both have


def network_of(address: str) -> str:
    """Return the network of an IP address: the address, or the first 64 bits of IPv6. "" if it isn't one."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((ip, 64), strict=False)) if ip.version == 6 else str(ip)


def wait_of_visitor(request: HttpRequest, action: str, most: int) -> int | None:
    """Like `wait_after`, for a visitor: by session first, then by address.

    A visitor who refuses cookies counts by address alone. A refused visitor gets no session.
    """
    visitor = request.session.get(VISITOR)
    if visitor and (wait := wait_after(action, f"session-{visitor}", most)):
        return wait
    wait = wait_after(action, address_of(request), BY_ADDRESS * most)
    if wait is None and not visitor:
        visitor = request.session[VISITOR] = secrets.token_hex(8)
        wait_after(action, f"session-{visitor}", most)
    return wait


def wait_after(action: str, caller: str, most: int, *, seconds: int = MINUTE, cache: str = "limits") -> int | None:
    """Count one try. Return the seconds to wait if there were more than `most` in this minute, else None."""
    now = int(time.time())
    key = f"limit:{action}:{caller}:{now // seconds}"
    counters = caches[cache]
    try:
        counters.add(key, 0, timeout=2 * seconds)
        tries = counters.incr(key)
    except (ValueError, RedisError):
        return None  # the cache lost it or is down, and results must still be accepted
    return seconds - now % seconds if tries > most else None
