"""E-mails (model `Letter`) to players and people who signed up.

Begin with `outbox.py`, which queues and sends them. `texts.py` has the text of each kind, `limits.py` the sending
limits. Imports access and everything below.
"""

from league.letters.outbox import (
    MOST_AT_ONCE,
    MOST_ATTEMPTS,
    NO_REMINDERS,
    RETRY_AFTER,
    failed_letters,
    forget,
    keep_wishes,
    knows_it_is_off,
    next_due,
    send,
    wants_reminders,
    write,
    write_last,
)

__all__ = [
    "MOST_ATTEMPTS",
    "MOST_AT_ONCE",
    "NO_REMINDERS",
    "RETRY_AFTER",
    "failed_letters",
    "forget",
    "keep_wishes",
    "knows_it_is_off",
    "next_due",
    "send",
    "wants_reminders",
    "write",
    "write_last",
]
