"""What a format is: the questions that everything else asks about it, with the usual answers.

A format is one module with a subclass of `Format`, and a line in `league/formats/__init__.py`. It is pure: numbers,
names and settings in, seatings and numbers out. Whoever has a stage asks `stage.plays`.
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

# What an organiser knows before any format: whether partners stay or change or everybody plays alone, and how it ends.
STAY, CHANGE, ALONE = "stay", "change", "alone"
POINTS, ONE_LEFT, FINAL = "points", "one-left", "final"

SeatedBefore = tuple[tuple[tuple[int | None, ...], ...], ...]
"""Rounds, each of tables: who sat there by seat (a team once), numbered from 0; None for who does not go on."""


class Demo(NamedTuple):
    """An evening among the demo data, so many days from today, played by bots as far as it says.

    rounds: how many are closed; None: all, and the standings are final. hands: of the round after them, at table 1, 2,
    ...; None: all. more: also those who are not in the club.
    """

    name: str
    days: int
    rounds: int | None = 0
    hands: tuple[int | None, ...] = ()
    seed: int = 7
    more: bool = False


@dataclass(frozen=True)
class Seating:
    """A round of entries 0, 1, ...: tables by seat, each place as (entry, which of a team), and who sits out."""

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
    beside: Collection[str] = ()
    rounds: int | None = None
    scores: Mapping[str, int] = field(default_factory=dict)
    byes: Mapping[str, int] = field(default_factory=dict)
    number: int = 0
    seeds: Sequence[str] = ()
    pairs: Sequence[Sequence[str]] = ()


Hands = Mapping[int, Mapping[str, int]]
"""The hands at a table, by number: what each was worth to those who were dealt in."""


class Format:
    """The questions, and the usual answers: singles, drawn round by round, whose points are summed.

    A subclass has at least `key`, `name` and `draw` (or, where all rounds are drawn before the first, `schedule`).
    """

    key = ""
    name = ""
    about = ""
    """A sentence for whoever chooses."""
    on_the_way = ""
    """What happens from round to round, in a few words."""
    ending = POINTS
    """How it ends."""
    at_the_end = mark("The best total wins")
    """The same in a few words."""
    enters = PLAYERS
    """What an entry is."""
    settings: tuple[Setting, ...] = ()
    demos: tuple[Demo, ...] = ()
    scorings: tuple[str, ...] = (WINNER_TAKES,)
    """How hands can be scored; the first is usual."""
    partners = False
    """Whether seats 0 and 2 play against 1 and 3 (TEAM-1)."""
    tie_breaks = True
    """Whether the tournament's tie-breaks decide between equal totals."""
    drawn_ahead = False
    """Whether all rounds are drawn before the first; else each is drawn when the one before is closed."""
    eliminates = False
    """Whether a target eliminates players, so that earlier hands decide who is dealt in (TOUR-3). Heats and knockouts
    eliminate at the end of a round: see `advances`."""
    advances = False
    """Whether only the best at the tables of a round play the next one (`league/formats/progression.py`)."""
    in_tree = False
    """Whether who meets whom follows from the seeds, which the draw writes down (`league/formats/tree.py`)."""
    by_points = False
    """Whether a round is drawn from the points so far, so that people with like points meet."""
    rounds_by_players = False
    """Whether, where no number of rounds was chosen, it follows from how many sit in the first one."""
    sums_points = True
    """Whether a table is worth the points of its hands; else what `worth` says."""
    has_odds = True
    """Whether the rounds to come can be simulated (`league/odds`)."""
    race_page = False
    """Whether it has a page of its own (`league/format_pages`)."""
    may_play_beside = False
    """Whether those who do not go on to it from the stage before may play a second ladder of it."""
    has_groups = False
    """Whether so many groups can play it beside each other (`league/formats/groups.py`)."""
    fewest, most = 2, 1000
    """How many can play."""

    @property
    def seats_by_results(self) -> bool:
        """Whether results decide who plays the next round, so that a correction can come too late for it."""
        return self.eliminates or self.advances

    @property
    def takes_points(self) -> bool:
        """Whether points of the stage before can be carried into it."""
        return self.sums_points and not self.seats_by_results

    @property
    def adds_up(self) -> bool:
        """Whether a table has totals of its own: no target eliminates players, and partners, if any, stay together."""
        return not self.eliminates and (self.enters == TEAMS or not self.partners)

    @property
    def people(self) -> int:
        """How many sit down for an entry."""
        return 2 if self.enters == TEAMS else 1

    @property
    def entry_name(self) -> str:
        """What an entry is called above a column, in English."""
        return mark("Team") if self.enters == TEAMS else mark("Player")

    @property
    def entries_name(self) -> str:
        """What the list of entries is called, in English."""
        return mark("Teams") if self.enters == TEAMS else mark("Players")

    @property
    def changes_partners(self) -> bool:
        """Whether two who are drawn together share a table's side, so that pages mark who is whose partner."""
        return self.partnering == CHANGE

    @property
    def fewest_dealt_in(self) -> int:
        """With how many people a hand can be dealt: partners are four (TEAM-1)."""
        return 4 if self.partners else 2

    @property
    def partnering(self) -> str:
        """Who plays with whom."""
        if self.enters == TEAMS:
            return STAY
        return CHANGE if self.partners else ALONE

    # --- what can be played

    def entries_of(self, people: int) -> int:
        """How many can enter where so many people come."""
        return people // self.people

    def possible(self) -> Sequence[int]:
        """The numbers of entries it can be played by, ascending."""
        return range(self.fewest, self.most + 1)

    def describe_possible(self) -> Sentence:
        words = {"format": Sentence(self.name), "fewest": self.fewest, "most": self.most}
        if self.enters == TEAMS:
            return sentence("%(format)s can be played by %(fewest)d to %(most)d teams.", **words)
        return sentence("%(format)s can be played by %(fewest)d to %(most)d players.", **words)

    def wrong_number(self, players: int) -> Sentence:
        """What to say of a number that is not possible."""
        words = {"format": Sentence(self.name), "fewest": self.fewest, "most": self.most, "players": players}
        if self.enters == TEAMS:
            return sentence("%(format)s can be played by %(fewest)d to %(most)d teams, not by %(players)d.", **words)
        return sentence("%(format)s can be played by %(fewest)d to %(most)d players, not by %(players)d.", **words)

    def setting(self, name: str) -> Setting | None:
        return next((setting for setting in self.settings if setting.name == name), None)

    def complete(self, chosen: Chosen) -> dict[str, int | None]:
        """All settings, with what is usual where nothing was chosen. Names that it lacks are left out."""
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
        """What cannot be played, by setting or as `players`, each with what is possible. players None, 0: not known."""
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
            refusals[group[0].name] = sentence("Choose exactly one of these: %(names)s.", names=words)
        if not refusals:
            refusals |= self.misfits(values, players)
        if players and players not in self.possible():
            refusals["players"] = self.wrong_number(players)
        return refusals

    def _no_such_setting(self, name: str) -> Sentence:
        known = listed([setting.option for setting in self.settings])
        words = {"format": Sentence(self.name), "name": name, "known": known}
        if not self.settings:
            return sentence("%(format)s: there is no setting “%(name)s”, nor any other.", **words)
        return sentence("%(format)s: there is no setting “%(name)s”. There are: %(known)s.", **words)

    def misfits(self, values: Chosen, players: int | None) -> dict[str, Sentence]:
        """Which settings do not go together, or with so many players; each alone is within its limits."""
        return {}

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        """How long it will take. Takes only what can be played."""
        sizes = sizes_of(players, self.table_size(values))
        rounds, hands = self.rounds(values, players) or 1, self.hands(values) or 4
        minutes = round(rounds * hands * minutes_a_hand(sizes[0][1]))
        return Evening(players, sizes, rounds, rounds * hands, minutes, games=True)

    # --- rounds

    def rounds(self, values: Chosen, players: int) -> int | None:
        """How many rounds there will be; None where that follows from the hands."""
        return values.get("rounds")

    def schedule(self, entries: int, values: Chosen) -> Sequence[Seating]:
        """All rounds, where they are drawn ahead. Raises NotPossible."""
        raise NotPossible(sentence("Rounds of this format are drawn one by one."))

    def more_rounds(
        self, entries: int, rounds: int, played: SeatedBefore, values: Chosen, *, seed: str
    ) -> Sequence[Seating]:
        """`rounds` more, where they are drawn ahead and somebody came or left: for who goes on, numbered from 0.

        played: the rounds before. Raises NotPossible.
        """
        raise NotPossible(sentence("Rounds of this format cannot be drawn again."))

    def counts(self, entries: int, rounds: Sequence[Seating]) -> dict[str, tuple[int, int]]:
        """How even a schedule is: (fewest, most) over all entries or all pairs of them, in English."""
        return {}

    def meetings(self, players: int, values: Chosen) -> Sentence | None:
        """What is to be known beforehand of how often people will meet, in a sentence."""
        return None

    def how_even(self, entries: int, rounds: Sequence[Seating]) -> Sentence | None:
        """How often everybody meets everybody, in a sentence, where that is to be as equal as can be."""
        return None

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        """Tables 1, 2, ... of the next round, by seat, for who plays on. Whoever is at none sits out. Raises
        NotPossible."""
        raise NotPossible(sentence("Rounds of this format are drawn all at once."))

    def byes(self, entries: int, values: Chosen) -> int:
        """How many have a bye in each round of a schedule."""
        return 0

    def sits_out(self, players: Sequence[str], values: Chosen) -> Sequence[str]:
        """Who has a free round in the first one of a stage, of those who play it in the order of the draw or the cut;
        `draw` gets the others."""
        return ()

    def places(self, table: Sequence[str]) -> list[tuple[str, int]]:
        """Of a drawn table who sits there, by seat, each place as (entry, which of a team): partners sit opposite each
        other (TEAM-1)."""
        return [(entry, member) for member in range(self.people) for entry in table]

    def why(
        self, table: Sequence[str], points: Mapping[str, int], past: Sequence[Sequence[Sequence[str]]]
    ) -> Sentence | None:
        """Why these sit together, where rounds are drawn `by_points`. points: before the round. past: its rounds."""
        return None

    def seeds(
        self, order: Sequence[str], together: Sequence[Collection[str]], *, groups: int = 1, seed: str = ""
    ) -> list[str]:
        """Everybody in the order in which a first round takes them, from the order of the draw or the cut, the best
        first. together: who should not meet early; groups: how many there were in the stage before."""
        return list(order)

    def state_of(
        self, began: Began, rounds: Sequence[Played], following: Played | None, values: Chosen
    ) -> progression.State:
        """Who plays on after these rounds, where only some do (`advances`). following: the round that was seated after
        them, where an earlier state is asked for: who sits there went on."""
        raise NotImplementedError

    def is_final(self, seating: Sequence[Sequence[str]]) -> bool:
        """Whether a drawn round is the last one, which lasts until it is decided whatever `hands` says."""
        return False

    def bracket(self, rounds: Sequence[SeatedRound]) -> list[Node]:
        """The tables of these rounds, and where everybody at them comes from."""
        return follow(rounds)

    # --- tables

    def table_size(self, values: Chosen) -> int:
        """The most who sit at a table."""
        return values.get("table_size") or 4

    def hands(self, values: Chosen) -> int | None:
        """How many hands a round has at each table; None: as long as it lasts."""
        return values.get("hands_per_round")

    def game_target(self, values: Chosen) -> int | None:
        """The points to which each table of a round plays a game; None where it does not."""
        return None

    def ends_early(self, values: Chosen) -> bool:
        """Whether the hands decide when a table is done (`over_in`), so that each has to follow the one before."""
        return self.game_target(values) is not None

    def is_asked(self, setting: Setting, values: Chosen) -> bool:
        """Whether a setting means something beside the others."""
        return True

    def has_second_ladder(self, values: Chosen) -> bool:
        """Whether who is eliminated in the first round plays on in a ladder beside."""
        return False

    def forgives(self, values: Chosen) -> bool:
        """Whether who has lost once plays on, in a tree."""
        return False

    def over_in(self, hands: Hands, values: Chosen) -> int | None:
        """The hand with which the table was done before all its hands; those after it count for nobody."""
        return None

    def is_level(self, hands: Hands, values: Chosen) -> bool:
        """Whether all hands of a table are in and another one follows, since nothing parts those who sit there."""
        return False

    def worth(self, hands: Hands, values: Chosen) -> Mapping[str, int]:
        """What the hands of a table that count are worth to each in the standings, where points are not summed."""
        raise NotImplementedError

    # --- words

    def rounds_in_words(self, values: Chosen, scoring: str) -> list[Sentence]:
        """What is to be played, where rounds are drawn one by one: “3 rounds of 4 hands”."""
        rounds = self.rounds(values, 0)
        return [] if rounds is None else [counted("%(count)d round", "%(count)d rounds", rounds)]
