"""The bracket of a stage as nodes: every table with who is there, and where each of them comes from.

What draws a bracket knows no format: it writes down nodes, and leads lines along their sources.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Source(NamedTuple):
    """The node that somebody comes from: a table of a round, None where they sat it out."""

    round: int
    table: int | None


class Node(NamedTuple):
    """A table of a round, or with None those who sit it out. sources: by entry; who comes from the list has none."""

    round: int
    table: int | None
    entries: Sequence[str]
    sources: Mapping[str, Source]


class SeatedRound(NamedTuple):
    """A round as it was drawn: tables by number, and who sat out."""

    number: int
    tables: Mapping[int, Sequence[str]]
    byes: Sequence[str] = ()


def follow(rounds: Sequence[SeatedRound]) -> list[Node]:
    """The nodes where whoever is in goes on: each comes from where they were last."""
    last: dict[str, Source] = {}
    nodes = []
    for seated in rounds:
        places: list[tuple[int | None, Sequence[str]]] = [*seated.tables.items()]
        if seated.byes:
            places.append((None, seated.byes))
        of_round = [
            Node(seated.number, table, entries, {entry: last[entry] for entry in entries if entry in last})
            for table, entries in places
        ]
        last |= {entry: Source(node.round, node.table) for node in of_round for entry in node.entries}
        nodes += of_round
    return nodes
