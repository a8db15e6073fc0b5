"""Table rows as JSON, and shared parts of bodies."""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict, TypeVar, cast

from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination

from league.lib import csv

LARGEST = 2**31 - 1  # the largest id or version in a body


AnyRow = TypeVar("AnyRow", bound=Mapping[str, Any])


class NothingIn(serializers.Serializer):
    """No fields: the body may be missing."""


def row_json(columns: Iterable[str], row: AnyRow) -> AnyRow:
    """Return a row with the CSV's columns: numbers and booleans unchanged, moments as in the CSV."""
    return cast(AnyRow, {name: _plain(row.get(name)) for name in columns})


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else csv.cell(value)


class PageOut(TypedDict):
    """Fields of every page of a long list, next to `results`."""

    count: int
    next: str | None
    previous: str | None


class Pages(PageNumberPagination):
    page_size = 50
    last_page_strings = ()
