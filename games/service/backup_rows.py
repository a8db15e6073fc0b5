"""The rows of a backup: which models it has, and each row as a line of JSON in Django's serialization.

It works on the current models, and on those of an older database (django.db.migrations.state).
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django.apps import apps
from django.apps.registry import Apps
from django.db import models

# `migrate` creates contenttypes and permissions; users sign in again; a link to set up a server is for that server, and
# each restore makes its own pause.
LEFT_OUT = (
    *("contenttypes.contenttype", "auth.permission", "sessions.session"),
    *("league.firstlink", "league.restorepause"),
)
# Values that are JSON already, or that _Exact writes.
AS_THEY_ARE = (type(None), bool, int, float, str, dict, list, datetime, date, time, Decimal)
BLOCK = 500  # rows

# Columns that name a row which `migrate` created, because its id differs between databases.
_NAMES = {
    "contenttypes.contenttype": ("app_label", "model"),
    "auth.permission": ("codename", "content_type__app_label", "content_type__model"),
}


class _Exact(json.JSONEncoder):
    """An encoder that keeps microseconds, unlike Django's, because the log's hashes cover times."""

    def default(self, value: Any) -> Any:
        if isinstance(value, datetime | date | time):
            return value.isoformat()
        if isinstance(value, Decimal | UUID):
            return str(value)
        return super().default(value)


def models_of(registry: Apps = apps) -> list[type[models.Model]]:
    """Return the models of a backup, in the order of writing."""
    managed = [model for model in registry.get_models() if model._meta.managed and not model._meta.proxy]
    return sorted((model for model in managed if label(model) not in LEFT_OUT), key=label)


def label(model: type[models.Model]) -> str:
    return model._meta.label_lower


def rows_of(model: type[models.Model]) -> models.QuerySet[Any]:
    return model._base_manager.order_by("pk")


def lines_of(model: type[models.Model]) -> Iterator[list[bytes]]:
    """Yield the lines of all rows, in blocks. Builds no instance of the model, which takes most of the time."""
    encode, name = _Exact(ensure_ascii=False).encode, label(model)
    fields = _stored(model._meta.local_fields)
    named = {field.attname: _names_of(field.remote_field.model) for field in fields if _goes_by_name(field)}
    lists = {field.name: _lists_of(field) for field in _stored(model._meta.local_many_to_many)}
    lines: list[bytes] = []
    for pk, *values in rows_of(model).values_list("pk", *(field.attname for field in fields)).iterator(BLOCK):
        row: dict[str, Any] = {}
        for field, value in zip(fields, values, strict=True):
            if field.attname in named:
                value = named[field.attname].get(value)
            elif type(value) not in AS_THEY_ARE:
                value = field.value_to_string(SimpleNamespace(**{field.attname: value}))
            row[field.name] = value
        row |= {field_name: keys[pk] for field_name, keys in lists.items()}
        lines.append(encode({"model": name, "pk": pk, "fields": row}).encode() + b"\n")
        if len(lines) == BLOCK:
            yield lines
            lines = []
    if lines:
        yield lines


def _stored(fields: Iterable[Any]) -> list[Any]:
    return [field for field in fields if field.serialize]


def _goes_by_name(field: Any) -> bool:
    return field.remote_field is not None and label(field.remote_field.model) in _NAMES


def _names_of(model: type[models.Model]) -> dict[Any, list[str]]:
    """Return {id: natural key}."""
    rows = model._base_manager.values_list("pk", *_NAMES[label(model)])
    return {pk: list(names) for pk, *names in rows}


def _lists_of(field: Any) -> dict[Any, list[Any]]:
    """Return {id: ids or natural keys of the related rows} of a many-to-many field."""
    lists: dict[Any, list[Any]] = defaultdict(list)
    through = field.remote_field.through
    names = _names_of(field.remote_field.model) if _goes_by_name(field) else None
    pairs = through._base_manager.order_by("pk").values_list(field.m2m_field_name(), field.m2m_reverse_field_name())
    for pk, other in pairs:
        lists[pk].append(names[other] if names else other)
    return lists


def with_ids(row: dict[str, Any], registry: Apps) -> dict[str, Any]:
    """Replace the names of rows that `migrate` created by their ids: the managers of older models find no names."""
    model = registry.get_model(row["model"])
    for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
        if _goes_by_name(field) and (value := row["fields"].get(field.name)):
            ids = {tuple(names): pk for pk, names in _names_of(field.remote_field.model).items()}
            is_list = field.many_to_many
            row["fields"][field.name] = [ids[tuple(names)] for names in value] if is_list else ids[tuple(value)]
    return row
