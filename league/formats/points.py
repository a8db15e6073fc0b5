"""The points race: at one table or at tables drawn anew every round, points are summed over the rounds.

A round is, at each table, so many hands or one game to a target: that ends with the hand in which somebody's points of
this game reach it (SCORE-2, SCORE-3), blocked or not (SCORE-6); what was recorded after that hand counts for nobody.
Points beside the hands are no part of a game. Nobody is ever out. Everything here is pure.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.rules import DEFAULT_TARGET, LOWEST_TOTAL, MAX_PLAYERS, MIN_PLAYERS, WINNER_TAKES
from engine.sentences import Sentence, mark, sentence
from league.formats.seating import golfers
from league.formats.seating.not_possible import NotPossible
from league.formats.settings import Wanted

NAME = mark("Points race")
SETTINGS = ("until", "hands_per_round", "target", "rounds", "table_size", "scoring")
PARTNERS = False
SCORING = WINNER_TAKES
SCORINGS = (WINNER_TAKES, LOWEST_TOTAL)
TIE_BREAKS = True
DRAWN_AHEAD = False
FEWEST_PLAYERS, MOST_PLAYERS = 2, 1000
SMALLEST_TABLE, LARGEST_TABLE = MIN_PLAYERS, MAX_PLAYERS
MOST_ROUNDS = 50
MOST_TARGET = 10_000
DEFAULT_SIZE = 4
DEFAULT_ROUNDS = 3
DEFAULT_HANDS = 4
USUAL_TARGET = DEFAULT_TARGET  # of games whose organiser does not say to how many points


@dataclass(frozen=True)
class Settings:
    """hands: in a round; ignored where there is a target. Raises NotPossible, saying what is possible."""

    table_size: int = DEFAULT_SIZE
    hands: int | None = DEFAULT_HANDS
    target: int | None = None
    rounds: int = DEFAULT_ROUNDS
    scoring: str = SCORING

    def __post_init__(self) -> None:
        if not SMALLEST_TABLE <= self.table_size <= LARGEST_TABLE:
            raise NotPossible(
                sentence(
                    "A table of a points race has %(fewest)d to %(most)d players, not %(size)d.",
                    fewest=SMALLEST_TABLE,
                    most=LARGEST_TABLE,
                    size=self.table_size,
                )
            )
        if self.target is None and self.hands is None:
            raise NotPossible(sentence("Say how many hands a round has, or to how many points each round is one game."))
        if self.hands is not None and self.hands < 1:
            raise NotPossible(sentence("A round has at least 1 hand, not %(hands)d.", hands=self.hands))
        if self.target is not None and not 1 <= self.target <= MOST_TARGET:
            raise NotPossible(
                sentence("The target is 1 to %(most)d points, not %(target)d.", most=MOST_TARGET, target=self.target)
            )
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise NotPossible(
                sentence(
                    "A points race has 1 to %(most)d rounds, not %(rounds)d.", most=MOST_ROUNDS, rounds=self.rounds
                )
            )
        if self.scoring not in SCORINGS:
            raise NotPossible(
                sentence(
                    "A points race is scored by %(known)s, not by “%(name)s”.",
                    known=" / ".join(SCORINGS),
                    name=self.scoring,
                )
            )


def possible_players() -> range:
    """The numbers of players that a points race can be played by."""
    return range(FEWEST_PLAYERS, MOST_PLAYERS + 1)


def describe_possible() -> Sentence:
    """The possible numbers of players as a sentence."""
    return sentence(
        "A points race can be played by %(fewest)d to %(most)d players.", fewest=FEWEST_PLAYERS, most=MOST_PLAYERS
    )


def problems(choices: Wanted, players: int | None) -> dict[str, Sentence]:
    """What cannot be played, by field, each with what is possible. players: None or 0 while nobody knows."""
    refusals = {}
    settings: tuple[tuple[str, dict[str, Any]], ...] = (
        ("table_size", {"table_size": choices.table_size}),
        ("hands_per_round", {"hands": choices.hands, "target": DEFAULT_TARGET if choices.target else None}),
        ("target", {"target": choices.target}),
        ("rounds", {"rounds": DEFAULT_ROUNDS if choices.rounds is None else choices.rounds}),
        ("scoring", {"scoring": choices.scoring or SCORING}),
    )
    for field, setting in settings:
        try:
            Settings(**setting)
        except NotPossible as exc:
            refusals[field] = exc.sentence
    if players and players not in possible_players():
        refusals["players"] = _wrong_players(players)
    return refusals


def _wrong_players(players: int) -> Sentence:
    return sentence(
        "A points race can be played by %(fewest)d to %(most)d players, not by %(players)d.",
        fewest=FEWEST_PLAYERS,
        most=MOST_PLAYERS,
        players=players,
    )


def next_round(
    players: Sequence[str],
    table_size: int,
    past: Sequence[Sequence[Sequence[str]]] = (),
    *,
    seed: str,
    fixed: Mapping[str, int] | None = None,
    apart: Collection[tuple[str, str]] = (),
) -> list[list[str]]:
    """Tables 1, 2, ... of the next round, each by seat, for who plays now: few meet again, sizes within one.

    past: the rounds so far, not those that were voided. seed: the same for the whole event. fixed: the table, from 1,
    that a player must have. apart: two who must not meet. Raises NotPossible.
    """
    if len(players) not in possible_players():
        raise NotPossible(_wrong_players(len(players)))
    tables = golfers.count_tables(len(players), table_size)
    wishes = {player: table - 1 for player, table in (fixed or {}).items()}
    return golfers.next_round(players, tables, past, seed=seed, fixed=wishes, apart=apart)


class Game(NamedTuple):
    """totals: everybody's points in it, from the hands that count. over_in: the hand that ended it, if any has."""

    totals: Mapping[str, int]
    over_in: int | None


def game_of(hands: Mapping[int, Mapping[str, int]], target: int | None) -> Game:
    """A table's game. hands: by number, the scores of those who were dealt in. target None: it has no end."""
    totals: dict[str, int] = {}
    for number, scores in sorted(hands.items()):
        for player, score in scores.items():
            totals[player] = totals.get(player, 0) + score
        if target is not None and max(totals.values(), default=0) >= target:
            return Game(totals, number)
    return Game(totals, None)


# A row of the ledger, as standings.ScoreRow: 0 is the table, 1 the round, 2 the hand, 4 the entry, 10 the score.
_Row = tuple[int, int, int, int, str, str | None, bool, int | None, int, int, int]


def rows_that_count(rows: Sequence[_Row], targets: Mapping[int, int]) -> Sequence[_Row]:
    """The rows of hands that count: none after the hand that ended the game of their table.

    targets: by round; a round that is not in them has a number of hands.
    """
    over = {table: game.over_in for table, game in _games(rows, targets).items() if game.over_in is not None}
    return [row for row in rows if row[2] <= over.get(row[0], row[2])]


def _games(rows: Iterable[_Row], targets: Mapping[int, int]) -> dict[int, Game]:
    hands: dict[int, dict[int, dict[str, int]]] = {}
    target_of: dict[int, int] = {}
    for row in rows:
        if (target := targets.get(row[1])) is not None:
            target_of[row[0]] = target
            hands.setdefault(row[0], {}).setdefault(row[2], {})[row[4]] = row[10]
    return {table: game_of(played, target_of[table]) for table, played in hands.items()}
