"""Backups of earlier versions: loaded as they were written, then migrated, in a scratch database of their own."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps.registry import Apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal
from django.core.serializers.python import Deserializer
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from games.service import backup
from games.service.backup_rows import with_ids
from league.lib.errors import Refused


def restore(path: Path) -> dict[str, int]:
    """Fill an empty, migrated database from a file of this version or an earlier one. Return {model: rows}.

    Raises Refused as `backup.restore` does, and for a file of a newer version.
    """
    with backup.open_archive(path) as (_archive, manifest):
        backup.check_empty()
        older = _is_older(manifest)
    if not older:
        return backup.restore(path)
    with _brought_up_to_date(path) as new:
        return backup.restore(new)


def _is_older(manifest: dict[str, Any]) -> bool:
    """Return whether an earlier version wrote the file. Raises Refused for a file of a later one."""
    executor = MigrationExecutor(connection)
    known = {f"{app}.{name}" for app, name in executor.loader.disk_migrations}
    if unknown := sorted(set(manifest["migrations"]) - known):
        sentence = _(
            "A newer version of Wild League (%(version)s) made this file: this one doesn’t know %(migration)s. "
            "Update Wild League, then restore."
        )
        raise Refused("version", sentence % {"version": manifest["version"], "migration": unknown[0]})
    return set(manifest["migrations"]) != set(backup.migrations())


@contextmanager
def _brought_up_to_date(path: Path) -> Iterator[Path]:
    """Write the same data as a backup of this version, into a file that is removed afterwards.

    A process of its own does it on a scratch SQLite database, so the database of the service is not touched.
    Raises Refused if the file is damaged.
    """
    with tempfile.TemporaryDirectory(prefix="wild-restore-") as folder:
        new = Path(folder) / "backup.zip"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_URL")}
        environment |= {"WILD_DATA": folder, "PYTHONPATH": str(settings.BASE_DIR)}
        command = [sys.executable, "-m", "django", "upgrade_backup", str(path.absolute()), str(new)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise Refused("damaged", done.stderr.strip().rpartition("\n")[2])
        yield new


def upgrade(path: Path, new: Path) -> None:
    """Fill the empty database of this process from an earlier version's file, migrate it, and write `new`."""
    with backup.open_archive(path) as (archive, manifest):
        then = _migrate_to(manifest["migrations"])
        try:
            with transaction.atomic():
                for name in sorted(manifest["models"]):
                    for row in _Rows(then, backup.read_rows(archive, name)):
                        row.save(force_insert=True)
                connection.check_constraints()
        except backup.UNREADABLE as error:
            raise backup.damaged_file(path) from error
    call_command("migrate", verbosity=0, interactive=False, no_backup=True)
    backup.back_up(new)


def models_at(names: Sequence[str]) -> Apps:
    """Return the models that fit the tables after these migrations, as "app.name"; unknown ones don't count."""
    executor, ends = _ends(names)
    return executor.loader.project_state(ends).apps


def _ends(names: Sequence[str]) -> tuple[MigrationExecutor, list[tuple[str, str]]]:
    """Return an executor, and those of the migrations that no other one of them follows."""
    executor = MigrationExecutor(connection)
    executor.loader.replace_migrations = False  # type: ignore[attr-defined]
    executor.loader.build_graph()
    graph = executor.loader.graph
    wanted = {(app, name) for app, _dot, name in (full.partition(".") for full in names)}
    # As if exactly these were applied: they may end between two that a squashed one replaces.
    for key, squashed in executor.loader.replacements.items():
        if wanted.issuperset(squashed.replaces):
            graph.remove_replaced_nodes(key, squashed.replaces)
            wanted.add(key)
        else:
            graph.remove_replacement_node(key, squashed.replaces)
    wanted &= graph.node_map.keys()
    return executor, [key for key in wanted if not any(child.key in wanted for child in graph.node_map[key].children)]


def _migrate_to(names: Sequence[str]) -> Apps:
    """Bring an empty database to the state of these migrations, as "app.name". Return its models."""
    executor, ends = _ends(names)
    executor.migrate(ends)
    then = executor.loader.project_state(ends).apps
    emit_post_migrate_signal(0, False, connection.alias, apps=then)  # makes the permissions that rows name
    return then


class _Rows(Deserializer):
    """Django's rows, for the models of an earlier state."""

    def __init__(self, then: Apps, rows: Iterator[Any]) -> None:
        super().__init__(with_ids(row, then) for row in rows)
        self._then = then

    def _get_model_from_node(self, model_identifier: str) -> Any:
        return self._then.get_model(model_identifier)
