"""Model a stage's bracket as nodes: each table with its places, their entries and their sources.

Bracket drawings know no format: they render nodes and draw lines along their sources.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from league.formats.ladder import Rung


class Source(NamedTuple):
    """A table of a round; None for its byes. place: place of the player who comes from there, if it matters."""

    round: int
    table: int | None
    place: int | None = None


class OfTheOthers(NamedTuple):
    """Player compared over all tables of a round: the best (1), second best and so on of those below the direct
    places.
    """

    round: int
    number: int


class Place(NamedTuple):
    """A place at a table. entry: None until known. source: None for an entry from the list, or if the draw decides."""

    entry: str | None
    source: Source | OfTheOthers | None = None


class Node(NamedTuple):
    """A table of a round; None for its byes. ladder: 1, or 2 for the second ladder."""

    round: int
    table: int | None
    places: Sequence[Place]
    ladder: int = 1

    @property
    def entries(self) -> list[str]:
        return [place.entry for place in self.places if place.entry is not None]

    @property
    def sources(self) -> Mapping[str, Source]:
        """Return the sources of known entries that have played."""
        return {
            place.entry: place.source
            for place in self.places
            if place.entry is not None and isinstance(place.source, Source)
        }


class SeatedRound(NamedTuple):
    """A round as drawn: tables by number, and byes. second: tables of a second ladder."""

    number: int
    tables: Mapping[int, Sequence[str]]
    byes: Sequence[str] = ()
    second: Collection[int] = ()


def follow(rounds: Sequence[SeatedRound]) -> list[Node]:
    """Return the nodes of a format where all entries stay in: each comes from their last table."""
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
    """A round that feeds the next: its tables and its rung."""

    round: int
    tables: Sequence[int]
    rung: Rung


def to_come(
    before: Feeding | None, number: int, rungs: Sequence[Rung], firsts: Sequence[int], *, ladder: int = 1
) -> list[Node]:
    """Return the tables of rounds not drawn yet, from round `number` on, with a place for each player.

    firsts: number of the first table, by round. If a round has one table, all qualifiers meet there and each place has
    a source. If it has several, the draw compares and separates players, so places have no source.
    """
    nodes = []
    for at, (rung, first) in enumerate(zip(rungs, firsts, strict=True), number):
        tables = range(first, first + rung.tables)
        places = [[Place(None)] * size for size in rung.sizes]
        if before is not None and rung.tables == 1 and not rung.byes and before.rung.advancing == rung.players:
            places = [_all_qualifiers(before)]
        nodes += [Node(at, table, filled, ladder) for table, filled in zip(tables, places, strict=True)]
        before = Feeding(at, tables, rung)
    return nodes


def _all_qualifiers(before: Feeding) -> list[Place]:
    """Return places of byes, then winners by table, then second places, then the next best."""
    byes = [Place(None, Source(before.round, None, number)) for number in range(1, before.rung.byes + 1)]
    best = [
        Place(None, Source(before.round, table, place))
        for place in range(1, before.rung.best + 1)
        for table in before.tables
    ]
    return byes + best + [Place(None, OfTheOthers(before.round, number)) for number in range(1, before.rung.lucky + 1)]


def fill(nodes: Sequence[Node], known: Mapping[Source | OfTheOthers, str]) -> list[Node]:
    """Fill in the entries that are certain to come. known: by source, of one round.

    An entry whose place is missing, since another entry doesn't come, gets one of the places left.
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
