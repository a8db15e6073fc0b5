"""Standings and eliminations a second time, from three exports alone: hands.csv, adjustments.csv and events.csv.

It imports nothing of the product. What Challenge UNO makes of records is in `challenge_by_hand`, written the same way.
"""

import csv
import io
from collections import defaultdict

from tests.challenge_by_hand import who_is_where

RACE_KIND = {"late": "late", "drop": "drop", "no-show": "drop", "return": "return", "reinstated": "reinstated"}


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def number(cell):
    return int(cell) if cell else None


def challenge(target, entrants, hands, adjustments, events):
    """{player: (still in, total, place or None, (round, hand) of leaving or None)} of who has come. Rows as read."""
    played = {}
    for row in hands:
        slot = int(row["round"]), int(row["table"]), int(row["hand"])
        played.setdefault(slot, (row["counted_at"], {}))[1][row["player_id"]] = int(row["score"])
    records = [(*slot, moment, points) for slot, (moment, points) in played.items()]
    beside = [(row["player_id"], number(row["round"]), row["counted_at"], int(row["points"])) for row in adjustments]
    changes = [
        (row["player_id"], RACE_KIND[row["kind"]], number(row["round"]) or 0, row["counted_at"]) for row in events
    ]
    totals, playing, left, places = who_is_where(target, entrants, records, beside, changes)
    return {player: (player in playing, totals[player], places.get(player), left.get(player)) for player in totals}


def pairs(entrants, hands, adjustments, events):
    """{player: (status, rank or None, total)} by the default tie-breaks. entrants: {player: is a stand-in}."""
    total, won, conceded = defaultdict(int), defaultdict(int), defaultdict(int)
    rounds = defaultdict(lambda: defaultdict(int))
    slots = defaultdict(list)
    for row in hands:
        slots[row["round"], row["table"], row["hand"]].append(row)
    against = defaultdict(int)  # points of one scored in hands as opponents of another
    met = set()
    for seats in slots.values():
        winners = {who for row in seats if row["went_out"] == "true" for who in (row["player_id"], row["partner_id"])}
        for row in seats:
            me, score = row["player_id"], int(row["score"])
            total[me] += score
            rounds[me][row["round"]] += score
            won[me] += me in winners
            opponents = [other for other in seats if other["player_id"] not in (me, row["partner_id"])]
            if winners and me not in winners:
                conceded[me] += int(opponents[0]["score"])
            for other in opponents:
                against[me, other["player_id"]] += score
                met.add((me, other["player_id"]))
    for row in adjustments:
        total[row["player_id"]] += int(row["points"])
    status = {}
    for player, stand_in in entrants.items():
        of_player = sorted((row for row in events if row["player_id"] == player), key=lambda row: row["counted_at"])
        gone = [row["kind"] for row in of_player if row["kind"] in ("drop", "no-show", "return")]
        status[player] = "standin" if stand_in else "dropped" if gone and gone[-1] != "return" else "active"

    def split(tied, keys):
        if len(tied) == 1 or not keys:
            return [tied]
        values = keys[0](tied)
        if values is None or len(set(values.values())) == 1:
            return split(tied, keys[1:])
        again = keys if keys[0] is head_to_head else keys[1:]
        groups = [[one for one in tied if values[one] == value] for value in sorted(set(values.values()), reverse=True)]
        return [smaller for group in groups for smaller in split(group, again)]

    def head_to_head(tied):
        if any((one, other) not in met for one in tied for other in tied if one != other):
            return None
        # A hand against two of the tied counts once.
        points = defaultdict(int)
        for seats in slots.values():
            for row in seats:
                others = {other["player_id"] for other in seats} - {row["player_id"], row["partner_id"]}
                if row["player_id"] in tied and others.intersection(tied):
                    points[row["player_id"]] += int(row["score"])
        return {one: points[one] for one in tied}

    keys = [
        lambda tied: {one: won[one] for one in tied},
        head_to_head,
        lambda tied: {one: -conceded[one] for one in tied},
        lambda tied: {one: max(rounds[one].values(), default=0) for one in tied},
    ]
    ranks, before = {}, 0
    for wanted in ("active", "dropped"):
        group = [one for one in entrants if status[one] == wanted]
        for value in sorted({total[one] for one in group}, reverse=True):
            for shared in split([one for one in group if total[one] == value], keys):
                ranks |= dict.fromkeys(shared, before + 1)
                before += len(shared)
    return {one: (status[one], ranks.get(one), total[one]) for one in entrants}
