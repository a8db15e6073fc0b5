"""The folder of backups: one a day, written automatically, one before each upgrade, and those made by hand.

The owner may put other files there; only old automatic ones are removed automatically. A file has its name only when it
is complete.
"""

import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from django.conf import settings
from django.core.cache import caches
from django.utils.translation import gettext as _

from games.service import backup
from games.service.file_lock import only_process
from league.lib.errors import Conflict, Refused
from league.models import User

logger = logging.getLogger(__name__)

EVERY = timedelta(hours=24)
CLOCK_ERROR = timedelta(hours=1)  # a file from the future is no newer than this

TRY_AGAIN = timedelta(hours=1)  # after a failure: a full disk must not be filled every minute
DOUBLE_TAP = timedelta(seconds=10)
LEAST_FREE = 20_000_000  # bytes of the disk that a backup leaves to the database
FAILURE = "backup-failure"  # in the cache that all processes share, if they have Redis
REMEMBERED = 2 * 24 * 60 * 60  # seconds


class Kind(StrEnum):
    AUTOMATIC = "automatic"
    BY_HAND = "by-hand"  # with the button of the owner's page
    UPGRADE = "upgrade"  # before an upgrade
    OTHER = "other"


NAMES = {
    Kind.AUTOMATIC: re.compile(r"wild-\d{4}-\d\d-\d\d-\d{6}\.zip"),
    Kind.BY_HAND: re.compile(r"backup-\d{4}-\d\d-\d\d-\d{6}-by-hand\.zip"),
    Kind.UPGRADE: re.compile(r"before-.+\.zip"),
}


@dataclass(frozen=True)
class Backup:
    """A complete file in the folder. size: bytes. time: when it was written, in UTC."""

    name: str
    size: int
    time: datetime
    kind: Kind


def folder() -> Path:
    return Path(settings.DATA_DIR) / "backups"


def backups() -> list[Backup]:
    """Return the files in the folder, newest first; none if there is no folder, or if it can't be read."""
    try:
        listed = [one for path in folder().glob("[!.]*.zip") if (one := _backup(path))]
    except OSError:
        return []
    return sorted(listed, key=lambda one: (one.time, one.name), reverse=True)


def named(name: str) -> Backup | None:
    """Return a listed backup: other files can't be reached."""
    return next((one for one in backups() if one.name == name), None)


def _backup(path: Path) -> Backup | None:
    try:
        state = path.stat()
    except OSError:  # such as one that was just removed
        return None
    kind = next((kind for kind, name in NAMES.items() if name.fullmatch(path.name)), Kind.OTHER)
    return Backup(path.name, state.st_size, datetime.fromtimestamp(state.st_mtime, UTC), kind)


def last_backup(now: datetime) -> Backup | None:
    """Return the newest file that Wild League wrote there, without those that a wrong clock dated into the future."""
    return next((one for one in backups() if one.kind != Kind.OTHER and one.time < now + CLOCK_ERROR), None)


def age(now: datetime) -> timedelta | None:
    """Return the age of the newest backup of any kind; None without one. Files that the owner put there don't count."""
    last = last_backup(now)
    return max(now - last.time, timedelta()) if last else None


def is_due(now: datetime) -> bool:
    """Return whether an automatic backup is due. Cheap: it lists one folder."""
    recent = (now - EVERY, now + CLOCK_ERROR)
    return bool(settings.BACKUPS) and not any(
        one.kind == Kind.AUTOMATIC and recent[0] < one.time < recent[1] for one in backups()
    )


def back_up_now(now: datetime) -> Path | None:
    """Write an automatic backup and remove old ones. Return None if another process is writing one.

    Raises `Refused` if it can't be written.
    """
    with _only_writer() as free:
        if not free:
            return None
        path = _write(f"wild-{now:%Y-%m-%d-%H%M%S}.zip")
        automatic = [one for one in backups() if one.kind == Kind.AUTOMATIC]
        for old in sorted(automatic, key=lambda one: one.name, reverse=True)[max(settings.BACKUPS, 1) :]:
            (folder() / old.name).unlink(missing_ok=True)
    return path


def back_up_by_hand(now: datetime) -> Path:
    """Write a backup that stays until the owner deletes it. A second tap returns the one that the first has made.

    Raises `Refused` if it can't be written, `Conflict` if another process is writing one.
    """
    with _only_writer() as free:
        for one in backups():
            if one.kind == Kind.BY_HAND and timedelta() <= now - one.time < DOUBLE_TAP:
                return folder() / one.name
        if not free:
            raise Conflict("writing", _("A backup is being written. Wait a minute, then try again."))
        return _write(f"backup-{now:%Y-%m-%d-%H%M%S}-by-hand.zip")


def delete(unwanted: Backup) -> None:
    """Delete a backup that would stay otherwise. A second tap finds nothing to delete. Raises `Refused`."""
    if unwanted.kind == Kind.AUTOMATIC:
        raise Refused("automatic", _("Old daily backups are deleted automatically."))
    try:
        (folder() / unwanted.name).unlink(missing_ok=True)
    except OSError as error:
        sentence = _("The folder of backups can’t be used: %(why)s.")
        raise Refused("folder", sentence % {"why": error.strerror or error}) from error


def _write(name: str) -> Path:
    """Write the file. The caller is the only writer."""
    for kind in ("wild", "backup"):
        for draft in folder().glob(f".{kind}-*.zip.*"):  # of a process that was killed
            draft.unlink(missing_ok=True)
    if shutil.disk_usage(folder()).free < LEAST_FREE:
        raise Refused("disk-full", _("The disk is nearly full. Free some space for backups."))
    path = folder() / name
    backup.back_up(path, replace=True)
    return path


@contextmanager
def _only_writer() -> Iterator[bool]:
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        with only_process(folder() / ".lock", wait=False) as free:
            yield free
    except OSError as error:
        sentence = _("The folder of backups can’t be used: %(why)s.")
        raise Refused("folder", sentence % {"why": error.strerror or error}) from error


class Writer:
    """Write automatic backups in a process of their own, so that pages and online tables don't slow down.

    `check` is called about every minute. It never waits: a later call reports how the process ended.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._not_before: datetime | None = None  # after a failure

    def check(self, now: datetime) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                return
            self._report(self._process, now)
            self._process = None
        waits = self._not_before is not None and now < self._not_before < now + TRY_AGAIN * 2
        if waits or not is_due(now) or not User.objects.exists():  # a new server has nothing to lose
            return
        environment = os.environ | {"PYTHONPATH": str(settings.BASE_DIR), "DJANGO_SETTINGS_MODULE": "config.settings"}
        command = [sys.executable, "-m", "django", "backup", "--automatic"]
        self._process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )

    def _report(self, process: "subprocess.Popen[str]", now: datetime) -> None:
        """Log a failure once, and remember it for /readyz and the owner's page."""
        _output, errors = process.communicate()
        if not process.returncode:
            self._not_before = None
            if last_failure():
                caches["default"].delete(FAILURE)
            return
        self._not_before = now + TRY_AGAIN
        reason = errors.strip().rpartition("\n")[2] or f"the process ended with code {process.returncode}"
        if reason != last_failure():
            logger.error("The automatic backup failed: %s", reason)
        caches["default"].set(FAILURE, reason, REMEMBERED)


def last_failure() -> str:
    """Return why the last automatic backup failed; empty if it didn't."""
    return str(caches["default"].get(FAILURE) or "")
