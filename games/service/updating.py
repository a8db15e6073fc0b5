"""Answer every request with 503 while `serve` upgrades the database: Django's pages need its tables.

Static files and /healthz are served too, because the page has our design and the process is alive.
"""

import mimetypes
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse, parse_cookie
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _

from league.api.problems import Problem

RETRY_AFTER = 10  # seconds
PATIENCE = 5  # seconds for a request to arrive
MOST_BODY = 3_000_000  # bytes that are read, so that the browser reads the answer


@contextmanager
def answers_updating(listener: socket.socket) -> Iterator[None]:
    """Answer requests in threads during the block. Later requests wait in the listener's queue."""
    server = _Server(listener)
    thread = Thread(target=server.serve_forever, args=(0.1,), daemon=True, name="updating")
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, listener: socket.socket) -> None:
        super().__init__(listener.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about clients that leave."""


class _Handler(BaseHTTPRequestHandler):
    timeout = PATIENCE

    def _answer(self) -> None:
        with suppress(ValueError):
            self.rfile.read(min(int(self.headers.get("Content-Length") or 0), MOST_BODY))
        request = HttpRequest()
        request.META["HTTP_ACCEPT_LANGUAGE"] = self.headers.get("Accept-Language", "")
        request.COOKIES = parse_cookie(self.headers.get("Cookie", ""))
        with override(get_language_from_request(request)):
            response = response_for(unquote(self.path.partition("?")[0]))
        if self.command == "GET" and response.status_code == 503:
            response["Refresh"] = str(RETRY_AFTER)
        self.send_response(response.status_code)
        for name, value in response.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(response.content)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.content)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _answer

    def log_message(self, *arguments: object) -> None:
        """Log nothing: these are no errors."""


def response_for(path: str) -> HttpResponse:
    """Return the response to a request of this path, without a database."""
    if path == "/healthz":
        return HttpResponse("ok\n", content_type="text/plain")
    if path.startswith(settings.STATIC_URL) and (file := _static_file(path.removeprefix(settings.STATIC_URL))):
        return HttpResponse(file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0])
    sentence = _("This server is being updated. Nothing is lost: the page comes back in a minute.")
    if path == "/readyz":
        why = {"schema": {"ok": False, "why": "The database is being upgraded."}}
        body = {"ready": False, "version": settings.VERSION, "checks": why}
        response: HttpResponse = JsonResponse(body, status=503)
    elif path.startswith("/api/"):
        response = Problem("unavailable", sentence).response()
    else:
        context = {"title": _("Being updated"), "sentence": sentence, "status": 503}
        response = HttpResponse(render_to_string("shared/message.html", context), status=503)
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response


def _static_file(name: str) -> Path | None:
    """Return a file of the installed packages, or of the collected ones."""
    with suppress(SuspiciousOperation, ValueError, OSError):
        if collected := getattr(settings, "STATIC_ROOT", None):
            folder = Path(collected).resolve()
            path = (folder / name).resolve()
            return path if path.is_relative_to(folder) and path.is_file() else None
        path_of = finders.find(name)
        return Path(path_of) if isinstance(path_of, str) and Path(path_of).is_file() else None
    return None
