"""Turn a file of a club into the text of a list: text in any usual encoding, or the first sheet of a spreadsheet.

Spreadsheets are read by a process of their own (sheet_process.py), since a small file can claim to hold billions of
cells: that process has limits of memory and time, and if it ends early the file is refused.
"""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

from engine.sentences import Sentence, mark
from league.entries.roster.encodings import Text, decode_text
from league.entries.roster.rows import MAX_BYTES

MOST_SHEET_BYTES = 3_000_000  # of a spreadsheet as it is uploaded
MOST_MEMBERS = 2_000  # files in its archive
MOST_UNPACKED = 60_000_000  # bytes of all of them
SECONDS = 15
ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
WEB_PAGE = (b"<!doctype html", b"<html", b"<?xml", b"<table", b"<meta", b"mime-version:")
SHEETS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")  # of xlsx, xlsb, ods
_TOO_LARGE = mark(
    "This spreadsheet is too large to be read. Copy the names into a new sheet, or save it as “CSV UTF-8” and choose "
    "that file."
)
_OTHER = mark("This file is no list that can be read. Choose a text file, .csv, .xlsx, .ods or .xls.")
_DAMAGED = mark(
    "This spreadsheet can't be read: it is damaged. Open it and save it again, or copy the names into the box."
)
_REASONS = {
    "too-large": _TOO_LARGE,
    "damaged": _DAMAGED,
    "password": mark("This spreadsheet has a password. Save it without one and choose it again."),
    "empty": mark("The first sheet of this spreadsheet is empty. Move the list there and choose it again."),
}


class FileError(ValueError):
    """The file can't be read: why, and what to do."""

    def __init__(self, template: str) -> None:
        self.sentence = Sentence(template)
        super().__init__(template)


def read_file(data: bytes) -> Text:
    """Return the text of a list: of a spreadsheet the first sheet, a line for each row, with tabs between the cells.

    Raises FileError.
    """
    if data.startswith((ZIP, OLE)):
        return Text(_sheet(data))
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:200].lower().startswith(WEB_PAGE):
        raise FileError(
            mark(
                "This file is a web page, not a spreadsheet. Open it in your spreadsheet program and save it as .xlsx, "
                "or copy the names into the box."
            )
        )
    if len(data) > MAX_BYTES:
        raise FileError(mark("The file is larger than 1 MB. Split it and import the parts one after the other."))
    text = decode_text(data)
    if text is None:
        raise FileError(_OTHER)
    return text


def _sheet(data: bytes) -> str:
    if len(data) > MOST_SHEET_BYTES:
        raise FileError(_TOO_LARGE)
    if data.startswith(ZIP):
        _check_archive(data)
    command = [sys.executable, "-I", str(Path(__file__).with_name("sheet_process.py"))]
    try:
        done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=SECONDS)
        answer = json.loads(done.stdout) if done.returncode == 0 else {"reason": "too-large"}
    except (subprocess.TimeoutExpired, ValueError):
        answer = {"reason": "too-large"}
    if reason := answer.get("reason"):
        raise FileError(_REASONS[reason])
    text: str = answer["text"]
    return text


def _check_archive(data: bytes) -> None:
    """Refuse an archive that is no spreadsheet, or that would unpack to more than a list can be."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        raise FileError(_DAMAGED) from None
    if not any(member.filename in SHEETS for member in members):
        raise FileError(_OTHER)
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > MOST_UNPACKED:
        raise FileError(_TOO_LARGE)
