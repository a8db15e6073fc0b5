"""Define heats and a final: the best of each table advance, plus the next best, to a final at one table.

Settings and the draw are here. `league/formats/ladder.py` computes how many advance, `progression.py` which players.
"""

from collections.abc import Sequence
from itertools import zip_longest

from engine.rules import LOWEST_TOTAL, MAX_PLAYERS, WINNER_TAKES
from engine.sentences import Sentence, counted, mark, sentence
from league.formats.estimate import Evening, in_both, minutes_a_hand, sizes_of
from league.formats.ladder import MOST_ROUNDS, Ladder, Rung, any_ladder, ladder, rounds_possible, rung_in_words, way
from league.formats.progression import Began, Played, Rules, State, state_of
from league.formats.protocol import FINAL, Demo, Draw, Format
from league.formats.seating import golfers
from league.formats.seating.not_possible import NotPossible
from league.formats.seating.snake import seat
from league.formats.setting import Chosen, Setting, hands_setting, table_size_setting

# Outcomes of players who don't qualify in round 1, by value of `after_round_1`.
ELIMINATED, ONCE_MORE, SECOND_LADDER = range(3)
FEWEST_PLAYERS, MOST_PLAYERS = 6, 1000
SMALLEST_TABLE, LARGEST_TABLE = 4, MAX_PLAYERS  # tables of 3 can't seat 7 players
DEFAULT_SIZE = 4
NOT_WITH_A_REPECHAGE = mark("A repechage has no byes in round 1. Choose that the next-best players advance too.")
NO_REPECHAGE = mark("%(players)d players at tables of %(size)d can’t play a repechage. Choose another table size.")


