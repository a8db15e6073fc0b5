"""Define the command line of manage.py: Django's, but an unknown command gets one sentence and exit code 2."""

import sys
from difflib import get_close_matches

from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand


class CommandLine(ManagementUtility):
    def fetch_command(self, subcommand: str) -> BaseCommand:
        commands = get_commands()
        if subcommand in commands:
            return super().fetch_command(subcommand)
        near = get_close_matches(subcommand, commands)
        if self.settings_exception is not None:  # then only Django's own commands are known
            sentence = f"The settings cannot be read: {self.settings_exception}."
        elif near:
            sentence = f"There is no command “{subcommand}”; did you mean {' or '.join(near)}?"
        else:
            sentence = f"There is no command “{subcommand}”; “{self.prog_name} help” lists them."
        sys.stderr.write(f"{sentence}\n")
        sys.exit(2)
