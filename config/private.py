"""Keep personal pages out of every cache: shared browsers, and proxies."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

PRIVATE = "private, no-store"
# Path parameters that grant access (urls.py of the rooms).
SECRETS = frozenset(
    {
        "secret",
        "token",
        "own",
        "reminders_token",
        "player_token",
        "card_token",
        "screen_token",
        "calendar_token",
        "key",
    }
)


def private_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Mark private responses. Runs outside sessions, to see new ones, and inside static files."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _mark_private(request, get_response(request))

    return answer


def _mark_private(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if _is_private(request, response):
        response["Cache-Control"] = PRIVATE
    return response


def _is_private(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether a response may contain more than a visitor without session, token or secret address sees.

    It makes no database query: any session cookie counts as a session.
    """
    if settings.SESSION_COOKIE_NAME in request.COOKIES or settings.SESSION_COOKIE_NAME in response.cookies:
        return True
    if "Authorization" in request.headers:
        return True
    match = request.resolver_match
    return match is not None and not SECRETS.isdisjoint(match.captured_kwargs)  # type: ignore[attr-defined]
