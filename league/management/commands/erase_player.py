"""`erase_player PLAYER_ID`: erase a player, like the button on the player’s page."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league.erasure.erase import erase_player
from league.lib.command import SentenceCommand
from league.models import Player


class Command(SentenceCommand):
    help = "Take a person's name, club, addresses and birthday out of every tournament. It cannot be undone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("player_id", help="as in the CSV of any of their tournaments")

    def handle(self, *args: Any, **options: Any) -> None:
        player = Player.objects.filter(entries__public_id=options["player_id"]).first()
        if player is None:
            raise CommandError(f"There is no player with the id {options['player_id']}.", returncode=2)
        self.stdout.write(erase_player(player=player, by=None).name)
