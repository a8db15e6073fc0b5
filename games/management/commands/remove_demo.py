"""manage.py remove_demo: take the demo data out again."""

from typing import Any

from games.service.demo import remove_demo
from league.lib.command import SentenceCommand


class Command(SentenceCommand):
    help = "Remove the demo tournaments, their players and the demo organiser."

    def handle(self, *args: Any, **options: Any) -> None:
        number = remove_demo()
        self.stderr.write(f"{number} demo tournaments removed." if number else "There is no demo data.", style_func=str)
