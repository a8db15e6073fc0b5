"""Visits: a browser that replaces a page in place sends normal requests and gets the target of a form in a header.

`league/static/league/visit.js` sends the requests. The views respond as without scripts.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url

VISIT = "Wild-Visit"  # request header
GO = "Wild-Go"  # response header: the target address


def say_done(request: HttpRequest, sentence: str, *, undo: str) -> None:
    """Report an action on the next page, with a button that undoes it at the address `undo`.

    With a #, `undo` is the place on a page where undoing needs a reason.
    """
    messages.success(request, sentence, extra_tags=undo)


def wants_part(request: HttpRequest) -> bool:
    """Return whether a script requests a part of its page."""
    return bool(request.htmx)  # type: ignore[attr-defined]


def in_place_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Put the redirect target of a visit's form into a header, since a browser follows redirects unseen.

    The script then shows that page in place, or loads it if it belongs elsewhere. A part of a page never turns into the
    sign-in page: after the session has expired, the page stays.
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
