"""A tree that forgives one loss, counted a second time, plainly: lists of matches, without slots and without bits."""

from tests.second.knockout_by_hand import first_matches, next_matches


def bracket(seeds):
    """All players from top to bottom, as a printed bracket has them; None is nobody."""
    matches = first_matches(seeds)
    while len(matches) > 1:
        matches = next_matches(matches)

    def flat(node):
        return [leaf for one in node for leaf in flat(one)] if isinstance(node, tuple) else [node]

    return flat(matches[0])


def cross(losers, level):
    """Where those who have lost at a level of the winners' side come in, from the second level on."""
    half = len(losers) // 2
    turned = {0: losers[::-1], 1: losers, 2: losers[::-1], 3: losers}[(level - 2) % 4]
    return turned[half:] + turned[:half] if (level - 2) % 4 in (1, 2) else turned


class Evening:
    """beats: of two to whoever wins. left_after: {number of a round: who leaves between it and the next one}."""

    def __init__(self, seeds, beats, left_after, one_final=False):
        self.beats, self.left_after = beats, left_after
        self.winners, self.survivors, self.rounds, self.out_at = bracket(seeds), [], [], {}
        self.lost = set()
        self.dropped = []  # who comes in at the next step of the losers' side
        top = len(self.winners).bit_length() - 1
        self.final = 2 * top
        level, step = 1, 1
        self.winners, dropped = self.play(step, [(self.pairs(self.winners), "w")])[0]
        self.survivors = dropped
        for step in range(2, self.final):
            if step % 2 == 0:
                level += 1
                first = self.survivors
                both = [(self.pairs(self.winners), "w"), (self.pairs(first), "l")]
                (self.winners, dropped), (self.survivors, _out) = self.play(step, both)
                self.dropped = cross(dropped, level)
            else:
                meet = list(zip(self.survivors, self.dropped, strict=True))
                self.dropped = []
                [(self.survivors, _out)] = self.play(step, [(meet, "l")])
        self.finals(one_final)

    def pairs(self, people):
        return list(zip(people[::2], people[1::2], strict=True))

    def play(self, step, sides):
        """The lists of winners and losers of each side. Whoever leaves afterwards is nobody from then on."""
        answers, met = [], set()
        for matches, side in sides:
            on, off = [], []
            for one, other in matches:
                if one is None or other is None:
                    on.append(one if other is None else other)
                    off.append(None)
                    continue
                best = self.beats(one, other, len(self.rounds) + 1)
                losers = [player for player in (one, other) if player != best]  # both, where both left
                met.add(frozenset((one, other)))
                on.append(best)
                off.append(losers[0] if best else None)
                if side == "l":
                    self.out_at |= dict.fromkeys(losers, step)
                else:
                    self.lost.update(losers)
            answers.append((on, off))
        gone = set()
        if met:
            self.rounds.append(met)
            gone = set(self.left_after.get(len(self.rounds), ()))
            for player in gone.difference(self.out_at):
                ahead = step + 1 if step % 2 else step + 2
                ahead = 2 if step == 1 else ahead
                self.out_at[player] = min(step + 1 if player in self.lost else ahead + 1, self.final)

        def rest(people):
            return [None if player in gone else player for player in people]

        self.waiting(rest)
        return [(rest(on), rest(off)) for on, off in answers]

    def waiting(self, rest):
        """Who has no match at this step may leave as well."""
        self.winners = rest(self.winners)
        self.dropped = rest(self.dropped)

    def finals(self, one_final):
        best, other = self.winners[0], self.survivors[0] if self.survivors else None
        if self.final == 2:  # of two: who has lost once comes straight to the final
            other = self.survivors[0]
        self.champion = best or other
        if best is None or other is None:
            return
        if self.match(best, other, self.final) in (best, None) or one_final:
            return
        gone = set(self.left_after.get(len(self.rounds), ())) & {best, other}
        if gone:
            self.out_at = {player: at for player, at in self.out_at.items() if player not in (best, other)}
            self.out_at |= dict.fromkeys(gone, self.final)
            self.champion = next((player for player in (best, other) if player not in gone), None)
        else:
            self.match(best, other, self.final + 1)

    def match(self, one, other, step):
        """A final, after which whoever has won it is the champion."""
        self.rounds.append({frozenset((one, other))})
        self.champion = self.beats(one, other, len(self.rounds))
        for player in (one, other):
            self.out_at.pop(player, None)
            if player != self.champion:
                self.out_at[player] = step
        return self.champion

    def places(self):
        order = sorted(self.out_at, key=lambda player: -self.out_at[player])
        steps = [self.out_at[player] for player in order]
        before = 0 if self.champion is None else 1
        places = {player: before + 1 + steps.index(step) for player, step in zip(order, steps, strict=True)}
        return places | ({} if self.champion is None else {self.champion: 1})
