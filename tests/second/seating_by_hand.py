"""Who sat with whom, from the export of the seating alone, and the fewest repeats there could have been: all are tried.

It imports nothing of the product.
"""

from collections import Counter
from itertools import combinations

import networkx

AGAIN_AT_ONCE = 10  # what meeting in the round before counts as


def rounds_of(rows):
    """{round: its tables as sets of players} of the rows of seating.csv, who sits out aside. Nobody sits twice."""
    rounds = {}
    for row in rows:
        if row["table"] != "bye":
            tables = rounds.setdefault(int(row["round"]), {})
            tables.setdefault(int(row["table"]), []).append(row["player_id"])
    for tables in rounds.values():
        seated = [player for table in tables.values() for player in table]
        assert len(seated) == len(set(seated))
    return {number: [set(table) for _at, table in sorted(tables.items())] for number, tables in sorted(rounds.items())}


def cost_of_meeting(past):
    """By two players: how often they have met, the last time tenfold where that was in the last round."""
    cost = Counter()
    for number, tables in enumerate(past, 1):
        for table in tables:
            weight = AGAIN_AT_ONCE if number == len(past) else 1
            cost.update({frozenset(pair): weight for pair in combinations(table, 2)})
    return cost


def cost_of(tables, past):
    """What it adds to the sum of all meetings squared, by two."""
    cost = cost_of_meeting(past)
    return sum(cost[frozenset(pair)] for table in tables for pair in combinations(table, 2))


def fewest_repeats(tables, past):
    """The least that any seating of the same people at tables of these sizes would cost."""
    cost, least = cost_of_meeting(past), [float("inf")]

    def fill(rest, sizes, so_far):
        if so_far >= least[0]:
            return
        if not rest:
            least[0] = so_far
            return
        for size in sorted(set(sizes)):
            for others in combinations(rest[1:], size - 1):
                table = (rest[0], *others)
                more = sum(cost[frozenset(pair)] for pair in combinations(table, 2))
                left = list(sizes)
                left.remove(size)
                fill([player for player in rest if player not in table], left, so_far + more)

    fill(sorted(player for table in tables for player in table), [len(table) for table in tables], 0)
    return least[0]


def fewest_repeats_of_pairs(players, past):
    """The same for tables of two, of as many as one likes: the cheapest of all perfect matchings."""
    cost, pairs = cost_of_meeting(past), networkx.Graph()
    for pair in combinations(players, 2):
        pairs.add_edge(*pair, weight=-cost[frozenset(pair)])
    return sum(cost[frozenset(pair)] for pair in networkx.max_weight_matching(pairs, maxcardinality=True))
