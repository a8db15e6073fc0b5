"""The ladder of heats: the rounds from all players to the final, and who goes on from each.

A round has tables of at most so many, sizes within one. Of each the best `best` go on, and of all others `lucky` more,
so that the next round comes out even; a round at one table is the final.
"""

from functools import lru_cache
from typing import NamedTuple

from engine.sentences import Sentence, counted, sentence
from league.formats.seating import golfers

FEWEST_AT_A_TABLE = 3
MOST_ROUNDS = 10


class Rung(NamedTuple):
    """A round: who plays, at how many tables, and who goes on: the best of each and so many of the others. 0: final."""

    players: int
    tables: int
    best: int = 0
    lucky: int = 0

    @property
    def goes_on(self) -> int:
        return self.tables * self.best + self.lucky


Ladder = tuple[Rung, ...]


@lru_cache(maxsize=4096)
def ladder(players: int, table_size: int, rounds: int | None = None) -> Ladder | None:
    """The rounds from so many players to the final; None where there are none, or not just so many.

    Few rounds in each of which about half go on, few by luck, and tables that come out even.
    """
    found = _cheapest(players, table_size, rounds)
    return found[1] if found else None


@lru_cache(maxsize=65536)
def _cheapest(players: int, size: int, rounds: int | None) -> tuple[float, Ladder] | None:
    if players <= size:
        fits = rounds in (None, 1) and players >= 2
        return (0.5 * max(0, min(size, 4) - players), (Rung(players, 1),)) if fits else None
    if rounds == 1:
        return None
    tables = golfers.count_tables(players, size)
    smallest = players // tables
    if tables == 1 or smallest < FEWEST_AT_A_TABLE:  # one more than a table takes: it is larger rather than two of two
        return None
    cheapest: tuple[float, Ladder] | None = None
    # At least a fifth leaves in every round. Of many numbers that hardly differ some are tried.
    for goes_on in range(max(tables, FEWEST_AT_A_TABLE), players * 4 // 5 + 1, max(1, players // 150)):
        best, lucky = divmod(goes_on, tables)
        if best >= smallest:
            break
        rest = _cheapest(goes_on, size, None if rounds is None else rounds - 1)
        if rest is None:
            continue
        cost = rest[0] + _cost(players, goes_on, tables, lucky, size, is_given=rounds is not None)
        if cheapest is None or cost <= cheapest[0]:
            cheapest = cost, (Rung(players, tables, best, lucky), *rest[1])
    return cheapest


def _cost(players: int, goes_on: int, tables: int, lucky: int, size: int, *, is_given: bool) -> float:
    """Of a rung. is_given: how many rounds there are was chosen, so that steeper or flatter ones are meant."""
    share = players / goes_on
    steep, flat = max(0.0, share - 2.7) + 5 * max(0.0, share - 3), max(0.0, 1.5 - share)
    uneven = goes_on > size and goes_on % golfers.count_tables(goes_on, size) != 0
    odd = 0.25 * (max(0.0, share - 3) + flat) ** 2 if is_given else steep / 2 + 2 * flat
    return 0.5 + 2.5 * (lucky / tables) ** 2 + 0.4 * uneven + odd


def rounds_possible(players: int, table_size: int) -> list[int]:
    return [rounds for rounds in range(1, MOST_ROUNDS + 1) if ladder(players, table_size, rounds)]


def any_ladder(players: int, table_size: int) -> Ladder:
    """A ladder for any number of players, with larger tables where so few could not be seated otherwise."""
    sizes = range(table_size, players + 1)
    return next((found for size in sizes if (found := ladder(players, size))), (Rung(players, 1),))


def rung_in_words(rung: Rung) -> Sentence:
    """“the best 2 of each table and 2 of the others go on”"""
    words = {"best": rung.best, "lucky": rung.lucky, "players": rung.players}
    if not rung.best:
        return sentence("Final of %(players)d", **words)
    if not rung.lucky:
        return counted("The best of each table goes on", "The best %(count)d of each table go on", rung.best)
    return counted(
        "The best of each table and %(lucky)d of the others go on",
        "The best %(count)d of each table and %(lucky)d of the others go on",
        rung.best,
        lucky=rung.lucky,
    )
