"""Estimate how long an event takes, before it starts. Pure; used on the page that creates a tournament.

Individual pairs are known except for time. A Challenge UNO lasts until one player is left, so its rounds are estimated
by simulation: each hand has a random winner, and the other players get exponentially distributed penalty points with
mean CAUGHT.

The means come from hands of careful bots (`python3 -m engine simulate --bots careful`), 250 for each edition and 2 to
10 players. A player who doesn't go out gets 35 points a hand with the classic deck, 39 with harry-potter-fr, 41 to 50
with others, nearly independent of the number of players. The standard deviation equals the mean. Whole events of such
bots, with 8, 24 and 60 players, last within 6 % of the estimate.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from engine.rules import WINNER_TAKES
from engine.sentences import Sentence, sentence
from league.formats.race import HEAD_TO_HEAD
from league.formats.seating import golfers

CAUGHT = {"classic": 35, "harry-potter-fr": 39}
CAUGHT_ELSE = 46
WORK = 60_000  # random draws for an estimate, at most 0.2 s


@dataclass(frozen=True)
class Evening:
    """tables: (number, size) in round 1. hands: for each player; in a challenge, until the end.

    about: hands and rounds are estimates, else exact; rounds of a points race (`games`) are always exact. open_rounds:
    the organiser decides the number of rounds. plan: if rounds differ, the table sizes of each and what follows it.
    stages: number of stages in a row; `hands` are then the winner's. groups: number of parallel groups.
    """

    players: int
    tables: tuple[tuple[int, int], ...]
    rounds: int
    hands: int
    minutes: int
    byes: int = 0
    cycles: int = 1
    about: bool = False
    open_rounds: bool = False
    games: bool = False
    of_teams: bool = False  # then `players` are teams
    plan: tuple[tuple[tuple[int, ...], Sentence], ...] = ()
    stages: int = 1
    groups: int = 1


def in_parallel(evenings: Sequence[Evening]) -> Evening:
    """Combine groups that play at the same time."""
    longest = max(evenings, key=lambda evening: evening.minutes)
    tables: Counter[int] = Counter()
    for evening in evenings:
        for count, size in evening.tables:
            tables[size] += count
    return replace(
        longest,
        players=sum(evening.players for evening in evenings),
        tables=tuple((count, size) for size, count in sorted(tables.items(), reverse=True)),
        rounds=max(evening.rounds for evening in evenings),
        byes=sum(evening.byes for evening in evenings),
        groups=len(evenings),
    )


def in_sequence(evenings: Sequence[Evening]) -> Evening:
    """Combine stages in a row."""
    if len(evenings) == 1:
        return evenings[0]
    return replace(
        evenings[0],
        rounds=sum(evening.rounds for evening in evenings),
        hands=sum(evening.hands for evening in evenings),
        minutes=sum(evening.minutes for evening in evenings),
        cycles=1,
        about=any(evening.about for evening in evenings),
        open_rounds=any(evening.open_rounds for evening in evenings),
        plan=(),
        stages=len(evenings),
    )


def in_both(first: Sentence | None, second: Sentence | None) -> Sentence:
    """Describe what follows a round of two ladders; one may be finished."""
    if first is None or second is None:
        return first or sentence("Second ladder: %(what)s", what=second)
    return sentence("%(first)s. Second ladder: %(second)s", first=first, second=second)


def with_second_ladder(evening: Evening, second: Evening) -> Evening:
    """Combine heats with their second ladder: each round has the tables of both."""
    plan = []
    for first, other in zip_longest(evening.plan, second.plan):
        sizes = (*(first[0] if first else ()), *(other[0] if other else ()))
        plan.append((sizes, in_both(first and first[1], other and other[1])))
    return replace(evening, minutes=max(evening.minutes, second.minutes), rounds=len(plan), plan=tuple(plan))


class Length(NamedTuple):
    rounds: float
    hands: float
    minutes: float


def minutes_a_hand(players: int) -> float:
    """Return minutes with the deal: 6 for four players, growing like the turns of bots' hands (two 32, four 46, ten
    85).
    """
    return 2.5 + 0.875 * players


def sizes_of(players: int, table_size: int) -> tuple[tuple[int, int], ...]:
    """Return (number, size), largest first."""
    sizes = Counter(golfers.table_sizes(players, golfers.count_tables(players, table_size)))
    return tuple((count, size) for size, count in sorted(sizes.items(), reverse=True))


def in_fives(minutes: float) -> int:
    """Round an estimate in minutes to fives, at least 5, since it isn't more precise."""
    return max(5, 5 * round(minutes / 5))


