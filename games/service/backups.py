"""The folder of backups: one a day, written automatically, and one before each upgrade.

The owner may put other files there; only old automatic ones are removed.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from django.conf import settings

EVERY = timedelta(hours=24)
CLOCK_ERROR = timedelta(hours=1)  # a file from the future is no newer than this


class Kind(StrEnum):
    AUTOMATIC = "automatic"
    UPGRADE = "upgrade"  # before an upgrade
    OTHER = "other"


NAMES = {
    Kind.AUTOMATIC: re.compile(r"wild-\d{4}-\d\d-\d\d-\d{6}\.zip"),
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
        listed = [backup for path in folder().glob("[!.]*.zip") if (backup := _backup(path))]
    except OSError:
        return []
    return sorted(listed, key=lambda backup: (backup.time, backup.name), reverse=True)


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
    """Return the age of the newest backup; None without one."""
    last = last_backup(now)
    return max(now - last.time, timedelta()) if last else None
