"""The header that keeps pages made for one person out of every cache: that of their browser, which others may use after
them, and those on the way."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

PRIVATE = "private, no-store"
# Parts of paths that open something to whoever has them (the urls.py of the rooms).
SECRETS = frozenset(
    {"secret", "token", "own", "reminders_token", "player_token", "screen_token", "calendar_token", "key"}
)


def private_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Wraps sessions, to see those that begin with an answer; what serves static files wraps it."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _mark_private(request, get_response(request))

    return answer


def _mark_private(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if _is_private(request, response):
        response["Cache-Control"] = PRIVATE
    return response


def _is_private(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether the answer may show more than people see who have no session, no token and no secret address.

    It asks nothing of the database: a session that turns out to be nobody's is taken for somebody's.
    """
    if settings.SESSION_COOKIE_NAME in request.COOKIES or settings.SESSION_COOKIE_NAME in response.cookies:
        return True
    if "Authorization" in request.headers:
        return True
    match = request.resolver_match
    return match is not None and not SECRETS.isdisjoint(match.captured_kwargs)  # type: ignore[attr-defined]
