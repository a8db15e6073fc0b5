"""Challenge UNO: its settings, who sits where in the next round, and when a round is over (TOUR-3).

Everything here is pure. `league.formats.race` says from the hands who is in.
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

# States of a table: hands to come; all hands in; one player left; stopped by the rest of the event, or by time.
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
    """missing: hands to come, None where only the end of the round or of the event can tell."""

    table: int
    state: str
    played: int
    missing: int | None


def check_players(players: int) -> None:
    """Raises NotPossible."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise NotPossible(Challenge().wrong_number(players))


def check_change(settings: Settings, state: State, entry: str, kind: str) -> None:
    """Raises NotPossible for a change that would have no effect now."""
    line = state.lines.get(entry)
    if state.winner is not None:
        raise NotPossible(sentence("The event has its winner, so nobody can come or go any more."))
    if kind == LATE:
        if line is not None:
            raise NotPossible(sentence("This player is in the event already."))
        return
    if line is None:
        raise NotPossible(sentence("This player has not entered yet."))
    if kind == DROP and line.status == DROPPED:
        raise NotPossible(sentence("This player has dropped out already."))
    if kind == DROP and line.status == OUT:
        raise NotPossible(sentence("This player is eliminated already."))
    if kind == RETURN and line.status != DROPPED:
        raise NotPossible(sentence("Only who has dropped out can return."))
    if kind == REINSTATED and line.status != OUT:
        raise NotPossible(sentence("Only who is eliminated can be reinstated."))
    if kind in (RETURN, REINSTATED) and line.total >= settings.target:
        raise NotPossible(
            sentence(
                "With %(total)d points this player has reached the target of %(target)d: correct a hand or adjust the "
                "total first.",
                total=line.total,
                target=settings.target,
            )
        )


def late_total(settings: Settings, state: State) -> int:
    """What a late entry starts with unless the organiser says otherwise: the highest total still in."""
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
    """Tables 1, 2, ... of the next round, each by seat, for those still in; the last two get one table of two.

    past: the rounds so far, not those that were voided, table by table by seat. seed: the same for the whole event.
    fixed: the table, from 1, that a player must have. apart: two who must not meet.
    Equal lowest totals at or over the target play on at one table. Raises NotPossible.
    """
    players = state.still_in
    if state.winner is not None:
        raise NotPossible(sentence("The event has its winner, so there is no further round."))
    if not past:
        check_players(len(players))
    tables = golfers.count_tables(len(players), settings.table_size)
    if len(players) <= LARGEST_TABLE and all(state.lines[entry].total >= settings.target for entry in players):
        tables = 1
    wishes = {entry: table - 1 for entry, table in (fixed or {}).items()}
    return golfers.next_round(players, tables, past, seed=seed, fixed=wishes, apart=apart)


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
    """What each table of a round has done and lacks; the round can be closed when none is PLAYING.

    tables: who was seated, by table number. limits: hands to play, by table number, where that differs from the round.
    stopped: the round's time is up. A hand in play at a table that is STOPPED counts for nobody.
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
    about = mark("At 500 you are eliminated; the last two finish head to head. 3 to 1000 players")
    on_the_way = mark("Whoever has too many points is eliminated")
    ending = ONE_LEFT
    at_the_end = mark("The last two play it out")
    settings = (
        hands_setting(
            DEFAULT_HANDS,
            empty=mark("until the round is closed"),
            help=mark("Empty: each round lasts until you close it"),
            amend_help=mark("Empty: each round lasts until you close it"),
        ),
        Setting(
            "target",
            mark("Eliminated at so many points"),
            1,
            10_000,
            DEFAULT_TARGET,
            help=mark("Whoever has caught so many plays no more"),
            amended=AT_ONCE,
            amend_help=mark("For everything at once: who is eliminated may change"),
        ),
        table_size_setting(
            SMALLEST_TABLE, LARGEST_TABLE, DEFAULT_SIZE, mark("3 to 10; tables are made as even as can be")
        ),
    )
    # With this seed one of the eight is out in the fourth round, and others are near it.
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
        """The head to head of the last two is played to its end."""
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
