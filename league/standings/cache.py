"""Standings of many tournaments at once, kept in memory for as long as their logs say nothing new.

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


def _standings(tournament: Tournament, log: str) -> Sequence[Standing]:
    known = _known.get(tournament.pk, log)
    if known is None:
        known = tuple(ledger.read(tournament).standings())
        _known.put(tournament.pk, log, known)
    return known
