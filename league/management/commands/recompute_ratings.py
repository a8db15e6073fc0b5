"""`recompute_ratings CLUB`: recompute a club's ratings, from the first changed result."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.lib.command import SentenceCommand
from league.models import Club, RatingPoint
from league.ratings.compute import Taken, recompute_ratings

STEPS = 20  # lines of progress at most


class Command(SentenceCommand):
    help = (
        "Brings the ratings of a club up to date, from the first table that is not as it was. The service does so by "
        "itself; this is to watch it, and for after an update that changes how ratings are computed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("club", help="as in its address, /clubs/CLUB/")
        parser.add_argument("--anew", action="store_true", help="recompute from the first table")

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club “{options['club']}”.", returncode=2)
        if options["anew"]:
            RatingPoint.objects.filter(club=club).delete()
        printed = -1

        def tell(done: int, of: int) -> None:
            nonlocal printed
            step = done * STEPS // of if of else STEPS
            if step > printed:
                printed = step
                self.stdout.write(f"{done} of {of} tables")
                self.stdout.flush()

        try:
            recompute_ratings(club=club, tell=tell)
        except Taken:
            raise CommandError(
                "A worker computes these ratings already. Try again when it is done.", returncode=2
            ) from None
        players = RatingPoint.objects.filter(club=club).values("player").distinct().count()
        self.stdout.write(f"{club}: ratings of {players} players are up to date.")
