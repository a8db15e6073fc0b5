"""A knockout counted a second time, plainly: match by match from the list, without slots and without bits."""


def first_matches(seeds):
    """The best against the last, the second against the last but one; None is nobody. In the order of the best."""
    size = 1
    while size < len(seeds):
        size *= 2
    full = [*seeds, *[None] * (size - len(seeds))]
    return [(full[at], full[size - 1 - at]) for at in range(size // 2)]


def next_matches(winners):
    """The winner of the best seed's match meets that of the match which is last by seeds, and so on."""
    return [(winners[at], winners[-1 - at]) for at in range(len(winners) // 2)]


def play(seeds, beats, left_after, third_place, left_during=()):
    """The rounds as sets of pairs, who won it all, and everybody's place.

    beats: of two to whoever wins, None where neither does. left_after: {number of a round: who leaves between it and
    the next one}. left_during: (number, who) where somebody left a duel, so lost it.
    """
    rounds, out_at, gone = [], {}, set()
    matches, level, champion, third = first_matches(seeds), 1, None, {}
    losers = []
    while True:
        pairs = [match for match in matches if None not in match]
        for_third = third_place and len(matches) == 1 and len(losers) == 2 and not gone.intersection(losers)
        if for_third:
            pairs = [*pairs, tuple(losers)]
        winners = [
            beats(*match) if None not in match else next((player for player in match if player), None)
            for match in matches
        ]
        losers = [player for match in pairs for player in match if player not in winners]
        if for_third:
            losers = [player for player in losers if player not in pairs[-1]]
            best = beats(*pairs[-1])
            third = {player: 0 if player == best else 1 for player in pairs[-1]}
        out_at |= dict.fromkeys(losers, level)
        if pairs:
            rounds.append({frozenset(pair) for pair in pairs})
            gone |= {player for number, player in left_during if number == len(rounds)}
        if len(matches) == 1:
            champion = winners[0]
            break
        if pairs:
            left = set(left_after.get(len(rounds), ()))
            out_at |= {player: level + 1 for player in winners if player in left}
            gone |= left
            winners = [None if player in left else player for player in winners]
        matches, level = next_matches(winners), level + 1
    order = sorted(out_at, key=lambda player: (-out_at[player], third.get(player, 0)))
    keys = [(-out_at[player], third.get(player, 0)) for player in order]
    before = 0 if champion is None else 1
    places = {player: before + 1 + keys.index(key) for player, key in zip(order, keys, strict=True)}
    return rounds, champion, places | ({} if champion is None else {champion: 1})
