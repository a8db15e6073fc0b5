"""The answer to a form that htmx sent: the page that it stands on changes in place, another page is gone to.

`league/static/league/wild.js` sends the forms and takes of an answer what stands in #page. The views answer as they do
without scripts, and know nothing of it.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url


def say_done(request: HttpRequest, sentence: str, *, undo: str) -> None:
    """Say on the next page what was done, with a button that takes it back: `undo` is the address that does.

    With a # it is the place on a page where that is asked for, with a reason.
    """
    messages.success(request, sentence, extra_tags=undo)


def wants_part(request: HttpRequest) -> bool:
    """Whether a script asks for a part of the page that it looks at, and not for the answer to a form."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.boosted


def in_place_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Let the browser follow a redirect back to the page of the form, and swap the answer in.

    A redirect that leads elsewhere is passed to htmx, so that the browser loads that page with its scripts. A part of
    a page never becomes the sign-in page: after the session has expired, the page stays as it is.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _lead(request, get_response(request))

    return answer


def _lead(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    htmx = request.htmx  # type: ignore[attr-defined]
    is_redirect = 300 <= response.status_code < 400 and response.has_header("Location")
    if htmx.boosted and is_redirect and not _is_same(response["Location"], htmx.current_url_abs_path or ""):
        response["HX-Redirect"] = response["Location"]
        del response["Location"]
        response.status_code = 204
    if is_redirect and wants_part(request) and urlsplit(response["Location"]).path == resolve_url(settings.LOGIN_URL):
        return HttpResponse(status=401)
    return response


def _is_same(address: str, other: str) -> bool:
    """Whether two addresses differ by their fragment at most."""
    return urlsplit(address)._replace(fragment="") == urlsplit(other)._replace(fragment="")
