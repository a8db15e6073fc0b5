"""Challenge UNO a second time, from the rules alone and as plainly as can be; it imports nothing of the product.

Also a random event that is played as at real tables: who sits down is the product's business, what they score is not.
"""


def who_is_where(target, entrants, hands, adjustments, changes):
    """(totals, still in, (round, hand) of leaving by entry, places by entry), each a dict by entry or a set.

    Records are the tuples of the product: hands (round, table, number, moment, points), adjustments (entry, round,
    moment, points), changes (entry, kind, round, moment).
    """
    totals = dict.fromkeys(entrants, 0)
    coming_late = {change[0] for change in changes if change[1] == "late"}
    playing = {entry for entry in entrants if entry not in coming_late}
    seen = set(playing)
    dropped = set()
    left = {}
    last = {}  # (round, hand, table)
    begun = ended = None  # the round of the last hand; round and table that brought the event down to two

    def out_at_target(some, when):
        reached = {entry for entry in some if totals[entry] >= target}
        if reached == playing:
            lowest = min(totals[entry] for entry in playing)
            reached = {entry for entry in reached if totals[entry] > lowest}
        for entry in reached:
            playing.remove(entry)
            left[entry] = when

    def at_the_table(entry, number):
        return last[entry][:2] if entry in last and last[entry][0] == number else (number, 0)

    for entry, number, _moment, points in adjustments:
        if number is None:
            totals[entry] += points
    out_at_target(set(playing), (0, 0))

    for record in in_the_order_of_recording(hands, adjustments, changes):
        before = len(playing)
        if record[0] == "hand":
            _, number, table, hand, points = record
            begun = number
            here = [entry for entry in points if entry in playing]
            round_is_over = before == 2 and ended is not None and ended[0] == number and ended[1] != table
            if len(here) > 1 and not round_is_over:
                for entry in here:
                    totals[entry] += points[entry]
                    last[entry] = (number, hand, table)
                out_at_target(set(here), (number, hand))
        elif record[0] == "adjustment":
            _, entry, number, points = record
            table = last[entry][2] if entry in last and last[entry][0] == number else None
            totals[entry] += points
            if entry in playing and points > 0:
                out_at_target({entry}, at_the_table(entry, number))
        elif len(playing) > 1:
            _, entry, kind, number = record
            table = last[entry][2] if entry in last and last[entry][0] == number else None
            if kind == "drop" and entry in playing:
                playing.remove(entry)
                dropped.add(entry)
                left[entry] = at_the_table(entry, number)
            comes = (
                (kind == "late" and entry not in seen)
                or (kind == "return" and entry in dropped)
                or (kind == "reinstated" and entry in left and entry not in dropped and totals[entry] < target)
            )
            if comes:
                seen.add(entry)
                playing.add(entry)
                dropped.discard(entry)
                left.pop(entry, None)
                out_at_target({entry}, at_the_table(entry, number))
        if before > 2 and len(playing) == 2:
            ended = (number, table) if begun == number else None

    places = {}
    for entry, (number, hand) in left.items():
        ahead = [
            other
            for other in seen
            if other in playing
            or left[other] > (number, hand)
            or (left[other] == (number, hand) and totals[other] < totals[entry])
        ]
        places[entry] = 1 + len(ahead)
    if len(playing) == 1:
        places[next(iter(playing))] = 1
    return {entry: totals[entry] for entry in seen}, playing, left, places


