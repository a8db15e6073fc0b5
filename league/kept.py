"""Pages that everybody who is signed out sees alike, kept in memory for as long as nothing changes.

What is kept is found by what the database says now, so a page is never older than the last commit, in whichever process
that was made. Nothing has to be told to forget.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

MOST_PAGES = 64  # of 256 players a page has about 200 kB

_pages: OrderedDict[Hashable, bytes] = OrderedDict()
_lock = threading.Lock()


def page(request: HttpRequest, version: Hashable | None, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What `make` answers, or what it answered when this address was asked for with an equal version.

    `version` is read from the database before the page is made, holds all that `make` was given, and is another one
    after every change of what the page shows and of who may see it; None where there is nothing to go by. Who has a
    session may be greeted by name or told something, and is always answered anew.
    """
    if version is None or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return make()
    key = request.path, get_language(), version
    with _lock:
        if key in _pages:
            _pages.move_to_end(key)
            return HttpResponse(_pages[key])
    response = make()
    if response.status_code == 200:
        with _lock:
            _pages[key] = response.content
            while len(_pages) > MOST_PAGES:
                _pages.popitem(last=False)
    return response


def forget() -> None:
    """Keep nothing; for measurements."""
    with _lock:
        _pages.clear()
