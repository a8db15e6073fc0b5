"""manage.py export_season: a table of a season as CSV, the same rows as its page shows."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from league.lib import csv
from league.lib.command import SentenceCommand
from league.models import Season
from league.seasons.export_rows import COLUMNS, rows
from league.seasons.table import season_table


class Command(SentenceCommand):
    help = "Write a table of a season as CSV, to standard output or into a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="as in its address, /clubs/CLUB/")
        parser.add_argument("season", help="as in its address, /clubs/CLUB/seasons/SEASON/")
        parser.add_argument("table", choices=tuple(COLUMNS))
        parser.add_argument("--out", type=Path, metavar="FILE", help="instead of standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        seasons = Season.objects.select_related("club").filter(club__slug=options["club"])
        season = seasons.filter(slug=options["season"]).first()
        if season is None:
            slugs = ", ".join(seasons.values_list("slug", flat=True))
            has = f"there are: {slugs}" if slugs else "there is none, or no such club"
            raise CommandError(f"The club has no season “{options['season']}”; {has}.", returncode=2)
        table = options["table"]
        text = csv.text(COLUMNS[table], rows(None, season_table(season), table))
        if options["out"] is None:
            self.stdout.write(text, ending="")
            return
        try:
            options["out"].write_bytes(text.encode())
        except OSError as fault:
            raise CommandError(f"{options['out']} cannot be written: {fault.strerror}.", returncode=2) from None
