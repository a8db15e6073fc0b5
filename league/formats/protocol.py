"""Define the interface of a format, with usual answers.

A format is a module with a subclass of `Format`, and a line in `league/formats/__init__.py`. It is pure: numbers,
names and settings in, seatings and numbers out. Callers with a stage use `stage.plays`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.rules import WINNER_TAKES
from engine.sentences import Sentence, counted, listed, mark, sentence
from league.formats import progression
from league.formats.bracket import Node, SeatedRound, follow
from league.formats.estimate import Evening, minutes_a_hand, sizes_of
from league.formats.progression import Began, Played
from league.formats.race import State
from league.formats.seating.not_possible import NotPossible
from league.formats.setting import Chosen, Setting

PLAYERS, TEAMS = "players", "teams"

# Wishes of an organiser before choosing a format: partners stay, partners change or everyone plays alone; and the
# ending.
STAY, CHANGE, ALONE = "stay", "change", "alone"
POINTS, ONE_LEFT, FINAL = "points", "one-left", "final"

SeatedBefore = tuple[tuple[tuple[int | None, ...], ...], ...]
"""Rounds of tables: entries by seat (a team once), numbered from 0; None for an entry that has left."""


class Demo(NamedTuple):
    """A tournament of the demo data, some days from today, played by bots.

    rounds: number of closed rounds; None: all, with final standings. hands: of the round after them, at table 1, 2, …;
    None: all. more: include people who aren't in the club.
    """

    name: str
    days: int
    rounds: int | None = 0
    hands: tuple[int | None, ...] = ()
    seed: int = 7
    more: bool = False


@dataclass(frozen=True)
class Seating:
    """A round of entries 0, 1, …: tables by seat, each place as (entry, member of the team), and byes."""

    tables: Sequence[Sequence[tuple[int, int]]]
    byes: Sequence[int] = ()


@dataclass(frozen=True)
class Draw:
    """What a round is drawn from.

    past: the rounds before that count, their tables by seat. seed: the same for the whole event. fixed: the table,
    from 1, that a player must have. apart: two who must not meet. race: where somebody is out at a target. seeded: the
    players are in the order in which the round before has placed them, the best first. beside: those of them who play
    a second ladder, or for third place. rounds: how many there will be, where that is known. scores: of a format that
    draws `by_points`, what each has made in the stage, the more the better; byes: how often each has sat out there.
    number: of the round in the stage, from 1. seeds: of a tree, all who began, the first first. pairs: of one that
    forgives a loss, who meets in this round, where it is not the first.
    """

    players: Sequence[str]
    past: Sequence[Sequence[Sequence[str]]] = ()
    seed: str = ""
    fixed: Mapping[str, int] = field(default_factory=dict)
    apart: Collection[tuple[str, str]] = ()
    race: State | None = None
    seeded: bool = False
    second_ladder: Collection[str] = ()
    rounds: int | None = None
    scores: Mapping[str, int] = field(default_factory=dict)
    byes: Mapping[str, int] = field(default_factory=dict)
    number: int = 0
    seeds: Sequence[str] = ()
    pairs: Sequence[Sequence[str]] = ()


Hands = Mapping[int, Mapping[str, int]]
"""The hands at a table, by number: what each was worth to those who were dealt in."""


class Format:
    """The interface, with answers for single players, drawn round by round, with summed points.

    A subclass has at least `key`, `name` and `draw` (or `schedule`, if all rounds are drawn before round 1).
    """

    key = ""
    name = ""
    about = ""
    """A sentence for the choice of a format."""
    on_the_way = ""
    """What changes from round to round, in a few words."""
    ending = POINTS
    """How it ends."""
    at_the_end = mark("The highest total wins")
    """How it ends, in a few words."""
    enters = PLAYERS
    """The kind of an entry."""
    settings: tuple[Setting, ...] = ()
    demos: tuple[Demo, ...] = ()
    scorings: tuple[str, ...] = (WINNER_TAKES,)
    """Possible scorings; the first is the default."""
    partners = False
    """Whether seats 0 and 2 play against 1 and 3 (TEAM-1)."""
    tie_breaks = True
    """Whether the tournament's tie-breaks decide between equal totals."""
    drawn_ahead = False
    """Whether all rounds are drawn before round 1; else closing a round draws the next."""
    eliminates = False
    """Whether a target eliminates players, so that earlier hands decide the dealt-in players (TOUR-3). Heats and
    knockouts eliminate at the end of a round: see `advances`.
    """
    advances = False
    """Whether only the best at each table play the next round (`league/formats/progression.py`)."""
    in_tree = False
    """Whether seeds decide the pairings, which the draw records (`league/formats/tree.py`)."""
    by_points = False
    """Whether a round is drawn from the points so far, to match similar points."""
    rounds_by_players = False
    """Whether the number of rounds, if not chosen, follows from the number of players in round 1."""
    sums_points = True
    """Whether a table's worth is the points of its hands; else `worth` computes it."""
    has_odds = True
    """Whether the rounds to come can be simulated (`league/odds`)."""
    race_page = False
    """Whether it has its own page (`league/format_pages`)."""
    may_play_parallel = False
    """Whether entries that don't advance to it may play a second ladder of it."""
    has_groups = False
    """Whether groups can play it in parallel (`league/formats/groups.py`)."""
    fewest, most = 2, 1000
    """Possible numbers of entries."""

    @property
    def seats_by_results(self) -> bool:
        """Return whether results decide the players of the next round, so that a correction can come too late."""
        return self.eliminates or self.advances

    @property
    def takes_points(self) -> bool:
        """Return whether points of the previous stage can be carried into it."""
        return self.sums_points and not self.seats_by_results

    @property
    def adds_up(self) -> bool:
        """Return whether a table has its own totals: no target eliminates players, and partners, if any, stay
        together.
        """
        return not self.eliminates and (self.enters == TEAMS or not self.partners)

    @property
    def people(self) -> int:
        """Return the number of people seated for an entry."""
        return 2 if self.enters == TEAMS else 1

    @property
    def entry_name(self) -> str:
        """Return the English heading of an entry's column."""
        return mark("Team") if self.enters == TEAMS else mark("Player")

    @property
    def entries_name(self) -> str:
        """Return the English name of the list of entries."""
        return mark("Teams") if self.enters == TEAMS else mark("Players")

    @property
    def changes_partners(self) -> bool:
        """Return whether partners change, so that pages mark partners."""
        return self.partnering == CHANGE

    @property
    def fewest_dealt_in(self) -> int:
        """Return the fewest people for a hand; partners need four (TEAM-1)."""
        return 4 if self.partners else 2

    @property
    def partnering(self) -> str:
        """Return how partners are formed."""
        if self.enters == TEAMS:
            return STAY
        return CHANGE if self.partners else ALONE

    # --- what can be played

    def entries_of(self, people: int) -> int:
        """Return the number of entries that this many people make."""
        return people // self.people

    def possible(self) -> Sequence[int]:
        """Return the possible numbers of entries, ascending."""
        return range(self.fewest, self.most + 1)

    def describe_possible(self) -> Sentence:
        words = {"format": Sentence(self.name), "fewest": self.fewest, "most": self.most}
        if self.enters == TEAMS:
            return sentence("%(format)s needs %(fewest)d to %(most)d teams.", **words)
        return sentence("%(format)s needs %(fewest)d to %(most)d players.", **words)

    def wrong_number(self, players: int) -> Sentence:
        """Return the refusal of a number of entries."""
        words = {"format": Sentence(self.name), "fewest": self.fewest, "most": self.most, "players": players}
        if self.enters == TEAMS:
            return sentence("%(format)s needs %(fewest)d to %(most)d teams, not %(players)d.", **words)
        return sentence("%(format)s needs %(fewest)d to %(most)d players, not %(players)d.", **words)

    def setting(self, name: str) -> Setting | None:
        return next((setting for setting in self.settings if setting.name == name), None)

    def complete(self, chosen: Chosen) -> dict[str, int | None]:
        """Return all settings, with defaults for missing ones. Unknown names are left out."""
        values: dict[str, int | None] = {}
        group = [setting.name for setting in self.settings if setting.one_of]
        decided = [name for name in group if chosen.get(name) is not None]
        for setting in self.settings:
            value = chosen.get(setting.name, setting.default)
            if setting.one_of and decided:
                value = chosen.get(setting.name)
            elif value is None and not (setting.empty or setting.needed):
                value = setting.default
            values[setting.name] = value
        return values

    def problems(self, chosen: Chosen, players: int | None) -> dict[str, Sentence]:
        """Return what can’t be played, by setting or as `players`, each with what is possible. players None or 0: not
        known.
        """
        refusals: dict[str, Sentence] = {}
        for name in chosen:
            if self.setting(name) is None and chosen[name] is not None:
                refusals[name] = self._no_such_setting(name)
        values = self.complete(chosen)
        for setting in self.settings:
            value = values[setting.name]
            if why := setting.problem(value):
                refusals[setting.name] = why
        group = [setting for setting in self.settings if setting.one_of]
        if group and sum(values[setting.name] is not None for setting in group) != 1:
            words = listed([Sentence(setting.label) for setting in group])
            refusals[group[0].name] = sentence("Choose exactly one: %(names)s.", names=words)
        if not refusals:
            refusals |= self.misfits(values, players)
        if players and players not in self.possible():
            refusals["players"] = self.wrong_number(players)
        return refusals

    def _no_such_setting(self, name: str) -> Sentence:
        known = listed([setting.option for setting in self.settings])
        words = {"format": Sentence(self.name), "name": name, "known": known}
        if not self.settings:
            return sentence("%(format)s has no setting “%(name)s”, and no other settings.", **words)
        return sentence("%(format)s has no setting “%(name)s”. Choose from: %(known)s.", **words)

    def misfits(self, values: Chosen, players: int | None) -> dict[str, Sentence]:
        """Return the settings that conflict with each other or with the number of players; each alone is within its
        limits.
        """
        return {}

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        """Estimate the duration. Takes only possible numbers."""
        sizes = sizes_of(players, self.table_size(values))
        rounds, hands = self.rounds(values, players) or 1, self.hands(values) or 4
        minutes = round(rounds * hands * minutes_a_hand(sizes[0][1]))
        return Evening(players, sizes, rounds, rounds * hands, minutes, games=True)

    # --- rounds

    def rounds(self, values: Chosen, players: int) -> int | None:
        """Return the number of rounds; None if the hands decide it."""
        return values.get("rounds")

    def schedule(self, entries: int, values: Chosen) -> Sequence[Seating]:
        """Return all rounds of a format drawn ahead. Raises NotPossible."""
        raise NotPossible(sentence("This format draws rounds one by one."))

    def more_rounds(
        self, entries: int, rounds: int, played: SeatedBefore, values: Chosen, *, seed: str
    ) -> Sequence[Seating]:
        """Return `rounds` more rounds drawn ahead for the remaining entries, numbered from 0, after an arrival or
        departure.

        played: earlier rounds. Raises NotPossible.
        """
        raise NotPossible(sentence("This format can’t re-draw rounds."))

    def counts(self, entries: int, rounds: Sequence[Seating]) -> dict[str, tuple[int, int]]:
        """Return how even a schedule is: (fewest, most) over all entries or all pairs of them, by English name."""
        return {}

    def meetings(self, players: int, values: Chosen) -> Sentence | None:
        """Return a sentence about repeated meetings, if predictable."""
        return None

    def how_even(self, entries: int, rounds: Sequence[Seating]) -> Sentence | None:
        """Return a sentence about the number of meetings, if the format aims for equal ones."""
        return None

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        """Return tables 1, 2, … of the next round, by seat, for active players. Players at no table have a bye. Raises
        NotPossible.
        """
        raise NotPossible(sentence("This format draws all rounds at once."))

    def byes(self, entries: int, values: Chosen) -> int:
        """Return the number of byes in each round of a schedule."""
        return 0

    def sits_out(self, players: Sequence[str], values: Chosen) -> Sequence[str]:
        """Return the players with a bye in the first round of a stage, given in draw or cut order; `draw` gets the
        others.
        """
        return ()

    def places(self, table: Sequence[str]) -> list[tuple[str, int]]:
        """Return the people at a drawn table by seat, each as (entry, member of the team). Partners sit opposite each
        other (TEAM-1).
        """
        return [(entry, member) for member in range(self.people) for entry in table]

    def why(
        self, table: Sequence[str], points: Mapping[str, int], past: Sequence[Sequence[Sequence[str]]]
    ) -> Sentence | None:
        """Explain a table of a round drawn `by_points`. points: before the round. past: its rounds."""
        return None

    def seeds(
        self, order: Sequence[str], together: Sequence[Collection[str]], *, groups: int = 1, seed: str = ""
    ) -> list[str]:
        """Return all players in seed order for the first round, from the draw or cut order, best first. together:
        players who should not meet early; groups: number of groups in the previous stage.
        """
        return list(order)

    def state_of(
        self, began: Began, rounds: Sequence[Played], following: Played | None, values: Chosen
    ) -> progression.State:
        """Return the state after these rounds, if only some advance (`advances`). following: the next seated round, to
        compute an earlier state; its players have advanced.
        """
        raise NotImplementedError

    def is_final(self, seating: Sequence[Sequence[str]]) -> bool:
        """Return whether a drawn round is the last one, which lasts until decided whatever `hands` returns."""
        return False

    def bracket(self, rounds: Sequence[SeatedRound]) -> list[Node]:
        """Return the tables of these rounds, and the source of each player."""
        return follow(rounds)

    # --- tables

    def table_size(self, values: Chosen) -> int:
        """Return the largest table size."""
        return values.get("table_size") or 4

    def hands(self, values: Chosen) -> int | None:
        """Return the number of hands per round and table; None: no limit."""
        return values.get("hands_per_round")

    def game_target(self, values: Chosen) -> int | None:
        """Return the target of each table's game; None without a game."""
        return None

    def ends_early(self, values: Chosen) -> bool:
        """Return whether hands decide the end of a table (`over_in`), so that they must be recorded in order."""
        return self.game_target(values) is not None

    def is_needed(self, setting: Setting, values: Chosen) -> bool:
        """Return whether a setting has an effect with these values."""
        return True

    def has_second_ladder(self, values: Chosen) -> bool:
        """Return whether players eliminated in the first round play a second ladder."""
        return False

    def forgives(self, values: Chosen) -> bool:
        """Return whether a player with one loss stays in, in a tree."""
        return False

    def over_in(self, hands: Hands, values: Chosen) -> int | None:
        """Return the hand that ended the table early; later hands don't count."""
        return None

    def is_level(self, hands: Hands, values: Chosen) -> bool:
        """Return whether all hands of a table are recorded and a tie demands another one."""
        return False

    def worth(self, hands: Hands, values: Chosen) -> Mapping[str, int]:
        """Return the worth of a table's counted hands for each player, if points aren't summed."""
        raise NotImplementedError

    # --- words

    def rounds_in_words(self, values: Chosen, scoring: str) -> list[Sentence]:
        """Return what is played in a format drawn round by round: “3 rounds of 4 hands”."""
        rounds = self.rounds(values, 0)
        return [] if rounds is None else [counted("%(count)d round", "%(count)d rounds", rounds)]
