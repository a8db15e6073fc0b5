"""The header that keeps what was made for somebody out of every cache: their browser's, which others may use after
them, and whatever lies on the way."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

PRIVATE = "private, no-store"
# Parts of paths that open something to whoever has them (league/urls.py, league/accounts/urls.py).
SECRETS = frozenset(
    {"secret", "token", "own", "reminders_token", "player_token", "screen_token", "calendar_token", "key"}
)


@sync_and_async_middleware
def private_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Stands around sessions, to see those that begin with an answer, and within what serves static files."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            return _marked(request, await get_response(request))

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _marked(request, get_response(request))

    return answer


def _marked(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if _is_private(request, response):
        response["Cache-Control"] = PRIVATE
    return response


def _is_private(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether the answer may show more than everybody sees, who may have neither session nor token nor secret address.

    Asks nothing of the database: a session that turns out to be nobody's is taken for somebody's.
    """
    if settings.SESSION_COOKIE_NAME in request.COOKIES or settings.SESSION_COOKIE_NAME in response.cookies:
        return True
    if "Authorization" in request.headers:
        return True
    match = request.resolver_match
    return match is not None and not SECRETS.isdisjoint(match.captured_kwargs)  # type: ignore[attr-defined]
