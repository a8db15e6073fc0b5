"""Write the whole database to one file, and restore it: on SQLite and PostgreSQL, while the service runs.

The file is a zip: `manifest.json` (version, migrations, rows and SHA-256 of each part, the end of each log) and one
`<model>.jsonl` for each model, in Django's serialization, one object a line. It omits sessions, and rows that `migrate`
creates.
"""

import contextlib
import hashlib
import json
import os
import re
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.core import serializers
from django.core.exceptions import FieldDoesNotExist, FieldError
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError
from django.db import DataError, IntegrityError, connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext as _

from games.service.backup_rows import label, lines_of, models_of, rows_of
from league.access import restore_pause
from league.lib.errors import Refused
from league.log import anchors

FORMAT = 1
# Errors of reading rows that Wild League didn't write.
UNREADABLE = (
    *(DataError, IntegrityError, DeserializationError, FieldDoesNotExist),
    *(AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError),
)
MANIFEST = "manifest.json"
NAME = re.compile(r"[a-z_]+\.[a-z0-9_]+")  # of a model
# Limits against a file that unpacks to more than the machine can hold. Real rows shrink to a twentieth.
MOST_MANIFEST = 50_000_000  # bytes; the end of a log takes 200
MOST_LINE = 100_000_000  # bytes; a row of a job has the ZIP of its tournament
MOST_UNPACKED = 300  # times the size of the file


