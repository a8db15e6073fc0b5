"""Additions to every operation in the OpenAPI document: problems, keys, tokens."""

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.permissions import SAFE_METHODS

from league.api.base import MOST_KEY, REPLAYED
from league.api.problems import CONTENT_TYPE, KINDS, TYPE

API = f"{settings.BASE_PATH}api/v1/"

ERROR = {
    "type": "object",
    "properties": {
        "field": {"type": "string", "description": "Path in the body, such as seats.1.cards, or a parameter"},
        "line": {"type": "integer", "description": "Line of the player list, from 1"},
        "seat": {"type": "integer"},
        "message": {"type": "string"},
    },
    "required": ["message"],
}
PROBLEM = {
    "type": "object",
    "description": "RFC 9457. The types are listed in docs/api.md.",
    "properties": {
        "type": {"type": "string", "enum": [TYPE.format(kind) for kind in KINDS]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "description": "As stable as the type, and more specific"},
        "errors": {"type": "array", "items": ERROR},
        "current": {"description": "With 409: the current value"},
    },
    "required": ["type", "title", "status", "detail", "code", "errors"],
}
KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "pattern": "^[!-~]+$", "maxLength": MOST_KEY},
    "description": "Chosen by the client: a repeated request with the same key runs once and returns the same response",
}
WAIT = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds"}}


class Operations(AutoSchema):
    """Operations of drf-spectacular, except that a public GET needs no token."""

    def get_auth(self) -> list[dict[str, Any]]:
        ways: list[dict[str, Any]] = super().get_auth()
        is_public = self.method in SAFE_METHODS and not getattr(self.view, "reads_need_an_account", False)
        return [{}, *ways] if is_public else ways


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "league.api.auth.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token`, a space, and the secret",
        }


def only_the_api(endpoints: list[tuple[str, str, str, Any]], **_more: Any) -> list[tuple[str, str, str, Any]]:
    return [endpoint for endpoint in endpoints if endpoint[0].startswith(API)]


def with_problems_and_keys(result: dict[str, Any], **_more: Any) -> dict[str, Any]:
    schemas = result["components"]["schemas"]
    schemas["Problem"] = PROBLEM
    _forbid_unknown_fields(
        [one.get("requestBody") for ways in result["paths"].values() for one in ways.values()], schemas
    )
    for operations in result["paths"].values():
        for method, operation in operations.items():
            operation["responses"] |= _problems(method)
            _forbid_unknown_fields(operation.get("requestBody"), schemas)
            operation["tags"] = [operation["operationId"].partition("_")[0]]
            if method == "post":
                operation.setdefault("parameters", []).append(KEY)
                for status, answer in operation["responses"].items():
                    if status.startswith("2"):
                        answer["headers"] = {REPLAYED: {"schema": {"type": "string", "enum": ["true"]}}}
    return result


def _forbid_unknown_fields(part: Any, schemas: dict[str, Any]) -> None:
    """Close the schemas of bodies, recursively: unknown fields are errors."""
    if isinstance(part, list):
        for below in part:
            _forbid_unknown_fields(below, schemas)
    elif isinstance(part, dict):
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name in schemas and "additionalProperties" not in schemas[name]:
            if schemas[name].get("type") == "object":
                schemas[name]["additionalProperties"] = False
            _forbid_unknown_fields(schemas[name], schemas)
        for key, below in part.items():
            if key != "examples":
                _forbid_unknown_fields(below, schemas)


def _problems(method: str) -> dict[str, Any]:
    """Return the possible problems of an operation by status; `default` for the rest."""
    statuses = (400, 401, 403, 404, 409, 422) if method == "post" else (400, 401, 404)
    titles = {kind.status: str(kind.title) for kind in reversed(KINDS.values())}
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    responses: dict[str, Any] = {
        str(status): {"description": titles[status], "content": content} for status in statuses
    }
    responses["429"] = {"description": titles[429], "content": content, "headers": WAIT}
    return responses | {"default": {"description": "Any other problem", "content": content}}
