"""Who gets which place and points in each evening of a season, from the ledger.

The results of an evening are kept in memory under the last hash of its log, which changes with every result and with
every change of who played. So a season of many evenings reads the hands of only those that changed since.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from league.lib.versioned_cache import VersionedCache
from league.models import Tournament
from league.standings.read import Ledger
from league.standings.read_many import read_many


class Result(NamedTuple):
    """The result of a player (by key) in an evening. place: by its standings, with ties; points: their total."""

    player: int
    place: int
    points: int


Evening = tuple[Result, ...]


def evenings(tournaments: Sequence[Tournament]) -> dict[int, Evening]:
    """Return {key of a tournament: its results}. The caller has selected `log_head` with the tournaments.

    Four queries for all that are not in memory together, or none.
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


_known: VersionedCache[int, Evening] = VersionedCache(1000)  # an evening of 40 players takes about 5 kB


def _hash_of(tournament: Tournament) -> str:
    head = getattr(tournament, "log_head", None)
    return head.hash if head is not None else ""
