"""Build crosstables of stages whose rounds are all drawn ahead, with two entries at a table; one for each group."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from league.ledger.in_words import group_title
from league.lib.translate import figure, label_text
from league.standings.ranking import Score, Standing
from league.standings.read import Ledger

FEWEST, MOST = 3, 26
"""Players in a group: two have only one cell, and more than `MOST` don't fit."""


@dataclass(frozen=True)
class Cell:
    """Points of one entry against another: “20, 0” after two meetings, empty without a hand. won: in total."""

    points: str = ""
    won: bool = False
    is_own: bool = False

    @property
    def is_to_come(self) -> bool:
        return not self.points


@dataclass(frozen=True)
class Line:
    """An entry, its cells in the order of the lines, and its total."""

    name: str
    url: str
    cells: tuple[Cell, ...]
    total: str


@dataclass(frozen=True)
class Crosstable:
    """title: includes the group if the stage has several."""

    title: str
    lines: tuple[Line, ...]


Met = dict[tuple[str, str], dict[int, int]]
"""Points of one entry against another, by round."""


def crosstables_of(book: Ledger) -> list[Crosstable]:
    """Return the crosstables of the stage in `book`, best first. Empty before the first hand, or if more than two meet
    in a hand.
    """
    if not book.stage.drawn_ahead:
        return []
    hands: dict[tuple[int, int], list[Score]] = {}
    for score in book.counted:
        hands.setdefault((score.table, score.hand), []).append(score)
    if not hands or any(len(both) != 2 for both in hands.values()):
        return []
    made: Met = {}
    for one, other in hands.values():
        for own, theirs in ((one, other), (other, one)):
            by_round = made.setdefault((own.entry, theirs.entry), {})
            by_round[own.round] = by_round.get(own.round, 0) + own.score
    ranked: dict[int, list[Standing]] = {}
    for standing in book.standings():
        if standing.rank is not None and not standing.stage:
            ranked.setdefault(standing.group, []).append(standing)
    slug, lowest_wins = book.tournament.slug, book.stage.lowest_wins
    return [
        Crosstable(_title(group, by_place=book.stage.by_place), _lines(slug, of_group, made, lowest_wins=lowest_wins))
        for group, of_group in sorted(ranked.items())
        if FEWEST <= len(of_group) <= MOST
    ]


def _title(group: int, *, by_place: bool) -> str:
    title = _("Crosstable")
    return label_text(group_title(group, by_place=by_place), title) if group else title


def _lines(slug: str, ranked: Sequence[Standing], made: Met, *, lowest_wins: bool) -> tuple[Line, ...]:
    ids = [standing.entrant.id for standing in ranked]

    def cell(one: str, other: str) -> Cell:
        points = [own for _round, own in sorted(made.get((one, other), {}).items())]
        theirs = sum(made.get((other, one), {}).values())
        won = sum(points) < theirs if lowest_wins else sum(points) > theirs
        return Cell(", ".join(map(figure, points)), won, one == other)

    return tuple(
        Line(
            standing.entrant.name,
            reverse("scorecard", args=[slug, standing.entrant.id]),
            tuple(cell(standing.entrant.id, other) for other in ids),
            figure(standing.total),
        )
        for standing in ranked
    )
