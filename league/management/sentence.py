"""The base of our commands: every refusal is one sentence on stderr with exit code 2, and stdout stays empty."""

import argparse
import sys
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.errors import Refused
from league.models import Tournament


class SentenceCommand(BaseCommand):
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)

        def no_usage(file: IO[str] | None = None) -> None:
            """A wrong option gets its sentence alone; the usage is what --help is for."""

        parser.print_usage = no_usage  # type: ignore[method-assign, assignment]
        parser.formatter_class = argparse.HelpFormatter
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        from_shell = getattr(self, "_called_from_command_line", False)
        try:
            return super().execute(*args, **options)
        except Refused as refused:
            error = CommandError(str(refused), returncode=2)
        except CommandError as exc:
            error = exc
        if from_shell and not options.get("traceback"):
            self.stderr.write(str(error))
            sys.exit(2)
        raise error


def tournament_by_slug(slug: str) -> Tournament:
    try:
        return Tournament.objects.get(slug=slug)
    except Tournament.DoesNotExist:
        known = ", ".join(Tournament.objects.order_by("-created_at").values_list("slug", flat=True)[:5])
        hint = f"The latest are: {known}." if known else "There are none yet: make one with create_tournament."
        raise CommandError(f"There is no tournament “{slug}”. {hint}", returncode=2) from None
