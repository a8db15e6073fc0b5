"""`audit verify [SLUG]`: is every row of the log as it was written?"""

import sys
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from league import chain
from league.management.sentence import SentenceCommand, tournament_by_slug
from league.models import LogEntry, LogHead, Tournament


class Command(SentenceCommand):
    help = (
        "Checks the chain of the log of one tournament or of all, and says which entry was edited, swapped or removed. "
        "Exit code 1 if there is one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["verify"])
        parser.add_argument("slug", nargs="?", help="of the tournament; all of them when it is left out")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["slug"]
        tournaments = [tournament_by_slug(slug)] if slug else Tournament.objects.order_by("slug")
        broken = False
        for tournament in tournaments:
            found, head = verify(tournament)
            for fault in found:
                self.stdout.write(f"{tournament.slug}: {fault}")
            if not found:
                # Whoever writes this line down elsewhere can also tell when the whole chain was made anew.
                self.stdout.write(f"{tournament.slug}: ok, {head.number} entries, {head.hash}")
            broken = broken or bool(found)
        if broken:
            sys.exit(1)


@transaction.atomic
def verify(tournament: Tournament) -> tuple[list[chain.Fault], LogHead]:
    """What is wrong with a tournament's log, and the end of its chain; nothing is added to it meanwhile."""
    head = LogHead.objects.select_for_update().filter(tournament=tournament).first() or LogHead(tournament=tournament)
    rows = LogEntry.objects.filter(tournament=tournament).order_by("number")
    links = [chain.link_of(row) for row in rows.iterator()]
    return list(chain.faults(links, head.number, head.hash)), head
