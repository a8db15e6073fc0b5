"""Where everybody stands in many tournaments at once: kept in memory for as long as their logs say nothing new.

Standings are made of the ledger, tournament by tournament. Evenings that are over hardly ever change, and whatever
changes them has a row in their log: so those of equal hashes stand, in whichever process a change was made.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from django.db import connection

from league import ledger
from league.models import LogHead, Tournament
from league.standings import Standing

MOST_KEPT = 500

_kept: OrderedDict[int, tuple[str, tuple[Standing, ...]]] = OrderedDict()
_lock = threading.Lock()


def standings_of(tournaments: Iterable[Tournament]) -> dict[int, Sequence[Standing]]:
    """{tournament's key: its standings as of now}. One query, and those of `ledger.read` for each that is not kept."""
    wanted = list(tournaments)
    heads = LogHead.objects.filter(tournament__in=[one.pk for one in wanted])
    hashes = dict(heads.values_list("tournament", "hash"))
    return {one.pk: _standings(one, hashes.get(one.pk, "")) for one in wanted}


def _standings(tournament: Tournament, log: str) -> Sequence[Standing]:
    with _lock:
        known = _kept.get(tournament.pk)
        if known is not None and known[0] == log:
            _kept.move_to_end(tournament.pk)
            return known[1]
    lines = tuple(ledger.read(tournament).standings())
    if not connection.in_atomic_block:  # of a transaction nobody knows whether it will have been
        with _lock:
            _kept[tournament.pk] = log, lines
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
    return lines


def forget() -> None:
    """Keep nothing; for measurements."""
    with _lock:
        _kept.clear()
