"""Sessions in the database."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import DatabaseError, connection
from django.utils import timezone

from league.lib.prepared_sql import PreparedQuery


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: Any) -> bool:
        """Accept only possible keys: PostgreSQL rejects the zero byte of a forged cookie."""
        valid = super()._validate_session_key(key)  # type: ignore[misc]
        return bool(valid) and key.isascii() and key.isalnum()

    def load(self) -> dict[str, Any]:
        """Like Django's, which compiles the query for each request."""
        known: dict[str, str] = getattr(_here, "rows", {})
        text = known.get(self.session_key or "") or dict(_read([self.session_key])).get(self.session_key)
        if text is None:
            self._session_key = None
            return {}
        data: dict[str, Any] = json.loads(self._decode_row(text))
        return data

    def save(self, must_create: bool = False) -> None:
        """Like Django's, which opens a transaction or savepoint for one statement of a known session."""
        if must_create or self.session_key is None:
            super().save(must_create)
            return
        row = self.create_model_instance(dict(self.items()))
        same = self.get_model_class().objects.filter(session_key=self.session_key)
        try:
            is_there = same.update(session_data=row.session_data, expire_date=row.expire_date)
        except DatabaseError as error:
            raise UpdateError from error
        if not is_there:
            raise UpdateError

    @staticmethod
    @lru_cache(maxsize=1000)
    def _decode_row(session_data: str) -> str:
        """Return a row's content as JSON, cached by the row's text: most requests of a session repeat it."""
        return json.dumps(SessionStore().decode(session_data))


def _read(keys: Sequence[str | None]) -> list[tuple[Any, ...]]:
    """Return (key, content) of living sessions."""
    return _living(len(keys)).rows(*keys, connection.ops.adapt_datetimefield_value(timezone.now()))


@cache
def _living(sessions: int) -> PreparedQuery:
    rows = SessionStore.get_model_class().objects.filter(session_key__in=list(map(str, range(sessions))))
    return PreparedQuery(lambda: rows.filter(expire_date__gt=timezone.now()).values_list("session_key", "session_data"))


@contextmanager
def read_together(keys: Sequence[str]) -> Iterator[None]:
    """Within it, this thread knows these sessions, read with one query."""
    _here.rows = dict(_read(keys)) if keys else {}
    try:
        yield
    finally:
        del _here.rows


_here = threading.local()
