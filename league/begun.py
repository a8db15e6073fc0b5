"""Which tables have begun. league knows of the hands that are in; games, where hands are played, adds its own."""

from collections.abc import Callable, Sequence

from league.models import HandScore, Table

in_play_elsewhere: list[Callable[[Sequence[Table]], set[int]]] = []


def begun(tables: Sequence[Table]) -> set[int]:
    """The keys of those with a hand that is in, or in play."""
    with_hands = set(HandScore.objects.living().filter(table__in=tables).values_list("table_id", flat=True))
    return with_hands.union(*(ask(tables) for ask in in_play_elsewhere))
