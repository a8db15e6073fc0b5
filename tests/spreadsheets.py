"""Read a workbook back, with the reader that lists of players are read with."""

import io
from datetime import date, datetime

from python_calamine import CalamineWorkbook

from league.lib.csv import guard


def cells_of(content: bytes, sheet: str = "table") -> list[list[str]]:
    """The cells of a sheet as texts, in the words of our CSV."""
    rows = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    return [[_as_in_csv(value) for value in row] for row in rows]


def _as_in_csv(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float():
            return str(int(value)) if value.is_integer() else str(value)
        case datetime():
            return value.isoformat(timespec="seconds") + "Z"
        case date():
            return value.isoformat()
    return guard(str(value))
