"""manage.py migrate: Django's, with a lock, and after a backup. `serve` runs it too."""

import sys
from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import migrate

from games.service import upgrade
from league.lib.command import SentenceCommand


class Command(SentenceCommand, migrate.Command):
    uses_database = False  # it makes one
    requires_system_checks = "__all__"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--no-backup", action="store_true", help="upgrade without a backup of the old tables")

    def handle(self, *args: Any, no_backup: bool = False, **options: Any) -> None:
        if options["plan"] or options["check_unapplied"]:
            super().handle(*args, **options)
            return
        with upgrade.only_upgrade():
            upgrade.check_not_newer()
            if not no_backup and upgrade.needs_migrations() and (path := upgrade.back_up_first()):
                sys.stderr.write(f"The data from before the upgrade is in {path}.\n")
            super().handle(*args, **options)
