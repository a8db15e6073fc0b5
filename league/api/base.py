"""Base of all API views: reading bodies, permission to write, repeated requests."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.auth import MayWrite, TokenAuthentication, WritesThrottle
from league.api.problems import Problem
from league.api.unknown import refuse_unknown_fields, refuse_unknown_parameters
from league.models import ApiAnswer, User

REPLAYED = "Idempotency-Replayed"
MOST_KEY = 80
POSITIVE, NOT_EMPTY, ANYTHING = r"[1-9][0-9]{0,8}", ".+", r"(?s:.*)"  # patterns of query values
Answer = tuple[int, Any]  # status and JSON body
Checked = dict[str, Any]


class JsonBody(JSONParser):
    """Parse JSON within the limits of size and depth."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        request = (parser_context or {}).get("request")
        length = int(request.META.get("CONTENT_LENGTH") or 0) if request else 0
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig
        try:
            return super().parse(stream, media_type, parser_context)
        except (RecursionError, BadRequest) as exc:
            raise exceptions.ParseError(_("This JSON is nested too deeply.")) from exc


class ApiView(APIView):
    """Base view: load through league/access/, check the body, call one service or read."""

    authentication_classes = (TokenAuthentication, SessionAuthentication)
    parser_classes: tuple[type[BaseParser], ...] = (JsonBody,)
    renderer_classes: tuple[type[BaseRenderer], ...] = (JSONRenderer,)
    permission_classes = (MayWrite,)
    throttle_classes = (WritesThrottle,)
    http_method_names = ["get", "head", "post"]
    query: Mapping[str, str] = {}
    """Parameters of a GET with the patterns of their values; `format` is always allowed."""
    query_of_delete: Mapping[str, str] = {}
    reads_need_an_account = False
    """Whether GET needs an account with a role, as the OpenAPI document says."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        _check_query(request, self._parameters(request.method or ""))
        super().initial(request, *args, **kwargs)

    def _parameters(self, method: str) -> dict[str, str]:
        """Return the allowed parameters of a method, with the patterns of their values."""
        known = {"format": "|".join(renderer.format for renderer in self.renderer_classes)}
        if method == "DELETE":
            return known | dict(self.query_of_delete)
        if method not in SAFE_METHODS:
            return known
        for renderer in self.renderer_classes:
            known |= getattr(renderer, "parameters", {})
        return known | dict(self.query)

    def read_body(self, shape: type[serializers.Serializer]) -> Checked:
        """Return the validated body. Unknown fields are errors; a missing body counts as empty."""
        body = self.request.data
        if isinstance(body, QueryDict):  # missing, or multipart
            body = _from_parts(shape, body)
        if not body and "Transfer-Encoding" in self.request.headers:
            # A chunked body isn't read; treating it as empty would change the request's meaning.
            raise Problem("no-length", _("Send the body in one piece, with a Content-Length."))
        serializer = shape(data={} if body is None else body, context={"request": self.request})
        refuse_unknown_fields(serializer, serializer.initial_data)
        serializer.is_valid(raise_exception=True)
        data: Checked = serializer.validated_data
        return data

    def key(self) -> str:
        """Return the request's Idempotency-Key, or ""."""
        key: str | None = self.request.headers.get("Idempotency-Key")
        if key is None:
            return ""
        if not re.fullmatch(rf"[\x21-\x7e]{{1,{MOST_KEY}}}", key):
            sentence = _("An Idempotency-Key has 1 to %(most)d visible ASCII characters.") % {"most": MOST_KEY}
            raise Problem("malformed", sentence, errors=[{"field": "Idempotency-Key", "message": sentence}])
        return key

    def once(self, work: Callable[[], Answer]) -> Response:
        """Do the work, or repeat the response of an earlier request with this key.

        The key's row is created first, so the second of two equal requests waits for the first. A refusal stores
        nothing: the same key may retry.
        """
        key = self.key()
        if not key:
            status, body = work()
            return Response(body, status=status)
        user, digest = account_of(self.request), _digest(self.request)
        with transaction.atomic():
            try:
                with transaction.atomic():
                    answer = ApiAnswer.objects.create(user=user, key=key, digest=digest)
            except IntegrityError:
                return _answer_again(ApiAnswer.objects.get(user=user, key=key), digest)
            answer.status, answer.body = work()
            answer.save(update_fields=["status", "body"])
        return Response(answer.body, status=answer.status)


def _check_query(request: Request, patterns: Mapping[str, str]) -> None:
    """Raise `Problem` for unknown, repeated or malformed parameters."""
    refuse_unknown_parameters(request.query_params, patterns)
    errors = []
    for name, pattern in patterns.items():
        values = request.query_params.getlist(name)
        if len(values) > 1:
            errors.append({"field": name, "message": _("Give %(name)s once.") % {"name": name}})
        elif values and not re.fullmatch(pattern, values[0]):
            if pattern == POSITIVE:
                message = _("%(name)s is a number from 1.") % {"name": name}
            elif pattern == NOT_EMPTY:
                message = _("%(name)s is empty. Give it a value, or leave it out.") % {"name": name}
            else:
                words = {"name": name, "values": pattern.replace("|", ", ")}
                message = _("%(name)s can have these values: %(values)s.") % words
            errors.append({"field": name, "message": message})
    if errors:
        raise Problem("malformed", errors[0]["message"], errors=errors)


def _from_parts(shape: type[serializers.Serializer], parts: QueryDict) -> Checked:
    """Return the body of multipart/form-data: parts are texts or files; other fields are JSON."""
    fields, body = shape().fields, {}
    for name, values in parts.lists():
        if len(values) > 1:
            sentence = _("Give %(name)s once.") % {"name": name[:MOST_KEY]}
            raise Problem("malformed", sentence, errors=[{"field": name[:MOST_KEY], "message": sentence}])
        [body[name]] = values
        is_text = isinstance(fields.get(name), serializers.CharField | serializers.ChoiceField | serializers.FileField)
        if name in fields and not is_text and isinstance(body[name], str):
            with suppress(ValueError, RecursionError):  # the shape then rejects the text
                body[name] = json.loads(body[name])
    return body


def _digest(request: Request) -> str:
    parts = [request.method, request.path, request.data]
    if request.query_params:  # a DELETE has a query instead of a body
        parts.append(request.META["QUERY_STRING"])
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=_file_digest).encode()).hexdigest()


def _file_digest(file: UploadedFile) -> str:
    file.seek(0)
    return hashlib.sha256(file.read()).hexdigest()


def _answer_again(earlier: ApiAnswer, digest: str) -> Response:
    if earlier.digest != digest:
        raise key_reused()
    return Response(earlier.body, status=earlier.status, headers={REPLAYED: "true"})


def key_reused() -> Problem:
    return Problem("key-reused", _("This Idempotency-Key was used for another request. Use a new key."))


def account_of(request: Request) -> User:
    """Return the writing account; `MayWrite` rejects anonymous requests."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user
