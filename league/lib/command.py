"""Define the base of our commands: a refusal is one sentence on stderr with exit code 2; stdout stays empty."""

import argparse
import contextlib
import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, NoReturn

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from league.lib.errors import Refused
from league.models import Tournament


class SentenceCommand(BaseCommand):
    requires_system_checks: tuple[str, ...] | Literal["__all__"] = ()
    uses_database = True

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.formatter_class = argparse.HelpFormatter
        parser.register("type", int, _whole_number)

        def error(message: str) -> NoReturn:
            """Print only a sentence for a wrong option; --help prints the usage."""
            sentence = _sentence(message, parser.prog)
            if not getattr(self, "_called_from_command_line", False):
                raise CommandError(sentence, returncode=2)
            self.stderr.write(sentence)
            sys.exit(2)

        parser.error = error  # type: ignore[method-assign]
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        from_shell = getattr(self, "_called_from_command_line", False)
        try:
            _check_text(options)
            if self.uses_database and not connection.introspection.table_names():
                call_command("migrate", verbosity=0)  # first command on a new machine
            return super().execute(*args, **options)
        except Refused as refused:
            error = CommandError(str(refused), returncode=2)
        except DatabaseError as exc:
            error = CommandError(database_sentence(exc), returncode=2)
        except CommandError as exc:
            error = exc
        if from_shell and not options.get("traceback"):
            self.stderr.write(str(error))
            sys.exit(2)
        raise error


@cache
def _code_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)


def missing_migrations() -> set[tuple[str, str]]:
    """Return the migrations of this version that are not applied. Later ones don't matter."""
    return set(_code_migrations() - MigrationRecorder(connection).applied_migrations().keys())


def database_sentence(error: DatabaseError) -> str:
    """Say why the database refused: mostly it is older than this version."""
    with contextlib.suppress(DatabaseError):
        if missing_migrations():
            return "Update the database first: wild-league migrate."
    reason = str(error).partition("Is the server running")[0]
    return f"The database cannot be used: {' '.join(reason.split()).rstrip('.')}."


def number(lowest: int, highest: int | None = None) -> Callable[[str], int]:
    """Return the type of an option that takes a number from `lowest` to `highest`."""

    def read(text: str) -> int:
        with contextlib.suppress(ValueError):
            if lowest <= (value := int(text)) and (highest is None or value <= highest):
                return value
        possible = f"{lowest}" if highest is None else f"{lowest} to {highest}"
        raise argparse.ArgumentTypeError(f"takes a number from {possible}, not “{text}”")

    return read


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"takes a whole number, not “{text}”") from None


def _sentence(message: str, prog: str) -> str:
    """Turn a message of argparse into a sentence that tells what to do."""
    if message.startswith("unrecognized arguments"):
        message += f"; “{prog} --help” says what there is"
    message = re.sub(r"^argument (\S+): takes ", r"\1 takes ", message)
    return f"{message[:1].upper()}{message[1:]}."


def _check_text(options: dict[str, Any]) -> None:
    """Refuse text that a shell passed on in another encoding."""
    for name, value in options.items():
        if isinstance(value, str) and not value.isprintable() and any(0xD800 <= ord(char) < 0xE000 for char in value):
            raise CommandError(f"--{name.replace('_', '-')} is not UTF-8 text.", returncode=2)


def tournament_by_slug(slug: str) -> Tournament:
    try:
        return Tournament.objects.get(slug=slug)
    except Tournament.DoesNotExist:
        known = ", ".join(Tournament.objects.order_by("-created_at").values_list("slug", flat=True)[:5])
        hint = f"The latest are: {known}." if known else "There are none yet: make one with create_tournament."
        raise CommandError(f"There is no tournament “{slug}”. {hint}", returncode=2) from None
