"""Define knockout: duels in a tree. One loss, or two if chosen, eliminates; two players reach the final.

Settings and the draw are here; `tree.py` and `double_tree.py` compute pairings and winners.
"""

from collections.abc import Collection, Sequence

from engine.rules import LOWEST_TOTAL, WINNER_TAKES
from engine.sentences import Sentence, counted, mark, sentence
from league.formats import double_tree, tree
from league.formats.estimate import Evening, caught_in, in_fives, longest_game, minutes_a_hand
from league.formats.points import GAME_TO_A_TARGET, totals_of
from league.formats.progression import Began, Played, State
from league.formats.protocol import FINAL, TEAMS, Draw, Format, Hands
from league.formats.seating.fixed_tables import at_fixed_tables
from league.formats.seating.not_possible import NotPossible
from league.formats.seating.seeds import part
from league.formats.seating.slots import levels
from league.formats.setting import Chosen, Setting, hands_setting
from league.formats.teams import MOST_TEAMS
from league.formats.tree import DUEL

FEWEST_PLAYERS, MOST_PLAYERS = 2, 256
ONE, TWO, TWO_ONE_FINAL = 1, 2, 3
"""`losses`: one duel, or two, eliminates; or two with a single final that decides for both."""
USUAL_HANDS = 4  # both deal equally often


class Knockout(Format):
    key = "knockout"
    name = mark("Knockout")
    about = mark("One on one: eliminated after one or two losses. 2 to 256 players")
    on_the_way = mark("Winners advance")
    ending = FINAL
    at_the_end = mark("The final")
    settings = (
        hands_setting(
            USUAL_HANDS,
            one_of=mark("Number of hands"),
            help=mark("More points wins; if tied, extra hands decide"),
        ),
        GAME_TO_A_TARGET,
        Setting(
            "losses",
            mark("Eliminated by"),
            ONE,
            TWO_ONE_FINAL,
            ONE,
            help=mark("With two losses, a player who lost once can still win"),
            named=(mark("One loss"), mark("Two losses"), mark("Two losses, one final")),
        ),
        Setting(
            "third_place",
            mark("Third place"),
            0,
            1,
            1,
            help=mark("With one loss, the losers of the semi-finals share it or play for it"),
            named=(mark("Shared"), mark("Played for")),
        ),
    )
    scorings: tuple[str, ...] = (WINNER_TAKES, LOWEST_TOTAL)
    tie_breaks = False
    advances = True
    in_tree = True
    rounds_by_players = True
    has_odds = False
    fewest, most = FEWEST_PLAYERS, MOST_PLAYERS

    def rounds(self, values: Chosen, players: int) -> int | None:
        """Return the rounds; with two losses a second final may follow."""
        if not players:
            return None
        return double_tree.last_step(levels(players)) if self.forgives(values) else levels(players)

    def table_size(self, values: Chosen) -> int:
        return DUEL

    def seeds(
        self, order: Sequence[str], together: Sequence[Collection[str]], *, groups: int = 1, seed: str = ""
    ) -> list[str]:
        return part(order, together, groups, seed=seed)

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        """Draw the duels; the match for third place, or the losers' side, comes last."""
        seeds = wanted.seeds or wanted.players
        drawn = [list(pair) for pair in wanted.pairs]
        if not drawn:
            drawn = tree.pairings(seeds, [player for player in wanted.players if player not in wanted.second_ladder])
        if wanted.second_ladder and not wanted.pairs:
            drawn.append(sorted(wanted.second_ladder, key=list(seeds).index))
        if not drawn:
            raise NotPossible(self.describe_possible())
        return [list(table) for table in at_fixed_tables(drawn, wanted.fixed)]

    def state_of(self, began: Began, rounds: Sequence[Played], following: Played | None, values: Chosen) -> State:
        if self.forgives(values):
            return double_tree.state_of(began, rounds, following, one_final=values["losses"] == TWO_ONE_FINAL)
        return tree.state_of(began, rounds, following, third_place=bool(values["third_place"]))

    # --- a match

    def hands(self, values: Chosen) -> int | None:
        """Return None: a duel lasts until it isn't tied."""
        return None

    def game_target(self, values: Chosen) -> int | None:
        return values["target"]

    def ends_early(self, values: Chosen) -> bool:
        return True

    def is_needed(self, setting: Setting, values: Chosen) -> bool:
        return setting.name != "third_place" or not self.forgives(values)

    def forgives(self, values: Chosen) -> bool:
        return values["losses"] != ONE

    def over_in(self, hands: Hands, values: Chosen) -> int | None:
        """Return the first hand after which the points are compared and differ. A hand without points is one whose
        time was up.
        """
        for number in sorted(hands):
            if _is_time(hands, number, values) and len(set(totals_of(hands, number).values())) == DUEL:
                return number
        return None

    def is_level(self, hands: Hands, values: Chosen) -> bool:
        return bool(hands) and _is_time(hands, max(hands), values) and self.over_in(hands, values) is None

    # --- words

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        target, seats = values["target"], DUEL * self.people
        plan = _plan_of_two(players) if self.forgives(values) else _plan_of_one_loss(players, values)
        rounds, byes = len(plan), 2 ** levels(players) - players
        tables_of_first = ((plan[0][0], seats),)
        hands: float = values["hands_per_round"] or USUAL_HANDS
        if target is not None:
            hands = longest_game(((plan[0][0], DUEL),), target, scoring, caught_in(edition) * self.people)
        minutes = rounds * hands * minutes_a_hand(seats)
        return Evening(
            players,
            tables_of_first,
            rounds,
            round(rounds * hands),
            round(minutes) if target is None else in_fives(minutes),
            byes=byes,
            about=target is not None,
            games=True,
            of_teams=self.enters == TEAMS,
            plan=tuple(((seats,) * matches, after) for matches, after in plan),
        )

    def rounds_in_words(self, values: Chosen, scoring: str) -> list[Sentence]:
        hands, target = values["hands_per_round"] or 0, values["target"]
        if target is None:
            parts = [counted("%(count)d hand a duel", "%(count)d hands a duel", hands)]
        else:
            parts = [sentence("a game to %(target)d a duel", target=target)]
        if self.forgives(values):
            parts.append(sentence("two losses eliminate"))
        if values["losses"] == TWO_ONE_FINAL:
            parts.append(sentence("one final"))
        return [*parts, sentence("lowest total wins")] if scoring == LOWEST_TOTAL else parts


