"""The bracket of a stage as nodes: every table with its places, who has them, and where each of them comes from.

What draws a bracket knows no format: it writes down nodes, and leads lines along their sources.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from league.formats.ladder import Rung


class Source(NamedTuple):
    """A table of a round, or with None those who sat it out. place: of whoever comes from there, where it matters."""

    round: int
    table: int | None
    place: int | None = None


class OfTheOthers(NamedTuple):
    """Of all who are not among the best of their tables in a round, the best (1), the next one (2) and so on."""

    round: int
    number: int


class Place(NamedTuple):
    """A place at a table. entry: None until it is known who has it. source: None for who comes from the list, and where
    the draw decides who comes."""

    entry: str | None
    source: Source | OfTheOthers | None = None


class Node(NamedTuple):
    """A table of a round, or with None those who sit it out. ladder: 1, or the number of the one beside it."""

    round: int
    table: int | None
    places: Sequence[Place]
    ladder: int = 1

    @property
    def entries(self) -> list[str]:
        return [place.entry for place in self.places if place.entry is not None]

    @property
    def sources(self) -> Mapping[str, Source]:
        """Of those who are known and played before."""
        return {
            place.entry: place.source
            for place in self.places
            if place.entry is not None and isinstance(place.source, Source)
        }


class SeatedRound(NamedTuple):
    """A round as it was drawn: tables by number, and who sat out. second: the tables of a second ladder."""

    number: int
    tables: Mapping[int, Sequence[str]]
    byes: Sequence[str] = ()
    second: Collection[int] = ()


def follow(rounds: Sequence[SeatedRound]) -> list[Node]:
    """The nodes where whoever is in goes on: each comes from where they were last."""
    last: dict[str, Source] = {}
    nodes = []
    for seated in rounds:
        tables: list[tuple[int | None, Sequence[str]]] = [*seated.tables.items()]
        if seated.byes:
            tables.append((None, seated.byes))
        of_round = [
            Node(
                seated.number,
                table,
                [Place(entry, last.get(entry)) for entry in entries],
                2 if table in seated.second else 1,
            )
            for table, entries in tables
        ]
        last |= {entry: Source(node.round, node.table) for node in of_round for entry in node.entries}
        nodes += of_round
    return nodes


class Feeding(NamedTuple):
    """A round as the next one is filled from it: its tables, and who goes on."""

    round: int
    tables: Sequence[int]
    rung: Rung


def to_come(
    before: Feeding | None, number: int, rungs: Sequence[Rung], firsts: Sequence[int], *, ladder: int = 1
) -> list[Node]:
    """The tables of rounds that are not drawn yet, from the round `number` on, each with a place for everybody.

    firsts: the number of the first table, by round. Where a round has one table, all who go on meet there, and each
    place has its source. Where it has several, they are seated by how they all compare, and then so that those meet who
    have not met: nobody can say before the draw at which table the winner of a table will sit, so places have none.
    """
    nodes = []
    for at, (rung, first) in enumerate(zip(rungs, firsts, strict=True), number):
        tables = range(first, first + rung.tables)
        places = [[Place(None)] * size for size in rung.sizes]
        if before is not None and rung.tables == 1 and not rung.byes and before.rung.goes_on == rung.players:
            places = [_all_who_go_on(before)]
        nodes += [Node(at, table, filled, ladder) for table, filled in zip(tables, places, strict=True)]
        before = Feeding(at, tables, rung)
    return nodes


def _all_who_go_on(before: Feeding) -> list[Place]:
    """First who sat out, then the winners, by table, who is second, and at the end the best of the others."""
    byes = [Place(None, Source(before.round, None, number)) for number in range(1, before.rung.byes + 1)]
    best = [
        Place(None, Source(before.round, table, place))
        for place in range(1, before.rung.best + 1)
        for table in before.tables
    ]
    return byes + best + [Place(None, OfTheOthers(before.round, number)) for number in range(1, before.rung.lucky + 1)]


def fill(nodes: Sequence[Node], known: Mapping[Source | OfTheOthers, str]) -> list[Node]:
    """The nodes with who is certain to come. known: by source, of one round.

    For whom no place waits, since somebody else does not come, there is one of those that are left.
    """
    waiting = {place.source for node in nodes for place in node.places}
    rounds = {source.round for source in known}
    move_up = [entry for source, entry in known.items() if source not in waiting]
    filled = []
    for node in nodes:
        places = []
        for place in node.places:
            entry = None
            if place.source is not None and place.source.round in rounds:
                entry = known.get(place.source) or (move_up.pop(0) if move_up else None)
            places.append(place._replace(entry=entry))
        filled.append(node._replace(places=places))
    return filled
