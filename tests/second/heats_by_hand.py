"""Heats counted a second time, plainly: from results by table to who goes on and who has which place."""

import hashlib


def lot(seed, number, entry):
    return hashlib.sha256(f"{seed}/{number}/{entry}".encode()).hexdigest()


def level(one, lowest):
    """What counts at one table before the lot: points of the round, hands won, extra hands won."""
    sign = 1 if lowest else -1
    return sign * (one.points - one.extra), -one.won, sign * one.extra


def in_order(played, seed, lowest, before=()):
    """Everybody of a round, the best first: who sat it out, in the order of the round `before`, or by lot; then by
    place at the table, then by points for each at the table."""
    ranked, unmeasured = [], set()
    for results in played.tables.values():
        mine = sorted(
            results,
            key=lambda one: (
                one.entry in played.absent,
                *level(one, lowest),
                lot(seed, played.number, one.entry),
            ),
        )
        whole = sum(one.points - one.adjustments for one in results)
        for place, one in enumerate(mine, start=1):
            # Exactly: points × size ÷ whole, over the common multiple of all tables' sums.
            against_mean = (one.points * len(results), whole) if whole > 0 else (one.points, 1)
            ranked.append((place, against_mean, one.entry))
            unmeasured |= {one.entry} if whole <= 0 else set()
    common = 1
    for _place, (_above, below), _entry in ranked:
        common *= below if common % below else 1
    sign = 1 if lowest else -1

    def key(one):
        place, (above, below), entry = one
        return place, entry in unmeasured, sign * above * (common // below), lot(seed, played.number, entry)

    order = list(before)
    sat_out = sorted(
        played.byes,
        key=lambda entry: (order.index(entry) if entry in order else len(order), lot(seed, played.number, entry)),
    )
    return [*sat_out, *(entry for _place, _against, entry in sorted(ranked, key=key))]


def who_goes_on(played, number, seed, lowest, before=()):
    return [entry for entry in in_order(played, seed, lowest, before) if entry not in played.gone][:number]


def who_waits(played, best, size, seed, lowest):
    """Who sits out the repechage after this round: the best of its tables, where the others can be seated beside."""
    there = who_goes_on(played, None, seed, lowest)
    number = best * len(played.tables)
    return there[:number] if len(there) > size and len(there) - number >= 3 else []


def places_of(entrants, rounds, seed, lowest):
    """When every round is over."""
    last = {}
    for played in rounds:
        last |= dict.fromkeys(played.byes, played.number)
        for results in played.tables.values():
            last |= {one.entry: played.number for one in results}
    places = {}
    final = rounds[-1]
    alone = len(final.tables) == 1
    if alone:
        [table] = final.tables.values()
        for one in table:  # in the final nobody draws lots: each has the place after all who are better
            mine = one.entry in final.absent, *level(one, lowest)
            better = [other for other in table if (other.entry in final.absent, *level(other, lowest)) < mine]
            places[one.entry] = len(better) + 1
    for played in reversed(rounds[:-1] if alone else rounds):
        left = [entry for entry in entrants if last.get(entry) == played.number]
        places |= dict.fromkeys(left, len(places) + 1)
    return places


def places_with_second(entrants, rounds, seed, lowest):
    """The same where those who are out after the first round play a ladder of their own, for the places after it."""
    of_first = [one for played in rounds if (one := played.of_ladder(second=False)).tables]
    of_second = [one for played in rounds if (one := played.of_ladder(second=True)).tables]
    places = places_of(entrants, of_first, seed, lowest)
    if not of_second:
        return places, set()
    sat = {result.entry for table in of_second[0].tables.values() for result in table}
    above = max(places.values()) - 1
    out = {entry for entry in entrants if places[entry] == above + 1}
    assert sat <= out
    second = places_of(sorted(sat), of_second, seed, lowest)
    places |= {entry: rank + above for entry, rank in second.items()}
    return places | dict.fromkeys(out - sat, above + len(sat) + 1), out
