"""Read places and points of each tournament of a season from the ledger.

Results are cached by the last hash of the tournament's log, which changes with every result and every change of
players. So only changed tournaments are read again.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from league.lib.versioned_cache import VersionedCache
from league.models import Tournament
from league.standings.read import Ledger
from league.standings.read_many import read_many


class Result(NamedTuple):
    """A player's (key) result in a tournament. place: in its standings, with ties. points: total."""

    player: int
    place: int
    points: int


Evening = tuple[Result, ...]


def evenings(tournaments: Sequence[Tournament]) -> dict[int, Evening]:
    """Return {key of a tournament: its results}. The caller has selected `log_head`.

    Four queries for all uncached tournaments, or none.
    """
    results = {
        tournament.pk: known
        for tournament in tournaments
        if (known := _known.get(tournament.pk, _hash_of(tournament))) is not None
    }
    unknown = [tournament for tournament in tournaments if tournament.pk not in results]
    read = {book.tournament.pk: _results(book, people) for book, people in read_many(unknown)}
    for tournament in unknown:
        results[tournament.pk] = read.get(tournament.pk, ())
        if _hash_of(tournament):
            _known.put(tournament.pk, _hash_of(tournament), results[tournament.pk])
    return results


def _results(book: Ledger, people: Mapping[str, Iterable[int]]) -> Evening:
    return tuple(
        Result(player, line.rank, line.total)
        for line in book.standings()
        if line.rank is not None
        for player in people.get(line.entrant.id, ())
    )


_known: VersionedCache[int, Evening] = VersionedCache(1000)  # 40 players take about 5 kB


def _hash_of(tournament: Tournament) -> str:
    head = getattr(tournament, "log_head", None)
    return head.hash if head is not None else ""
