"""Where everybody stands in many tournaments at once: kept in memory for as long as their logs say nothing new.

Standings are made of the ledger, tournament by tournament. Evenings that are over hardly ever change, and whatever
changes them has a row in their log: so those of equal hashes stand, in whichever process a change was made.
"""

from collections.abc import Iterable, Sequence

from league.lib.remembered import Remembered
from league.models import LogHead, Tournament
from league.standings import read as ledger
from league.standings.ranking import Standing

_known: Remembered[int, tuple[Standing, ...]] = Remembered(500)


def standings_of(tournaments: Iterable[Tournament]) -> dict[int, Sequence[Standing]]:
    """{tournament's key: its standings as of now}. One query, and those of `ledger.read` for each that is not kept."""
    wanted = list(tournaments)
    heads = LogHead.objects.filter(tournament__in=[one.pk for one in wanted])
    hashes = dict(heads.values_list("tournament", "hash"))
    return {one.pk: _standings(one, hashes.get(one.pk, "")) for one in wanted}


def _standings(tournament: Tournament, log: str) -> Sequence[Standing]:
    known = _known.get(tournament.pk, log)
    if known is None:
        known = tuple(ledger.read(tournament).standings())
        _known.put(tournament.pk, log, known)
    return known
