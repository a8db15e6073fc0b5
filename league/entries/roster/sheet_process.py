"""Read the first sheet of a spreadsheet from stdin; write {"text": …} or {"reason": …} as JSON to stdout.

`files.py` runs this file as a separate process with its own limits; it imports nothing of the project.
"""

import csv
import datetime
import io
import json
import re
import sys
from typing import Any

import python_calamine

MOST_MEMORY = 700_000_000  # bytes of address space
MOST_SECONDS = 10  # of processor time
MOST_CELLS = 400_000
MOST_TEXT = 1_000_000  # bytes


def limit() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, most in (
        (resource.RLIMIT_AS, MOST_MEMORY),
        (resource.RLIMIT_CPU, MOST_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        _soft, hard = resource.getrlimit(what)
        if hard == resource.RLIM_INFINITY or hard > most:
            try:
                resource.setrlimit(what, (most, hard))
            except (ValueError, OSError):  # macOS has no limit of address space
                continue


def read(data: bytes) -> dict[str, str]:
    try:
        sheet = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0)
        if sheet.height * sheet.width > MOST_CELLS:
            return {"reason": "too-large"}
        rows = [[in_text(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]
    except python_calamine.PasswordError:
        return {"reason": "password"}
    except (python_calamine.CalamineError, python_calamine.WorksheetNotFound, IndexError, ValueError, OSError):
        return {"reason": "damaged"}
    if not any(map(any, rows)):
        return {"reason": "empty"}
    file = io.StringIO()
    csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)
    text = file.getvalue()
    return {"text": text} if len(text.encode("utf-8", "replace")) <= MOST_TEXT else {"reason": "too-large"}


def in_text(cell: Any) -> str:
    """Return a cell as displayed, on one line: whole numbers without a point, days as 1991-07-30."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else str(cell)
    if isinstance(cell, datetime.datetime):
        at_midnight = cell.time() == datetime.time()
        return cell.date().isoformat() if at_midnight else cell.isoformat(" ", "seconds")
    text = " ".join(str(cell).split())
    # The reader removes one apostrophe, as in CSV (league/lib/csv.py); here it is part of the text.
    return f"'{text}" if re.match(r"'+[=+\-@]", text) else text


if __name__ == "__main__":
    limit()
    try:
        answer = read(sys.stdin.buffer.read())
    except MemoryError:
        answer = {"reason": "too-large"}
    json.dump(answer, sys.stdout)
