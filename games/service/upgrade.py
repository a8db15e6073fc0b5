"""Upgrade the database: one process at a time, after a backup, and never from a newer version to an older one."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from engine.sentences import Sentence, sentence
from games.service import backup, backups
from games.service.backup_rows import models_of
from games.service.file_lock import only_process
from games.service.older_backup import models_at
from league.lib.errors import Refused
from league.lib.translate import translate

OURS = ("league", "games")  # tables of other packages belong to their versions
LOCK = ".migrating"  # in the data folder
ADVISORY_LOCK = 0x57494C44  # “WILD”; of one database


def unknown_migrations() -> list[str]:
    """Return the applied migrations that a newer version made, as "app.name"."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied.keys() - _known_migrations() if app in OURS)


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    on_disk = MigrationLoader(None).disk_migrations
    return frozenset(on_disk) | {(app, old) for migration in on_disk.values() for app, old in migration.replaces}


def check_not_newer() -> None:
    """Raise `Refused` if a newer version of Wild League has upgraded the database. Each program begins with this."""
    unknown = unknown_migrations()
    _Start.fitted = not unknown
    if unknown:
        raise Refused("newer", translate(_newer(unknown[0])))


def _newer(migration: str) -> Sentence:
    return sentence(
        "A newer version of Wild League upgraded this database: version %(version)s doesn’t know %(migration)s. "
        "Install the newer version, or restore the backup from before the upgrade (%(folder)s) into a new data folder.",
        version=settings.VERSION,
        migration=migration,
        folder=backups.folder() / "before-….zip",
    )


class _Start:
    """Whether the database fitted this version when the process started."""

    fitted: bool | None = None


def why_too_new() -> Sentence | None:
    """Return why this process may not work; None if it may. An upgrade only adds, so running processes continue."""
    unknown = unknown_migrations()
    if _Start.fitted is None:
        _Start.fitted = not unknown
    return None if _Start.fitted or not unknown else _newer(unknown[0])


def needs_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def back_up_first() -> Path | None:
    """Write a backup in the format of the tables as they are. Return None if they have no rows.

    Raises `Refused` if it can't be written.
    """
    names = backup.migrations()
    if not names:
        return None
    older = models_at(names)
    if not any(model._base_manager.exists() for model in models_of(older)):
        return None
    try:
        backups.folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        path = _free_name(names)
        backup.back_up(path, replace=True, registry=older)
    except (OSError, Refused) as error:
        why = error.strerror or error if isinstance(error, OSError) else error
        sentence = _(
            "The backup before the upgrade failed, so nothing was upgraded. %(why)s Solve this, or add --no-backup."
        )
        raise Refused("no-backup", sentence % {"why": str(why).rstrip(".") + "."}) from error
    return path


def _free_name(names: list[str]) -> Path:
    """Return before-<version>.zip, or with a number if that one has older tables.

    An upgrade that fails again and again, as in a container, replaces its own file.
    """
    number = 1
    while True:
        suffix = f"-{number}" if number > 1 else ""
        path = backups.folder() / f"before-{settings.VERSION}{suffix}.zip"
        if not path.exists() or _migrations_in(path) == names:
            return path
        number += 1


def _migrations_in(path: Path) -> list[str] | None:
    with suppress(OSError, BadZipFile, Refused), ZipFile(path) as archive:
        return list(backup.read_manifest(archive)["migrations"])
    return None


@contextmanager
def only_upgrade() -> Iterator[None]:
    """Wait until no other process upgrades this database, and keep others waiting during the block."""
    if connection.vendor == "postgresql":
        with _advisory_lock():
            yield
        return
    folder = Path(settings.DATA_DIR)
    with only_process(folder / LOCK, wait=False) as free:
        if free:
            yield
            return
    _say_waiting()
    with only_process(folder / LOCK, wait=True):
        yield


@contextmanager
def _advisory_lock() -> Iterator[None]:
    """Lock for the processes of all machines. A lock of a transaction also works behind a pool by transaction."""
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [ADVISORY_LOCK])
            if not cursor.fetchone()[0]:
                _say_waiting()
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ADVISORY_LOCK])
        yield
    finally:
        other.close()  # which ends the transaction


def _say_waiting() -> None:
    sys.stderr.write("Another process is upgrading the database. Waiting for it.\n")
    sys.stderr.flush()
