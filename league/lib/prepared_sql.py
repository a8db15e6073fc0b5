"""Prepare frequent statements. Django builds the SQL of each only once, since that takes longer than the query; with
config/postgresql the database also plans them once per connection.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

_M = TypeVar("_M", bound=Model)


class PreparedQuery:
    """SQL, or a query of plain columns (`values_list`), that returns the database's values and no model instances.

    The values that a queryset compares with are its parameters, in the order of the SQL; the queryset may name any
    values.
    """

    def __init__(self, statement: str | Callable[[], QuerySet[Any, tuple[Any, ...]]]) -> None:
        self._statement = statement
        self._sql: dict[str, str] = {}  # by vendor

    def first(self, *parameters: Any) -> tuple[Any, ...] | None:
        """Return the first row, or None."""
        return _first(self._build(), parameters)

    def rows(self, *parameters: Any) -> list[tuple[Any, ...]]:
        with _cursor() as cursor:
            cursor.execute(self._build(), parameters)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows

    def run(self, *parameters: Any) -> None:
        """Run a statement without result rows."""
        with _cursor() as cursor:
            cursor.execute(self._build(), parameters)

    def _build(self) -> str:
        vendor = connection.vendor
        if vendor not in self._sql:
            sql = self._statement if isinstance(self._statement, str) else self._statement().query.sql_with_params()[0]
            self._sql[vendor] = sql
        return self._sql[vendor]


class _RowQuery(NamedTuple):
    sql: str
    names: list[str]
    converters: dict[int, tuple[list[Callable[..., Any]], Any]]


class PreparedRow(Generic[_M]):
    """Like `PreparedQuery`, for a row of a model. `raw` would look up each column for every row."""

    def __init__(self, model: type[_M], queryset: Callable[[], QuerySet[_M]]) -> None:
        self._model, self._queryset = model, queryset
        self._queries: dict[str, _RowQuery] = {}  # by vendor

    def first(self, *parameters: Any) -> _M | None:
        """Return the first row, or None."""
        if connection.vendor not in self._queries:
            self._queries[connection.vendor] = self._build()
        query = self._queries[connection.vendor]
        if (values := _first(query.sql, parameters)) is None:
            return None
        row = list(values)
        for at, (converters, column) in query.converters.items():
            for convert in converters:
                row[at] = convert(row[at], column, connection)
        return self._model.from_db(connection.alias, query.names, row)

    def _build(self) -> _RowQuery:
        compiler = self._queryset().query.get_compiler(connection=connection)
        sql, _parameters = compiler.as_sql()
        columns = [column for column, _sql, _alias in compiler.select]
        names = [column.target.attname for column in columns]
        return _RowQuery(sql, names, compiler.get_converters(columns))


class PreparedInsert(Generic[_M]):
    """Insert rows without reading their keys."""

    def __init__(self, model: type[_M]) -> None:
        self._fields = [field for field in model._meta.concrete_fields if not field.primary_key]
        names = ", ".join(f'"{field.column}"' for field in self._fields)
        self._sql = f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES '
        self._row = f"({', '.join(['%s'] * len(self._fields))})"

    def run(self, rows: Sequence[_M]) -> None:
        values = [
            field.get_db_prep_save(field.pre_save(row, True), connection) for row in rows for field in self._fields
        ]
        with _cursor() as cursor:
            cursor.execute(self._sql + ", ".join([self._row] * len(rows)), values)


class PreparedUpdate(Generic[_M]):
    """Like `save(update_fields=names)` for existing rows. Raises KeyError for an unknown field name."""

    def __init__(self, model: type[_M], names: Sequence[str]) -> None:
        fields = {field.name: field for field in model._meta.concrete_fields}
        self._fields = [fields[name] for name in names]
        sets = ", ".join(f'"{field.column}" = %s' for field in self._fields)
        self._sql = f'UPDATE "{model._meta.db_table}" SET {sets} WHERE "{model._meta.pk.column}" = %s'

    def run(self, rows: Sequence[_M]) -> None:
        many = [
            [*(field.get_db_prep_save(field.pre_save(row, False), connection) for field in self._fields), row.pk]
            for row in rows
        ]
        with _cursor() as cursor:
            cursor.executemany(self._sql, many)


def _first(sql: str, parameters: Sequence[Any]) -> tuple[Any, ...] | None:
    with _cursor() as cursor:
        cursor.execute(sql, parameters)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def _cursor() -> Any:
    return getattr(connection, "preparing_cursor", connection.cursor)()
