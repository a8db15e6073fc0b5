"""manage.py backup FILE: everything that the service knows, in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from games.service import backup as archive
from league.lib.command import SentenceCommand


class Command(SentenceCommand):
    help = "Write the whole database to one file; the service may be running. 'restore' reads it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, for example wild-2026-11-24.zip")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        counts = archive.back_up(file)
        self.stdout.write(f"{file}: {sum(counts.values())} rows, {counts['league.tournament']} of them tournaments.")
