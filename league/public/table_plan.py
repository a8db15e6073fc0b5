"""A table as it is drawn: partners around a square, any other number of people around a ring."""

from collections.abc import Iterable, Sequence
from typing import Any

COMPASS = "nesw"  # of partners: where seats 0 to 3 are drawn; play goes clockwise

Row = dict[str, Any]


def ring(seats: int) -> str:
    """How many rows a side has in the plan of a table of so many seats, as wild.css calls it."""
    return f"k{max(1, (seats - 1) // 2)}"


def place(steps: int, seats: int) -> str:
    """Where a ring draws who sits so many seats to the left of who is drawn at the bottom.

    Play goes up the left side and down the right. The row counts from the top.
    """
    side = (seats - 1) // 2
    if steps == 0:
        return "s"
    if steps <= side:
        return f"w r{side + 1 - steps}"
    if seats % 2 == 0 and steps == side + 1:
        return "n"
    return f"e r{steps - (seats - 1 - side)}"


def tables_drawn(rows: Iterable[Row], bottom: int | None = None) -> list[dict[str, Any]]:
    """The tables of one round, from rows of seating.csv: each row with its side of the table.

    `bottom` is the seat that is drawn there. `ring` is empty where partners sit opposite each other.
    """
    tables: dict[int, list[Row]] = {}
    for row in rows:
        if row["table"] != "bye":
            tables.setdefault(row["table"], []).append(row)
    return [_drawn(number, seats, bottom) for number, seats in tables.items()]


def _drawn(number: int, seats: Sequence[Row], bottom: int | None) -> dict[str, Any]:
    if seats[0]["partner_id"]:
        turn = COMPASS.index("s") - bottom if bottom is not None else 0
        placed = [row | {"place": COMPASS[(row["seat"] + turn) % len(COMPASS)]} for row in seats]
        return {"number": number, "seats": placed, "ring": ""}
    count = len(seats)
    first = next((at for at, row in enumerate(seats) if row["seat"] == bottom), 0)
    placed = [row | {"place": place((at - first) % count, count)} for at, row in enumerate(seats)]
    # Read out, and on a narrow screen, in the order of play from the bottom on.
    return {"number": number, "seats": placed[first:] + placed[:first], "ring": ring(count)}
