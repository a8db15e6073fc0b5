"""Content Security Policy: one header for all responses."""

from collections.abc import Callable
from typing import Any

from csp.constants import HEADER
from csp.utils import build_policy
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin


class PolicyMiddleware(MiddlewareMixin):
    """Replace django-csp's middleware, which rebuilds the policy for each response."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        super().__init__(get_response)
        self._policy = build_policy()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault(HEADER, self._policy)
        return response
