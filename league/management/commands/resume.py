"""manage.py resume: end the pause after a restore."""

from typing import Any

from league.access.restore_pause import resume, waiting
from league.lib.command import SentenceCommand


class Command(SentenceCommand):
    help = "Send e-mails and carry out timed actions again, which wait after a restore."

    def handle(self, *args: Any, **options: Any) -> None:
        emails, actions = waiting()
        if resume():
            self.stdout.write(f"Resumed. {emails} e-mails and {actions} timed actions are due now.")
        else:
            self.stdout.write("Nothing is paused.")
