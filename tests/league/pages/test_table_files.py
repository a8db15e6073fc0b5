"""The forms of a table: that a spreadsheet shows what was written, and that nothing in a text becomes anything else."""

import csv
import io
import shutil
import subprocess
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from python_calamine import CalamineWorkbook

from league.pages.table_files import Form, Table, table_file, workbook
from tests.spreadsheets import cells_of

TEXTS = (
    "007", "1E5", "3-4", "1/2", "true", "2026-11-21", "=1+1", "{=1}", "+49 170", "-5", "@SUM(A1)", "https://example.org",
    "mailto:ann@example.org", "internal:A1", "'quoted'", " Zoë  Đorđe ", "a;b,c\t\"d\"", "two\nlines", "_x0041_",
    "日本", "🃏", "\ufffe\ud800", "\x07bell", "x" * 300,
)  # fmt: skip
VALUES = (0, -25, 2.5, Decimal("-1.50"), True, False, date(2026, 11, 21), datetime(2026, 11, 21, 19, 5, tzinfo=UTC))


def read(content: bytes) -> list[list[object]]:
    return CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python(skip_empty_area=False)


def test_a_text_in_a_workbook_stays_the_text_that_it_was():
    content = table_file(Form.XLSX, Table(["text"], [{"text": text} for text in TEXTS]))
    wanted = [text.replace("\ufffe", "\ufffd").replace("\ud800", "\ufffd") for text in TEXTS]
    assert [row[0] for row in read(content)[1:]] == wanted
    sheet = zipfile.ZipFile(io.BytesIO(content)).read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet and b"hyperlink" not in sheet


def test_numbers_days_and_moments_in_a_workbook_are_real_ones_and_unknown_values_are_empty():
    content = table_file(Form.XLSX, Table(["value", "none"], [{"value": value, "none": None} for value in VALUES]))
    assert read(content)[1:] == [
        [value, ""]
        for value in (0, -25, 2.5, -1.5, True, False, date(2026, 11, 21), datetime(2026, 11, 21, 19, 5))
    ]  # fmt: skip


@pytest.mark.parametrize("value", [10**15 + 1, float("inf"), float("nan"), date(1899, 12, 31)])
def test_a_value_that_excel_would_change_is_a_text(value):
    assert read(table_file(Form.XLSX, Table(["value"], [{"value": value}])))[1] == [str(value)]


def test_a_text_longer_than_a_cell_of_excel_is_cut_and_says_so():
    [_head, [text]] = read(table_file(Form.XLSX, Table(["value"], [{"value": "x" * 40_000}])))
    assert text == "x" * 32_766 + "…"


def test_a_sheet_has_its_header_frozen_and_columns_as_wide_as_their_cells():
    content = table_file(Form.XLSX, Table(["id", "player"], [{"id": 1, "player": "Maximiliane"}, {"player": "x" * 99}]))
    sheet = zipfile.ZipFile(io.BytesIO(content)).read("xl/worksheets/sheet1.xml").decode()
    assert 'ySplit="1"' in sheet and 'state="frozen"' in sheet
    assert '<col min="1" max="1" width="6.7' in sheet and '<col min="2" max="2" width="50.7' in sheet


def test_semicolons_begin_with_the_mark_and_have_decimal_commas_in_numbers_only():
    table = Table(["name", "chance"], [{"name": "A. Berg; B", "chance": 0.25}, {"name": "=1", "chance": -3}])
    content = table_file(Form.SEMICOLONS, table).decode()
    assert content == '\ufeffname;chance\r\n"A. Berg; B";0,25\r\n\'=1;-3\r\n'


def test_a_workbook_has_a_sheet_for_each_table():
    content = workbook({"hands": Table(["a"], [{"a": 1}]), "seating": Table(["b"], [])})
    assert cells_of(content, "hands") == [["a"], ["1"]]
    assert cells_of(content, "seating") == [["b"]]


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_reads_a_workbook_as_it_was_written(tmp_path):
    """One run for all texts; control characters, which no spreadsheet shows, are left out."""
    texts = [text for text in TEXTS if text.isprintable()]
    (tmp_path / "table.xlsx").write_bytes(table_file(Form.XLSX, Table(["text"], [{"text": text} for text in texts])))
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to"]
    command += ["csv:Text - txt - csv (StarCalc):44,34,76,1", "--outdir", str(tmp_path), str(tmp_path / "table.xlsx")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    lines = csv.reader(io.StringIO((tmp_path / "table.csv").read_text("utf-8"), newline=""))
    assert [line[0] for line in lines] == ["text", *texts]
