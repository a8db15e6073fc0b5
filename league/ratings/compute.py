"""Computing the ratings of a club anew, from the first table that is not what it was.

`RatingPoint` rows are the truth of how far that has come: each carries the hash of all results before it, and they are
only ever added at the end or dropped from the end. So what precedes a corrected table stays, who is killed has lost one
batch, and a second worker at the same club finds its batch written already, and stops.
"""

import logging
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q

from league.models import Club, RatingPoint
from league.ratings.model import Rating, Side, next_basis, rate
from league.ratings.results import People, Position, out_of_date, people_of, positions, read_sides, version_of

logger = logging.getLogger(__name__)

BATCH = 500  # tables that are read, and written, at once
PATIENCE = 60.0  # seconds of a worker's turn; the next one goes on from there
# A club with so many hands that a look at them takes longer than LONG is left alone for REST times as long afterwards.
LONG, REST = 1.0, 10
_looked_until: dict[int, float] = {}

Tell = Callable[[int, int], None]  # tables done, and of how many


class Taken(Exception):
    """Somebody else computes these ratings."""


class _Stored(NamedTuple):
    """What there is of one table."""

    basis: str
    after: dict[int, Rating]


class _Step(NamedTuple):
    """A table, the hash of all up to it, and who met there."""

    position: Position
    basis: str
    sides: tuple[Side, ...]


def rate_what_changed() -> int:
    """Compute the ratings of the clubs whose results have changed; return of how many. Stops when its turn is over."""
    until = time.monotonic() + PATIENCE
    done = 0
    for club in out_of_date().order_by("pk"):
        began = time.monotonic()
        if began >= until or began < _looked_until.get(club.pk, began):
            continue
        try:
            done += recompute_ratings(club=club, until=until)
        except Taken:
            pass
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # the other clubs are not to wait for this one
            logger.exception("The ratings of the club %s failed", club.slug)
            _looked_until[club.pk] = began + PATIENCE
            continue
        took = time.monotonic() - began
        _looked_until[club.pk] = began + REST * took if took > LONG else began
    return done


def recompute_ratings(*, club: Club, tell: Tell = lambda done, of: None, until: float | None = None) -> bool:
    """Bring the ratings of a club up to date. until: moment of `time.monotonic` at which to stop; False: it is over.

    Nothing changed: nothing is written. Raises `Taken`.
    """
    version = version_of(club)
    tables, people = positions(club), people_of(club)
    computing = _Computing(club)
    for done in range(0, len(tables), BATCH):
        tell(done, len(tables))
        if until is not None and time.monotonic() >= until:
            return False
        computing.go_on(tables[done : done + BATCH], people)
    computing.drop_the_rest()
    Club.objects.filter(pk=club.pk).update(ratings_version=version)
    tell(len(tables), len(tables))
    return True


class _Computing:
    """Ratings as of a table. `stands`: what is stored has been right so far, so nothing has been written."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.points = RatingPoint.objects.filter(club=club)
        self.last: Position | None = None  # of the tables that rate somebody
        self.basis = ""
        self.ratings: dict[int, Rating] = {}
        self.stands = True

    def go_on(self, tables: list[Position], people: People) -> None:
        steps = self._steps(tables, people)
        if self.stands:
            stored = self._stored(tables)
            for step in steps:
                there = stored.get(step.position.table)
                if there is None or there.basis != step.basis:
                    self.drop_the_rest()
                    self._write([step, *steps])
                    return
                self._follow(step, there.after)
        else:
            self._write(list(steps))

    def drop_the_rest(self) -> None:
        """Take away what is stored behind the last table that stands."""
        if not self.stands:
            return
        self.stands = False
        rest = self.points
        if self.last is not None:
            at, table = self.last.at, self.last.table
            rest = rest.filter(Q(at__gt=at) | Q(at=at, table__gt=table))
        if rest.exists():
            rest.delete()

    def _steps(self, tables: list[Position], people: People) -> Iterator[_Step]:
        basis = self.basis
        for position, sides in zip(tables, read_sides(tables, people), strict=True):
            if sides:
                basis = next_basis(basis, position.table, position.at.isoformat(), sides)
                yield _Step(position, basis, sides)

    def _stored(self, tables: list[Position]) -> dict[int, _Stored]:
        found: dict[int, _Stored] = {}
        rows = self.points.filter(table__in=[one.table for one in tables]).order_by()
        for table, player, mu, sigma, basis in rows.values_list("table_id", "player_id", "mu", "sigma", "basis"):
            found.setdefault(table, _Stored(basis, {})).after[player] = Rating(mu, sigma)
        return found

    def _follow(self, step: _Step, after: dict[int, Rating]) -> None:
        self.ratings |= after
        self.last, self.basis = step.position, step.basis

    def _write(self, steps: list[_Step]) -> None:
        """Rate these tables, and add them at the end."""
        if not steps:
            return
        before = self.basis
        made: list[RatingPoint] = []
        for step in steps:
            after = rate(step.sides, self.ratings)
            self._follow(step, after)
            made += [
                RatingPoint(
                    club=self.club,
                    player_id=player,
                    table_id=step.position.table,
                    at=step.position.at,
                    mu=rating.mu,
                    sigma=rating.sigma,
                    basis=step.basis,
                )
                for player, rating in after.items()
            ]
        with transaction.atomic():
            Club.objects.select_for_update(no_key=True).only("pk").get(pk=self.club.pk)
            last = self.points.order_by("-at", "-table_id").values_list("basis", flat=True).first()
            if (last or "") != before:
                raise Taken
            # A tournament that another club had before.
            RatingPoint.objects.filter(table__in=[step.position.table for step in steps]).delete()
            RatingPoint.objects.bulk_create(made, batch_size=BATCH)
