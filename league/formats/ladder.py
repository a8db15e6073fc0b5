"""Compute the ladder of heats: the rounds from all players to the final, and the qualifiers of each.

Tables have at most a given size and differ by at most one. The best `best` of each advance. To fill the next round
evenly, `lucky` next-best players advance too; or, if chosen, `byes` players skip round 1 and advance. With a repechage
no player is eliminated in round 1: its best skip round 2, where all others play for the remaining places. A round at
one table without byes is the final.
"""

from functools import lru_cache
from typing import NamedTuple

from engine.sentences import Sentence, counted, sentence
from league.formats.seating import golfers

FEWEST_AT_A_TABLE = 3
MOST_ROUNDS = 10


class Rung(NamedTuple):
    """A round: number of players, `byes` of them without a table, number of tables, and qualifiers besides the byes:
    best of each table, and the next best. best 0: final. again: a repechage follows for non-qualifiers, while
    qualifiers wait.
    """

    players: int
    tables: int
    best: int = 0
    lucky: int = 0
    byes: int = 0
    again: bool = False

    @property
    def best_ones(self) -> int:
        """Return how many players the round itself qualifies."""
        return self.tables * self.best + self.lucky + self.byes

    @property
    def advancing(self) -> int:
        return self.players if self.again else self.best_ones

    @property
    def sizes(self) -> list[int]:
        """Return the sizes of its tables."""
        return golfers.table_sizes(self.players - self.byes, self.tables)


Ladder = tuple[Rung, ...]


@lru_cache(maxsize=4096)
def ladder(
    players: int, table_size: int, rounds: int | None = None, *, byes: bool = False, repechage: bool = False
) -> Ladder | None:
    """Return the rounds from this many players to the final; None if impossible.

    Prefers few rounds with about half qualifying, few next best, and even tables. byes: instead of next best, some may
    skip round 1. repechage: non-qualifiers of round 1 play again.
    """
    if repechage:
        found = _cheapest_with_repechage(players, table_size, rounds)
    elif byes:
        found = _cheapest_with_byes(players, table_size, rounds)
    else:
        found = _cheapest(players, table_size, rounds)
    return found[1] if found else None


