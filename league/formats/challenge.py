"""Define Challenge UNO: its settings, the next round's seating, and the end of a round (TOUR-3).

Pure. `league.formats.race` computes who is still in from the hands.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.rules import CHALLENGE, DEFAULT_TARGET
from engine.sentences import Sentence, mark, sentence
from league.formats.estimate import Evening, caught_in, estimate, in_fives, sizes_of
from league.formats.protocol import ONE_LEFT, Demo, Draw, Format
from league.formats.race import (
    DROP,
    DROPPED,
    HEAD_TO_HEAD,
    LATE,
    OUT,
    REINSTATED,
    RETURN,
    Hand,
    State,
    state_of,
)
from league.formats.seating import golfers
from league.formats.seating.not_possible import NotPossible
from league.formats.setting import AT_ONCE, Chosen, Setting, hands_setting, table_size_setting

FEWEST_PLAYERS, MOST_PLAYERS = 3, 1000
SMALLEST_TABLE, LARGEST_TABLE = 3, 10
DEFAULT_SIZE = 4
DEFAULT_HANDS = 4

# Table states: hands to come; all hands recorded; one player left; stopped by the rest of the event or by time.
PLAYING, COMPLETE, ENDED, STOPPED = "playing", "complete", "ended", "stopped"


class Settings(NamedTuple):
    """hands: in a round; None: until the round is stopped."""

    table_size: int = DEFAULT_SIZE
    hands: int | None = DEFAULT_HANDS
    target: int = DEFAULT_TARGET

    @staticmethod
    def of(values: Chosen) -> "Settings":
        return Settings(
            values["table_size"] or DEFAULT_SIZE, values["hands_per_round"], values["target"] or DEFAULT_TARGET
        )


class TableProgress(NamedTuple):
    """missing: hands to come; None if only the end of the round or the event decides."""

    table: int
    state: str
    played: int
    missing: int | None


def check_players(players: int) -> None:
    """Raise NotPossible for a wrong number of players."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise NotPossible(Challenge().wrong_number(players))


def check_change(settings: Settings, state: State, entry: str, kind: str) -> None:
    """Raise NotPossible if the change would have no effect now."""
    line = state.lines.get(entry)
    if state.winner is not None:
        raise NotPossible(sentence("The tournament has a winner, so players can’t enter or leave."))
    if kind == LATE:
        if line is not None:
            raise NotPossible(sentence("This player is already in the tournament."))
        return
    if line is None:
        raise NotPossible(sentence("This player hasn’t entered yet."))
    if kind == DROP and line.status == DROPPED:
        raise NotPossible(sentence("This player has already withdrawn."))
    if kind == DROP and line.status == OUT:
        raise NotPossible(sentence("This player is already eliminated."))
    if kind == RETURN and line.status != DROPPED:
        raise NotPossible(sentence("Only withdrawn players can return."))
    if kind == REINSTATED and line.status != OUT:
        raise NotPossible(sentence("Only eliminated players can be reinstated."))
    if kind in (RETURN, REINSTATED) and line.total >= settings.target:
        raise NotPossible(
            sentence(
                "This player has %(total)d points and has reached the target of %(target)d. Correct "
                "a hand or adjust the total first.",
                total=line.total,
                target=settings.target,
            )
        )


def late_total(settings: Settings, state: State) -> int:
    """Return the default start total of a late entry: the highest total of active players."""
    return min(settings.target - 1, max((state.lines[entry].total for entry in state.still_in), default=0))


def next_round(
    settings: Settings,
    state: State,
    past: Sequence[Sequence[Sequence[str]]] = (),
    *,
    seed: str,
    fixed: Mapping[str, int] | None = None,
    apart: Collection[tuple[str, str]] = (),
) -> list[list[str]]:
    """Seat the next round: tables 1, 2, … by seat, for active players; the last two get one table of two.

    past: earlier rounds, without voided ones, by table and seat. seed: constant for the event. fixed: required table
    of a player, from 1. apart: pairs that must not meet. Equal lowest totals at or over the target play on at one
    table. Raises NotPossible.
    """
    players = state.still_in
    if state.winner is not None:
        raise NotPossible(sentence("The tournament has a winner, so there are no more rounds."))
    if not past and len(players) != HEAD_TO_HEAD:  # two players begin with the final
        check_players(len(players))
    tables = golfers.count_tables(len(players), settings.table_size)
    if len(players) <= LARGEST_TABLE and all(state.lines[entry].total >= settings.target for entry in players):
        tables = 1
    fixed_at = {entry: table - 1 for entry, table in (fixed or {}).items()}
    return golfers.next_round(players, tables, past, seed=seed, fixed=fixed_at, apart=apart)


