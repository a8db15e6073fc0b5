"""Turn prints into a PDF file, without a database; league/prints/views.py reads the rows.

A print knows its number of pages before it is drawn, so that lists can show it and packs have continuous page numbers.
"""

from collections.abc import Sequence
from typing import Protocol

from league.prints.pdf.sheet import Head, Paper, Sheet


class Print(Protocol):
    @property
    def pages(self) -> int: ...

    def draw(self, sheet: Sheet) -> None:
        """Draw exactly `pages` pages."""


def pdf(head: Head, prints: Sequence[Print], paper: Paper = "a4") -> bytes:
    """Return one PDF file with all prints in order."""
    sheet = Sheet(head, pages=sum(document.pages for document in prints), paper=paper)
    for document in prints:
        document.draw(sheet)
    return sheet.as_bytes()
