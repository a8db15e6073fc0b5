"""Rows in the form of the API, and what many bodies share."""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict, TypeVar, cast

from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination

from league.lib import csv

LARGEST = 2**31 - 1  # the largest id or version in a body


AnyRow = TypeVar("AnyRow", bound=Mapping[str, Any])


class NothingIn(serializers.Serializer):
    """No field: the body may be left out."""


def row_json(columns: Iterable[str], row: AnyRow) -> AnyRow:
    """A row with the columns of the CSV: numbers and booleans stay as they are, moments are written as in the CSV."""
    return cast(AnyRow, {name: _plain(row.get(name)) for name in columns})


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else csv.cell(value)


class PageOut(TypedDict):
    """What each page of a long list has, with the rows as `results`."""

    count: int
    next: str | None
    previous: str | None


class Pages(PageNumberPagination):
    page_size = 50
    last_page_strings = ()
