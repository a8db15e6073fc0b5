"""manage.py restore FILE: fill an empty database from a file that backup wrote."""

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from games.service import older_backup
from league.access import restore_pause
from league.lib.command import SentenceCommand


class Command(SentenceCommand):
    help = "Fill a new database from a file that 'backup' of this or an earlier version wrote."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a backup; - for standard input")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        counts = _restore_from_input() if str(file) == "-" else older_backup.restore(file)
        self.stdout.write(f"{sum(counts.values())} rows restored, {counts['league.tournament']} of them tournaments.")
        if restore_pause.is_paused():
            self.stdout.write("E-mails and timed actions wait: “wild-league resume” lets them go.")


def _restore_from_input() -> dict[str, int]:
    """Store standard input in a file that its owner alone can read, because a zip is read from its end."""
    with tempfile.TemporaryDirectory(prefix="wild-restore-") as folder:
        path = Path(folder) / "standard-input.zip"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        return older_backup.restore(path)
