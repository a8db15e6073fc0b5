"""Turn a file into the text of a list: text in a usual encoding, or the first sheet of a spreadsheet.

A separate process with limits of memory and time reads spreadsheets (sheet_process.py), because a small file can claim
billions of cells. If the process ends early, the file is refused.
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

MOST_SHEET_BYTES = 3_000_000  # of an uploaded spreadsheet
MOST_MEMBERS = 2_000  # files in its archive
MOST_UNPACKED = 60_000_000  # bytes in total
SECONDS = 15
ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
WEB_PAGE = (b"<!doctype html", b"<html", b"<?xml", b"<table", b"<meta", b"mime-version:")
SHEETS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")  # of xlsx, xlsb, ods
_TOO_LARGE = mark("This spreadsheet is too large. Copy the names into a new sheet, or save it as “CSV UTF-8”.")
_OTHER = mark("This file can’t be read. Choose a text file, .csv, .xlsx, .ods or .xls.")
_DAMAGED = mark("This spreadsheet is damaged. Open it and save it again, or copy the names into the box.")
_REASONS = {
    "too-large": _TOO_LARGE,
    "damaged": _DAMAGED,
    "password": mark("This spreadsheet has a password. Save it without one and choose it again."),
    "empty": mark("The first sheet of this spreadsheet is empty. Move the list there and choose it again."),
}


class FileError(ValueError):
    """The file can't be read: the reason and the remedy."""

    def __init__(self, template: str) -> None:
        self.sentence = Sentence(template)
        super().__init__(template)


def read_file(data: bytes) -> Text:
    """Return the text of a list; of a spreadsheet the first sheet, rows as lines, cells separated by tabs.

    Raises FileError.
    """
    if data.startswith((ZIP, OLE)):
        return Text(_sheet(data))
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:200].lower().startswith(WEB_PAGE):
        raise FileError(
            mark(
                "This file is a web page. Save it as .xlsx in your spreadsheet program, or copy the names into the box."
            )
        )
    if len(data) > MAX_BYTES:
        raise FileError(mark("The list is larger than 1 MB. Split it and import the parts."))
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
    """Refuse an archive that is no spreadsheet or unpacks to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        raise FileError(_DAMAGED) from None
    if not any(member.filename in SHEETS for member in members):
        raise FileError(_OTHER)
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > MOST_UNPACKED:
        raise FileError(_TOO_LARGE)
