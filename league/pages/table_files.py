"""The three file formats of a table: CSV, CSV with semicolons for European Excel, and a workbook.

docs/formats.md explains the formats. All get the same header and rows.
"""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from league.lib import csv


class Form(StrEnum):
    """A file format, by its name in `?format=` and on the command line."""

    XLSX = "xlsx"
    CSV = "csv"
    SEMICOLONS = "semicolons"

    @property
    def suffix(self) -> str:
        return ".xlsx" if self is Form.XLSX else ".csv"

    @property
    def content_type(self) -> str:
        return XLSX_TYPE if self is Form.XLSX else "text/csv; charset=utf-8"


class Table(NamedTuple):
    header: Sequence[str]
    rows: Iterable[Mapping[str, Any]]


XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DAY, MOMENT = "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"
NARROWEST, WIDEST = 6, 50  # characters
# Limits of Excel.
MOST_DIGITS = 10**15
MOST_TEXT = 32_767
FIRST_YEAR = 1901
_NOT_IN_XML = re.compile(r"[\ufffe\uffff]")


def table_file(form: Form, table: Table, *, bom: bool = False) -> bytes:
    """Return the content of a file. bom: start plain CSV with the UTF-8 byte order mark too."""
    if form is Form.XLSX:
        return workbook({"table": table})
    european = form is Form.SEMICOLONS
    return csv.text(table.header, table.rows, bom=bom or european, european=european).encode()


def workbook(tables: Mapping[str, Table]) -> bytes:
    """Return an .xlsx file with one sheet for each named table."""
    file = io.BytesIO()
    never = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with Workbook(file, {"in_memory": True, **never}) as book:
        head = book.add_format({"bold": True})
        formats = {shape: book.add_format({"num_format": shape}) for shape in (DAY, MOMENT)}
        for name, table in tables.items():
            _write_sheet(book.add_worksheet(name), table, head, formats)
    return file.getvalue()


def _write_sheet(sheet: Worksheet, table: Table, head: Format, formats: Mapping[str, Format]) -> None:
    widths = [len(name) for name in table.header]
    for column, name in enumerate(table.header):
        sheet.write_string(0, column, name, head)
    for line, row in enumerate(table.rows, 1):
        for column, name in enumerate(table.header):
            widths[column] = max(widths[column], _write_cell(sheet, line, column, row.get(name), formats))
    for column, width in enumerate(widths):
        sheet.set_column(column, column, min(max(width + 1, NARROWEST), WIDEST))
    sheet.freeze_panes(1, 0)


def _write_cell(sheet: Worksheet, line: int, column: int, value: object, formats: Mapping[str, Format]) -> int:
    """Write a value and return its width in characters. A value that Excel would change is written as text."""
    if value is None or value == "":
        return 0
    if isinstance(value, bool):
        sheet.write_boolean(line, column, value)
    elif isinstance(value, int | float | Decimal) and abs(float(value)) < MOST_DIGITS:
        sheet.write_number(line, column, float(value))
    elif isinstance(value, date) and value.year >= FIRST_YEAR:
        is_moment = isinstance(value, datetime)
        shape = MOMENT if is_moment else DAY
        plain: Any = csv.in_utc(value).replace(microsecond=0) if isinstance(value, datetime) else value
        sheet.write_datetime(line, column, plain, formats[shape])
        return len(shape)
    else:
        text = _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", csv.plain_text(value))
        text = text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"
        sheet.write_string(line, column, text)
        return len(text)
    return len(str(value))
