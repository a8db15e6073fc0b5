"""manage.py export: one table of a tournament as CSV, the same rows as the page shows."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league import csvfile
from league.exports import EXPORTS, Wanted
from league.management.sentence import SentenceCommand, tournament_by_slug

TABLES = ("standings", "members", "seating", "rounds", "hands", "adjustments", "events", "race")


class Command(SentenceCommand):
    help = "Write a table of a tournament to standard output as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("table", choices=TABLES)
        parser.add_argument("--as-of-round", type=int, metavar="N", help="living results up to round N")
        parser.add_argument(
            "--all", action="store_true", help="also what was voided, and seating that is still a draft"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = tournament_by_slug(options["slug"])
        wanted = Wanted(options["as_of_round"], options["all"])
        export = EXPORTS[options["table"]]
        rounds = tournament.rounds.living().count()
        if wanted.as_of_round is not None and not 1 <= wanted.as_of_round <= rounds:
            possible = f"it has rounds 1 to {rounds}" if rounds else "it has not been drawn yet"
            raise CommandError(
                f"There is no round {wanted.as_of_round} in “{tournament.slug}”: {possible}.", returncode=2
            )
        self.stdout.write(csvfile.text(export.columns(wanted), export.rows(tournament, wanted)), ending="")
