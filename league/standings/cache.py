"""Standings, also of many tournaments at once, kept in memory for as long as their logs say nothing new.

Standings are made from the ledger, tournament by tournament. Evenings that are over hardly ever change, and every
change has a row in their log: so standings hold while the log's hash is the same, in whichever process a change is
made.
"""

from collections.abc import Iterable, Sequence

from league.lib.remembered import Remembered
from league.models import LogHead, Tournament
from league.standings import read as ledger
from league.standings.ranking import Standing

_known: Remembered[int, tuple[Standing, ...]] = Remembered(500)


def standings_of(tournaments: Iterable[Tournament]) -> dict[int, Sequence[Standing]]:
    """{tournament's key: its standings as of now}. One query, and those of `ledger.read` for each one not in memory."""
    tournaments = list(tournaments)
    heads = LogHead.objects.filter(tournament__in=[tournament.pk for tournament in tournaments])
    hashes = dict(heads.values_list("tournament", "hash"))
    return {tournament.pk: _standings(tournament, hashes.get(tournament.pk, "")) for tournament in tournaments}


def standings_in(book: ledger.Ledger, log: str) -> Sequence[Standing]:
    """The standings of the stage that is played. log: the last hash, read before the ledger was."""
    known = _known.get(book.tournament.pk, log)
    if known is None:
        known = tuple(book.standings())
        _known.put(book.tournament.pk, log, known)
    return known


def _standings(tournament: Tournament, log: str) -> Sequence[Standing]:
    return _known.get(tournament.pk, log) or standings_in(ledger.read(tournament), log)
