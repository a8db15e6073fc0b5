"""What tests play again and again is played once: what it did to the database is kept, and done again when a test
begins with the same rows and asks for the same.

Every row is read before, and whatever begins with another world is played. That is so in tests whose transaction is
rolled back, on SQLite; in all others, and where the time is moved on, everything is played. The code and settings in
force are taken on trust: a test that patches what the cast plays with has to play it by itself.
What is kept is forgotten after a minute, so that no world is older than a slow test would have made it.
"""

import marshal
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction
from django.utils import timezone, translation

from games.online.play import replay
from league.lib.remembered import Remembered
from league.odds import compute as forecasting

KEPT_SECONDS = 60
# Who signed in, and when, is new each time, and nothing that is played asks.
SESSIONS, USERS, UNREAD = "django_session", "league_user", ("password", "last_login", "date_joined")
Rows = dict[int, tuple[Any, ...]]  # by SQLite's own number of each

_now = timezone.now
_kept: dict[Hashable, "_Done"] = {}


@dataclass(frozen=True)
class _Done:
    at: float
    answer: Any
    gone: Mapping[str, list[tuple[int]]]
    new: Mapping[str, list[tuple[Any, ...]]]
    numbers: list[tuple[str, int]]
    on_commit: list[tuple[Callable[[], Any], bool]]


def once(step: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` answers, which must be plain (a key, not a row): it is the same when nothing is made anew."""
    if connection.vendor != "sqlite" or not connection.in_atomic_block or timezone.now is not _now:
        return make()
    before = _look()
    key = sha256(marshal.dumps((repr(step), translation.get_language(), _numbers(), _readable(before)), 2)).digest()
    done = _kept.get(key)
    if done is None or time.monotonic() - done.at > KEPT_SECONDS:
        _kept[key] = done = _made(make, before)
        return done.answer
    for table, rows in done.gone.items():
        connection.connection.executemany(f'DELETE FROM "{table}" WHERE rowid = ?', rows)
    for table, rows in done.new.items():
        places = ", ".join("?" * len(rows[0]))
        names = ", ".join(["rowid", *(f'"{name}"' for name in _columns()[table])])
        connection.connection.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({places})', rows)
    # They know a state by the end of its log, which another test had too.
    Remembered.forget_all()
    replay.forget()
    forecasting._position_at.cache_clear()
    # Of every table the last number that was given out, which also the inserting wrote.
    connection.connection.execute("DELETE FROM sqlite_sequence")
    connection.connection.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", done.numbers)
    for call, robust in done.on_commit:
        transaction.on_commit(call, robust=robust)
    return done.answer


def fingerprint(*, but: Sequence[str] = ()) -> str:
    """Of every row there is, but for these columns; on SQLite. Another one as soon as anything is written."""
    rows = [
        [[one for name, one in zip(_columns()[table], row, strict=True) if name not in but] for row in there.values()]
        for table, there in _look().items()
    ]
    return sha256(marshal.dumps(rows, 2)).hexdigest()


def named(value: Any) -> Any:
    """The value as part of a step: a row by its key."""
    if isinstance(value, models.Model):
        return value._meta.label, value.pk
    return value


def _made(make: Callable[[], Any], before: dict[str, Rows]) -> _Done:
    at = time.monotonic()
    for key in [key for key, done in _kept.items() if at - done.at > KEPT_SECONDS]:
        del _kept[key]
    waiting = len(connection.run_on_commit)
    answer = make()
    gone, new = {}, {}
    for table, rows in _look().items():
        old = before[table]
        if rows == old:
            continue
        if changed := [(number,) for number, row in old.items() if rows.get(number) != row]:
            gone[table] = changed
        if there := [(number, *row) for number, row in rows.items() if old.get(number) != row]:
            new[table] = there
    calls = [(call, robust) for _savepoints, call, robust in connection.run_on_commit[waiting:]]
    return _Done(at, answer, gone, new, _numbers(), calls)


def _numbers() -> list[tuple[str, int]]:
    return connection.connection.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name").fetchall()


def _look() -> dict[str, Rows]:
    """Every row there is, as it is stored."""
    found = {}
    for table, names in _columns().items():
        # By its sign a column loses its type, and is not made into what Django would make of it.
        values = ", ".join(f'+"{name}"' for name in names)
        rows = connection.connection.execute(f'SELECT rowid, {values} FROM "{table}" ORDER BY rowid')
        found[table] = {number: tuple(row) for number, *row in rows}
    return found


def _readable(rows: dict[str, Rows]) -> list[Any]:
    said: list[Any] = []
    for table, there in rows.items():
        if there and table != SESSIONS:
            left_out = {at for at, name in enumerate(_columns()[table]) if table == USERS and name in UNREAD}
            said.append((table, [[one for at, one in enumerate(row) if at not in left_out] for row in there.values()]))
    return said


def _columns() -> dict[str, list[str]]:
    if not _names:
        for model in apps.get_models(include_auto_created=True):
            _names[model._meta.db_table] = [field.column for field in model._meta.local_concrete_fields]
    return _names


_names: dict[str, list[str]] = {}
