"""Draw on A4 paper. Positions are in millimetres from the top left corner, type in points.

US Letter shows the same A4 page scaled down and centred. Nothing is cut off, and the cutting and folding lines still
halve the paper.
"""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, get_args

import segno
from django.utils.translation import gettext as _

from league.prints.pdf.letters import LATIN, file_of, in_fonts, printable, width

SHORT, LONG = 210.0, 297.0
MARGIN = 12.0
FOOT = 14.0  # free space at the bottom of a page with a head
HEAD = 38.0  # where the content of such a page begins
MM = 25.4 / 72  # millimetres in a point
LEADING = 1.22
CAP = 0.714  # height of a capital letter, in parts of the size
STROKE = 0.035  # extra thickness of a synthetic bold letter, in parts of the size
BASELINE = 0.3  # offset of fpdf2's text below a cell's middle, in parts of the size

INK, MUTED, LINE, SHADE = (24, 20, 28), (84, 78, 90), (176, 170, 182), (236, 233, 239)
# The four cards of the mark, in parts of its width and height. The only colour on paper; it carries no meaning.
_MARK = (
    ((209, 54, 47), ((0.0, 0.08), (0.18, 0.0), (0.33, 0.92), (0.15, 1.0))),
    ((229, 161, 0), ((0.42, 0.0), (0.56, 0.08), (0.36, 1.0), (0.22, 0.92))),
    ((33, 132, 77), ((0.46, 0.08), (0.64, 0.0), (0.8, 0.92), (0.62, 1.0))),
    ((47, 107, 214), ((0.86, 0.0), (1.0, 0.08), (0.84, 1.0), (0.7, 0.92))),
)

_PARTS = re.compile(r"[^ -]+-? *|- *")  # parts after which a line may break; never at a no-break space

Align = Literal["L", "C", "R"]
Paper = Literal["a4", "letter"]
PAPERS: tuple[Paper, ...] = get_args(Paper)


@dataclass(frozen=True)
class Head:
    """The head of each page: tournament, place, time, and time of printing.

    note: a sentence for the foot, or "".
    """

    tournament: str
    where: str
    printed: str
    language: str = "en"
    note: str = ""


