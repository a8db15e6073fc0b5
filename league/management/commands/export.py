"""manage.py export: export a table of a tournament, with the rows of its page."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league.lib.command import SentenceCommand, tournament_by_slug
from league.management.table_output import add_output_options, write_table
from league.models import Tournament
from league.pages.table_files import Table
from league.public import snapshots
from league.public.tables import EXPORTS, Wanted

AS_PUBLISHED = "standings_as_published"
TABLES = (*EXPORTS, AS_PUBLISHED)


class Command(SentenceCommand):
    help = "Write a table of a tournament as CSV or for Excel, to standard output or into a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("table", choices=TABLES)
        parser.add_argument("--as-of-round", type=int, metavar="N", help="living results up to round N")
        parser.add_argument("--stage", type=int, metavar="N", help="standings of stage N, not of the one played now")
        parser.add_argument(
            "--all",
            action="store_true",
            help="also what was voided, seating that is still a draft, and the players' e-mail and birthday",
        )
        add_output_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = tournament_by_slug(options["slug"])
        selection = Wanted(options["as_of_round"], options["all"], stage=options["stage"], at_the_door=options["all"])
        stages = tournament.stages.count()
        if selection.stage is not None and not 1 <= selection.stage <= stages:
            raise CommandError(
                f"There is no stage {selection.stage} in “{tournament.slug}”: it has {stages}.", returncode=2
            )
        rounds = tournament.rounds.living().count()
        if selection.as_of_round is not None and not 1 <= selection.as_of_round <= rounds:
            possible = f"it has rounds 1 to {rounds}" if rounds else "it has not been drawn yet"
            raise CommandError(
                f"There is no round {selection.as_of_round} in “{tournament.slug}”: {possible}.", returncode=2
            )
        write_table(self, _table(tournament, options["table"], selection), options)


def _table(tournament: Tournament, table: str, selection: Wanted) -> Table:
    if table != AS_PUBLISHED:
        return Table(EXPORTS[table].columns(selection), EXPORTS[table].rows(tournament, selection))
    record = snapshots.record_of(tournament, selection.as_of_round)
    if record is None:
        of = "a closed round" if selection.as_of_round is None else f"round {selection.as_of_round}"
        raise CommandError(
            f"There is no record of {of} yet: the service keeps one when a round is closed.", returncode=2
        )
    return Table(snapshots.COLUMNS, snapshots.rows_of(record))
