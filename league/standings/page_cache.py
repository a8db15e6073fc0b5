"""Pages that everybody who is signed out sees alike, kept in memory for as long as nothing changes.

What is kept is found by what the database says now, so a page is never older than the last commit, in whichever process
that was made. Nothing has to be told to forget.
"""

from collections.abc import Callable, Hashable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from league.lib.remembered import Remembered

_pages: Remembered[Hashable, bytes] = Remembered(64)  # of 256 players a page has about 200 kB


def page(request: HttpRequest, version: Hashable | None, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What `make` answers, or what it answered when this address was asked for with an equal version.

    `version` is read from the database before the page is made, holds all that `make` was given, and is another one
    after every change of what the page shows and of who may see it; None where there is nothing to go by. Who has a
    session may be greeted by name or told something, and is always answered anew.
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
