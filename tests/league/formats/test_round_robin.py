"""Round robin: everybody meets everybody, checked by counting who sits with whom and nothing else."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb

import pytest

from league.formats import FORMATS, NotPossible, round_robin
from league.formats.seating import golfers
from tests.league.formats.test_evening import evening_of

ROUND_ROBIN = FORMATS["round_robin"]


def tables_of(players, **chosen):
    """The rounds as tables of players, where everybody sits once or sits out."""
    rounds = []
    for seating in ROUND_ROBIN.schedule(players, ROUND_ROBIN.complete(chosen)):
        tables = [[player for player, member in table if member == 0] for table in seating.tables]
        assert sorted([*seating.byes, *(player for table in tables for player in table)]) == list(range(players))
        assert max(map(len, tables)) - min(map(len, tables)) <= 1
        rounds.append(tables)
    return rounds


def met(players, rounds):
    """How often each two met, those who never did too."""
    times = Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))
    return {pair: times[frozenset(pair)] for pair in combinations(range(players), 2)}


@pytest.mark.parametrize("players", range(3, 41))
def test_in_duels_everybody_meets_everybody_once_and_deals_first_as_often_as_not(players):
    rounds = tables_of(players, table_size=2)
    assert set(met(players, rounds).values()) == {1}
    assert len(rounds) == players - 1 + players % 2
    first = Counter(table[0] for tables in rounds for table in tables)
    assert all(abs(2 * first[player] - (players - 1)) <= 1 for player in range(players))


@pytest.mark.slow
@pytest.mark.parametrize("players", range(3, 41))
def test_every_number_of_players_can_be_seated_and_has_as_many_meetings_as_it_takes(players, monkeypatch):
    monkeypatch.setattr(golfers, "ROUND_STEPS", 1_000)
    monkeypatch.setattr(round_robin, "STEPS", 1_000)
    round_robin.plan.cache_clear()
    size = 3 + players % 8
    rounds = tables_of(players, table_size=size)
    meetings = sum(comb(len(table), 2) for tables in rounds for table in tables)
    assert meetings >= comb(players, 2) > meetings - sum(comb(len(table), 2) for table in rounds[0])
    round_robin.plan.cache_clear()
    assert tables_of(players, table_size=size) == rounds
    round_robin.plan.cache_clear()


@pytest.mark.parametrize(("players", "size"), [(9, 3), (15, 4), (16, 4), (25, 5), (40, 4)])
def test_where_a_design_is_known_every_two_meet_exactly_once(players, size):
    rounds = tables_of(players, table_size=size)
    assert set(met(players, rounds).values()) == {1}
    assert str(ROUND_ROBIN.meetings(players, ROUND_ROBIN.complete({"table_size": size}))) == (
        "All pairs of players meet exactly once."
    )


def seatings_of(rest, sizes):
    """All ways to seat these players at tables of these sizes."""
    if not rest:
        yield ()
    for size in sorted(set(sizes)):
        for others in combinations(rest[1:], size - 1):
            table = (rest[0], *others)
            left = list(sizes)
            left.remove(size)
            for tables in seatings_of([player for player in rest if player not in table], left):
                yield table, *tables


@pytest.mark.parametrize(("players", "size", "cycles"), [(8, 4, 1), (7, 3, 1), (6, 3, 1), (6, 3, 2)])
def test_no_schedule_at_all_has_more_equal_meetings(players, size, cycles):
    rounds = tables_of(players, table_size=size, cycles=cycles)
    pairs = list(combinations(range(players), 2))
    every = [
        [sum(set(pair) <= set(table) for table in tables) for pair in pairs]
        for tables in seatings_of(list(range(players)), [len(table) for table in rounds[0]])
    ]
    # Which seating the first round has means nothing, nor does the order of the others.
    least = min(
        sum(sum(times) ** 2 for times in zip(every[0], *others, strict=True))
        for others in combinations_with_replacement(every, len(rounds) - 1)
    )
    assert sum(times**2 for times in met(players, rounds).values()) == least


def test_how_equally_people_meet_is_said_in_a_sentence():
    values = ROUND_ROBIN.complete({"table_size": 4})
    rounds = ROUND_ROBIN.schedule(20, values)
    times = Counter(met(20, tables_of(20, table_size=4)).values())
    percent = 100 * times[1] // 190
    assert str(ROUND_ROBIN.how_even(20, rounds)) == (
        f"{percent} % of all pairs meet exactly once (fewest {min(times)}, most {max(times)})."
    )
    assert percent >= 80
    assert str(ROUND_ROBIN.meetings(9, ROUND_ROBIN.complete({"table_size": 3, "cycles": 2}))) == (
        "All pairs of players meet exactly 2 times."
    )
    assert ROUND_ROBIN.counts(20, rounds)["Times met"] == (min(times), max(times))


@pytest.mark.parametrize(("size", "players", "stay"), [(4, 10, 9), (2, 8, 7), (3, 9, 10)])
def test_rounds_to_come_know_who_met_before(size, players, stay):
    values = ROUND_ROBIN.complete({"table_size": size})
    before = tables_of(players, table_size=size)[:2]
    played = tuple(
        tuple(tuple(player if player < stay else None for player in table) for table in tables) for tables in before
    )
    more = ROUND_ROBIN.more_rounds(stay, 2, played, values, seed="s")
    assert more == ROUND_ROBIN.more_rounds(stay, 2, played, values, seed="s")
    seated = [[[player for player, _member in table] for table in seating.tables] for seating in more]
    for tables, seating in zip(seated, more, strict=True):
        assert sorted([*seating.byes, *(player for table in tables for player in table)]) == list(range(stay))
    again = {pair for pair, times in met(players, before).items() if times}
    now = [pair for pair, times in met(max(players, stay), seated).items() for _time in range(times)]
    assert sum(pair in again for pair in now) <= {4: 5, 2: 0, 3: 3}[size]


def test_refusals_say_what_is_possible():
    def problem(field, players, **chosen):
        return str(ROUND_ROBIN.problems(chosen, players)[field])

    assert problem("players", 60) == "Round robin needs 3 to 40 players, not 60."
    assert problem("rounds", 8, table_size=2, rounds=8) == ("8 players at tables of 2 have 1 to 7 rounds, not 8.")
    assert problem("cycles", 40, table_size=2, cycles=6) == (
        "In at most 200 rounds, 40 players at tables of 2 can all meet 1 to 5 times, not 6."
    )
    with pytest.raises(NotPossible, match="3 to 40 players, not 41"):
        ROUND_ROBIN.more_rounds(41, 1, (), ROUND_ROBIN.complete({}), seed="")


def test_the_evening_has_the_byes_of_an_odd_number():
    evening = evening_of("round_robin", 7, table_size=2)
    assert (evening.players, evening.tables, evening.byes, evening.rounds, evening.hands) == (7, ((3, 2),), 1, 7, 24)
    assert evening_of("round_robin", 16).rounds == 5
