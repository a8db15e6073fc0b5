"""Pages that are the same for everybody who is signed out, kept in memory for as long as nothing changes.

A page is looked up under a version that the database says now, so it is never older than the last commit, in whichever
process that was made. Nothing has to be told to forget.
"""

from collections.abc import Callable, Hashable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from league.lib.remembered import Remembered

_pages: Remembered[Hashable, bytes] = Remembered(64)  # a page of 256 players has about 200 kB


def page(request: HttpRequest, version: Hashable | None, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What `make` answers, or what it answered when this address was asked for with an equal version.

    `version` is read from the database before the page is made, holds all that `make` takes, and is another one after
    every change of what the page shows and of who may see it; None where there is no such value. A page may greet
    whoever has a session by name or tell them something, so for them it is always made anew.
    """
    if version is None or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return make()
    key = request.path, get_language(), version  # several of one address: the standings as of earlier rounds
    if (known := _pages.get(key, version)) is not None:
        return HttpResponse(known)
    response = make()
    if response.status_code == 200:
        _pages.put(key, version, response.content)
    return response
