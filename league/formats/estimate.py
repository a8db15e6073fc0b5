"""How an evening will go, before anybody plays: pure, for the page on which a tournament is made.

For individual pairs everything but the time is known. A Challenge UNO lasts until one is left, so its rounds are
estimated: events are played by lot, where each hand has a winner and the others catch points that are exponentially
distributed about CAUGHT. That comes from hands of careful bots (`python3 -m engine simulate --bots careful`), 250 for
each edition and 2 to 10 players: whoever does not go out catches 35 points a hand with the classic deck, 39 with that
of harry-potter-fr, 41 to 50 with the others, nearly whatever the number of players, and the standard deviation is as
large as the mean. Whole events of such bots, with 8, 24 and 60 players, last as long as estimated within 6 %.
"""

import random
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from engine.rules import WINNER_TAKES
from league.formats import Wanted, challenge, pairs, points, teams
from league.formats.race import HEAD_TO_HEAD
from league.formats.seating import golfers

CAUGHT = {"classic": 35, "harry-potter-fr": 39}
CAUGHT_ELSE = 46
WORK = 60_000  # draws of lots for an estimate, at most 0.2 s


@dataclass(frozen=True)
class Evening:
    """`tables`: (how many, of what size), in the first round. `hands`: for each player; in a challenge, until the end.

    `about`: hands and rounds are estimated, else known; the rounds of a points race (`games`) are always known.
    `open_rounds`: the organiser says how many rounds there are.
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


class Length(NamedTuple):
    rounds: float
    hands: float
    minutes: float


def minutes_a_hand(players: int) -> float:
    """With the deal: 6 for four people, and in step with the turns of bots' hands (two 32, four 46, ten 85)."""
    return 2.5 + 0.875 * players


def evening_of(format: str, players: int, choices: Wanted, edition: str) -> Evening:
    """Takes only what can be played: ask the format's `problems` first."""
    if format == "challenge":
        return _challenge(players, choices, edition)
    if format == "points":
        return _points(players, choices, edition)
    return _teams(players, choices) if format == "teams" else _pairs(players, choices)


def _teams(number: int, choices: Wanted) -> Evening:
    rounds = teams.count_rounds(number, choices.rounds, choices.cycles)
    hands = choices.hands or teams.DEFAULT_HANDS
    return Evening(
        players=number,
        tables=((number // teams.AT_TABLE, teams.SEATS),),
        rounds=rounds,
        hands=(rounds - (-(-rounds // number) if number % 2 else 0)) * hands,
        minutes=round(rounds * hands * minutes_a_hand(teams.SEATS)),
        byes=number % 2,
        cycles=choices.cycles,
        of_teams=True,
    )


def _pairs(players: int, choices: Wanted) -> Evening:
    rounds = pairs.plan(players, choices.rounds, choices.cycles)
    hands = choices.hands or pairs.DEFAULT_HANDS
    most_byes = max(sum(player in seating.byes for seating in rounds) for player in range(players))
    return Evening(
        players=players,
        tables=((len(rounds[0].tables), pairs.SEATS),),
        rounds=len(rounds),
        hands=(len(rounds) - most_byes) * hands,
        minutes=round(len(rounds) * hands * minutes_a_hand(pairs.SEATS)),
        byes=len(rounds[0].byes),
        cycles=choices.cycles,
    )


def _points(players: int, choices: Wanted, edition: str) -> Evening:
    sizes = _sizes(players, choices.table_size)
    rounds = choices.rounds or points.DEFAULT_ROUNDS
    if choices.target is None:
        hands = float(choices.hands or points.DEFAULT_HANDS)
    else:
        caught = CAUGHT.get(edition, CAUGHT_ELSE)
        hands = longest_game(sizes, choices.target, choices.scoring or points.SCORING, caught)
    minutes = rounds * hands * minutes_a_hand(sizes[0][1])
    return Evening(
        players=players,
        tables=sizes,
        rounds=rounds,
        hands=round(rounds * hands),
        minutes=round(minutes) if choices.target is None else max(5, 5 * round(minutes / 5)),
        about=choices.target is not None,
        games=True,
    )


@lru_cache(maxsize=256)
def longest_game(tables: tuple[tuple[int, int], ...], target: int, scoring: str, caught: int) -> float:
    """How many hands the table that reaches the target last plays, as the mean of many rounds of such tables."""
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


def _sizes(players: int, table_size: int) -> tuple[tuple[int, int], ...]:
    """(how many, of what size), the largest first."""
    sizes = Counter(golfers.table_sizes(players, golfers.count_tables(players, table_size)))
    return tuple((count, size) for size, count in sorted(sizes.items(), reverse=True))


def _challenge(players: int, choices: Wanted, edition: str) -> Evening:
    length = estimate(
        players,
        choices.table_size,
        choices.hands or challenge.DEFAULT_HANDS,
        choices.target or challenge.Settings.target,
        CAUGHT.get(edition, CAUGHT_ELSE),
    )
    return Evening(
        players=players,
        tables=_sizes(players, choices.table_size),
        rounds=round(length.rounds),
        hands=round(length.hands),
        minutes=max(5, 5 * round(length.minutes / 5)),
        about=True,
        open_rounds=choices.hands is None,
    )


@lru_cache(maxsize=256)
def estimate(players: int, table_size: int, hands: int, target: int, caught: int) -> Length:
    """The mean of many events, all tables playing in step. The same arguments give the same estimate."""
    rng = random.Random(0)
    events = max(1, min(40, WORK * caught // (players * target)))
    played = [_play(rng, players, table_size, hands, target, caught) for _ in range(events)]
    return Length(*(sum(each) / events for each in zip(*played, strict=True)))


def _play(rng: random.Random, players: int, table_size: int, hands: int, target: int, caught: int) -> Length:
    """One event. A round ends after its hands, or when it comes to the last two; these play to the end."""
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
    """The players of a table who are in after one more hand. A table of one has ended."""
    if len(seated) < HEAD_TO_HEAD:
        return seated
    went_out = rng.randrange(len(seated))
    for seat, player in enumerate(seated):
        if seat != went_out:
            to_come[player] -= rng.expovariate(1 / caught)
    return [player for player in seated if to_come[player] > 0]
