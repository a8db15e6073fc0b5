"""What every view of the API shares: how bodies are read, who may write, and answers to repeated requests."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.db import IntegrityError, transaction
from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.auth import MayWrite, TokenAuthentication, WritesThrottle
from league.api.problems import Problem
from league.models import ApiAnswer, User

REPLAYED = "Idempotency-Replayed"
MOST_KEY = 80
Answer = tuple[int, Any]  # status and JSON body
Checked = dict[str, Any]


class JsonBody(JSONParser):
    """Parses JSON of the size and depth that requests of this API can have."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        request = (parser_context or {}).get("request")
        length = int(request.META.get("CONTENT_LENGTH") or 0) if request else 0
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig
        try:
            return super().parse(stream, media_type, parser_context)
        except (RecursionError, BadRequest) as exc:
            raise exceptions.ParseError(_("This JSON is nested deeper than any request of ours.")) from exc


class ApiView(APIView):
    """A view of the API. Loads through league/access/, checks the body, calls one service or read."""

    authentication_classes = (TokenAuthentication, SessionAuthentication)
    parser_classes = (JsonBody,)
    renderer_classes: tuple[type[BaseRenderer], ...] = (JSONRenderer,)
    permission_classes = (MayWrite,)
    throttle_classes = (WritesThrottle,)
    http_method_names = ["get", "head", "post"]

    def read_body(self, shape: type[serializers.Serializer]) -> Checked:
        """The body, checked against a shape. An absent body is an empty one."""
        body = self.request.data
        absent = body is None or isinstance(body, QueryDict)
        if not body and "Transfer-Encoding" in self.request.headers:
            # A body in pieces is not read; to take it for an empty one would do something else than the request says.
            raise Problem("no-length", _("Send the body in one piece, with a Content-Length."))
        serializer = shape(data={} if absent else body, context={"request": self.request})
        serializer.is_valid(raise_exception=True)
        data: Checked = serializer.validated_data
        return data

    def key(self) -> str:
        """The Idempotency-Key of the request, or nothing."""
        key: str = self.request.headers.get("Idempotency-Key", "")
        if key and not re.fullmatch(rf"[\x21-\x7e]{{1,{MOST_KEY}}}", key):
            sentence = _("An Idempotency-Key has 1 to %(most)d visible ASCII characters.") % {"most": MOST_KEY}
            raise Problem("malformed", sentence, errors=[{"field": "Idempotency-Key", "message": sentence}])
        return key

    def once(self, work: Callable[[], Answer]) -> Response:
        """Do the work, or repeat the answer if this request came before under the same key.

        The key's row comes first in the transaction, so the second of two equal requests waits for the first. A refusal
        stores nothing: the same key may try again.
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


def _digest(request: Request) -> str:
    parts = [request.method, request.path, request.data]
    if request.query_params:  # a DELETE has it instead of a body
        parts.append(request.META["QUERY_STRING"])
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _answer_again(earlier: ApiAnswer, digest: str) -> Response:
    if earlier.digest != digest:
        raise key_reused()
    return Response(earlier.body, status=earlier.status, headers={REPLAYED: "true"})


def key_reused() -> Problem:
    return Problem(
        "key-reused", _("This Idempotency-Key came before with another request. Take a new key for a new request.")
    )


def account_of(request: Request) -> User:
    """The account that writes; `MayWrite` lets nobody else through."""
    if not request.user.is_authenticated:
        raise Http404
    return request.user


class CsvRenderer(BaseRenderer):
    """Lets `Accept` or `?format=csv` choose CSV; the view itself answers with the file."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return str(data).encode()
