"""manage.py upgrade_backup FILE NEW: `restore` runs it for a file of an earlier version."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import connection

from games.service import older_backup
from league.lib.command import SentenceCommand


class Command(SentenceCommand):
    uses_database = False  # it makes one
    help = "Turn an earlier version's backup into one of this version. WILD_DATA must be an empty folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("new", type=Path)

    def handle(self, *args: Any, file: Path, new: Path, **options: Any) -> None:
        if connection.introspection.table_names():
            raise CommandError("This needs an empty database: set WILD_DATA to an empty folder.", returncode=2)
        older_backup.upgrade(file, new)
