"""Draw the bracket as a standalone SVG file in light colours.

Uses attributes in place of a style sheet, because the content security policy forbids one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from league.public.pictures import bracket
from league.public.pictures.bracket import FINAL, FREE, Box, Picture, Side, Text
from league.public.pictures.ladder_picture import BETWEEN, GAP, HEAD, ROW, Drawn, Ladder
from league.public.pictures.text_width import shorten, shorten_name, text_width

EDGE, HEADING, TITLE = 20, 44, 72  # around everything; above a ladder; above the tables of a column
WIDE, ROOM = 260, 60  # a column of a ladder, and the room for lines
INK, MUTED, LINE, GREY = "#1e1721", "#605666", "#d9d2dc", "#877b8d"
PAPER, SURFACE, LIT, LINK, GOOD, BAD = "#f5f3f5", "#ffffff", "#f0e6f3", "#6a2b78", "#17633e", "#a5221c"

NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters not allowed in XML, even escaped; imported names may contain them."""

LOOKS: Mapping[str, Mapping[str, str]] = {
    "table": {"fill": SURFACE, "stroke": LINE, "stroke-width": "1.5", "rx": "10"},
    "final": {"fill": SURFACE, "stroke": INK, "stroke-width": "2.5", "rx": "10"},
    "bye": {"fill": "none", "stroke": GREY, "stroke-dasharray": "5 4", "rx": "10"},
    "lit": {"fill": LIT, "rx": "6"},
    "rule": {"fill": "none", "stroke": LINE},
    "line": {"fill": "none", "stroke": GREY, "stroke-width": "1.25", "opacity": "0.6"},
    "mine": {"fill": "none", "stroke": LINK, "stroke-width": "4"},
    "tick": {"fill": "none", "stroke": GOOD, "stroke-width": "2"},
    "cross": {"fill": "none", "stroke": BAD, "stroke-width": "2.5"},
    "heading": {"fill": INK, "font-size": "20", "font-weight": "700"},
    "title": {"fill": INK, "font-size": "17", "font-weight": "700"},
    "name": {"fill": INK, "font-size": "14"},
    "strong": {"fill": INK, "font-size": "14", "font-weight": "700"},
    "aside": {"fill": MUTED, "font-size": "13"},
    "out": {"fill": MUTED, "font-size": "14"},
    "waits": {"fill": MUTED, "font-size": "14", "font-style": "italic"},
    "lost": {"fill": BAD, "font-size": "14", "font-weight": "700"},
}
PAST = {"stroke-dasharray": "6 5"}


class Shape(NamedTuple):
    """An element. words, note: text, with the note smaller; full: the uncut text."""

    name: str
    attributes: Mapping[str, str]
    words: str = ""
    note: str = ""
    full: str = ""


@dataclass(frozen=True)
class Drawing:
    """width, height: whole pixels."""

    width: str
    height: str
    shapes: Sequence[Shape]


def drawing_of(title: str, ladders: Iterable[Ladder], picture: Picture | None) -> Drawing:
    """Draw ladders from top to bottom, then the followed rounds."""
    shapes = [_text(EDGE, EDGE + 16, title, "heading")]
    width, y = EDGE * 2.0 + text_width(title) * 1.5, EDGE + HEADING + 0.0
    for ladder in ladders:
        if ladder.number > 1:
            shapes.append(_text(EDGE, y + 16, ladder.part, "heading"))
            y += HEADING
        shapes += _ladder(ladder, EDGE, y)
        width = max(width, 2 * EDGE + len(ladder.steps) * (WIDE + ROOM) - ROOM)
        y += TITLE + ladder.height + EDGE
    if picture is not None:
        shapes += _picture(picture, EDGE, y)
        width, y = max(width, 2 * EDGE + picture.width), y + picture.height + EDGE
    return Drawing(f"{width:.0f}", f"{y:.0f}", (_rect(0, 0, width, y, {"fill": PAPER}), *shapes))


# --- ladders


def _ladder(ladder: Ladder, x: float, y: float) -> Iterator[Shape]:
    for step in ladder.steps:
        column = step.column
        yield _text(x, y + 16, column.heading, "title")
        room = WIDE if step is ladder.steps[-1] else WIDE + ROOM
        for line, sentence in enumerate(column.summary.split(". ")):
            words = shorten(sentence, room)
            yield _text(x, y + 36 + 17 * line, words, "aside", full=sentence if words != sentence else "")
        scale = f"translate({x + WIDE:g} {y + TITLE:g}) scale({ROOM / GAP:g} 1)"
        for look, paths in (("line", step.lines), ("mine", step.mine)):
            still = {"transform": scale, "vector-effect": "non-scaling-stroke"}
            yield from (Shape("path", {"d": path, **LOOKS[look], **still}) for path in paths)
        for drawn in step.tables:
            yield from _table(drawn, x, y + TITLE + drawn.top, is_final=bool(column.final), lit=step.lit)
        x += WIDE + ROOM


