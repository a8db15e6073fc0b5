"""Django's PostgreSQL backend, without costs repeated in every request."""

import threading
from select import POLLIN, poll
from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from psycopg.pq import ConnStatus, TransactionStatus

REQUEST_THREADS = ("page", "moves")  # beginnings of their names (config/web.py, config/groups.py)
STATEMENT = "30s"  # at most, waiting for locks included


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        """Limit the statements of requests, so that a slow database doesn't take all threads of a process.

        A pool by transaction would give the limit to other connections.
        """
        params: dict[str, Any] = super().get_connection_params()
        if threading.current_thread().name.startswith(REQUEST_THREADS) and not settings.POOLED:
            params["options"] = f"{params.get('options', '')} -c statement_timeout={STATEMENT}".strip()
        return params

    def is_usable(self) -> bool:
        return self._is_silent() or bool(super().is_usable())

    def _is_silent(self) -> bool:
        """Return whether the socket of an idle connection shows no closing, which saves a health-check query.

        A server that stops or ends a connection sends data or closes the socket, which makes it readable. After an
        error, fall back to a real health check.
        """
        if self.connection is None or self.errors_occurred:
            return False
        link = self.connection.pgconn
        if link.status != ConnStatus.OK or link.transaction_status != TransactionStatus.IDLE:
            return False
        waiting = poll()
        waiting.register(link.socket, POLLIN)
        return not waiting.poll(0)

    def preparing_cursor(self) -> Any:
        """Return a cursor whose statements are prepared after some uses (league/lib/prepared_sql.py)."""
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            return self._prepare_cursor(base.ServerBindingCursor(self.connection))  # type: ignore[attr-defined]
