"""Steps: POSTs that call one service each. Views of a family differ in one line."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import serializers

from league.api.answers import documented
from league.api.base import ApiView
from league.api.rows import NothingIn


class StepView(ApiView):
    """Base of a family of steps: `post` loads, checks the body against `shape`, calls `do` and responds."""

    shape: type[serializers.Serializer] = NothingIn
    answers: type[Any]
    do: Callable[..., object]


Family = TypeVar("Family", bound=StepView)


def step(
    family: type[Family],
    name: str,
    do: Callable[..., object],
    summary: str,
    *,
    shape: type[serializers.Serializer] = NothingIn,
    description: str | None = None,
    examples: Mapping[str, Any] | None = None,
    **more: Any,
) -> type[Family]:
    """Return the view of one step. name: operation id. examples: bodies by title. more: attributes, such as `right`."""
    described = extend_schema(
        operation_id=name,
        summary=summary,
        description=description,
        request=shape,
        responses=documented(family.answers),
        examples=[OpenApiExample(title, body, request_only=True) for title, body in (examples or {}).items()],
    )
    view: type[Family] = extend_schema_view(post=described)(
        type(name, (family,), {"shape": shape, "do": staticmethod(do), **more})
    )
    return view