def _table(drawn: Drawn, x: float, y: float, *, is_final: bool, lit: str | None) -> Iterator[Shape]:
    table = drawn.table
    look = "bye" if table.look == FREE else "final" if is_final or table.look == FINAL else "table"
    yield _rect(x, y, WIDE, drawn.height, LOOKS[look])
    yield _text(x + 12, y + 23, table.heading, "strong")
    yield _text(x + WIDE - 12, y + 23, table.state_text, "aside", at_end=True)
    yield Shape("path", {"d": f"M{x:g} {y + HEAD - 1:g}h{WIDE}", **LOOKS["rule"]})
    rows = (side for side in table.sides for _person in side.people)
    for side, middle in zip(rows, drawn.rows, strict=True):
        yield from _row(side, x, y + middle - drawn.top, is_lit=side.people[0].id == lit)


def _row(side: Side, x: float, middle: float, *, is_lit: bool) -> Iterator[Shape]:
    if is_lit:
        yield _rect(x + 3, middle - ROW / 2 + 1, WIDE - 6, ROW - 2, LOOKS["lit"])
    if side.advances:
        yield Shape("path", {"d": f"M{x + 12:g} {middle:g}l4 4 8-9", **LOOKS["tick"]})
    figure = "" if side.points is None else str(side.points)
    look = (
        "waits" if side.waits else "out" if side.status else "strong" if side.advances or side.won or is_lit else "name"
    )
    room = WIDE - 34 - 12 - 9 * (len(figure) + 1)
    name = shorten_name(side.people[0].name, room)
    note = shorten(side.note, room - text_width(name) - 8) if room - text_width(name) > BETWEEN * 4 else ""
    full = f"{side.people[0].name}, {side.note}" if side.note else side.people[0].name
    is_cut = (name, note) != (side.people[0].name, side.note)
    yield _text(x + 34, middle + 5, name, look, note=note, full=full if is_cut else "")
    if figure:
        yield _text(x + WIDE - 12, middle + 5, figure, "out" if side.status else "strong", at_end=True)


# --- followed rounds


def _picture(picture: Picture, x: float, y: float) -> Iterator[Shape]:
    moved = {"transform": f"translate({x:g} {y:g})"}
    yield from (shape._replace(attributes={**shape.attributes, **moved}) for shape in _at_origin(picture))


def _at_origin(picture: Picture) -> Iterator[Shape]:
    for look, paths, more in (
        ("line", picture.lines, {}),
        ("line", picture.past, PAST),
        ("mine", picture.way, {}),
        ("mine", picture.way_past, PAST),
    ):
        yield from (Shape("path", {"d": path, **LOOKS[look], **more}) for path in paths)
    for placed in picture.columns:
        column = placed.column
        yield _text(placed.x, 18, column.heading, "title")
        for box in placed.boxes:
            yield from _box(box, is_final=bool(column.final))


def _box(box: Box, *, is_final: bool) -> Iterator[Shape]:
    yield _rect(box.x, box.y, bracket.BOX, box.height, LOOKS["bye" if box.bye else "final" if is_final else "table"])
    yield _text(box.x + 12, box.y + 20, box.title, "aside")
    yield _text(box.x + bracket.BOX - 12, box.y + 20, box.progress, "aside", at_end=True)
    yield from (Shape("path", {"d": f"M{box.x} {y}h{bracket.BOX}", **LOOKS["rule"]}) for y in box.rules)
    yield from (_rect(x, y, bracket.BOX - 44, 26, LOOKS["lit"]) for x, y in box.lit)
    yield from (_words(text, "strong" if text.strong else "name") for text in box.names)
    yield from (Shape("path", {"d": f"M{x} {y}l10 10m0-10l-10 10", **LOOKS["cross"]}) for x, y in box.crosses)
    yield from (_words(text, "lost" if text.gone else "strong", at_end=True) for text in box.points)


# --- elements


def _words(text: Text, look: str, *, at_end: bool = False) -> Shape:
    return _text(text.x, text.y, text.words, look, at_end=at_end, full=text.full)


def _text(x: float, y: float, words: str, look: str, *, at_end: bool = False, note: str = "", full: str = "") -> Shape:
    anchor = {"text-anchor": "end"} if at_end else {}
    words, note, full = (NOT_IN_XML.sub("\ufffd", text) for text in (words, note, full))
    return Shape("text", {"x": f"{x:g}", "y": f"{y:g}", **LOOKS[look], **anchor}, words, note, full)


def _rect(x: float, y: float, width: float, height: float, look: Mapping[str, str]) -> Shape:
    return Shape("rect", {"x": f"{x:g}", "y": f"{y:g}", "width": f"{width:g}", "height": f"{height:g}", **look})