class Sheet:
    """The pages of one file. pages: their number; drawing another number is an error."""

    def __init__(self, head: Head, pages: int, paper: Paper = "a4") -> None:
        from fpdf import FPDF  # imported here since it takes most of a second, which only prints should cost

        self.head = head
        self.of = pages
        self.number = 0
        self.width, self.height = SHORT, LONG
        self._pdf = FPDF(unit="mm", format=paper)
        self._is_fitted = paper != "a4"
        self._pdf.set_auto_page_break(False)
        self._pdf.c_margin = 0
        self._fonts: set[tuple[str, bool]] = set()
        self._pdf.set_title(head.tournament)
        self._pdf.set_creator("Wild League")
        self._pdf.set_lang(head.language)

    def blank(self, landscape: bool = False) -> None:
        """Begin an empty page."""
        self._end_page()
        self.number += 1
        self.width, self.height = (LONG, SHORT) if landscape else (SHORT, LONG)
        self._pdf.add_page("L" if landscape else "P")
        if self._is_fitted:
            self._fit_page()
        self._pdf.set_line_width(0.2)
        self._pdf.set_text_color(*INK)
        self._pdf.set_draw_color(*INK)

    def _fit_page(self) -> None:
        """Draw the rest of this page as if it were A4, scaled to the paper and centred."""
        wide, high, points = self._pdf.w, self._pdf.h, self._pdf.k
        scale = min(wide / self.width, high / self.height)
        left, top = (wide - scale * self.width) / 2, (high - scale * self.height) / 2
        up = high * (1 - scale) - top  # fpdf2 counts from the top of the paper, a PDF from its bottom
        self._pdf._out(f"q {scale:.5f} 0 0 {scale:.5f} {left * points:.3f} {up * points:.3f} cm")

    def _end_page(self) -> None:
        if self._is_fitted and self.number:
            self._pdf._out("Q")

    def page(self, title: str, aside: str = "", landscape: bool = False) -> None:
        """Begin a page with a head; its content goes from HEAD to `bottom`. aside: words to the right of the title."""
        self.blank(landscape)
        right = self.width - MARGIN
        self.mark(MARGIN, 9, 9)
        self.fit(MARGIN + 12, 8, right - MARGIN - 12, 4.5, self.head.tournament, size=10, bold=True)
        self.fit(MARGIN + 12, 12.5, right - MARGIN - 12, 4, self.head.where, size=8, color=MUTED)
        aside_width = width(printable(aside), 11 * MM) + 6 if aside else 0
        self.fit(MARGIN, 20, right - MARGIN - aside_width, 12, title, size=22, bold=True)
        self.text(right, 28.5, aside, size=11, align="R")
        self.line(MARGIN, 33.5, right, 33.5, 0.6)
        foot = self.height - 7
        self.text(MARGIN, foot, self.head.printed, size=7.5, color=MUTED)
        self.fit(MARGIN + 50, foot - 5, right - MARGIN - 80, 7, self.head.note, size=7, color=MUTED, align="C")
        pages = _("Page %(number)d of %(of)d") % {"number": self.number, "of": self.of}
        self.text(right, foot, pages, size=7.5, color=MUTED, align="R")

    @property
    def bottom(self) -> float:
        return self.height - FOOT

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        bold: bool = False,
        align: Align = "L",
        color: tuple[int, int, int] = INK,
    ) -> None:
        """Write one line on the baseline y; x is its left, middle or right, by `align`."""
        words = printable(words)
        if not words:
            return
        if align != "L":
            x -= width(words, size * MM, bold) / (1 if align == "R" else 2)
        self._pdf.set_text_color(*color)
        for font, part in in_fonts(words):
            wide = width(part, size * MM, bold)
            self._use(font, bold and font == LATIN, size)
            if font == LATIN:
                self._pdf.text(x, y, part)
            else:
                self._shaped(x, y, wide, part, bold, size, color)
            x += wide

    def _use(self, font: str, bold: bool, size: float) -> None:
        if (font, bold) not in self._fonts:
            self._fonts.add((font, bold))
            self._pdf.add_font(font, "B" if bold else "", file_of(font, bold))
        self._pdf.set_font(font, "B" if bold else "", size)

    def _shaped(
        self, x: float, y: float, wide: float, words: str, bold: bool, size: float, color: tuple[int, int, int]
    ) -> None:
        """Write words whose letters join, stack or run right to left."""
        pdf = self._pdf
        mode = "FILL_STROKE" if bold else "FILL"
        with pdf.local_context(text_mode=mode, line_width=size * MM * STROKE, draw_color=color):
            pdf.set_text_shaping(True)
            pdf.set_xy(x, y - BASELINE * size * MM)
            pdf.cell(wide, 0, words)

    def fit(  # noqa: PLR0913  # a box and a type
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        words: str,
        size: float,
        least: float = 5.0,
        bold: bool = False,
        align: Align = "L",
        color: tuple[int, int, int] = INK,
        top: bool = False,
    ) -> float:
        """Write words into a box, as large as they fit from `size` down, on several lines if needed.

        Centred vertically, or at its `top`. Returns the used height.
        """
        size, lines = fit_text(printable(words), w, h, size, min(least, size), bold)
        leading = size * MM * LEADING
        first = y if top else y + (h - leading * len(lines)) / 2
        at = {"L": x, "C": x + w / 2, "R": x + w}[align]
        for number, line in enumerate(lines):
            baseline = first + leading * (number + 0.5) + size * MM * CAP / 2
            self.text(at, baseline, line, size, bold, align, color)
        return leading * len(lines)

    def line(self, x1: float, y1: float, x2: float, y2: float, thick: float = 0.2, dash: float = 0) -> None:
        self._pdf.set_line_width(thick)
        if dash:
            self._pdf.set_dash_pattern(dash, dash)
        self._pdf.line(x1, y1, x2, y2)
        if dash:
            self._pdf.set_dash_pattern()

    def grey_line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self._pdf.set_draw_color(*LINE)
        self.line(x1, y1, x2, y2)
        self._pdf.set_draw_color(*INK)

    def box(self, x: float, y: float, w: float, h: float, thick: float = 0.2, shade: bool = False) -> None:
        self._pdf.set_line_width(thick)
        if shade:
            self._pdf.set_fill_color(*SHADE)
        self._pdf.rect(x, y, w, h, style="DF" if shade else "D")

    def fill(self, x: float, y: float, w: float, h: float, color: tuple[int, int, int]) -> None:
        self._pdf.set_fill_color(*color)
        self._pdf.rect(x, y, w, h, style="F")

    def qr(self, x: float, y: float, size: float, address: str) -> None:
        """Draw a QR code without its quiet zone. Up to a fifth may be smudged, since slips lie among drinks."""
        rows = list(segno.make_qr(address, error="q", boost_error=False).matrix)
        cell = size / len(rows)
        self._pdf.set_fill_color(0, 0, 0)
        for down, row in enumerate(rows):
            for start, length in _runs(row):
                # Slightly larger than a cell, so that no white lines appear between rows.
                self._pdf.rect(x + start * cell, y + down * cell, length * cell + 0.02, cell + 0.02, style="F")

    def mark(self, x: float, y: float, size: float) -> None:
        """Draw the mark, the four cards, `size` wide."""
        for color, corners in _MARK:
            self._pdf.set_fill_color(*color)
            self._pdf.polygon([(x + right * size, y + down * size * 0.66) for right, down in corners], style="F")

    def upside_down(self, x: float, y: float) -> AbstractContextManager[None]:
        """Turn everything drawn in the `with` block around a point."""
        return self._pdf.rotation(180, x, y)

    def as_bytes(self) -> bytes:
        if self.number != self.of:
            raise RuntimeError(f"{self.number} pages were drawn, {self.of} were promised.")
        self._end_page()
        return bytes(self._pdf.output())


