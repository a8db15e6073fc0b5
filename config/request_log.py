"""Log one line a request with id, view, tournament and user; the response returns the id."""

import re

import structlog
from django.http import HttpRequest, HttpResponse
from django.utils.functional import empty
from django_structlog.middlewares import RequestMiddleware

from config.unavailable import is_unavailable

logger = structlog.get_logger(__name__)

REQUEST_ID = re.compile(r"[\w.-]{1,64}")


class RequestLogMiddleware(RequestMiddleware):
    """Library middleware without query strings in addresses, and without database queries."""

    def prepare(self, request: HttpRequest) -> None:
        # Keep the id from a proxy, if it looks like one.
        if not REQUEST_ID.fullmatch(request.META.get("HTTP_X_REQUEST_ID", "")):
            request.META.pop("HTTP_X_REQUEST_ID", None)
        request.META.pop("HTTP_X_CORRELATION_ID", None)
        structlog.contextvars.clear_contextvars()
        super().prepare(request)

    def handle_response(self, request: HttpRequest, response: HttpResponse) -> None:
        if request.resolver_match:
            structlog.contextvars.bind_contextvars(view=request.resolver_match.view_name)
        response["X-Request-ID"] = structlog.contextvars.get_contextvars().get("request_id", "")
        super().handle_response(request, response)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {request.path}"

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Log only a loaded user: log lines must not need the database."""
        user = getattr(request, "user", None)
        if user is not None and getattr(user, "_wrapped", user) is not empty:
            structlog.contextvars.bind_contextvars(user_id=user.pk)

    def _process_exception(self, request: HttpRequest, exception: Exception) -> None:
        if is_unavailable(exception):  # no traceback a visitor while the database is down
            structlog.contextvars.bind_contextvars(why=f"database: {type(exception.__cause__ or exception).__name__}")
            return
        super()._process_exception(request, exception)
