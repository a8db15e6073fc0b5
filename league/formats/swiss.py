"""Define Swiss: each round seats players with similar points together, with few repeated meetings; points add up.

A points race with a different draw: the first round at random or by rating, each further one by the stage's points
alone (`league/formats/seating/by_points.py`). Tie-breaks rank, but never seat. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb

from engine.rules import LOWEST_TOTAL, MAX_PLAYERS, MIN_PLAYERS, WINNER_TAKES
from engine.sentences import Sentence, counted, mark, sentence
from league.formats.estimate import Evening
from league.formats.points import ROUND, PointsRace
from league.formats.protocol import TEAMS, Draw
from league.formats.seating import by_points, golfers
from league.formats.seating.dice import Dice
from league.formats.seating.meetings import count_meetings
from league.formats.seating.not_possible import NotPossible
from league.formats.setting import TO_COME, Chosen, Setting, bye_points_setting, table_size_setting
from league.formats.teams import MOST_TEAMS

FEWEST_PLAYERS, MOST_PLAYERS = 4, 1000
SMALLEST_TABLE, LARGEST_TABLE = MIN_PLAYERS, MAX_PLAYERS
DUEL = 2
DEFAULT_SIZE = 4
MOST_ROUNDS = 50
MORE_ROUNDS = 2
"""Rounds beyond those that would single out the best if one player of each table won all: they play again."""


def usual_rounds(players: int, size: int) -> int:
    """Return the number of divisions of `players` by `size` until one is left, plus two."""
    rounds, reach = 0, 1
    while reach < players:
        rounds, reach = rounds + 1, reach * size
    return rounds + MORE_ROUNDS


def fewest_players(size: int) -> int:
    """Return the fewest players for two tables of at most `size`."""
    players = FEWEST_PLAYERS
    while golfers.count_tables(players, size) < 2:
        players += 1
    return players


def rounds_without_repeats(players: int, size: int) -> int:
    """Return an upper bound of rounds without repeated meetings; a schedule may not reach it."""
    sizes = golfers.table_sizes(players - (players % 2 if size == DUEL else 0), golfers.count_tables(players, size))
    if len(sizes) < sizes[0]:  # two of a table must meet again
        return 1
    return comb(players, 2) // sum(comb(size, 2) for size in sizes)


def choose_bye(players: Sequence[str], scores: Mapping[str, int], byes: Mapping[str, int], *, seed: str) -> str:
    """Return the player for a bye: fewest byes, then fewest points, at random among equals."""
    shuffled = Dice(seed).shuffled(players)
    return min(shuffled, key=lambda player: (byes.get(player, 0), scores.get(player, 0)))


class Swiss(PointsRace):
    key = "swiss"
    name = mark("Swiss")
    about = mark("You play people with similar points. 4 to 1000 players")
    on_the_way = mark("Similar points meet")
    settings: tuple[Setting, ...] = (
        *ROUND,
        Setting(
            "rounds",
            mark("Rounds"),
            1,
            MOST_ROUNDS,
            empty=mark("to suit the number of players"),
            help=mark("Empty: to suit the number of players, 4 for 16 at tables of four"),
            amended=TO_COME,
            amend_help=mark("Of the whole tournament"),
        ),
        table_size_setting(SMALLEST_TABLE, LARGEST_TABLE, DEFAULT_SIZE, mark("2 to 10; table sizes are balanced")),
        Setting(
            "by_rank",
            mark("Last rounds strictly by rank"),
            0,
            10,
            0,
            help=mark("In these final rounds, the leaders sit at table 1 even if they met before"),
            amended=TO_COME,
        ),
        bye_points_setting(),
    )
    demos = ()
    fewest, most = FEWEST_PLAYERS, MOST_PLAYERS
    by_points = True
    rounds_by_players = True
    has_odds = False

    def misfits(self, values: Chosen, players: int | None) -> dict[str, Sentence]:
        size, least = self.table_size(values), fewest_players(self.table_size(values))
        refusals: dict[str, Sentence] = {}
        if players and self.fewest <= players < least:
            refusals["table_size"] = sentence(
                "Swiss needs at least two tables. Tables of %(size)d need %(least)d players, not "
                "%(players)d. Choose smaller tables.",
                size=size,
                least=least,
                players=players,
            )
        rounds, by_rank = self.rounds(values, players or 0), values["by_rank"] or 0
        if rounds is not None and by_rank >= rounds:
            refusals["by_rank"] = sentence(
                "Of %(rounds)d rounds, the last 0 to %(most)d can be strictly by rank, not %(by_rank)d.",
                rounds=rounds,
                most=rounds - 1,
                by_rank=by_rank,
            )
        return refusals

    def rounds(self, values: Chosen, players: int) -> int | None:
        if values["rounds"] is not None or not players:
            return values["rounds"]
        return usual_rounds(players, self.table_size(values))

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        players, size = list(wanted.players), self.table_size(values)
        if not DUEL <= len(players) <= MOST_PLAYERS:
            raise NotPossible(self.wrong_number(len(players)))
        number = wanted.number or len(wanted.past) + 1
        if size == DUEL and len(players) % 2:
            seed = f"{wanted.seed}/{number}/bye"
            players.remove(choose_bye(players, wanted.scores, wanted.byes, seed=seed))
        last = wanted.rounds is not None and number > wanted.rounds - (values["by_rank"] or 0)
        return by_points.next_round(
            players,
            wanted.scores,
            golfers.count_tables(len(players), size),
            wanted.past,
            seed=f"{wanted.seed}/{number}",
            fixed={player: table - 1 for player, table in wanted.fixed.items()},
            apart=wanted.apart,
            by_rank=last,
        )

    def why(
        self, table: Sequence[str], points: Mapping[str, int], past: Sequence[Sequence[Sequence[str]]]
    ) -> Sentence | None:
        if not past:
            return None
        had = sorted(points.get(player, 0) for player in table)
        again = len(count_meetings([[set(before).intersection(table) for before in tables] for tables in past]))
        words = {"least": had[0], "most": had[-1]}
        if not again:
            return sentence("Before this round: %(least)d to %(most)d points; no earlier meetings.", **words)
        return counted(
            "Before this round: %(least)d to %(most)d points; one pair had met.",
            "Before this round: %(least)d to %(most)d points; %(count)d pairs had met.",
            again,
            **words,
        )

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        size = self.table_size(values)
        byes = players % 2 if size == DUEL else 0
        rounds = {**values, "rounds": self.rounds(values, players)}
        evening = super().evening(players - byes, rounds, edition, scoring)
        return replace(evening, players=players, byes=byes)

    def meetings(self, players: int, values: Chosen) -> Sentence | None:
        without = rounds_without_repeats(players, self.table_size(values))
        if (self.rounds(values, players) or 0) <= without:
            return None
        return sentence("From round %(number)d, some players meet again.", number=without + 1)

    def rounds_in_words(self, values: Chosen, scoring: str) -> list[Sentence]:
        if values["rounds"] is not None:
            return super().rounds_in_words(values, scoring)
        hands, target = values["hands_per_round"] or 0, values["target"]
        if target is None:
            parts = [counted("%(count)d hand a round", "%(count)d hands a round", hands)]
        else:
            parts = [sentence("a game to %(target)d a round", target=target)]
        return [*parts, sentence("lowest total wins")] if scoring == LOWEST_TOTAL else parts


class TeamSwiss(Swiss):
    """Swiss of teams, two against two at a table (TEAM-1)."""

    key = "team_swiss"
    name = mark("Swiss of teams")
    about = mark("Two partners stay together and meet teams with similar points. 4 to 200 teams")
    settings = tuple(setting for setting in Swiss.settings if setting.name != "table_size")
    enters = TEAMS
    partners = True
    scorings = (WINNER_TAKES,)
    most = MOST_TEAMS
    race_page = False

    def table_size(self, values: Chosen) -> int:
        return DUEL
