"""Heats and a final: the best of each table play on, with the best of the others, until one table plays the final.

Here is what is chosen and drawn; `league/formats/ladder.py` finds how many go on, `progression.py` who does.
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

# What becomes of those who do not go on from round 1, by the number of `after_round_1`.
ELIMINATED, ONCE_MORE, SECOND_LADDER = range(3)
FEWEST_PLAYERS, MOST_PLAYERS = 6, 1000
SMALLEST_TABLE, LARGEST_TABLE = 4, MAX_PLAYERS  # with at most 3 at a table, 7 players could not be seated by threes
DEFAULT_SIZE = 4
NOT_WITH_A_REPECHAGE = mark(
    "In a repechage nobody sits out round 1: its best wait in round 2. Choose that the best of the others go on too."
)
NO_REPECHAGE = mark(
    "%(players)d players at tables of %(size)d cannot play a repechage: it needs two tables in round 1, and those who "
    "are left have to make tables too. Choose another size."
)


class Heats(Format):
    key = "heats"
    name = mark("Heats and a final")
    about = mark("The best of each table go on, until one table plays the final. 6 to 1000 players")
    on_the_way = mark("The best of each table go on")
    ending = FINAL
    at_the_end = mark("The final")
    settings = (
        hands_setting(),
        Setting(
            "rounds",
            mark("Rounds"),
            1,
            MOST_ROUNDS,
            empty=mark("as many as suit the number of players"),
            help=mark("With the final. Empty: as many as suit the number of players"),
        ),
        table_size_setting(
            SMALLEST_TABLE, LARGEST_TABLE, DEFAULT_SIZE, mark("4 to 10; tables are made as even as can be")
        ),
        Setting(
            "after_round_1",
            mark("After round 1 the others"),
            ELIMINATED,
            SECOND_LADDER,
            ELIMINATED,
            help=mark(
                "Once more: for the places that are left, while the best wait. Second ladder: to a final of its own"
            ),
            named=(
                mark("are eliminated"),
                mark("play once more (repechage)"),
                mark("play a second ladder beside the first"),
            ),
        ),
        Setting(
            "byes",
            mark("So that rounds come out even"),
            0,
            1,
            0,
            help=mark("Who sits out round 1 goes on: the first on the list, or in an order by rating the strongest"),
            named=(mark("The best of the others go on too"), mark("Some may sit out round 1")),
        ),
    )
    demos = (Demo("Winter Heats", 21),)
    scorings = (WINNER_TAKES, LOWEST_TOTAL)
    tie_breaks = False
    advances = True
    has_odds = False
    may_play_beside = True
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
                "%(players)d players at tables of %(size)d come to a final in %(least)d rounds, not in %(rounds)d.",
                **words,
            )
        else:
            why = sentence(
                "%(players)d players at tables of %(size)d come to a final in %(least)d to %(most)d rounds, "
                "not in %(rounds)d.",
                **words,
            )
        return {"rounds": why}

    def rounds(self, values: Chosen, players: int) -> int | None:
        return len(self._ladder(players, values)) if players else values["rounds"]

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        rungs, hands = self._ladder(players, values), self.hands(values) or 4
        beside: Ladder = ()
        if self.has_second_ladder(values) and (out := players - rungs[0].goes_on) > 1 and len(rungs) > 1:
            beside = (Rung(0, 0), *any_ladder(out, self.table_size(values)))
        plan, minutes = [], 0.0
        for first, second in zip_longest(rungs, beside):
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
        """Of two ladders the tables of the second follow those of the first."""
        if len(wanted.players) < 2:
            raise NotPossible(self.describe_possible())
        first = [player for player in wanted.players if player not in wanted.beside]
        second = [player for player in wanted.players if player in wanted.beside]
        drawn: list[list[str]] = []
        for group in filter(None, (first, second)):
            rung = any_ladder(len(group), self.table_size(values))[0]
            drawn += self._draw_ladder(group, rung.tables, wanted, len(drawn))
        return drawn

    def _draw_ladder(self, group: Sequence[str], tables: int, wanted: Draw, before: int) -> list[list[str]]:
        """before: how many tables are drawn already."""
        apart = wanted.apart if tables > 1 else ()  # in the final everybody meets
        here = range(before, before + tables)
        fixed = {player: table - 1 - before for player, table in wanted.fixed.items() if table - 1 in here}
        fixed = {player: table for player, table in fixed.items() if player in group}
        if wanted.seeded and not (fixed or apart):
            return seat(group, tables, wanted.past, seed=wanted.seed)
        past = list(wanted.past)
        if wanted.seeded:  # as if those of one tier had met
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
        """As it will be played: where others come than the settings go with, with other rounds or larger tables."""
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
