"""manage.py export_season: export a table of a season, with the rows of its page."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league.lib.command import SentenceCommand
from league.management.table_output import add_output_options, write_table
from league.models import Season
from league.pages.table_files import Table
from league.seasons.export_rows import COLUMNS, rows
from league.seasons.table import season_table


class Command(SentenceCommand):
    help = "Write a table of a season as CSV or for Excel, to standard output or into a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="as in its address, /clubs/CLUB/")
        parser.add_argument("season", help="as in its address, /clubs/CLUB/seasons/SEASON/")
        parser.add_argument("table", choices=tuple(COLUMNS))
        add_output_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        seasons = Season.objects.select_related("club").filter(club__slug=options["club"])
        season = seasons.filter(slug=options["season"]).first()
        if season is None:
            slugs = ", ".join(seasons.values_list("slug", flat=True))
            has = f"there are: {slugs}" if slugs else "there is none, or no such club"
            raise CommandError(f"The club has no season “{options['season']}”; {has}.", returncode=2)
        table = options["table"]
        write_table(self, Table(COLUMNS[table], rows(None, season_table(season), table)), options)
