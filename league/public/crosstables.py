"""Everybody against everybody, where all rounds are drawn ahead and two meet at each table: group by group."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from league.ledger.in_words import group_title
from league.lib.csv import Row
from league.lib.translate import figure
from league.models import Round
from league.public.tables import round_figures
from league.standings.ranking import Standing
from league.standings.read import Ledger

FEWEST, MOST = 3, 26
"""In a group: two have one cell, and more than these are no picture."""


@dataclass(frozen=True)
class Cell:
    """What somebody has made against somebody, “20, 0” where they met twice; empty where no hand is in. won: in all."""

    points: str = ""
    won: bool = False
    is_own: bool = False

    @property
    def is_to_come(self) -> bool:
        return not self.points


@dataclass(frozen=True)
class Line:
    """Somebody, and their cells in the order of the lines."""

    standing: Standing
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Crosstable:
    title: str
    """Of the group; empty where there is one."""
    lines: tuple[Line, ...]


def crosstables_of(book: Ledger, rows: Iterable[Row]) -> list[Crosstable]:
    """Of the stage in `book`, the best first. rows: of seating.csv, for its rounds or more; drafts are passed over."""
    if not book.stage.drawn_ahead:
        return []
    tables: dict[tuple[int, int], dict[str, None]] = {}
    for row in rows:
        if row["stage"] == book.stage.number and row["round_state"] != Round.State.DRAFT and row["table"] != "bye":
            tables.setdefault((row["round"], row["table"]), {})[row["player_id"]] = None
    if not tables or any(len(seated) != 2 for seated in tables.values()):
        return []
    figures = round_figures(book)
    made: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for (number, _table), seated in sorted(tables.items()):
        one, other = seated
        if figures[number, one]["hands_played"]:
            points, theirs = (figures[number, player]["total"] for player in seated)
            made.setdefault((one, other), []).append((points, theirs))
            made.setdefault((other, one), []).append((theirs, points))
    ranked: dict[int, list[Standing]] = {}
    for standing in book.standings():
        if standing.rank is not None and not standing.stage:
            ranked.setdefault(standing.group, []).append(standing)
    return [
        Crosstable(group_title(group) if group else "", _lines(of_group, made))
        for group, of_group in sorted(ranked.items())
        if FEWEST <= len(of_group) <= MOST
    ]


def _lines(ranked: Sequence[Standing], made: dict[tuple[str, str], list[tuple[int, int]]]) -> tuple[Line, ...]:
    ids = [standing.entrant.id for standing in ranked]

    def cell(one: str, other: str) -> Cell:
        points = made.get((one, other), [])
        won = sum(own for own, _theirs in points) > sum(theirs for _own, theirs in points)
        return Cell(", ".join(figure(own) for own, _theirs in points), won, one == other)

    return tuple(Line(standing, tuple(cell(standing.entrant.id, other) for other in ids)) for standing in ranked)