def progress(
    settings: Settings,
    state: State,
    round_number: int,
    tables: Mapping[int, Collection[str]],
    hands: Iterable[Hand],
    *,
    limits: Mapping[int, int | None] | None = None,
    stopped: bool = False,
) -> list[TableProgress]:
    """Return the progress of each table of a round; it can be closed if none is PLAYING.

    tables: seated players by table number. limits: hands to play by table number, if different from the round's.
    stopped: the round's time is up. A hand in progress at a STOPPED table doesn't count.
    """
    played = Counter(hand.table for hand in hands if hand.round == round_number)
    last_two = set(state.still_in) if len(state.still_in) == HEAD_TO_HEAD else None
    limit_of = dict.fromkeys(tables, settings.hands) | dict(limits or {})
    return [
        _progress(limit_of[number], state, number, set(seated), played[number], last_two, stopped)
        for number, seated in sorted(tables.items())
    ]


def _progress(
    hands: int | None,
    state: State,
    table: int,
    seated: set[str],
    played: int,
    last_two: set[str] | None,
    stopped: bool,
) -> TableProgress:
    limit = None if seated == last_two else hands
    if limit is not None and played >= limit:
        return TableProgress(table, COMPLETE, played, 0)
    if len(seated.intersection(state.still_in)) < HEAD_TO_HEAD:
        return TableProgress(table, ENDED, played, 0)
    if stopped or (last_two and seated != last_two):
        return TableProgress(table, STOPPED, played, 0)
    return TableProgress(table, PLAYING, played, None if limit is None else limit - played)


class Challenge(Format):
    key = "challenge"
    name = mark("Challenge UNO")
    about = mark("You are eliminated at 500 points. The last two play a final. 3 to 1000 players")
    on_the_way = mark("Too many points eliminate a player")
    ending = ONE_LEFT
    at_the_end = mark("The last two finish head to head")
    settings = (
        hands_setting(
            DEFAULT_HANDS,
            empty=mark("until you close the round"),
            help=mark("Empty: until you close the round"),
            amend_help=mark("Empty: until you close the round"),
        ),
        Setting(
            "target",
            mark("Eliminated at"),
            1,
            10_000,
            DEFAULT_TARGET,
            help=mark("Penalty points that eliminate a player"),
            amended=AT_ONCE,
            amend_help=mark("Applies to all rounds: eliminated players may change"),
        ),
        table_size_setting(SMALLEST_TABLE, LARGEST_TABLE, DEFAULT_SIZE, mark("3 to 10; table sizes are balanced")),
    )
    # With this seed one of eight players is eliminated in round 4, and others are close.
    demos = (Demo("Autumn Challenge", 0, rounds=3, hands=(2,), seed=7),)
    scorings = (CHALLENGE,)
    tie_breaks = False
    eliminates = True
    race_page = True
    fewest, most = FEWEST_PLAYERS, MOST_PLAYERS

    def draw(self, wanted: Draw, values: Chosen) -> list[list[str]]:
        state = wanted.race or state_of(target=values["target"] or DEFAULT_TARGET, entrants=wanted.players)
        return next_round(
            Settings.of(values), state, wanted.past, seed=wanted.seed, fixed=wanted.fixed, apart=wanted.apart
        )

    def is_final(self, seating: Sequence[Sequence[str]]) -> bool:
        """Return whether this is the head to head of the last two, played to its end."""
        return len(seating) == 1 and len(seating[0]) == HEAD_TO_HEAD

    def rounds(self, values: Chosen, players: int) -> None:
        return None

    def evening(self, players: int, values: Chosen, edition: str, scoring: str) -> Evening:
        settings = Settings.of(values)
        length = estimate(
            players, settings.table_size, settings.hands or DEFAULT_HANDS, settings.target, caught_in(edition)
        )
        return Evening(
            players=players,
            tables=sizes_of(players, settings.table_size),
            rounds=round(length.rounds),
            hands=round(length.hands),
            minutes=in_fives(length.minutes),
            about=True,
            open_rounds=settings.hands is None,
        )

    def rounds_in_words(self, values: Chosen, scoring: str) -> list[Sentence]:
        return [sentence("to %(target)d", target=Settings.of(values).target)]