class Heats(Format):
    key = "heats"
    name = mark("Heats and a final")
    about = mark("The best at each table advance to a final. 6 to 1000 players")
    on_the_way = mark("The best of each table advance")
    ending = FINAL
    at_the_end = mark("The final")
    settings = (
        hands_setting(),
        Setting(
            "rounds",
            mark("Rounds"),
            1,
            MOST_ROUNDS,
            empty=mark("to suit the number of players"),
            help=mark("Including the final. Empty: to suit the number of players"),
        ),
        table_size_setting(SMALLEST_TABLE, LARGEST_TABLE, DEFAULT_SIZE, mark("4 to 10; table sizes are balanced")),
        Setting(
            "after_round_1",
            mark("Players who don’t qualify in round 1"),
            ELIMINATED,
            SECOND_LADDER,
            ELIMINATED,
            help=mark(
                "Repechage: they play for the remaining places. Second ladder: they play to a final of their own"
            ),
            named=(
                mark("are eliminated"),
                mark("play again (repechage)"),
                mark("play a second ladder"),
            ),
        ),
        Setting(
            "byes",
            mark("Way to fill all tables"),
            0,
            1,
            0,
            help=mark("Players with a bye advance: the first of the list or, seeded by rating, the strongest"),
            named=(mark("Next-best players advance too"), mark("Byes in round 1")),
        ),
    )
    demos = (Demo("Winter Heats", 21),)
    scorings = (WINNER_TAKES, LOWEST_TOTAL)
    tie_breaks = False
    advances = True
    has_odds = False
    may_play_parallel = True
    fewest, most = FEWEST_PLAYERS, MOST_PLAYERS

    def misfits(self, values: Chosen, players: int | None) -> dict[str, Sentence]:
        if _has_repechage(values) and values["byes"]:
            return {"byes": sentence(NOT_WITH_A_REPECHAGE)}
        size, rounds = self.table_size(values), values["rounds"]
        words = {"players": players, "size": size, "rounds": rounds}
        if not players or players < self.fewest:
            return {}
        if _has_repechage(values) and not self._find(players, values):
            return {"after_round_1": sentence(NO_REPECHAGE, **words)}
        if rounds is None or self._find(players, values, rounds):
            return {}
        possible = rounds_possible(players, size, byes=bool(values["byes"]), repechage=_has_repechage(values))
        words |= {"least": possible[0], "most": possible[-1]}
        if len(possible) == 1:
            why = sentence(
                "%(players)d players at tables of %(size)d need %(least)d rounds to a final, not %(rounds)d.",
                **words,
            )
        else:
            why = sentence(
                "%(players)d players at tables of %(size)d need %(least)d to %(most)d rounds to a "
                "final, not %(rounds)d.",
                **words,
            )
        return {"rounds": why}

    def rounds(self, values: Chosen, players: int) -> int | None:
        return len(self._ladder(players, values)) if players else values["rounds"]

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        rungs, hands = self._ladder(players, values), self.hands(values) or 4
        second_ladder: Ladder = ()
        if self.has_second_ladder(values) and (out := players - rungs[0].advancing) > 1 and len(rungs) > 1:
            second_ladder = (Rung(0, 0), *any_ladder(out, self.table_size(values)))
        plan, minutes = [], 0.0
        for first, second in zip_longest(rungs, second_ladder):
            sizes = [
                *(first.sizes if first else ()),
                *(second.sizes if second and second.tables else ()),
            ]
            minutes += hands * minutes_a_hand(max(sizes))
            of_second = rung_in_words(second) if second and second.tables else None
            plan.append((tuple(sizes), in_both(rung_in_words(first) if first else None, of_second)))
        byes, rounds = rungs[0].byes, len(plan)
        return Evening(
            players,
            sizes_of(players - byes, self.table_size(values)),
            rounds,
            hands * rounds,
            round(minutes),
            byes=byes,
            games=True,
            plan=tuple(plan),
        )

    def sits_out(self, players: Sequence[str], values: Chosen) -> Sequence[str]:
        return players[: self._ladder(len(players), values)[0].byes] if values["byes"] else ()

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        """Draw the tables; those of a second ladder follow the first ladder's."""
        if len(wanted.players) < 2:
            raise NotPossible(self.describe_possible())
        first = [player for player in wanted.players if player not in wanted.second_ladder]
        second = [player for player in wanted.players if player in wanted.second_ladder]
        drawn: list[list[str]] = []
        for group in filter(None, (first, second)):
            rung = any_ladder(len(group), self.table_size(values))[0]
            drawn += self._draw_ladder(group, rung.tables, wanted, len(drawn))
        return drawn

    def _draw_ladder(self, group: Sequence[str], tables: int, wanted: Draw, before: int) -> list[list[str]]:
        """before: number of tables drawn already."""
        apart = wanted.apart if tables > 1 else ()  # all meet in the final
        here = range(before, before + tables)
        fixed = {player: table - 1 - before for player, table in wanted.fixed.items() if table - 1 in here}
        fixed = {player: table for player, table in fixed.items() if player in group}
        if wanted.seeded and not (fixed or apart):
            return seat(group, tables, wanted.past, seed=wanted.seed)
        past = list(wanted.past)
        if wanted.seeded:  # keep players of one tier apart
            past = [[list(group[at : at + tables]) for at in range(0, len(group), tables)], *past]
        return golfers.next_round(group, tables, past, seed=wanted.seed, fixed=fixed, apart=apart)

    def state_of(self, began: Began, rounds: Sequence[Played], following: Played | None, values: Chosen) -> State:
        rules = Rules(
            self.table_size(values),
            values["rounds"],
            byes=bool(values["byes"]),
            repechage=_has_repechage(values),
            second_ladder=self.has_second_ladder(values),
        )
        return state_of(began, rounds, following, rules)

    def has_second_ladder(self, values: Chosen) -> bool:
        return values["after_round_1"] == SECOND_LADDER

    def _ladder(self, players: int, values: Chosen) -> Ladder:
        """Return the ladder as played: with other rounds or larger tables if the number of players doesn't fit the
        settings.
        """
        byes, again = bool(values["byes"]), _has_repechage(values)
        return way(players, self.table_size(values), values["rounds"], byes=byes, repechage=again)

    def _find(self, players: int, values: Chosen, rounds: int | None = None) -> Ladder | None:
        byes, again = bool(values["byes"]), _has_repechage(values)
        return ladder(players, self.table_size(values), rounds, byes=byes, repechage=again)

    def rounds_in_words(self, values: Chosen, scoring: str) -> list[Sentence]:
        hands = values["hands_per_round"] or 0
        parts = [counted("%(count)d hand a round", "%(count)d hands a round", hands)]
        return [*parts, sentence("lowest total wins")] if scoring == LOWEST_TOTAL else parts


def _has_repechage(values: Chosen) -> bool:
    return values["after_round_1"] == ONCE_MORE
