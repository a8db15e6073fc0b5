"""Reject unknown fields and parameters, and suggest the nearest known one.

Otherwise a typo would be ignored: `visibilty: "private"` would create a public tournament.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.problems import Error, Problem

CODE = "unknown-field"
MOST_ERRORS = 20  # a player list can have an unknown field in every row
MOST_LETTERS = 80  # of a compared and repeated name

Path = tuple[str | int, ...]


def refuse_unknown_fields(shape: serializers.Serializer, body: Any) -> None:
    """Raise `Problem` if the body has a field, at any level, that the shape doesn't declare."""
    _refuse(_error(path, name, known) for path, name, known in _unknown_fields(shape, body, ()))


def refuse_unknown_parameters(names: Iterable[str], known: Iterable[str]) -> None:
    """Raise `Problem` if the query has a parameter that the address doesn't know."""
    known = list(known)
    _refuse(_parameter_error(name, known) for name in names if name not in known)


def _refuse(unknown: Iterator[Error]) -> None:
    errors = list(islice(unknown, MOST_ERRORS))
    if errors:
        raise Problem("malformed", " ".join(error["message"] for error in errors[:3]), code=CODE, errors=errors)


def _unknown_fields(shape: Any, body: Any, path: Path) -> Iterator[tuple[Path, str, list[str]]]:
    """Yield where each unknown field is, its name, and the names known there.

    A value of the wrong kind is passed over: the shape itself refuses it.
    """
    if isinstance(shape, serializers.Serializer):
        if isinstance(body, dict):
            for name, value in body.items():
                if name in shape.fields:
                    yield from _unknown_fields(shape.fields[name], value, (*path, name))
                else:
                    yield path, name, list(shape.fields)
    elif isinstance(shape, serializers.ListSerializer | serializers.ListField) and isinstance(body, list):
        for number, value in enumerate(body):
            yield from _unknown_fields(shape.child, value, (*path, number))


def _error(path: Path, name: str, known: list[str]) -> Error:
    path = (*path, _shortened(name))
    nearest = _nearest(name, known)
    if not known:
        sentence = _("“%(name)s” is not a known field. This request has no fields.")
    elif nearest:
        sentence = _("“%(name)s” is not a known field. Did you mean “%(nearest)s”?")
    else:
        sentence = _("“%(name)s” is not a known field. Known: %(known)s.")
    words = {"name": _in_brackets(path), "nearest": nearest, "known": ", ".join(known)}
    return {"field": ".".join(map(str, path)), "message": sentence % words}


def _parameter_error(name: str, known: list[str]) -> Error:
    nearest = _nearest(name, known)
    if nearest:
        sentence = _("“%(name)s” is not a known parameter. Did you mean “%(nearest)s”?")
    else:
        sentence = _("“%(name)s” is not a known parameter. Known: %(known)s.")
    words = {"name": _shortened(name), "nearest": nearest, "known": ", ".join(known)}
    return {"field": words["name"], "message": sentence % words}


def _nearest(name: str, known: list[str]) -> str:
    return next(iter(get_close_matches(name[:MOST_LETTERS].casefold(), known, n=1)), "")


def _shortened(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else f"{name[:MOST_LETTERS]}…"


def _in_brackets(path: Path) -> str:
    """Such as `players[0].rating`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")
