"""Which hands are disputed. league knows hands by number alone; games, which keeps disputes, says (games/apps.py)."""

from collections.abc import Callable

from league.models import Table, Tournament

Disputed = frozenset[tuple[int, int]]  # (key of the table, number of the hand)

said_elsewhere: list[Callable[[Tournament], Disputed]] = []


def disputed_hands(tournament: Tournament) -> Disputed:
    """The hands with an open dispute; while there is none, which is nearly always, that is one query."""
    if not Table.objects.filter(round__tournament=tournament, state=Table.State.DISPUTED).exists():
        return frozenset()
    return frozenset().union(*(ask(tournament) for ask in said_elsewhere))
