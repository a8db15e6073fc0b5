"""Preview an action by running it in a transaction that is rolled back.

A preview runs the code that saves, over standings, eliminations and seating. Saving compares the changes with the
preview again, and saves exactly those or nothing.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TypeVar

from django.db import transaction
from django.utils.translation import gettext as _

from league.ledger.locks import lock_tables, lock_tournament
from league.lib.errors import Conflict
from league.models import Round, Seat, Table, Tournament
from league.standings import read as ledger
from league.standings.ranking import Place

T = TypeVar("T")


@dataclass(frozen=True)
class Moved:
    """A player whose line changes. None: not in the standings."""

    player: str
    was: Place | None
    will: Place | None

    @property
    def back_in(self) -> bool:
        """Return whether an eliminated player is in again."""
        return bool(self.was and self.will and self.was.status == "out" and self.will.status == "active")

    @property
    def goes_out(self) -> bool:
        return bool(self.was and self.will and self.was.status == "active" and self.will.status == "out")


@dataclass(frozen=True)
class Reseated:
    """A player whose seat in a round changes. was, will: table number, 0 for a bye, None for no seat."""

    round: int
    player: str
    was: int | None
    will: int | None


@dataclass(frozen=True)
class Moves:
    """moved: by new rank. reseated: by round and new table. others: number of unchanged lines.

    rounds_was, rounds_will: numbers of the published rounds.
    """

    moved: tuple[Moved, ...]
    reseated: tuple[Reseated, ...]
    others: int
    rounds_was: tuple[int, ...]
    rounds_will: tuple[int, ...]

    @property
    def digest(self) -> str:
        """Return a hash of all fields."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Plan:
    """One way to do an action, with its cost in a sentence; forms post `value` as `plan`."""

    value: str
    title: str
    cost: str


def try_out(tournament: Tournament, action: Callable[[], object], was: "Snapshot | None" = None) -> Moves:
    """Return the changes an action would make; nothing is saved. was: see `as_it_stands`."""
    outcomes: list[Moves] = []
    try:
        with transaction.atomic():
            _lock_results(tournament)
            outcomes.append(_do_and_compare(tournament, action, was)[0])
            raise _RollBackError
    except _RollBackError:
        return outcomes[0]


@contextmanager
def as_it_stands(tournament: Tournament) -> Iterator["Snapshot"]:
    """Read and lock the current state once, for previews of several actions."""
    with transaction.atomic():
        _lock_results(tournament)
        yield _take_snapshot(tournament)


def do_as_shown(tournament: Tournament, digest: str, action: Callable[[], T]) -> T:
    """Run the previewed action. digest: of the previewed moves.

    Raises `Conflict("changed")`, with the new moves as `current`, if the action would now change something else.
    """
    with transaction.atomic():
        _lock_results(tournament)
        moves, answer = _do_and_compare(tournament, action, None)
        if moves.digest != digest:
            raise Conflict("changed", _("Something has changed since. Check the new preview."), current=moves)
        return answer


def _lock_results(tournament: Tournament) -> None:
    """Lock the tables, because a hand recorded now would appear as an effect of the action."""
    lock_tournament(tournament.pk)
    played = tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    lock_tables(Table.objects.filter(round__in=played).values_list("pk", flat=True))


class _RollBackError(Exception):
    """Rolls back the transaction of a preview."""


@dataclass(frozen=True)
class Snapshot:
    """The state that an action may change."""

    lines: dict[str, Place]
    seats: dict[tuple[int, str], int]
    names: dict[str, str]
    rounds: tuple[int, ...]


def _do_and_compare(tournament: Tournament, action: Callable[[], T], was: Snapshot | None) -> tuple[Moves, T]:
    was = was or _take_snapshot(tournament)
    answer = action()
    return _compare(was, _take_snapshot(tournament)), answer


def _take_snapshot(tournament: Tournament) -> Snapshot:
    book = ledger.read(tournament)
    lines = {
        line.entrant.id: Place(
            line.rank, line.tied, line.total, line.entrant.status, line.out_in_round, line.out_in_hand
        )
        for line in book.standings()
    }
    seats = Seat.objects.filter(round__in=tournament.rounds.living())
    return Snapshot(
        lines,
        {
            (number, entry): table or 0
            for number, entry, table in seats.values_list("round__number", "entry__public_id", "table__number")
        },
        {entrant.id: entrant.name for entrant in book.entrants},
        tuple(round_.number for round_ in book.rounds),
    )


def _without_tie(place: Place | None) -> Place | None:
    """Return the place without its tie: sharing a rank is not a move."""
    return place and place._replace(tied=False)


def _compare(was: Snapshot, will: Snapshot) -> Moves:
    names = was.names | will.names
    moved = [
        Moved(names[entry], was.lines.get(entry), will.lines.get(entry))
        for entry in (was.lines | will.lines)
        if _without_tie(was.lines.get(entry)) != _without_tie(will.lines.get(entry))
    ]
    reseated = [
        Reseated(number, names[entry], was.seats.get((number, entry)), will.seats.get((number, entry)))
        for number, entry in (was.seats | will.seats)
        if was.seats.get((number, entry)) != will.seats.get((number, entry))
    ]
    moved.sort(key=lambda line: (line.will is None, line.will.rank or 0 if line.will else 0, line.player))
    reseated.sort(key=lambda seat: (seat.round, seat.will is None, seat.will or 0, seat.player))
    staying = len(was.lines | will.lines) - len(moved)
    return Moves(tuple(moved), tuple(reseated), staying, was.rounds, will.rounds)
