"""Response while the database is down: 503 and a time to retry, never a guess.

Such a request saved nothing, or its transaction had ended. Repeating it is safe, since hands are recorded once
(games.hands.record.record_hand).
"""

import sys

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from league.api.problems import Problem, is_of_the_api
from league.pages import answers

RETRY_AFTER = 5  # seconds


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether the database couldn't be reached, was lost, or was busy for too long."""
    # Django reports an unsaved session as a client error (400); look at its cause.
    while isinstance(error, SessionInterrupted | UpdateError):
        error = error.__context__
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    # SQLite also raises OperationalError for wrong queries: our error.
    return connection.vendor != "sqlite" or any(word in str(error) for word in ("locked", "unable to open", "disk"))


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle errors (handler500), called by Django during an exception of a view, middleware or DRF."""
    return _come_again(request) if is_unavailable(sys.exc_info()[1]) else answers.server_error(request)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler400."""
    return _come_again(request) if is_unavailable(exception) else answers.bad_request(request, exception)


def _come_again(request: HttpRequest) -> HttpResponse:
    sentence = _("The database doesn’t answer right now. Nothing is lost: try again in a few seconds.")
    response = Problem("unavailable", sentence).response() if is_of_the_api(request) else _page(sentence)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


def _page(sentence: str) -> HttpResponse:
    # Without the request: its user would need the database.
    context = {"title": _("Back in a moment"), "sentence": sentence, "status": 503}
    return HttpResponse(render_to_string("shared/message.html", context), status=503)
