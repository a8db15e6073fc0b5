"""manage.py backup FILE: everything that the service knows, in one file."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from games.service import backup as archive
from games.service import backups
from games.service.upgrade import check_not_newer
from league.lib.command import SentenceCommand

NICENESS = 10


class Command(SentenceCommand):
    help = "Write the whole database to one file; the service may be running. 'restore' reads it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, nargs="?", help="a new file, for example wild-2026-11-24.zip; - for standard output"
        )
        parser.add_argument(
            "--automatic",
            action="store_true",
            help="write to the folder 'backups' of the data folder instead, as the worker does every day",
        )

    def handle(self, *args: Any, file: Path | None, automatic: bool = False, **options: Any) -> None:
        if automatic == (file is not None):
            raise CommandError("Name one file, for example: backup wild-2026-11-24.zip", returncode=2)
        check_not_newer()  # its new columns would be missing
        if file is None:
            self._automatic()
        elif str(file) == "-":
            self._to_output()
        else:
            counts = archive.back_up(file)
            self.stdout.write(f"{file}: {_in_words(counts)}")

    def _automatic(self) -> None:
        if hasattr(os, "nice"):
            os.nice(NICENESS)  # pages and online tables come first
        path = backups.back_up_now(timezone.now())
        self.stdout.write(str(path) if path else "Another process is writing a backup.")

    def _to_output(self) -> None:
        if sys.stdout.isatty():
            raise CommandError("Send the output to a file or program: backup - > wild.zip", returncode=2)
        counts = archive.write(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        self.stderr.write(_in_words(counts))


def _in_words(counts: dict[str, int]) -> str:
    return f"{sum(counts.values())} rows, {counts['league.tournament']} of them tournaments."
