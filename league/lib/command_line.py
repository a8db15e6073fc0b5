"""Django's command line with plain refusals: one sentence and exit code 2."""

import sys
from difflib import get_close_matches
from typing import NoReturn

from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand
from django.db import DatabaseError


class CommandLine(ManagementUtility):
    def execute(self) -> None:
        try:
            super().execute()
        except DatabaseError as error:
            if "--traceback" in self.argv:
                raise
            from league.lib.command import database_sentence  # needs loaded apps

            self._refuse(database_sentence(error))

    def fetch_command(self, subcommand: str) -> BaseCommand:
        if self.settings_exception is not None:  # Django read the settings, also those of --settings
            self._refuse(f"The settings cannot be used: {self.settings_exception}.")
        commands = get_commands()
        if subcommand in commands:
            return super().fetch_command(subcommand)
        near = get_close_matches(subcommand, commands)
        if near:
            self._refuse(f"There is no command “{subcommand}”; did you mean {' or '.join(near)}?")
        self._refuse(f"There is no command “{subcommand}”; “{self.prog_name} help” lists them.")

    def _refuse(self, sentence: str) -> NoReturn:
        sys.stderr.write(f"{sentence}\n")
        sys.exit(2)
