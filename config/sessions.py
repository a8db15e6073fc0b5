"""Django's sessions in the database."""

from typing import Any

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: Any) -> bool:
        """Only what a key can be is looked for: a forged cookie may hold a zero byte, which PostgreSQL refuses."""
        valid = super()._validate_session_key(key)  # type: ignore[misc]
        return bool(valid) and key.isascii() and key.isalnum()
