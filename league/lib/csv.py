"""The CSV dialect of this project, for all exports.

UTF-8, CRLF, commas, quotes only where needed; true and false; empty for what is unknown; times in UTC; decimal points.
The European variant has semicolons and decimal commas, and nothing else is different.
Text that a spreadsheet would run as a formula is guarded by one leading apostrophe, which the import takes off again.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

Row = dict[str, Any]

BOM = "\ufeff"

# Apostrophes before the dangerous character count too, so that a text that is itself `'=1` survives the round trip.
_NEEDS_GUARD = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def guard(text: str) -> str:
    """The text with one apostrophe in front if a spreadsheet could take it for a formula. `unguard` is the inverse."""
    return "'" + text if _NEEDS_GUARD.match(text) else text


def unguard(text: str) -> str:
    return text[1:] if _GUARDED.match(text) else text


def cell(value: object, decimal: str = ".") -> str:
    """The text of a value in a cell, before quoting.

    Numbers are written as they are, so -25 stays a number while the text "-25" is guarded. A datetime without a time
    zone is refused with ValueError: nobody could say which moment it was. Half a surrogate pair, which no UTF-8 file
    can hold, becomes U+FFFD.
    """
    if value is None:
        return ""
    if isinstance(value, bool | datetime):
        return plain_text(value)
    if isinstance(value, int | float | Decimal):
        return str(value).replace(".", decimal)
    return guard(plain_text(value))


def plain_text(value: object) -> str:
    """The text of a value without a guard, for files in which a text is never a formula."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return moment(value, "seconds")
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", str(value))


def moment(value: datetime, precision: str) -> str:
    """A moment in UTC. precision: as for `datetime.isoformat`; a column that orders its rows takes "microseconds"."""
    return in_utc(value).isoformat(timespec=precision) + "Z"


def in_utc(value: datetime) -> datetime:
    """The moment in UTC, without its zone. Raises ValueError if it has none."""
    if value.tzinfo is None:
        raise ValueError(f"{value.isoformat()} has no time zone.")
    return value.astimezone(UTC).replace(tzinfo=None)


class _Line:
    """A file for csv.writer that returns the line it gets."""

    def write(self, line: str) -> str:
        return line


def write(header: Sequence[str], rows: Iterable[Mapping[str, object]], european: bool = False) -> Iterator[str]:
    """The lines of the file, each with its CRLF. A key the row lacks is an empty cell; other keys are left out."""
    delimiter, decimal = (";", ",") if european else (",", ".")
    writer = csv.writer(_Line(), delimiter=delimiter, lineterminator="\r\n")
    yield writer.writerow([cell(name) for name in header])
    for row in rows:
        yield writer.writerow([cell(row.get(name), decimal) for name in header])


def text(header: Sequence[str], rows: Iterable[Mapping[str, object]], bom: bool = False, european: bool = False) -> str:
    """The whole file. bom: with the mark some spreadsheets need to recognise UTF-8."""
    return (BOM if bom else "") + "".join(write(header, rows, european))