def migrations() -> list[str]:
    """Return the applied migrations as "app.name", without squashed ones."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if "_squashed_" not in name)


@contextmanager
def _one_moment() -> Iterator[None]:
    """Give several queries one snapshot of the database without blocking writers."""
    if connection.vendor == "sqlite":
        # Our transactions take the write lock at their start; reading a WAL needs none.
        mode, writing = "transaction_mode", getattr(connection, "transaction_mode", None)
        setattr(connection, mode, "DEFERRED")
        try:
            with transaction.atomic():
                yield
        finally:
            setattr(connection, mode, writing)
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def back_up(path: Path, *, replace: bool = False, registry: Apps = apps) -> dict[str, int]:
    """Write the file, readable by its owner only, and return {model: rows}.

    The file gets its name only once it is complete and on disk. replace: an older file may have the name. registry: the
    models that fit the tables. Raises `Refused` if the file exists or can't be written.
    """
    exists = Refused("exists", _("%(path)s already exists. Choose another name.") % {"path": path})
    if not replace and path.exists():
        raise exists
    if not path.parent.is_dir():
        raise Refused("no-folder", _("Folder %(path)s doesn’t exist.") % {"path": path.parent})
    try:
        descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
        try:
            with os.fdopen(descriptor, "wb") as file:
                counts = write(file, registry=registry)
                file.flush()
                os.fsync(file.fileno())
            _name(draft, path, replace=replace)
        finally:
            with contextlib.suppress(OSError):  # a rename has left nothing to remove
                os.unlink(draft)
        _sync_folder(path.parent)
    except FileExistsError:
        raise exists from None
    except OSError as error:
        sentence = _("%(path)s can’t be written: %(why)s.")
        raise Refused("not-written", sentence % {"path": path, "why": error.strerror or error}) from error
    return counts


def _name(draft: str, path: Path, *, replace: bool) -> None:
    if not replace:
        try:
            os.link(draft, path)  # unlike a rename, a link doesn't replace a file created since
            return
        except FileExistsError:
            raise
        except OSError:  # such as exFAT, which has no links
            if path.exists():
                raise FileExistsError from None
    os.replace(draft, path)


def _sync_folder(folder: Path) -> None:
    """Make a new name survive a power loss. Windows can't open folders, and needs no sync."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write(file: IO[bytes], *, registry: Apps = apps) -> dict[str, int]:
    """Write the archive into an open file, or a pipe, and return {model: rows}."""
    parts: dict[str, dict[str, int | str]] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, _one_moment():
        applied, ends = migrations(), _ends(registry)
        for model in models_of(registry):
            digest, rows = hashlib.sha256(), 0
            with archive.open(f"{label(model)}.jsonl", "w", force_zip64=True) as part:
                for lines in lines_of(model):
                    block = b"".join(lines)
                    part.write(block)
                    digest.update(block)
                    rows += len(lines)
            parts[label(model)] = {"rows": rows, "sha256": digest.hexdigest()}
        manifest = {
            "format": FORMAT,
            "version": settings.VERSION,
            "made_at": timezone.now().isoformat(timespec="seconds"),
            "database": connection.vendor,
            "migrations": applied,
            "models": parts,
            anchors.LOGS: ends,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return {label: int(part["rows"]) for label, part in parts.items()}


def _ends(registry: Apps) -> dict[str, anchors.End]:
    """Return the ends of the logs; none from tables that have no heads of logs yet."""
    try:
        heads = registry.get_model("league", "LogHead")
        return anchors.ends_at(heads._base_manager.order_by("tournament"))
    except (LookupError, FieldError):
        return {}


def restore(path: Path) -> dict[str, int]:
    """Fill an empty, migrated database from a file of this version and return {model: rows}.

    E-mails and timed actions then wait (league/access/restore_pause.py).

    Raises `Refused`, changing nothing, for a damaged file or a database with rows.
    `older_backup.restore` takes files of earlier versions too.
    """
    with open_archive(path) as (archive, manifest):
        check_empty()
        if manifest["migrations"] != migrations():
            raise Refused("version", _("The database isn’t up to date. Run 'migrate' first, then restore."))
        all_models = models_of()
        if manifest["models"].keys() != {label(model) for model in all_models}:
            raise damaged_file(path)
        try:
            with transaction.atomic():
                for model in all_models:
                    _fill(archive, model)
                _reset_sequences(all_models)
                connection.check_constraints()
                counts = {label(model): rows_of(model).count() for model in all_models}
                if counts != {label: part.get("rows") for label, part in manifest["models"].items()}:
                    raise damaged_file(path)
                restore_pause.pause()
        except UNREADABLE as error:
            raise damaged_file(path) from error
    return counts


def check_empty() -> None:
    """Raise Refused if any model of a backup has rows."""
    if occupied := [model for model in models_of() if rows_of(model).exists()]:
        sentence = _("The database isn’t empty (%(what)s). Restore into a new one.")
        raise Refused("not-empty", sentence % {"what": occupied[0]._meta.verbose_name_plural})


def _fill(archive: zipfile.ZipFile, model: type[models.Model]) -> None:
    for row in serializers.deserialize("python", read_rows(archive, label(model))):
        row.save(force_insert=True)


def _reset_sequences(all_models: list[type[models.Model]]) -> None:
    """Continue PostgreSQL's sequences after the restored rows."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), all_models):
            cursor.execute(statement)


@contextmanager
def open_archive(path: Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, Any]]]:
    """Open the archive and its manifest, and compare every part with its hash. Writes no part to the disk."""
    if not path.is_file():
        raise Refused("no-file", _("File %(path)s doesn’t exist.") % {"path": path})
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError):
        raise damaged_file(path) from None
    with archive:
        try:
            manifest = read_manifest(archive)
            is_whole = _is_whole(archive, manifest, path.stat().st_size)
        except Refused:
            raise
        # zipfile and zlib raise many undocumented errors for damaged bytes.
        except Exception:
            raise damaged_file(path) from None
        if not is_whole:
            raise damaged_file(path)
        yield archive, manifest


def read_manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Return the manifest. Raises `Refused` for a newer format, and many other errors for another file."""
    if archive.getinfo(MANIFEST).file_size > MOST_MANIFEST:
        raise ValueError(MANIFEST)
    manifest = json.loads(archive.read(MANIFEST))
    if type(manifest["format"]) is int and manifest["format"] > FORMAT:
        sentence = _("A newer version of Wild League (%(version)s) made this file. Update Wild League, then restore.")
        raise Refused("version", sentence % {"version": str(manifest["version"])[:40]})
    names = [manifest["version"], *manifest["migrations"], *(part["sha256"] for part in manifest["models"].values())]
    if manifest["format"] != FORMAT or not all(isinstance(name, str) for name in names):
        raise ValueError(MANIFEST)
    return cast(dict[str, Any], manifest)


def _is_whole(archive: zipfile.ZipFile, manifest: dict[str, Any], size: int) -> bool:
    """Return whether the archive has the parts of its manifest, nothing else, and no more than it can unpack."""
    parts = {f"{name}.jsonl": part["sha256"] for name, part in manifest["models"].items() if NAME.fullmatch(name)}
    if sorted(archive.namelist()) != sorted([*parts, MANIFEST]):
        return False
    if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED * size + MOST_MANIFEST:
        return False
    for name, digest in parts.items():
        read = hashlib.sha256()
        with archive.open(name) as file:
            while block := file.read(1 << 20):
                read.update(block)
        if read.hexdigest() != digest:
            return False
    return True


def read_rows(archive: zipfile.ZipFile, name: str) -> Iterator[Any]:
    """Yield the rows of a model as they were written. Raises errors of UNREADABLE."""
    with archive.open(f"{name}.jsonl") as part:
        while line := part.readline(MOST_LINE):
            yield json.loads(line)


def damaged_file(path: Path) -> Refused:
    return Refused("damaged", _("%(path)s isn’t a Wild League backup, or it is damaged.") % {"path": path})
