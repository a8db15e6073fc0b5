"""Backups that the owner makes and downloads on the page."""

from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from games.service.backup import back_up
from games.service.backups import Kind, backups, folder

DOUBLE_TAP = timedelta(seconds=10)  # a second tap makes no second backup


def backup_named(name: str) -> Path | None:
    """Return the path of a listed backup: other files can't be reached."""
    return next((folder() / backup.name for backup in backups() if backup.name == name), None)


def make_backup() -> None:
    """Write a backup, unless one was made a moment ago. Raises OSError and Refused."""
    now = timezone.now()
    if any(one.kind == Kind.AUTOMATIC and timedelta() <= now - one.time < DOUBLE_TAP for one in backups()):
        return
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    back_up(folder() / f"wild-{now:%Y-%m-%d-%H%M%S}.zip")
