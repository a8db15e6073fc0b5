"""The ladder of heats: the rounds from all players to the final, and who goes on from each.

A round has tables of at most so many, sizes within one. Of each the best `best` go on. So that the next round comes out
even, `lucky` more of all others do or, where that was chosen, so many sit out the first round (`byes`) and go on too.
With a repechage nobody is eliminated in round 1: the best of it sit out round 2, which the others play for the places
that are left. A round at one table that nobody sits out is the final.
"""

from functools import lru_cache
from typing import NamedTuple

from engine.sentences import Sentence, counted, sentence
from league.formats.seating import golfers

FEWEST_AT_A_TABLE = 3
MOST_ROUNDS = 10


class Rung(NamedTuple):
    """A round: who is in, `byes` of them without a table, at how many tables the others play, and who goes on beside
    the byes: the best of each and so many of the others. best 0: final. again: those who are not among them play once
    more, while these sit out."""

    players: int
    tables: int
    best: int = 0
    lucky: int = 0
    byes: int = 0
    again: bool = False

    @property
    def best_ones(self) -> int:
        """How many the round itself sends on."""
        return self.tables * self.best + self.lucky + self.byes

    @property
    def goes_on(self) -> int:
        return self.players if self.again else self.best_ones

    @property
    def sizes(self) -> list[int]:
        """Of its tables."""
        return golfers.table_sizes(self.players - self.byes, self.tables)


Ladder = tuple[Rung, ...]


@lru_cache(maxsize=4096)
def ladder(
    players: int, table_size: int, rounds: int | None = None, *, byes: bool = False, repechage: bool = False
) -> Ladder | None:
    """The rounds from so many players to the final; None where there are none, or not just so many.

    Few rounds in each of which about half go on, few by luck, and tables that come out even. byes: nobody goes on by
    luck, but some may sit out the first round. repechage: who is not among the best of round 1 plays once more.
    """
    if repechage:
        found = _cheapest_with_repechage(players, table_size, rounds)
    elif byes:
        found = _cheapest_with_byes(players, table_size, rounds)
    else:
        found = _cheapest(players, table_size, rounds)
    return found[1] if found else None


