"""Groups and the cut a second time, plainly, from exports alone. It imports nothing of the product."""

import hashlib
from collections import defaultdict

from tests.second import standings_by_hand


def tables_mix(seating, group_of):
    """Whether two of different groups sit at one table."""
    tables = defaultdict(set)
    for row in seating:
        if row["table"] != "bye":
            tables[row["round"], row["table"]].add(group_of[row["player_id"]])
    return any(len(groups) > 1 for groups in tables.values())


def ranked(kind, lowest, entrants, hands, adjustments, events):
    """{player: (status, rank, total)} of one group. kind: “pairs” or “points”."""
    here = [row for row in hands if row["player_id"] in entrants]
    beside = [row for row in adjustments if row["player_id"] in entrants]
    if kind == "pairs":
        return standings_by_hand.pairs(entrants, here, beside, events)
    return standings_by_hand.points(None, lowest, entrants, here, beside, events)


def who_goes_on(groups, number, gone, hands, seed, lowest):
    """The best of all groups, in order. groups: {player: (status, rank, total)} of each. gone: who has left."""
    played, won = defaultdict(int), defaultdict(int)
    slots = defaultdict(list)
    for row in hands:
        slots[row["round"], row["table"], row["hand"]].append(row)
    for seats in slots.values():
        winners = {who for row in seats if row["went_out"] == "true" for who in (row["player_id"], row["partner_id"])}
        for row in seats:
            played[row["player_id"]] += 1
            won[row["player_id"]] += row["player_id"] in winners

    def lot(player):
        return hashlib.sha256(f"{seed}/cut/{player}".encode()).hexdigest()

    order = []
    for group in groups:
        here = sorted((player for player in group if player not in gone), key=lambda one: (group[one][1], lot(one)))
        for place, player in enumerate(here, 1):
            total, hands_in = group[player][2], played[player] or 1
            # Exactly: a mean as so many 5 040ths, since nobody here plays more than 7 hands, or 8, 9, 10.
            mean = total * 5040 * 11 // hands_in if total * 5040 * 11 % hands_in == 0 else None
            assert mean is not None
            wins = won[player] * 5040 * 11 // hands_in
            order.append((place, mean if lowest else -mean, -wins, lot(player), player))
    if len(groups) == 1:
        return [player for *_key, player in sorted(order, key=lambda one: one[0])][:number]
    return [player for *_key, player in sorted(order)][:number]
