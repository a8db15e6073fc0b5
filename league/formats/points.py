"""Define the points race: points add up over rounds, at one table or at new tables each round.

In a round each table plays a number of hands or one game to a target. A game ends with the hand in which a player's
points of this game reach the target (SCORE-2, SCORE-3), blocked or not (SCORE-6); later hands don't count. Points
adjustments are no part of a game. No player is eliminated. Pure.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from engine.rules import DEFAULT_TARGET, LOWEST_TOTAL, MAX_PLAYERS, MIN_PLAYERS, WINNER_TAKES
from engine.sentences import Sentence, counted, mark, sentence
from league.formats.estimate import Evening, caught_in, in_fives, longest_game, minutes_a_hand, sizes_of
from league.formats.protocol import TEAMS, Demo, Draw, Format, Hands
from league.formats.seating import golfers
from league.formats.seating.not_possible import NotPossible
from league.formats.setting import TO_COME, Chosen, Setting, hands_setting, table_size_setting

FEWEST_PLAYERS, MOST_PLAYERS = 2, 1000
SMALLEST_TABLE, LARGEST_TABLE = MIN_PLAYERS, MAX_PLAYERS
DEFAULT_SIZE = 4
DEFAULT_ROUNDS = 3
USUAL_TARGET = DEFAULT_TARGET  # default target of a game


def next_round(
    players: Sequence[str],
    table_size: int,
    past: Sequence[Sequence[Sequence[str]]] = (),
    *,
    seed: str,
    fixed: Mapping[str, int] | None = None,
    apart: Collection[tuple[str, str]] = (),
) -> list[list[str]]:
    """Seat the next round: tables 1, 2, … by seat, for the current players; few meet again, sizes differ by at most
    one.

    past: earlier rounds, without voided ones. seed: constant for the event. fixed: required table of a player, from 1.
    apart: pairs that must not meet. Raises NotPossible.
    """
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise NotPossible(PointsRace().wrong_number(len(players)))
    tables = golfers.count_tables(len(players), table_size)
    fixed_at = {player: table - 1 for player, table in (fixed or {}).items()}
    return golfers.next_round(players, tables, past, seed=seed, fixed=fixed_at, apart=apart)


GAME_TO_A_TARGET = Setting(
    "target",
    mark("Points of a game"),
    1,
    10_000,
    usual=USUAL_TARGET,
    help=mark("A table’s game ends at this total"),
    amended=TO_COME,
    one_of=mark("A game to a target"),
)
ROUND = (hands_setting(one_of=mark("Number of hands")), GAME_TO_A_TARGET)
"""Settings of what each table plays in a round."""


class Game(NamedTuple):
    """totals: each player's points from counted hands. over_in: hand that ended the game, if any. is_level: tied, so
    one more hand follows until they aren't.
    """

    totals: Mapping[str, int]
    over_in: int | None
    is_level: bool = False


def totals_of(hands: Hands, last: int | None) -> dict[str, int]:
    """Return each player's points at a table, up to and including a hand; None: of all hands."""
    totals: dict[str, int] = {}
    for number, scores in hands.items():
        if last is None or number <= last:
            for player, score in scores.items():
                totals[player] = totals.get(player, 0) + score
    return totals


def game_of(hands: Mapping[int, Mapping[str, int]], target: int | None) -> Game:
    """Return a table's game. hands: by number, scores of the dealt-in players. target None: no end."""
    totals: dict[str, int] = {}
    for number, scores in sorted(hands.items()):
        for player, score in scores.items():
            totals[player] = totals.get(player, 0) + score
        if target is not None and max(totals.values(), default=0) >= target:
            return Game(totals, number)
    return Game(totals, None)


class PointsRace(Format):
    key = "points"
    name = mark("Points race")
    about = mark("Like a weekly club night: hands or games at new tables each round, points add up. 2 to 1000 players")
    on_the_way = mark("New tables each round")
    settings: tuple[Setting, ...] = (
        *ROUND,
        Setting(
            "rounds",
            mark("Rounds"),
            1,
            50,
            DEFAULT_ROUNDS,
            help=mark("Empty: 3. Each round has new tables"),
            amended=TO_COME,
            amend_help=mark("Of the whole tournament"),
        ),
        table_size_setting(SMALLEST_TABLE, LARGEST_TABLE, DEFAULT_SIZE, mark("2 to 10; table sizes are balanced")),
    )
    demos: tuple[Demo, ...] = (Demo("Late Summer Points", -14, rounds=None),)
    scorings: tuple[str, ...] = (WINNER_TAKES, LOWEST_TOTAL)
    race_page = True
    has_groups = True
    fewest, most = FEWEST_PLAYERS, MOST_PLAYERS

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        return next_round(
            wanted.players,
            self.table_size(values),
            wanted.past,
            seed=wanted.seed,
            fixed=wanted.fixed,
            apart=wanted.apart,
        )

    def game_target(self, values: Chosen) -> int | None:
        return values["target"]

    def over_in(self, hands: Hands, values: Chosen) -> int | None:
        return game_of(hands, values["target"]).over_in if values["target"] else None

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        """Rounds are exact; the hands of a game are estimated."""
        sizes = sizes_of(players, self.table_size(values))
        rounds = self.rounds(values, players) or DEFAULT_ROUNDS
        target, hands = values["target"], values["hands_per_round"] or 0
        caught = caught_in(edition) * self.people
        played = hands if target is None else longest_game(sizes, target, scoring, caught)
        minutes = rounds * played * minutes_a_hand(sizes[0][1] * self.people)
        return Evening(
            players=players,
            tables=tuple((count, size * self.people) for count, size in sizes),
            rounds=rounds,
            hands=round(rounds * played),
            minutes=round(minutes) if target is None else in_fives(minutes),
            about=target is not None,
            games=True,
            of_teams=self.enters == TEAMS,
        )

    def rounds_in_words(self, values: Chosen, scoring: str) -> list[Sentence]:
        count, hands, target = values["rounds"] or DEFAULT_ROUNDS, values["hands_per_round"] or 0, values["target"]
        if target is None:
            rounds = counted("%(count)d round", "%(count)d rounds", count)
            parts = [counted("%(rounds)s of %(count)d hand", "%(rounds)s of %(count)d hands", hands, rounds=rounds)]
        else:
            parts = [counted("%(count)d game to %(target)d", "%(count)d games to %(target)d", count, target=target)]
        return [*parts, sentence("lowest total wins")] if scoring == LOWEST_TOTAL else parts
