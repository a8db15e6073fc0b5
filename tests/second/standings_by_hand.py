"""Standings and eliminations a second time, from three exports alone: hands.csv, adjustments.csv and events.csv.

It imports nothing of the product. What Challenge UNO makes of records is in `challenge_by_hand`, written the same way.
"""

import csv
import io
from collections import defaultdict

from tests.second.challenge_by_hand import who_is_where

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
    figures = Figures()
    slots = defaultdict(list)
    for row in hands:
        slots[row["round"], row["table"], row["hand"]].append(row)
    for seats in slots.values():
        winners = {who for row in seats if row["went_out"] == "true" for who in (row["player_id"], row["partner_id"])}
        for row in seats:
            me, score = row["player_id"], int(row["score"])
            opponents = [other for other in seats if other["player_id"] not in (me, row["partner_id"])]
            lost = int(opponents[0]["score"]) if winners and me not in winners else 0
            figures.add(row, {other["player_id"] for other in opponents}, score, score, lost, me in winners)
    return figures.ranked(entrants, adjustments, events)


def teams(entrants, hands, adjustments, events):
    """The same of teams: each hand has two rows of a team, which say the same, and the team is one player."""
    figures = Figures()
    slots = defaultdict(lambda: defaultdict(list))
    for row in hands:
        slots[row["round"], row["table"], row["hand"]][row["player_id"]].append(row)
    for at_table in slots.values():
        assert len(at_table) == 2
        winners = {me for me, rows in at_table.items() for row in rows if row["went_out"] == "true"}
        for me, rows in at_table.items():
            assert [row["partner_id"] for row in rows] == [me, me]
            assert len({row["played_by"] for row in rows}) == 2 == abs(int(rows[0]["seat"]) - int(rows[1]["seat"]))
            (score,) = {int(row["score"]) for row in rows}
            (other,) = at_table.keys() - {me}
            lost = int(at_table[other][0]["score"]) if winners and me not in winners else 0
            figures.add(rows[0], {other}, score, score, lost, me in winners)
    return figures.ranked(entrants, adjustments, events)


def points(target, lowest, entrants, hands, adjustments, events):
    """The same of a points race. target: of the game at each table in each round; None: all hands count."""
    figures = Figures()
    tables = defaultdict(lambda: defaultdict(list))
    for row in hands:
        tables[row["round"], row["table"]][int(row["hand"])].append(row)
    for played in tables.values():
        has = defaultdict(int)
        for _number, seats in sorted(played.items()):
            people = {row["player_id"] for row in seats}
            left = {row["player_id"]: number(row["points_left"]) or 0 for row in seats}
            winner = next((row["player_id"] for row in seats if row["went_out"] == "true"), None)
            for row in seats:
                me = row["player_id"]
                takes = sum(left.values()) if me == winner else 0
                assert int(row["score"]) == (left[me] if lowest else takes)
                lost = left[me] if winner not in (None, me) else 0
                figures.add(row, people - {me}, int(row["score"]), takes, lost, me == winner)
                has[me] += int(row["score"])
            if target is not None and max(has.values()) >= target:
                break
    return figures.ranked(entrants, adjustments, events, lowest)


class Figures:
    """What everybody has made, and whom they have met."""

    def __init__(self):
        self.total, self.won, self.conceded = defaultdict(int), defaultdict(int), defaultdict(int)
        self.rounds = defaultdict(lambda: defaultdict(int))
        self.met = set()
        self.hands = []  # (player, opponents, points for)

    def add(self, row, opponents, score, scored, lost, won):
        me = row["player_id"]
        self.total[me] += score
        self.rounds[me][row["round"]] += scored
        self.won[me] += won
        self.conceded[me] += lost
        self.met |= {(me, other) for other in opponents}
        self.hands.append((me, opponents, scored))

    def ranked(self, entrants, adjustments, events, lowest=False):
        for row in adjustments:
            self.total[row["player_id"]] += int(row["points"])
        status = {}
        for player, stand_in in entrants.items():
            of_player = sorted((row for row in events if row["player_id"] == player), key=lambda row: row["counted_at"])
            gone = [row["kind"] for row in of_player if row["kind"] in ("drop", "no-show", "return")]
            status[player] = "standin" if stand_in else "dropped" if gone and gone[-1] != "return" else "active"
        keys = [
            lambda tied: {one: self.won[one] for one in tied},
            self.head_to_head,
            lambda tied: {one: -self.conceded[one] for one in tied},
            lambda tied: {one: max(self.rounds[one].values(), default=0) for one in tied},
        ]
        ranks, before = {}, 0
        for wanted in ("active", "dropped"):
            group = [one for one in entrants if status[one] == wanted]
            for value in sorted({self.total[one] for one in group}, reverse=not lowest):
                for shared in self.split([one for one in group if self.total[one] == value], keys):
                    ranks |= dict.fromkeys(shared, before + 1)
                    before += len(shared)
        return {one: (status[one], ranks.get(one), self.total[one]) for one in entrants}

    def split(self, tied, keys):
        if len(tied) == 1 or not keys:
            return [tied]
        values = keys[0](tied)
        if values is None or len(set(values.values())) == 1:
            return self.split(tied, keys[1:])
        again = keys if keys[0] == self.head_to_head else keys[1:]
        groups = [[one for one in tied if values[one] == value] for value in sorted(set(values.values()), reverse=True)]
        return [smaller for group in groups for smaller in self.split(group, again)]

    def head_to_head(self, tied):
        if any((one, other) not in self.met for one in tied for other in tied if one != other):
            return None
        # A hand against two of the tied counts once.
        made = dict.fromkeys(tied, 0)
        for me, opponents, scored in self.hands:
            if me in made and opponents.intersection(tied):
                made[me] += scored
        return made
