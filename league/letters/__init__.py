"""Letters: the mails to people who signed up and to players.

Begin with `outbox.py`, which puts letters on their way and sends them. `texts.py` has what each kind says, `limits.py`
who may send mail and how much. It imports access and what is below.
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
    "send",
    "wants_reminders",
    "write",
    "write_last",
]
