"""Heats counted a second time, plainly: from results by table to who goes on and who has which place."""

import hashlib


def lot(seed, number, entry):
    return hashlib.sha256(f"{seed}/{number}/{entry}".encode()).hexdigest()


def in_order(played, seed, lowest):
    """Everybody of a round, the best first: by place at the table, then by points for each at the table."""
    ranked = []
    for results in played.tables.values():
        mine = sorted(
            results,
            key=lambda one: (one.points if lowest else -one.points, -one.won, lot(seed, played.number, one.entry)),
        )
        whole = sum(one.points for one in results)
        for place, one in enumerate(mine, start=1):
            # Exactly: points × size ÷ whole, over the common multiple of all tables' sums.
            against_mean = (one.points * len(results), whole) if whole > 0 else (one.points, 1)
            ranked.append((place, against_mean, one.entry))
    common = 1
    for _place, (_above, below), _entry in ranked:
        common *= below if common % below else 1
    sign = 1 if lowest else -1

    def key(one):
        place, (above, below), entry = one
        return place, sign * above * (common // below), lot(seed, played.number, entry)

    return [entry for _place, _against, entry in sorted(ranked, key=key)]


def who_goes_on(played, number, dropped, seed, lowest):
    return [entry for entry in in_order(played, seed, lowest) if entry not in dropped][:number]


def places_of(entrants, rounds, dropped, seed, lowest):
    """When every round is over."""
    last = {}
    for played in rounds:
        for results in played.tables.values():
            last |= {one.entry: played.number for one in results}
    places = {}
    final = rounds[-1]
    alone = len(final.tables) == 1
    for entry in in_order(final, seed, lowest) if alone else []:
        if entry not in dropped:
            places[entry] = len(places) + 1
    for entry in in_order(final, seed, lowest) if alone else []:
        if entry in dropped:
            places[entry] = len([one for one in final.tables[1] if one.entry not in dropped]) + 1
    for number in reversed(range(1, len(rounds) + (0 if alone else 1))):
        left = [entry for entry in entrants if last.get(entry) == number]
        places |= dict.fromkeys(left, len(places) + 1)
    return places
