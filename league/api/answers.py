"""Define the fields of each response once, in a `TypedDict`: mypy checks views against it, and OpenAPI is derived from
it.

Annotations add what types lack: a help text, choices (`Annotated[str, Round.State]`), or that a string is a time.
"""

from datetime import date, datetime
from functools import cache
from types import NoneType
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints, is_typeddict

from rest_framework import serializers

Moment = Annotated[str, datetime]
Day = Annotated[str, date]
Shape = TypeVar("Shape")

FIELDS: dict[Any, type[serializers.Field]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    bool: serializers.BooleanField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
    list: serializers.ListField,
}


def filled(shape: type[Shape], value: object, **computed: object) -> Shape:
    """Return a response with the computed fields; other fields come from the value's attributes."""
    names = shape.__annotations__
    return cast(Shape, {name: computed[name] if name in computed else getattr(value, name) for name in names})


def documented(shape: Any, **settings: Any) -> Any:
    """Return the serializer with which drf-spectacular describes a shape, or a list of it."""
    if get_origin(shape) is list:
        return documented(*get_args(shape), many=True, **settings)
    return _serializer(shape)(**settings)


@cache
def _serializer(shape: Any) -> type[serializers.Serializer]:
    fields = {name: _field(hint) for name, hint in get_type_hints(shape, include_extras=True).items()}
    return type(shape.__name__, (serializers.Serializer,), fields)


def _field(hint: Any, form: Any = None, **settings: Any) -> serializers.Field:
    """Return the field of a type. form: a more precise type, or choices."""
    args = get_args(hint)
    if get_origin(hint) is Annotated:
        about = {"help_text" if isinstance(each, str) else "form": each for each in args[1:]}
        return _field(args[0], **{"form": form, **settings, **about})
    if NoneType in args:
        [hint] = (each for each in args if each is not NoneType)
        return _field(hint, form, allow_null=True, **settings)
    if choices := form if isinstance(form, tuple) else getattr(form, "choices", None):
        return serializers.ChoiceField(choices=choices, **settings)
    hint = form or hint
    args = get_args(hint)
    if get_origin(hint) is dict:
        return serializers.DictField(child=_field(args[1]), **settings)
    if get_origin(hint) is list and not is_typeddict(args[0]):
        return serializers.ListField(child=_field(args[0]), **settings)
    return FIELDS[hint](**settings) if hint in FIELDS else cast(serializers.Field, documented(hint, **settings))