def _cheapest_with_repechage(players: int, size: int, rounds: int | None) -> tuple[float, Ladder] | None:
    """Half or more play round 2, so that few wait."""
    if players <= size or rounds in (1, 2):
        return None
    tables = golfers.count_tables(players, size)
    cheapest: tuple[float, Ladder] | None = None
    for best in range(1, players // (2 * tables) + 1):
        left = None if rounds is None else rounds - 1
        found = _cheapest_of_the_others(players, tables * best, size, left)
        if found is not None and (cheapest is None or found[0] < cheapest[0]):
            cheapest = 0.5 + found[0], (Rung(players, tables, best, again=True), *found[1])
    return cheapest


@lru_cache(maxsize=4096)
def _cheapest_of_the_others(players: int, waiting: int, size: int, rounds: int | None) -> tuple[float, Ladder] | None:
    """Return the ladder from the repechage on. waiting: number of players who skip it."""
    others = players - waiting
    tables = golfers.count_tables(others, size)
    if others < FEWEST_AT_A_TABLE * tables or not 0 < others <= tables * size:
        return None
    cheapest: tuple[float, Ladder] | None = None
    for places in range(tables, others * 2 // 3 + 1, max(1, others // 150)):
        best, lucky = divmod(places, tables)
        advancing = waiting + places
        rest = _cheapest(advancing, size, None if rounds is None else rounds - 1)
        if best >= others // tables or rest is None:
            continue
        cost = rest[0] + _cost(players, advancing, tables, lucky, size, is_given=rounds is not None)
        if cheapest is None or cost < cheapest[0]:
            cheapest = cost, (Rung(players, tables, best, lucky, waiting), *rest[1])
    return cheapest


def _cheapest_with_byes(players: int, size: int, rounds: int | None) -> tuple[float, Ladder] | None:
    """At most a third have byes, with at least two tables in play."""
    cheapest = _cheapest(players, size, rounds, is_exact=True)
    for byes in range(1, min(players // 3, players - size - 1) + 1):
        tables = golfers.count_tables(players - byes, size)
        smallest = (players - byes) // tables
        for best in range(1, smallest if smallest >= FEWEST_AT_A_TABLE else 1):
            advancing = tables * best + byes
            rest = _cheapest(advancing, size, None if rounds is None else rounds - 1, is_exact=True)
            if advancing > players * 4 // 5 or rest is None:
                continue
            cost = rest[0] + _cost(players, advancing, tables, byes, size, is_given=rounds is not None)
            if cheapest is None or cost < cheapest[0]:
                cheapest = cost, (Rung(players, tables, best, byes=byes), *rest[1])
    return cheapest


@lru_cache(maxsize=65536)
def _cheapest(players: int, size: int, rounds: int | None, *, is_exact: bool = False) -> tuple[float, Ladder] | None:
    """is_exact: only direct places qualify."""
    if players <= size:
        fits = rounds in (None, 1) and players >= 2
        return (0.5 * max(0, min(size, 4) - players), (Rung(players, 1),)) if fits else None
    if rounds == 1:
        return None
    tables = golfers.count_tables(players, size)
    smallest = players // tables
    if tables == 1 or smallest < FEWEST_AT_A_TABLE:  # one larger table, not two of two
        return None
    cheapest: tuple[float, Ladder] | None = None
    # At least a fifth leave in each round. Of many similar numbers, try only some.
    for advancing in range(max(tables, FEWEST_AT_A_TABLE), players * 4 // 5 + 1, max(1, players // 150)):
        best, lucky = divmod(advancing, tables)
        if best >= smallest:
            break
        if is_exact and lucky:
            continue
        rest = _cheapest(advancing, size, None if rounds is None else rounds - 1, is_exact=is_exact)
        if rest is None:
            continue
        cost = rest[0] + _cost(players, advancing, tables, lucky, size, is_given=rounds is not None)
        if cheapest is None or cost <= cheapest[0]:
            cheapest = cost, (Rung(players, tables, best, lucky), *rest[1])
    return cheapest


def _cost(players: int, advancing: int, tables: int, lucky: int, size: int, *, is_given: bool) -> float:
    """Return the cost of a rung. lucky: qualifiers that are not direct, byes included. is_given: the number of rounds
    was chosen, so steeper or flatter rungs are intended.
    """
    share = players / advancing
    steep, flat = max(0.0, share - 2.7) + 5 * max(0.0, share - 3), max(0.0, 1.5 - share)
    uneven = advancing > size and advancing % golfers.count_tables(advancing, size) != 0
    odd = 0.25 * (max(0.0, share - 3) + flat) ** 2 if is_given else steep / 2 + 2 * flat
    return 0.5 + 2.5 * (lucky / tables) ** 2 + 0.4 * uneven + odd


def rounds_possible(players: int, table_size: int, *, byes: bool = False, repechage: bool = False) -> list[int]:
    every = range(1, MOST_ROUNDS + 1)
    return [rounds for rounds in every if ladder(players, table_size, rounds, byes=byes, repechage=repechage)]


def any_ladder(players: int, table_size: int) -> Ladder:
    """Return a ladder for any number of players, with larger tables if they can't be seated otherwise."""
    sizes = range(table_size, players + 1)
    return next((found for size in sizes if (found := ladder(players, size))), (Rung(players, 1),))


def _any_repechage(players: int, waiting: int, table_size: int) -> Ladder:
    """Return a ladder from a repechage on. waiting: number of players who skip it. At least three play it."""
    others = players - waiting
    tables = any_ladder(others, table_size)[0].tables
    cheapest = None
    for places in range(tables, max(tables, others * 2 // 3) + 1):
        best, lucky = divmod(places, tables)
        rest = any_ladder(waiting + places, table_size)
        cost = max(rest[0].sizes) > table_size, len(rest), lucky, abs(2 * places - others)
        if best < others // tables and (cheapest is None or cost < cheapest[0]):
            cheapest = cost, (Rung(players, tables, best, lucky, waiting), *rest)
    assert cheapest is not None, "the best of three or more at a table qualifies"
    return cheapest[1]


def _any_with_repechage(players: int, table_size: int) -> Ladder:
    """Return a ladder with a repechage from round 1 on; a round 1 at one table is the final."""
    tables = any_ladder(players, table_size)[0].tables
    if tables == 1:
        return any_ladder(players, table_size)
    return (Rung(players, tables, 1, again=True), *_any_repechage(players, tables, table_size))


def way(
    players: int,
    table_size: int,
    rounds: int | None = None,
    *,
    byes: bool = False,
    repechage: bool = False,
    waiting: int | None = None,
) -> Ladder:
    """Return the rounds as played, for any number of players: with the planned number of rounds, else the suggested
    number, else larger tables. waiting: players who skip the first round, which is then the repechage.
    """
    for number in (rounds, None):
        if waiting is not None:
            cheapest = _cheapest_of_the_others(players, waiting, table_size, number)
            found = cheapest and cheapest[1]
        else:
            found = ladder(players, table_size, number, byes=byes, repechage=repechage)
        if found:
            return found
    if waiting is not None:
        return _any_repechage(players, waiting, table_size)
    return _any_with_repechage(players, table_size) if repechage else any_ladder(players, table_size)


def rung_in_words(rung: Rung) -> Sentence:
    """Return “the best 2 of each table and the next-best 2 advance”."""
    words = {"best": rung.best, "lucky": rung.lucky, "players": rung.players}
    if rung.tables == 1 and rung.best and not rung.byes:
        return counted("The best player advances", "The best %(count)d advance", rung.best)
    if rung.again:
        return counted(
            "The best of each table has a bye next round; all others play again",
            "The best %(count)d of each table have a bye next round; all others play again",
            rung.best,
        )
    if rung.byes:
        best = rung_in_words(rung._replace(byes=0))
        return counted(
            "%(best)s, with %(count)d bye",
            "%(best)s, with %(count)d byes",
            rung.byes,
            best=best,
        )
    if not rung.best:
        return sentence("Final of %(players)d", **words)
    if not rung.lucky:
        return counted("The best of each table advances", "The best %(count)d of each table advance", rung.best)
    return counted(
        "The best of each table and the next-best %(lucky)d advance",
        "The best %(count)d of each table and the next-best %(lucky)d advance",
        rung.best,
        lucky=rung.lucky,
    )
