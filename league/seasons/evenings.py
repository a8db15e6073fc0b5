"""What each evening of a season gives to whom: places and points, out of the ledger.

What an evening came to is kept in memory under the last hash of its log, which is another one after every change of a
result or of who played. So a season of many evenings reads the hands of those alone that changed since.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from league.lib.remembered import Remembered
from league.models import Tournament
from league.standings.read import Ledger
from league.standings.read_many import read_many


class Result(NamedTuple):
    """What somebody (by key) did in an evening. place: as its standings have it, with ties; points: their total."""

    player: int
    place: int
    points: int


Evening = tuple[Result, ...]


def evenings(tournaments: Sequence[Tournament]) -> dict[int, Evening]:
    """{key of a tournament: what it came to}. The tournaments come with `log_head`.

    Four queries for all of which nothing is known yet, or none.
    """
    found = {one.pk: known for one in tournaments if (known := _known.get(one.pk, _hash_of(one))) is not None}
    unknown = [one for one in tournaments if one.pk not in found]
    read = {book.tournament.pk: _results(book, people) for book, people in read_many(unknown)}
    for one in unknown:
        found[one.pk] = read.get(one.pk, ())
        if _hash_of(one):
            _known.put(one.pk, _hash_of(one), found[one.pk])
    return found


def _results(book: Ledger, people: Mapping[str, Iterable[int]]) -> Evening:
    return tuple(
        Result(player, line.rank, line.total)
        for line in book.standings()
        if line.rank is not None and line.hands_played
        for player in people.get(line.entrant.id, ())
    )


_known: Remembered[int, Evening] = Remembered(1000)  # of 40 players each has about 5 kB


def _hash_of(tournament: Tournament) -> str:
    head = getattr(tournament, "log_head", None)
    return head.hash if head is not None else ""
