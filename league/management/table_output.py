"""Share the options and the output of commands that export a table."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.pages.table_files import Form, Table, table_file


def add_output_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=[form.value for form in Form],
        help="default: xlsx for a FILE with that ending, else csv; semicolons is CSV for a European Excel",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="instead of standard output")


def write_table(command: BaseCommand, table: Table, options: dict[str, Any]) -> None:
    """Write the table to the file, or to standard output. Raises CommandError with the remedy."""
    out: Path | None = options["out"]
    by_name = Form.XLSX if out is not None and out.suffix.lower() == Form.XLSX.suffix else Form.CSV
    form = Form(options["format"] or by_name)
    if out is None:
        if form is Form.XLSX:
            raise CommandError("An Excel file cannot go to standard output. Add --out FILE.", returncode=2)
        command.stdout.write(table_file(form, table).decode(), ending="")
        return
    try:
        out.write_bytes(table_file(form, table))
    except OSError as fault:
        raise CommandError(f"{out} cannot be written: {fault.strerror}.", returncode=2) from None
