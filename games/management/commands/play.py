"""manage.py play: bots play the hands of a tournament that are open, recorded by the same path as real ones."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from games.service.bots_play import is_played, play
from league.lib.command import SentenceCommand, number, tournament_by_slug


class Command(SentenceCommand):
    help = "Start a tournament, publish its rounds and let bots play the hands that are open."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same results")
        parser.add_argument("--rounds", type=number(1), metavar="N", help="N more rounds; without it all that are left")
        parser.add_argument("--close", action="store_true", help="after the last round, make the standings final")

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = tournament_by_slug(options["slug"])
        if tournament.is_final:
            raise CommandError(f"“{tournament.slug}” is closed; its standings are final.", returncode=2)

        def tell(sentence: str) -> None:
            self.stderr.write(sentence, style_func=str)

        close = options["close"]
        hands = play(
            tournament, seed=options["seed"], rounds=options["rounds"], by=tournament.owner, tell=tell, close=close
        )
        tournament.refresh_from_db()
        if tournament.is_final:
            tell("The standings are final.")
        elif is_played(tournament):
            what_remains = "Close the tournament to make the standings final: on its page, or with --close."
            if not hands:
                played = f"Every round of “{tournament.slug}” has been played."
                raise CommandError(f"{played} {what_remains}", returncode=2)
            tell(what_remains)
        elif not hands:
            raise CommandError(f"No hand of “{tournament.slug}” can be played now.", returncode=2)
