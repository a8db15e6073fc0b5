"""The answer to everybody while the database does not answer: 503 and when to ask again, never a guess.

A request that ends here saved nothing, or its transaction had ended before. Sending it again is safe, since hands are
recorded once (games.hands.record.record_hand).
"""

import sys

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from league.api.problems import Problem
from league.pages import answers

RETRY_AFTER = 5  # seconds


def is_unavailable(error: BaseException | None) -> bool:
    """Whether the database could not be reached, was lost in the middle, or is busy beyond waiting."""
    # Django reports a session that could not be saved as the visitor's fault (400); the error behind it counts.
    while isinstance(error, SessionInterrupted | UpdateError):
        error = error.__context__
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    # SQLite reports a wrong query as an OperationalError too: that is a fault of ours.
    return connection.vendor != "sqlite" or any(word in str(error) for word in ("locked", "unable to open", "disk"))


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500. Django calls it while it handles an exception of a view, a middleware or DRF."""
    return _come_again(request) if is_unavailable(sys.exc_info()[1]) else answers.server_error(request)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler400."""
    return _come_again(request) if is_unavailable(exception) else answers.bad_request(request, exception)


def _come_again(request: HttpRequest) -> HttpResponse:
    sentence = _("The database does not answer at the moment. Nothing is lost: wait a few seconds and send it again.")
    response = Problem("unavailable", sentence).response() if request.path.startswith("/api/") else _page(sentence)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


def _page(sentence: str) -> HttpResponse:
    # It gets no request: the request's user would have to be read from the database.
    context = {"title": _("We will be back in a moment"), "sentence": sentence, "status": 503}
    return HttpResponse(render_to_string("shared/said.html", context), status=503)
