"""Log one line a request with id, view, tournament and user; the response returns the id.

Lines of libraries and of `league` in the same request have the same id, because structlog binds it to the context.
"""

import asyncio
import logging
import re
import sys
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.core.signals import got_request_exception
from django.dispatch import receiver
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.utils.functional import empty
from structlog.contextvars import bind_contextvars, bound_contextvars, clear_contextvars, get_contextvars

from config.unavailable import is_unavailable

logger = structlog.get_logger(__name__)

REQUEST_ID = re.compile(r"[\w.-]{1,64}")


class RequestLogMiddleware:
    """Bind the id, then log the response. Wrong addresses and rejected forms are no errors."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self._get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if iscoroutinefunction(self):
            return self._answer(request)
        _begin(request)
        return _finish(request, self._get_response(request))

    async def _answer(self, request: HttpRequest) -> HttpResponseBase:
        _begin(request)
        try:
            response = await self._get_response(request)
        except asyncio.CancelledError:  # the client closed the connection
            logger.info("request_cancelled")
            raise
        return _finish(request, response)


def _begin(request: HttpRequest) -> None:
    clear_contextvars()
    from_proxy = request.META.get("HTTP_X_REQUEST_ID", "")
    bind_contextvars(request_id=from_proxy if REQUEST_ID.fullmatch(from_proxy) else str(uuid.uuid4()))


def _finish(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if request.resolver_match:
        bind_contextvars(view=request.resolver_match.view_name)
    response["X-Request-ID"] = get_contextvars().get("request_id", "")
    if not getattr(request, "logged_as_failed", False):
        _bind_user(request)
        level = logging.ERROR if response.status_code >= 500 else logging.INFO
        logger.log(level, "request_finished", code=response.status_code, request=_line(request))
        if isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse):
            content: Any = response.streaming_content
            log_stream = _log_async_stream if response.is_async else _log_stream
            response.streaming_content = log_stream(content, get_contextvars())
    clear_contextvars()
    return response


def _line(request: HttpRequest) -> str:
    return f"{request.method} {request.path}"  # without the query, which may hold names


def _bind_user(request: HttpRequest) -> None:
    """Log only a loaded user: log lines must not need the database."""
    user = getattr(request, "user", None)
    if user is not None and getattr(user, "_wrapped", user) is not empty:
        bind_contextvars(user_id=user.pk)


@receiver(got_request_exception)
def _log_failure(sender: object, request: HttpRequest, **kwargs: object) -> None:
    """Log an exception that becomes an error page."""
    error = sys.exc_info()[1]
    if is_unavailable(error):  # no traceback a visitor while the database is down
        bind_contextvars(why=f"database: {type((error and error.__cause__) or error).__name__}")
        return
    _bind_user(request)
    logger.exception("request_failed", code=500, request=_line(request))
    request.logged_as_failed = True  # type: ignore[attr-defined]


def _log_stream(content: Iterator[bytes], context: dict[str, Any]) -> Iterator[bytes]:
    with bound_contextvars(**context):
        try:
            yield from content
        except Exception:
            logger.exception("streaming_failed")
            raise
        logger.info("streaming_finished")


async def _log_async_stream(content: AsyncIterator[bytes], context: dict[str, Any]) -> AsyncIterator[bytes]:
    with bound_contextvars(**context):
        try:
            async for chunk in content:
                yield chunk
        except asyncio.CancelledError:
            logger.info("streaming_cancelled")
            raise
        except Exception:
            logger.exception("streaming_failed")
            raise
        logger.info("streaming_finished")
