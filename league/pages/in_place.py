"""Visits: a browser that shows the next page in place asks here like any other, and is told where a form leads.

`league/static/league/visit.js` sends the requests. The views answer as they do without scripts, and know nothing of it.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url

VISIT = "Wild-Visit"  # a request's header
GO = "Wild-Go"  # an answer's: the address to go to


def say_done(request: HttpRequest, sentence: str, *, undo: str) -> None:
    """Say on the next page what was done, with a button that takes it back: `undo` is the address that does.

    With a # it is the place on a page where that is asked for, with a reason.
    """
    messages.success(request, sentence, extra_tags=undo)


def wants_part(request: HttpRequest) -> bool:
    """Whether a script asks for a part of the page that it looks at."""
    return bool(request.htmx)  # type: ignore[attr-defined]


def in_place_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Name the address to which a form of a visit leads, since a redirect would be followed before anybody can tell.

    The script then shows that page in place, or loads it if it belongs elsewhere. A part of a page never becomes the
    sign-in page: after the session has expired, the page stays as it is.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _lead(request, get_response(request))

    return answer


def _lead(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if not (300 <= response.status_code < 400 and response.has_header("Location")):
        return response
    if VISIT in request.headers and request.method == "POST":
        response[GO] = response["Location"]
        del response["Location"]
        response.status_code = 204
    elif wants_part(request) and urlsplit(response["Location"]).path == resolve_url(settings.LOGIN_URL):
        return HttpResponse(status=401)
    return response