def caught_in(edition: str) -> int:
    """Return the mean penalty points of a hand for a player who doesn't go out."""
    return CAUGHT.get(edition, CAUGHT_ELSE)


@lru_cache(maxsize=256)
def longest_game(tables: tuple[tuple[int, int], ...], target: int, scoring: str, caught: int) -> float:
    """Return the mean number of hands of the table that reaches the target last, over many simulated rounds."""
    rng = random.Random(0)
    per_hand = caught * (tables[0][1] - 1) if scoring == WINNER_TAKES else caught
    rounds = max(1, min(40, WORK * per_hand // (sum(count * size for count, size in tables) * target)))
    longest = [
        max(_hands_of_a_game(rng, size, target, scoring, caught) for count, size in tables for _ in range(count))
        for _round in range(rounds)
    ]
    return sum(longest) / rounds


def _hands_of_a_game(rng: random.Random, players: int, target: int, scoring: str, caught: int) -> int:
    totals = [0.0] * players
    hands = 0
    while max(totals) < target:
        hands += 1
        went_out = rng.randrange(players)
        for seat in range(players):
            if seat != went_out:
                caught_points = rng.expovariate(1 / caught)
                totals[went_out if scoring == WINNER_TAKES else seat] += caught_points
    return hands


@lru_cache(maxsize=256)
def estimate(players: int, table_size: int, hands: int, target: int, caught: int) -> Length:
    """Return the mean of many events with all tables in step. Equal arguments give equal estimates."""
    rng = random.Random(0)
    events = max(1, min(40, WORK * caught // (players * target)))
    played = [_play(rng, players, table_size, hands, target, caught) for _ in range(events)]
    return Length(*(sum(each) / events for each in zip(*played, strict=True)))


def _play(rng: random.Random, players: int, table_size: int, hands: int, target: int, caught: int) -> Length:
    """Simulate one event. A round ends after its hands, or when two players are left; these play to the end."""
    to_come = [float(target)] * players
    rounds = played = 0
    minutes = 0.0
    while len(still_in := [player for player in range(players) if to_come[player] > 0]) >= HEAD_TO_HEAD:
        rng.shuffle(still_in)
        count = golfers.count_tables(len(still_in), table_size)
        tables = [still_in[number::count] for number in range(count)]
        rounds += 1
        hand, ends_at = 0, HEAD_TO_HEAD if len(still_in) > HEAD_TO_HEAD else 1
        while sum(map(len, tables)) > ends_at and (hand < hands or ends_at == 1):
            hand += 1
            longest = max(len(seated) for seated in tables)
            minutes += minutes_a_hand(longest)
            tables = [_after_a_hand(rng, seated, to_come, caught) for seated in tables]
        played += hand
    return Length(rounds, played, minutes)


def _after_a_hand(rng: random.Random, seated: list[int], to_come: list[float], caught: int) -> list[int]:
    """Return the players of a table still in after one more hand. A table of one has ended."""
    if len(seated) < HEAD_TO_HEAD:
        return seated
    went_out = rng.randrange(len(seated))
    for seat, player in enumerate(seated):
        if seat != went_out:
            to_come[player] -= rng.expovariate(1 / caught)
    return [player for player in seated if to_come[player] > 0]