def _cheapest_with_repechage(players: int, size: int, rounds: int | None) -> tuple[float, Ladder] | None:
    """Half of all in round 2, or more, so that few wait."""
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
    """From the repechage on, which so many of those who are in sit out."""
    others = players - waiting
    tables = golfers.count_tables(others, size)
    if others < FEWEST_AT_A_TABLE * tables or not 0 < others <= tables * size:
        return None
    cheapest: tuple[float, Ladder] | None = None
    for places in range(tables, others * 2 // 3 + 1, max(1, others // 150)):
        best, lucky = divmod(places, tables)
        goes_on = waiting + places
        rest = _cheapest(goes_on, size, None if rounds is None else rounds - 1)
        if best >= others // tables or rest is None:
            continue
        cost = rest[0] + _cost(players, goes_on, tables, lucky, size, is_given=rounds is not None)
        if cheapest is None or cost < cheapest[0]:
            cheapest = cost, (Rung(players, tables, best, lucky, waiting), *rest[1])
    return cheapest


def _cheapest_with_byes(players: int, size: int, rounds: int | None) -> tuple[float, Ladder] | None:
    """Few sit out, a third of all at most, and there are two tables or more beside them."""
    cheapest = _cheapest(players, size, rounds, is_exact=True)
    for byes in range(1, min(players // 3, players - size - 1) + 1):
        tables = golfers.count_tables(players - byes, size)
        smallest = (players - byes) // tables
        for best in range(1, smallest if smallest >= FEWEST_AT_A_TABLE else 1):
            goes_on = tables * best + byes
            rest = _cheapest(goes_on, size, None if rounds is None else rounds - 1, is_exact=True)
            if goes_on > players * 4 // 5 or rest is None:
                continue
            cost = rest[0] + _cost(players, goes_on, tables, byes, size, is_given=rounds is not None)
            if cheapest is None or cost < cheapest[0]:
                cheapest = cost, (Rung(players, tables, best, byes=byes), *rest[1])
    return cheapest


@lru_cache(maxsize=65536)
def _cheapest(players: int, size: int, rounds: int | None, *, is_exact: bool = False) -> tuple[float, Ladder] | None:
    """is_exact: only the best of the tables go on."""
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
        if is_exact and lucky:
            continue
        rest = _cheapest(goes_on, size, None if rounds is None else rounds - 1, is_exact=is_exact)
        if rest is None:
            continue
        cost = rest[0] + _cost(players, goes_on, tables, lucky, size, is_given=rounds is not None)
        if cheapest is None or cost <= cheapest[0]:
            cheapest = cost, (Rung(players, tables, best, lucky), *rest[1])
    return cheapest


def _cost(players: int, goes_on: int, tables: int, lucky: int, size: int, *, is_given: bool) -> float:
    """Of a rung. lucky: who goes on without being among the best of a table, or having one. is_given: how many rounds
    there are was chosen, so that steeper or flatter ones are meant."""
    share = players / goes_on
    steep, flat = max(0.0, share - 2.7) + 5 * max(0.0, share - 3), max(0.0, 1.5 - share)
    uneven = goes_on > size and goes_on % golfers.count_tables(goes_on, size) != 0
    odd = 0.25 * (max(0.0, share - 3) + flat) ** 2 if is_given else steep / 2 + 2 * flat
    return 0.5 + 2.5 * (lucky / tables) ** 2 + 0.4 * uneven + odd


def rounds_possible(players: int, table_size: int, *, byes: bool = False, repechage: bool = False) -> list[int]:
    every = range(1, MOST_ROUNDS + 1)
    return [rounds for rounds in every if ladder(players, table_size, rounds, byes=byes, repechage=repechage)]


def any_ladder(players: int, table_size: int) -> Ladder:
    """A ladder for any number of players, with larger tables where so few could not be seated otherwise."""
    sizes = range(table_size, players + 1)
    return next((found for size in sizes if (found := ladder(players, size))), (Rung(players, 1),))


def _any_repechage(players: int, waiting: int, table_size: int) -> Ladder:
    """The same from a repechage on, which so many sit out. Three at least play it."""
    others = players - waiting
    tables = any_ladder(others, table_size)[0].tables
    cheapest = None
    for places in range(tables, max(tables, others * 2 // 3) + 1):
        best, lucky = divmod(places, tables)
        rest = any_ladder(waiting + places, table_size)
        cost = max(rest[0].sizes) > table_size, len(rest), lucky, abs(2 * places - others)
        if best < others // tables and (cheapest is None or cost < cheapest[0]):
            cheapest = cost, (Rung(players, tables, best, lucky, waiting), *rest)
    assert cheapest is not None, "of three or more at a table the best goes on"
    return cheapest[1]


def _any_with_repechage(players: int, table_size: int) -> Ladder:
    """The same from round 1 on; where that has one table, it is the final."""
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
    """The rounds as they are played, whoever comes: where there are none of so many, of as many as are suggested, and
    else with larger tables. waiting: how many sit out the first of them, which is the repechage then."""
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
    """“the best 2 of each table and 2 of the others go on”"""
    words = {"best": rung.best, "lucky": rung.lucky, "players": rung.players}
    if rung.tables == 1 and rung.best and not rung.byes:
        return counted("The best one goes on", "The best %(count)d go on", rung.best)
    if rung.again:
        return counted(
            "The best of each table sits out the next round, the others play once more",
            "The best %(count)d of each table sit out the next round, the others play once more",
            rung.best,
        )
    if rung.byes:
        best = rung_in_words(rung._replace(byes=0))
        return counted(
            "%(best)s, with %(count)d who has a free round",
            "%(best)s, with %(count)d who have a free round",
            rung.byes,
            best=best,
        )
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
