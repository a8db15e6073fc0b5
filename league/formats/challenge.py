"""Challenge UNO: its settings, who sits where in the next round, and when a round is over (TOUR-3).

Everything here is pure. `league.formats.race` says from the hands who is in.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.rules import CHALLENGE, DEFAULT_TARGET
from engine.sentences import Sentence, mark, sentence
from league.formats.race import DROP, DROPPED, HEAD_TO_HEAD, LATE, OUT, REINSTATED, RETURN, Hand, State
from league.formats.seating import golfers
from league.formats.seating.not_possible import NotPossible
from league.formats.settings import Wanted

NAME = mark("Challenge UNO")
SETTINGS = ("hands_per_round", "table_size", "target")
PARTNERS = False
SCORING = CHALLENGE
TIE_BREAKS = False
DRAWN_AHEAD = False
FEWEST_PLAYERS, MOST_PLAYERS = 3, 1000
SMALLEST_TABLE, LARGEST_TABLE = 3, 10
MOST_TARGET = 10_000
DEFAULT_SIZE = 4
DEFAULT_HANDS = 4

# States of a table: hands to come; all hands in; one player left; stopped by the rest of the event, or by time.
PLAYING, COMPLETE, ENDED, STOPPED = "playing", "complete", "ended", "stopped"


@dataclass(frozen=True)
class Settings:
    """hands: in a round; None: until the round is stopped. Raises NotPossible, saying what is possible."""

    table_size: int = DEFAULT_SIZE
    hands: int | None = DEFAULT_HANDS
    target: int = DEFAULT_TARGET

    def __post_init__(self) -> None:
        if not SMALLEST_TABLE <= self.table_size <= LARGEST_TABLE:
            raise NotPossible(
                sentence(
                    "A table of Challenge UNO has %(fewest)d to %(most)d players, not %(size)d.",
                    fewest=SMALLEST_TABLE,
                    most=LARGEST_TABLE,
                    size=self.table_size,
                )
            )
        if self.hands is not None and self.hands < 1:
            raise NotPossible(sentence("A round has at least 1 hand, not %(hands)d.", hands=self.hands))
        if not 1 <= self.target <= MOST_TARGET:
            raise NotPossible(
                sentence("The target is 1 to %(most)d points, not %(target)d.", most=MOST_TARGET, target=self.target)
            )


class TableProgress(NamedTuple):
    """missing: hands to come, None where only the end of the round or of the event can tell."""

    table: int
    state: str
    played: int
    missing: int | None


def possible_players() -> range:
    """The numbers of players that Challenge UNO can be played by."""
    return range(FEWEST_PLAYERS, MOST_PLAYERS + 1)


def describe_possible() -> Sentence:
    """The possible numbers of players as a sentence."""
    return sentence(
        "Challenge UNO can be played by %(fewest)d to %(most)d players.", fewest=FEWEST_PLAYERS, most=MOST_PLAYERS
    )


def problems(choices: Wanted, players: int | None) -> dict[str, Sentence]:
    """What cannot be played, by field, each with what is possible. players: None or 0 while nobody knows."""
    refusals = {}
    for field, setting in (
        ("table_size", {"table_size": choices.table_size}),
        ("hands_per_round", {"hands": choices.hands}),
        ("target", {"target": DEFAULT_TARGET if choices.target is None else choices.target}),
    ):
        try:
            Settings(**setting)
        except NotPossible as exc:
            refusals[field] = exc.sentence
    if players:
        try:
            check_players(players)
        except NotPossible as exc:
            refusals["players"] = exc.sentence
    return refusals


def check_players(players: int) -> None:
    """Raises NotPossible."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise NotPossible(
            sentence(
                "Challenge UNO can be played by %(fewest)d to %(most)d players, not by %(players)d.",
                fewest=FEWEST_PLAYERS,
                most=MOST_PLAYERS,
                players=players,
            )
        )


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
