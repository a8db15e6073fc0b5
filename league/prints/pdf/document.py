"""Prints: from rows to PDF pages. Nothing here knows the database; league/prints/views.py gathers the rows.

A print says how many pages it has before any of them is drawn, so that lists can show it and packs can number through.
"""

from collections.abc import Sequence
from typing import Protocol

from league.prints.pdf.sheet import Head, Sheet


class Print(Protocol):
    @property
    def pages(self) -> int: ...

    def draw(self, sheet: Sheet) -> None:
        """Draw exactly `pages` pages."""


def pdf(head: Head, prints: Sequence[Print]) -> bytes:
    """One file of all of them, one after another."""
    sheet = Sheet(head, pages=sum(one.pages for one in prints))
    for one in prints:
        one.draw(sheet)
    return sheet.as_bytes()
