"""What an action would change, found by doing it: in a transaction that is taken back.

So a preview runs the very code that saves, over standings, eliminations and seating; and saving compares once more
with what was shown, so that it does exactly that or nothing.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import NamedTuple, TypeVar

from django.db import transaction
from django.utils.translation import gettext as _

from league.ledger.locks import lock_tables, lock_tournament
from league.lib.errors import Conflict
from league.models import Round, Seat, Table, Tournament
from league.standings import read as ledger

T = TypeVar("T")


class Place(NamedTuple):
    """A line of the standings, as far as it can move."""

    rank: int | None
    tied: bool
    total: int
    status: str
    out_in_round: int | None
    out_in_hand: int | None


@dataclass(frozen=True)
class Moved:
    """Whose line differs. None: was not, or will not be, in the standings."""

    player: str
    was: Place | None
    will: Place | None

    @property
    def back_in(self) -> bool:
        """Whether it undoes that somebody was out."""
        return bool(self.was and self.will and self.was.status == "out" and self.will.status == "active")

    @property
    def goes_out(self) -> bool:
        return bool(self.was and self.will and self.was.status == "active" and self.will.status == "out")


@dataclass(frozen=True)
class Reseated:
    """Whose seat of a round differs: the table's number, 0 for a bye, None for no seat."""

    round: int
    player: str
    was: int | None
    will: int | None


@dataclass(frozen=True)
class Moves:
    """moved: by the rank that will be. reseated: by round, then by the table that will be. others: how many stay.

    rounds_was, rounds_will: the numbers of the living rounds that are published.
    """

    moved: tuple[Moved, ...]
    reseated: tuple[Reseated, ...]
    others: int
    rounds_was: tuple[int, ...]
    rounds_will: tuple[int, ...]

    @property
    def digest(self) -> str:
        """Stands for all of it: equal moves have the same."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:32]


def try_out(tournament: Tournament, action: Callable[[], object]) -> Moves:
    """What the action would change; nothing is changed. Raises what the action refuses."""
    found: list[Moves] = []
    try:
        with transaction.atomic():
            _hold_still(tournament)
            found.append(_done(tournament, action)[0])
            raise _TakenBackError
    except _TakenBackError:
        return found[0]


def do_as_shown(tournament: Tournament, shown: str, action: Callable[[], T]) -> T:
    """Do what was shown. Raises `Conflict("changed")`, with what it would be now as `current`, where that differs."""
    with transaction.atomic():
        _hold_still(tournament)
        moves, answer = _done(tournament, action)
        if moves.digest != shown:
            raise Conflict(
                "changed", _("Something changed since you looked. This is what would move now."), current=moves
            )
        return answer


def _hold_still(tournament: Tournament) -> None:
    """Let nobody record a hand meanwhile: it would look as if the action had moved what the hand did."""
    lock_tournament(tournament.pk)
    played = tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    lock_tables(Table.objects.filter(round__in=played).values_list("pk", flat=True))


class _TakenBackError(Exception):
    """Ends the transaction of a preview."""


@dataclass(frozen=True)
class _Picture:
    lines: dict[str, Place]
    seats: dict[tuple[int, str], int]
    names: dict[str, str]
    rounds: tuple[int, ...]


def _done(tournament: Tournament, action: Callable[[], T]) -> tuple[Moves, T]:
    was = _look(tournament)
    answer = action()
    return _compare(was, _look(tournament)), answer


def _look(tournament: Tournament) -> _Picture:
    book = ledger.read(tournament)
    lines = {
        line.entrant.id: Place(
            line.rank, line.tied, line.total, line.entrant.status, line.out_in_round, line.out_in_hand
        )
        for line in book.standings()
    }
    seats = Seat.objects.filter(round__in=tournament.rounds.living())
    return _Picture(
        lines,
        {
            (number, entry): table or 0
            for number, entry, table in seats.values_list("round__number", "entry__public_id", "table__number")
        },
        {entrant.id: entrant.name for entrant in book.entrants},
        tuple(one.number for one in book.rounds),
    )


def _beside_ties(place: Place | None) -> Place | None:
    """Who keeps a rank that one more shares by now has not moved."""
    return place and place._replace(tied=False)


def _compare(was: _Picture, will: _Picture) -> Moves:
    names = was.names | will.names
    moved = [
        Moved(names[entry], was.lines.get(entry), will.lines.get(entry))
        for entry in (was.lines | will.lines)
        if _beside_ties(was.lines.get(entry)) != _beside_ties(will.lines.get(entry))
    ]
    reseated = [
        Reseated(number, names[entry], was.seats.get((number, entry)), will.seats.get((number, entry)))
        for number, entry in (was.seats | will.seats)
        if was.seats.get((number, entry)) != will.seats.get((number, entry))
    ]
    moved.sort(key=lambda one: (one.will is None, one.will.rank or 0 if one.will else 0, one.player))
    reseated.sort(key=lambda one: (one.round, one.will is None, one.will or 0, one.player))
    others = len(was.lines | will.lines) - len(moved)
    return Moves(tuple(moved), tuple(reseated), others, was.rounds, will.rounds)
