"""Django's sessions in the database."""

import json
from functools import lru_cache
from typing import Any

from django.contrib.sessions.backends import db
from django.db import connection
from django.utils import timezone

from league.lib.prepared_sql import Written


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: Any) -> bool:
        """Look only for possible keys: a forged cookie may hold a zero byte, which PostgreSQL refuses."""
        valid = super()._validate_session_key(key)  # type: ignore[misc]
        return bool(valid) and key.isascii() and key.isalnum()

    def load(self) -> dict[str, Any]:
        """Like Django's own, which writes the query anew for each request."""
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        row = _living.first(self.session_key, now)
        if row is None:
            self._session_key = None
            return {}
        data: dict[str, Any] = json.loads(self._decode_row(row[0]))
        return data

    @staticmethod
    @lru_cache(maxsize=1000)
    def _decode_row(session_data: str) -> str:
        """The content of a row, as JSON, kept by the row's own text: most requests of a session read the same again."""
        return json.dumps(SessionStore().decode(session_data))


def _by_key() -> Any:
    sessions = SessionStore.get_model_class().objects.filter(session_key="")
    return sessions.filter(expire_date__gt=timezone.now()).values_list("session_data")


_living = Written(_by_key)