def in_the_order_of_recording(hands, adjustments, changes):
    """Round by round; before a hand come those with lower numbers at its table, whenever they were recorded."""
    rounds = {hand[0] for hand in hands} | {one[1] for one in adjustments} | {change[2] for change in changes}
    for number in sorted(rounds - {None}):
        waiting = [hand for hand in hands if hand[0] == number]
        recorded = [(hand[3], 0, hand[1], hand) for hand in waiting]
        recorded += [(one[2], 1, at, one) for at, one in enumerate(adjustments) if one[1] == number]
        recorded += [(change[3], 2, at, change) for at, change in enumerate(changes) if change[2] == number]
        for _moment, what, _table, record in sorted(recorded, key=lambda row: row[:3]):
            if what == 1:
                yield "adjustment", record[0], number, record[3]
            elif what == 2:
                yield "change", record[0], record[1], number
            else:
                before = [hand for hand in waiting if hand[1] == record[1] and hand[2] <= record[2]]
                for hand in sorted(before, key=lambda hand: hand[2]):
                    waiting.remove(hand)
                    yield "hand", number, hand[1], hand[2], hand[4]


class RandomEvent:
    """An event to its end or a number of hands. `chaos` lets people come late, drop, return and be penalised."""

    def __init__(self, dice, settings, players, product, *, chaos=True, most_hands=600):
        self.dice, self.settings, self.product, self.chaos = dice, settings, product, chaos
        self.entrants = [f"p{number}" for number in range(players)]
        self.hands, self.adjustments, self.changes = [], [], []
        self.past, self.snapshots = [], []
        self.moment = 0
        if chaos and dice.random() < 0.3:
            points = dice.choice([-10, 5, 20])
            self.adjustments.append(product.Adjustment(self.entrants[0], None, 0, points))
        while self.state().winner is None and len(self.hands) < most_hands:
            self.play_round()

    def state(self, as_of_round=None):
        return self.product.state_of(
            target=self.settings.target,
            entrants=self.entrants,
            hands=self.hands,
            adjustments=self.adjustments,
            changes=self.changes,
            as_of_round=as_of_round,
        )

    def now(self):
        self.moment += 1
        return self.moment

    def play_round(self):
        number = len(self.past) + 1
        seated = self.product.next_round(self.settings, self.state(), self.past, seed="s")
        self.past.append(seated)
        tables = dict(enumerate(seated, start=1))
        hands_here = dict.fromkeys(tables, 0)
        while True:
            state = self.state()
            stopped = self.settings.hands is None and len(seated) > 1 and min(hands_here.values()) > 2
            done = self.product.progress(self.settings, state, number, tables, self.hands, stopped=stopped)
            open_tables = [one.table for one in done if one.state == self.product.PLAYING]
            if not open_tables:
                break
            table = self.dice.choice(open_tables)
            hands_here[table] += 1
            here = [entry for entry in tables[table] if entry in state.still_in]
            self.hands.append(self.product.Hand(number, table, hands_here[table], self.now(), self.scores(here)))
            if self.chaos and self.dice.random() < 0.1:
                self.upset(number)
        self.snapshots.append(self.state(as_of_round=number))

    def scores(self, here):
        """Few different numbers, so that totals are often equal; in a blocked hand nobody has 0."""
        points = {entry: self.dice.choice([5, 10, 20, 20, 40]) for entry in here}
        if self.dice.random() < 0.15:
            return dict.fromkeys(here, 20) if self.dice.random() < 0.3 else points
        return points | {self.dice.choice(here): 0}

    def upset(self, number):
        Adjustment, Change = self.product.Adjustment, self.product.Change
        entry = self.dice.choice(self.entrants)
        what = self.dice.choice(["late", "drop", "drop", "return", "reinstated", "penalty", "bonus"])
        if what == "late":
            entry = f"p{len(self.entrants)}"
            self.entrants.append(entry)
            self.adjustments.append(Adjustment(entry, number + 1, self.now(), self.dice.choice([0, 20, 40])))
            self.changes.append(Change(entry, "late", number + 1, self.now()))
        elif what in ("penalty", "bonus"):
            points = self.dice.choice([10, 30]) * (1 if what == "penalty" else -1)
            self.adjustments.append(Adjustment(entry, number, self.now(), points))
        else:
            self.changes.append(Change(entry, what, number + self.dice.randint(0, 1), self.now()))
