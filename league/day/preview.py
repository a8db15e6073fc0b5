"""What an action would change, found out by doing it in a transaction that is taken back.

So a preview runs the very code that saves, over standings, eliminations and seating. Saving compares once more with
what was shown, so that it does exactly that or nothing.
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
    """A player whose line changes. None: the player was not, or will not be, in the standings."""

    player: str
    was: Place | None
    will: Place | None

    @property
    def back_in(self) -> bool:
        """Whether the player was out and will be in again."""
        return bool(self.was and self.will and self.was.status == "out" and self.will.status == "active")

    @property
    def goes_out(self) -> bool:
        return bool(self.was and self.will and self.was.status == "active" and self.will.status == "out")


@dataclass(frozen=True)
class Reseated:
    """A player whose seat in a round changes. was, will: the table's number, 0 for a bye, None for no seat."""

    round: int
    player: str
    was: int | None
    will: int | None


@dataclass(frozen=True)
class Moves:
    """moved: ordered by the new rank. reseated: ordered by round and new table. others: how many lines stay.

    rounds_was, rounds_will: the numbers of the living rounds that are published.
    """

    moved: tuple[Moved, ...]
    reseated: tuple[Reseated, ...]
    others: int
    rounds_was: tuple[int, ...]
    rounds_will: tuple[int, ...]

    @property
    def digest(self) -> str:
        """A hash over all of it: equal moves have equal digests."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Plan:
    """One of several ways to do an action, with its cost in a sentence; forms post `value` as `plan`."""

    value: str
    title: str
    cost: str


def try_out(tournament: Tournament, action: Callable[[], object], was: "Picture | None" = None) -> Moves:
    """What the action would change; nothing is saved. Raises what the action raises. `was`: see `as_it_stands`."""
    outcomes: list[Moves] = []
    try:
        with transaction.atomic():
            _hold_still(tournament)
            outcomes.append(_do_and_compare(tournament, action, was)[0])
            raise _TakenBackError
    except _TakenBackError:
        return outcomes[0]


@contextmanager
def as_it_stands(tournament: Tournament) -> Iterator["Picture"]:
    """For trying out several actions, each on what stands now: that is read once, and stands until the end."""
    with transaction.atomic():
        _hold_still(tournament)
        yield _take_picture(tournament)


def do_as_shown(tournament: Tournament, digest: str, action: Callable[[], T]) -> T:
    """Do what was shown. If it would change something else by now, raises `Conflict("changed")` with that as `current`.

    digest: of the moves that were shown.
    """
    with transaction.atomic():
        _hold_still(tournament)
        moves, answer = _do_and_compare(tournament, action, None)
        if moves.digest != digest:
            raise Conflict(
                "changed", _("Something changed since you looked. This is what would move now."), current=moves
            )
        return answer


def _hold_still(tournament: Tournament) -> None:
    """Let nobody record a hand meanwhile: the preview would show its effects as the action's."""
    lock_tournament(tournament.pk)
    played = tournament.rounds.filter(state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    lock_tables(Table.objects.filter(round__in=played).values_list("pk", flat=True))


class _TakenBackError(Exception):
    """Ends the transaction of a preview."""


@dataclass(frozen=True)
class Picture:
    """What an action may change."""

    lines: dict[str, Place]
    seats: dict[tuple[int, str], int]
    names: dict[str, str]
    rounds: tuple[int, ...]


def _do_and_compare(tournament: Tournament, action: Callable[[], T], was: Picture | None) -> tuple[Moves, T]:
    was = was or _take_picture(tournament)
    answer = action()
    return _compare(was, _take_picture(tournament)), answer


def _take_picture(tournament: Tournament) -> Picture:
    book = ledger.read(tournament)
    lines = {
        line.entrant.id: Place(
            line.rank, line.tied, line.total, line.entrant.status, line.out_in_round, line.out_in_hand
        )
        for line in book.standings()
    }
    seats = Seat.objects.filter(round__in=tournament.rounds.living())
    return Picture(
        lines,
        {
            (number, entry): table or 0
            for number, entry, table in seats.values_list("round__number", "entry__public_id", "table__number")
        },
        {entrant.id: entrant.name for entrant in book.entrants},
        tuple(round_.number for round_ in book.rounds),
    )


def _without_tie(place: Place | None) -> Place | None:
    """The place without its tie: a player has not moved only because somebody else now shares the rank."""
    return place and place._replace(tied=False)


def _compare(was: Picture, will: Picture) -> Moves:
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
