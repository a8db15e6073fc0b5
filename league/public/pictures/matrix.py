"""Build the matrix of meetings, as numbers or pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from league.public.pictures.bracket import Person

LONG_NAME = 12  # letters; a tooltip has the whole name

# More marks in a cell can't be told apart; the label has the exact numbers.
MOST_DISCS = 3
MOST_STROKES = 4


@dataclass(frozen=True)
class Glyph:
    """The picture of a cell, in a square of 34: discs at x 10 for partners, strokes for opponents."""

    partnered: int
    opposed: int
    discs: tuple[int, ...]  # y of each
    radius: str
    strokes: tuple[int, ...]  # x of each

    @property
    def stroke_width(self) -> int:
        return 2 if len(self.strokes) > 2 else 3

    @property
    def key(self) -> str:
        return f"met-{self.partnered}-{self.opposed}"


def glyph(partnered: int, opposed: int) -> Glyph:
    discs = {0: (), 1: (17,), 2: (10, 24), 3: (7, 17, 27)}[min(partnered, MOST_DISCS)]
    strokes = min(opposed, MOST_STROKES)
    step = 6 if strokes <= 2 else 4
    across = tuple(20 + step * stroke for stroke in range(strokes))
    return Glyph(partnered, opposed, discs, "5.5" if partnered <= 1 else "4", across)


class Head(NamedTuple):
    short: str
    name: str


class Cell(NamedTuple):
    """Number of meetings: as a number, or as the key of a glyph explained by `spoken` and `title`."""

    css: str
    times: str = ""
    picture: str = ""
    spoken: str = ""
    title: str = ""


@dataclass(frozen=True)
class MatrixLine:
    """number: for large matrices. title: the uncut name. cells: None on the diagonal."""

    number: str
    name: str
    title: str
    cells: Sequence[Cell | None]


@dataclass(frozen=True)
class Matrix:
    """A matrix of meetings. glyphs: pictures used by its cells, if any."""

    label: str
    caption: str
    is_small: bool
    heads: Sequence[Head]
    lines: Sequence[MatrixLine]
    glyphs: Sequence[Glyph] = ()


def matrix_of(
    people: Sequence[Person],
    cell: Callable[[Person, Person], Cell],
    *,
    label: str,
    caption: str,
    is_small: bool,
    glyphs: Sequence[Glyph] = (),
) -> Matrix:
    """cell: build the cell of a line and a column."""
    numbers = [str(number) for number in range(1, len(people) + 1)] if is_small else []
    names = [person.name for person in people]
    lines = [
        MatrixLine(
            number=numbers[at] if numbers else "",
            name=names[at],
            title=names[at] if len(names[at]) > LONG_NAME else "",
            cells=[None if other == one else cell(one, other) for other in people],
        )
        for at, one in enumerate(people)
    ]
    heads = list(map(Head, numbers or map(initials, names), names))
    return Matrix(label, caption, is_small, heads, lines, glyphs)


def initials(name: str) -> str:
    """Return up to two letters, from the first and the last word."""
    words = name.replace("(", "").split()
    return (words[0][:1] + (words[-1][:1] if len(words) > 1 else words[0][1:2])).upper() if words else ""
