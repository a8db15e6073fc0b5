"""manage.py restore FILE: fill an empty database from a file that backup wrote."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from games.service import older_backup
from league.lib.command import SentenceCommand


class Command(SentenceCommand):
    help = "Fill a new database, after 'migrate', from a file that 'backup' of this or an earlier version wrote."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        counts = older_backup.restore(file)
        self.stdout.write(f"{sum(counts.values())} rows restored, {counts['league.tournament']} of them tournaments.")
