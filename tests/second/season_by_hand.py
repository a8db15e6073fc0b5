"""The table of a season a second time, from the exports of its evenings alone. It imports nothing of the product.

What an evening came to is worked out from its hands, adjustments and events in `standings_by_hand`.
"""

from hashlib import sha256

from tests.second import standings_by_hand


class Evening:
    """hands, adjustments, events: the rows of an evening's exports. division: whose evening it is, None: everybody's.

    stand_ins: the player_ids of those who stand in. target, lowest: of its format.
    """

    def __init__(self, form, hands, adjustments, events, *, division, target, lowest, stand_ins, entrants):
        self.division, self.hands = division, hands
        listed = {player: player in stand_ins for player in entrants}
        if form == "challenge":
            racing = [player for player in entrants if player not in stand_ins]
            lines = standings_by_hand.challenge(target, racing, hands, adjustments, events)
            racing = [total for still_in, total, _place, _left in lines.values() if still_in]
            self.lines = {  # ended early, who is still in is ranked by total
                player: (1 + sum(other < total for other in racing) if still_in else place, total)
                for player, (still_in, total, place, _left) in lines.items()
            }
        else:
            rank = {"pairs": standings_by_hand.pairs, "teams": standings_by_hand.teams}.get(form)
            given = (listed, hands, adjustments, events)
            lines = rank(*given) if rank else standings_by_hand.points(target, lowest, *given)
            self.lines = {player: (place, total) for player, (_status, place, total) in lines.items()}
        self.by_team = form == "teams"

    def results(self):
        """{name: (place, points)} of who played."""
        found = {}
        for row in self.hands:
            place, points = self.lines[row["player_id"]]
            if place is not None:
                found[row["played_by"] if self.by_team else row["player"]] = place, points
        return found


def table(evenings, *, place_points, best_of, min_evenings, divisions, moves, slug, ids):
    """{division: [(rank, name, total, where they go)]}, best first; under None who is in none.

    divisions: {name of a player: division}. moves: [(division, up, down)], the highest first. ids: {name: member's id}.
    """
    given = {name: {} for name in divisions}
    for number, evening in enumerate(evenings):
        for name, (place, _points) in evening.results().items():
            if evening.division is None or divisions.get(name, evening.division) == evening.division:
                worth = place_points[place - 1] if place <= len(place_points) else place_points[-1]
                given.setdefault(name, {})[number] = (worth, place)
    made = {}
    for at, (division, up, down) in enumerate([*moves, (None, 0, 0)]):
        lines = []
        for name, of_evening in given.items():
            if divisions.get(name) == division:
                best = sorted(of_evening.values(), key=lambda one: -one[0])  # stable: of equal ones the earlier
                lines.append((name, best[:best_of], len(best)))
        lines.sort(key=lambda line: (score(line, len(ids)), sha256(f"{slug}/{ids[line[0]]}".encode()).hexdigest()))
        ranked = [line for line in lines if line[2] >= min_evenings]
        up, down = up if at > 0 else 0, down if at < len(moves) - 1 else 0
        made[division] = [
            (
                1 + sum(score(other, len(ids)) < score(line, len(ids)) for other in ranked),
                line[0],
                sum(worth for worth, _place in line[1]),
                "up" if number < up else "down" if number >= len(ranked) - down else None,
            )
            for number, line in enumerate(ranked)
        ]
        made[division] += [
            (None, name, sum(worth for worth, _place in best), None)
            for name, best, played in lines
            if played < min_evenings
        ]
    return made


def score(line, last):
    """Less is better: the total, then the number of first places, of second places, and so on."""
    _name, best, _played = line
    places = [place for _worth, place in best]
    return -sum(worth for worth, _place in best), [-places.count(place) for place in range(1, last + 1)]