def fit_text(words: str, w: float, h: float, size: float, least: float, bold: bool) -> tuple[float, list[str]]:
    """Return (size, lines) of words in a box. Breaks words only if no size down to `least` avoids it."""
    if width(words, size * MM, bold) <= w and size * MM * LEADING <= h:
        return size, [words] if words else []
    for breaking in (False, True):
        trying = size
        while trying >= least:
            lines = _wrap(words, w, trying * MM, bold, breaking)
            if lines is not None and len(lines) * trying * MM * LEADING <= h + 0.01:
                return trying, lines
            trying -= 0.5
    room = max(1, int(h / (least * MM * LEADING)))
    lines = _wrap(words, w, least * MM, bold, True) or []
    if len(lines) <= room:
        return least, lines
    last = lines[room - 1][:-1]
    while last and width(last + "…", least * MM, bold) > w:  # the dots may be wider than the letter they replace
        last = last[:-1]
    return least, [*lines[: room - 1], last + "…"]


def _wrap(words: str, w: float, em: float, bold: bool, breaking: bool) -> list[str] | None:
    """Return lines no longer than w, broken at spaces and hyphens; None if a part is longer and may not be broken."""
    lines: list[str] = []
    for part in _PARTS.findall(words):
        if lines and width((lines[-1] + part).rstrip(), em, bold) <= w:
            lines[-1] += part
            continue
        while width(part.rstrip(), em, bold) > w:
            if not breaking:
                return None
            fits = 1
            while width(part[: fits + 1], em, bold) <= w:
                fits += 1
            lines.append(part[:fits])
            part = part[fits:]
        lines.append(part)
    return [line.rstrip() for line in lines]


def _runs(row: Sequence[int]) -> list[tuple[int, int]]:
    """Return (start, length) of each run of dark cells."""
    runs: list[tuple[int, int]] = []
    for at, dark in enumerate(row):
        if dark and runs and sum(runs[-1]) == at:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif dark:
            runs.append((at, 1))
    return runs
