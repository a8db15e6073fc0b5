"""Django's PostgreSQL, without costs that many requests a second would pay again and again."""

from select import POLLIN, poll
from typing import Any

from django.db.backends.postgresql import base
from psycopg.pq import ConnStatus, TransactionStatus


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        return self._is_silent() or bool(super().is_usable())

    def _is_silent(self) -> bool:
        """Whether the socket of a kept connection shows that it lives, so that no request begins with a query for that.

        A server that stopped, or ended the connection, has said so or closed its side: then there is something to read.
        After an error nothing is taken for granted.
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
        """A cursor whose statements the server plans once, after some uses of one connection
        (league/lib/prepared_sql.py).
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            return self._prepare_cursor(base.ServerBindingCursor(self.connection))  # type: ignore[attr-defined]
