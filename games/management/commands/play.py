"""manage.py play: bots play the hands of a tournament that are open, recorded by the same path as real ones."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from games.service.bots_play import play
from league.lib.command import SentenceCommand, number, tournament_by_slug


class Command(SentenceCommand):
    help = "Start a tournament, publish its rounds and let bots play the hands that are open. Never closes it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same results")
        parser.add_argument("--rounds", type=number(1), metavar="N", help="N more rounds; without it all that are left")

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = tournament_by_slug(options["slug"])
        if tournament.is_final:
            raise CommandError(f"“{tournament.slug}” is closed; its standings are final.", returncode=2)

        def tell(sentence: str) -> None:
            self.stderr.write(sentence, style_func=str)

        played = play(tournament, seed=options["seed"], rounds=options["rounds"], by=tournament.owner, tell=tell)
        if not played:
            raise CommandError(f"Every round of “{tournament.slug}” has been played.", returncode=2)
