r"""Develop whist tournaments: seatings in which all players become partners.

The data holds the first round of each design; the other rounds are its translates in a group:

- `cyclic`: add 1, 2, … modulo v to every player.\n- `fixed`: the same modulo v - 1, while player v - 1 never moves.\n-
`digits`: players are numbers written in base p, added digit by digit modulo p.

For v = 4n and 4n + 1 every two players are partners exactly once and opponents exactly twice. For other sizes that is
impossible: no partnership repeats, and two players oppose each other once or twice.
"""

import functools
import json
from pathlib import Path
from typing import Any

Table = tuple[int, int, int, int]
"""Four players [a, b, c, d]: a and c are partners, and so are b and d."""


@functools.cache
def _starters() -> dict[int, dict[str, Any]]:
    text = Path(__file__).with_name("whist_starters.json").read_text(encoding="utf-8")
    return {int(size): starter for size, starter in json.loads(text).items()}


@functools.cache
def sizes() -> tuple[int, ...]:
    """Return the numbers of players with a design, ascending."""
    return tuple(sorted(_starters()))


def develop(v: int) -> list[list[Table]]:
    """Return all rounds of the design for v players, numbered from 0. Players at no table have a bye.

    Raises KeyError without a design for v players; see `sizes`.
    """
    starter = _starters()[v]
    count = v - 1 if starter["group"] == "fixed" else v
    return [[_translate(table, by, v, starter) for table in starter["tables"]] for by in range(count)]


def _translate(table: list[int], by: int, v: int, starter: dict[str, Any]) -> Table:
    if starter["group"] == "digits":
        a, b, c, d = (_add_digits(player, by, starter["p"]) for player in table)
    elif starter["group"] == "fixed":
        a, b, c, d = (player if player == v - 1 else (player + by) % (v - 1) for player in table)
    else:
        a, b, c, d = ((player + by) % v for player in table)
    return a, b, c, d


def _add_digits(x: int, y: int, base: int) -> int:
    total, place = 0, 1
    while x or y:
        total += (x % base + y % base) % base * place
        x, y, place = x // base, y // base, place * base
    return total
