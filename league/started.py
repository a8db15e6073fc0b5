"""Which tables have started, and who plays. league knows of the hands that are in; games, where hands are played, adds
its own (games/apps.py).
"""

from collections.abc import Callable, Sequence

from league.models import Entry, Table
from league.progress import hands_in

in_play_elsewhere: list[Callable[[Sequence[Table]], set[int]]] = []
plays_elsewhere: list[Callable[[Entry], bool]] = []


def started_tables(tables: Sequence[Table]) -> set[int]:
    """The keys of those with a hand that is in, or in play."""
    with_hands = {pk for pk, hands in hands_in(tables).items() if hands}
    return with_hands.union(*(ask(tables) for ask in in_play_elsewhere))


def plays_now(entry: Entry) -> bool:
    """Whether somebody was dealt in for a hand that is not over: until then they stay on the list."""
    return any(ask(entry) for ask in plays_elsewhere)