class TeamKnockout(Knockout):
    """Knockout of teams, two against two at a table (TEAM-1). A hand counts once for a team."""

    key = "team_knockout"
    name = mark("Knockout of teams")
    about = mark("Two partners stay together. A team is eliminated after one or two losses. 2 to 200 teams")
    on_the_way = mark("Winning teams advance")
    enters = TEAMS
    partners = True
    scorings = (WINNER_TAKES,)
    most = MOST_TEAMS


def _plan_of_one_loss(players: int, values: Chosen) -> list[tuple[int, Sentence]]:
    """Return the duels of each round, and what follows it."""
    rounds, plan = levels(players), []
    size = 2**rounds
    byes = size - players
    for level in range(1, rounds + 1):
        matches = size // 2**level - (byes if level == 1 else 0)
        if level == rounds and values["third_place"] and players > DUEL + 1:
            plan.append((matches + 1, sentence("Final and third place")))
        elif level == rounds:
            plan.append((matches, sentence("Final of %(players)d", players=DUEL)))
        elif level == 1 and byes:
            after = counted(
                "Winners advance, with %(count)d bye",
                "Winners advance, with %(count)d byes",
                byes,
            )
            plan.append((matches, after))
        else:
            plan.append((matches, sentence("Winners advance")))
    return plan


def _plan_of_two(players: int) -> list[tuple[int, Sentence]]:
    """Return the duels of each step with two losses, without a second final."""
    plan: list[tuple[int, Sentence]] = []
    for winners, losers in double_tree.matches_by_step(players):
        if len(plan) + 1 == double_tree.last_step(levels(players)):
            after = sentence("Final of %(players)d", players=DUEL)
        elif winners and losers:
            after = sentence("Both sides play; a second loss eliminates")
        elif losers:
            after = sentence("Players with one loss; another loss eliminates")
        else:
            after = sentence("Losers continue on the losers’ side")
        plan.append((winners + losers, after))
    return plan


def _is_time(hands: Hands, number: int, values: Chosen) -> bool:
    """Return whether the points are compared after a hand."""
    if values["target"]:
        return max(totals_of(hands, number).values(), default=0) >= values["target"]
    return number >= (values["hands_per_round"] or USUAL_HANDS)
