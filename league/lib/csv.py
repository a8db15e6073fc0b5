"""Write the project's CSV dialect, for all exports.

UTF-8, CRLF, commas, quotes only if needed; true and false; empty for unknown values; times in UTC; decimal points. The
European variant has semicolons and decimal commas. Text that a spreadsheet would run as a formula gets a leading
apostrophe, which the import removes.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

Row = dict[str, Any]

BOM = "\ufeff"

# Count apostrophes before the dangerous character too, so that a text such as `'=1` survives the round trip.
_NEEDS_GUARD = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def guard(text: str) -> str:
    """Prefix an apostrophe if a spreadsheet could run the text as a formula. `unguard` is the inverse."""
    return "'" + text if _NEEDS_GUARD.match(text) else text


def unguard(text: str) -> str:
    return text[1:] if _GUARDED.match(text) else text


def cell(value: object, decimal: str = ".") -> str:
    """Return the text of a value in a cell, before quoting.

    Numbers stay as they are: -25 stays a number while the text "-25" is guarded. Raises ValueError for a datetime
    without a time zone, which is ambiguous. Half a surrogate pair, which UTF-8 can't encode, becomes U+FFFD.
    """
    if value is None:
        return ""
    if isinstance(value, bool | datetime):
        return plain_text(value)
    if isinstance(value, int | float | Decimal):
        return str(value).replace(".", decimal)
    return guard(plain_text(value))


def plain_text(value: object) -> str:
    """Return the text of a value without a guard, for files without formulas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return moment(value, "seconds")
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", str(value))


def moment(value: datetime, precision: str) -> str:
    """Format a moment in UTC. precision: as in `datetime.isoformat`; an ordering column needs "microseconds"."""
    return in_utc(value).isoformat(timespec=precision) + "Z"


def in_utc(value: datetime) -> datetime:
    """Return the moment in UTC, without its zone. Raises ValueError without a zone."""
    if value.tzinfo is None:
        raise ValueError(f"{value.isoformat()} has no time zone.")
    return value.astimezone(UTC).replace(tzinfo=None)


class _Line:
    """A file for csv.writer that returns the line it gets."""

    def write(self, line: str) -> str:
        return line


def write(header: Sequence[str], rows: Iterable[Mapping[str, object]], european: bool = False) -> Iterator[str]:
    """Yield the lines of the file, each with CRLF. Missing keys are empty cells; extra keys are left out."""
    delimiter, decimal = (";", ",") if european else (",", ".")
    writer = csv.writer(_Line(), delimiter=delimiter, lineterminator="\r\n")
    yield writer.writerow([cell(name) for name in header])
    for row in rows:
        yield writer.writerow([cell(row.get(name), decimal) for name in header])


def text(header: Sequence[str], rows: Iterable[Mapping[str, object]], bom: bool = False, european: bool = False) -> str:
    """Return the whole file. bom: with the mark some spreadsheets need to recognise UTF-8."""
    return (BOM if bom else "") + "".join(write(header, rows, european))
