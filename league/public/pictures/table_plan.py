"""Place the seats of a table: partners around a square, single players around a ring."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

COMPASS = "nesw"  # where seats 0 to 3 of partners are drawn; play goes clockwise

Row = dict[str, Any]


class DrawnTable(TypedDict):
    """A table's number and its seating rows with their `place`; `first`: the seat that deals first.

    `ring`: class in wild.css; empty if partners sit opposite each other.
    """

    number: int
    seats: list[Row]
    ring: str
    first: int | None


def ring(seats: int) -> str:
    """Return wild.css's class for the number of rows on each side of a ring."""
    return f"k{max(1, (seats - 1) // 2)}"


def place(steps: int, seats: int) -> str:
    """Return the position of the seat `steps` to the left of the bottom seat.

    Play goes up the left side and down the right. Rows count from the top.
    """
    side = (seats - 1) // 2
    if steps == 0:
        return "s"
    if steps <= side:
        return f"w r{side + 1 - steps}"
    if seats % 2 == 0 and steps == side + 1:
        return "n"
    return f"e r{steps - (seats - 1 - side)}"


def tables_drawn(
    rows: Iterable[Row], bottom: int | None = None, first: Mapping[int, int] | None = None
) -> list[DrawnTable]:
    """Return the tables of one round, from rows of seating.csv: each row with its side of the table.

    bottom: the seat to draw at the bottom. first: by table, the seat that deals first, if known.
    """
    tables: dict[int, list[Row]] = {}
    for row in rows:
        if row["table"] != "bye":
            tables.setdefault(row["table"], []).append(row)
    first = first or {}
    return [_draw_table(number, seats, bottom, first.get(number)) for number, seats in tables.items()]


def _draw_table(number: int, seats: Sequence[Row], bottom: int | None, deals: int | None) -> DrawnTable:
    if seats[0]["partner_id"]:
        turn = COMPASS.index("s") - bottom if bottom is not None else 0
        placed = [row | {"place": COMPASS[(row["seat"] + turn) % len(COMPASS)]} for row in seats]
        return {"number": number, "seats": placed, "ring": "", "first": deals}
    count = len(seats)
    first = next((at for at, row in enumerate(seats) if row["seat"] == bottom), 0)
    placed = [row | {"place": place((at - first) % count, count)} for at, row in enumerate(seats)]
    # Screen readers and narrow screens list the seats in order of play, beginning at the bottom.
    return {"number": number, "seats": placed[first:] + placed[:first], "ring": ring(count), "first": deals}
