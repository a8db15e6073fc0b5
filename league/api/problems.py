"""Answer errors under /api/ as problems of RFC 9457; docs/api.md lists the types."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from rest_framework.settings import api_settings
from rest_framework.views import set_rollback

from league.access import RoundUndone
from league.access.tables import undone_in_words
from league.lib.errors import Conflict, Refused

CONTENT_TYPE = "application/problem+json"
TYPE = "/api/problems/{}"


@dataclass(frozen=True)
class Kind:
    status: int
    title: Any  # a lazy translation


KINDS: dict[str, Kind] = {
    "malformed": Kind(400, gettext_lazy("Malformed request")),
    "no-token": Kind(401, gettext_lazy("Token required")),
    "bad-token": Kind(401, gettext_lazy("Invalid token")),
    "forbidden": Kind(403, gettext_lazy("Not allowed for this token")),
    "not-found": Kind(404, gettext_lazy("Not found")),
    "method": Kind(405, gettext_lazy("Method not allowed")),
    "not-acceptable": Kind(406, gettext_lazy("Response format not available")),
    "conflict": Kind(409, gettext_lazy("Not possible in the current state")),
    "missing": Kind(409, gettext_lazy("Tables still have hands to play")),
    "taken": Kind(409, gettext_lazy("The hand is already recorded with another result")),
    "no-length": Kind(411, gettext_lazy("Content-Length required")),
    "too-large": Kind(413, gettext_lazy("Request too large")),
    "media-type": Kind(415, gettext_lazy("The body is not JSON")),
    "refused": Kind(422, gettext_lazy("Request refused")),
    "impossible-hand": Kind(422, gettext_lazy("Impossible hand")),
    "key-reused": Kind(422, gettext_lazy("Key used for another request")),
    "too-many-requests": Kind(429, gettext_lazy("Too many requests")),
    "server-error": Kind(500, gettext_lazy("Server error")),
    "unavailable": Kind(503, gettext_lazy("Service unavailable")),
}

Error = dict[str, Any]  # {"field" or "line", "message"}

# Form fields with another name in bodies.
IN_THE_API = {"hands_per_round": "hands"}


class Problem(Exception):
    """Error response. `code` is more specific than the kind, and as stable."""

    def __init__(
        self, kind: str, detail: str, *, code: str = "", errors: list[Error] | None = None, current: Any = None
    ) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.code = kind, detail, code or kind
        self.errors = errors or []
        self.current = current

    @classmethod
    def of(cls, refused: Refused, *, kind: str = "", current: Any = None) -> "Problem":
        """Return the problem for a service's refusal."""
        by_default = "conflict" if isinstance(refused, Conflict) else "refused"
        return cls(
            kind or (refused.code if refused.code in KINDS else by_default),
            str(refused),
            code=refused.code,
            errors=[
                {"field": IN_THE_API.get(field, field), "message": str(sentence)}
                for field, sentences in refused.fields.items()
                for sentence in sentences
            ],
            current=current,
        )

    def response(self) -> HttpResponse:
        kind = KINDS[self.kind]
        body = {
            "type": TYPE.format(self.kind),
            "title": str(kind.title),
            "status": kind.status,
            "detail": self.detail,
            "code": self.code,
            "errors": self.errors,
        }
        if kind.status == 409:
            body["current"] = self.current
        return JsonResponse(body, status=kind.status, content_type=CONTENT_TYPE)


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """DRF's exception hook: return the response, or None for an internal error."""
    set_rollback()
    if isinstance(error, Problem):
        return error.response()
    if isinstance(error, Refused):
        return Problem.of(error).response()
    if isinstance(error, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return Problem("too-large", _("A body can have at most %(most)d bytes.") % {"most": most}).response()
    if isinstance(error, RoundUndone):
        return Problem("conflict", undone_in_words(error.table), code="undone").response()
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if not isinstance(error, exceptions.APIException):
        return None
    response = _problem_of_drf(error).response()
    if authenticate := getattr(error, "auth_header", None):
        response.headers["WWW-Authenticate"] = authenticate
    if (wait := getattr(error, "wait", None)) is not None:
        response.headers["Retry-After"] = str(max(1, math.ceil(wait)))
    return response


def _problem_of_drf(error: exceptions.APIException) -> Problem:
    if isinstance(error, exceptions.ValidationError):
        errors = list(flatten(error.detail))
        sentence = errors[0]["message"] if len(errors) == 1 else _("Some fields are invalid; see errors.")
        return Problem("malformed", sentence, errors=errors)
    if isinstance(error, exceptions.NotFound):
        return Problem("not-found", _("Private, or a wrong address."))
    if isinstance(error, exceptions.NotAuthenticated):
        return Problem("no-token", _("Send a token in the header “Authorization: Token …”."))
    kinds: tuple[tuple[type[exceptions.APIException], str], ...] = (
        (exceptions.AuthenticationFailed, "bad-token"),
        (exceptions.PermissionDenied, "forbidden"),
        (exceptions.MethodNotAllowed, "method"),
        (exceptions.NotAcceptable, "not-acceptable"),
        (exceptions.UnsupportedMediaType, "media-type"),
        (exceptions.Throttled, "too-many-requests"),
    )
    otherwise = "malformed" if error.status_code == 400 else "server-error"
    kind = next((kind for error_class, kind in kinds if isinstance(error, error_class)), otherwise)
    return Problem(kind, str(error.detail))


def flatten(detail: Any, path: str = "") -> Iterator[Error]:
    """Yield DRF's nested errors: the path is `seats.1.cards.0`, counted from 0 as in the body."""
    if isinstance(detail, dict):
        for name, below in detail.items():
            # Errors of a whole object belong to its path.
            own = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from flatten(below, path if own else f"{path}.{name}" if path else str(name))
    elif isinstance(detail, list):
        for number, below in enumerate(detail):
            deeper = isinstance(below, dict | list)
            yield from flatten(below, f"{path}.{number}" if deeper else path)
    else:
        yield {"field": path or "body", "message": str(detail)}


def no_such_address() -> HttpResponse:
    sentence = _("No such address. API addresses end with a slash; see /api/docs/.")
    return Problem("not-found", sentence).response()


def is_of_the_api(request: HttpRequest) -> bool:
    return request.path.startswith(f"{settings.BASE_PATH}api/")


def problem_for_page(request: HttpRequest, status: int) -> HttpResponse | None:
    """Return the problem that replaces an error page, if the address is the API's."""
    if not is_of_the_api(request):
        return None
    if status == 404:
        return no_such_address()
    if status == 403:
        return Problem("forbidden", _("This request needs a token, or a sign-in and its CSRF token.")).response()
    if status == 400:
        return Problem("malformed", _("The address or body is damaged.")).response()
    sentence = _("Our error. Send the same request again with the same Idempotency-Key.")
    return Problem("server-error", sentence).response()
