"""Compute a club's ratings, starting at the first changed table.

Each `RatingPoint` row has the hash of all results up to it; rows are only added or dropped at the end. So ratings
before a corrected table stay, and a killed worker loses one batch. A second worker on the same club finds its batch
already written, and stops.
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

BATCH = 500  # tables a batch
PATIENCE = 60.0  # seconds a turn; the next turn continues
# If checking a club takes longer than LONG seconds, skip it for REST times as long.
LONG, REST = 1.0, 10
_looked_until: dict[int, float] = {}

Tell = Callable[[int, int], None]  # (tables done, total)


class Taken(Exception):
    """Another worker computes these ratings."""


class _StoredTable(NamedTuple):
    """Stored ratings of one table. after: ratings after it, by player."""

    basis: str
    after: dict[int, Rating]


class _Step(NamedTuple):
    """basis: hash of all tables up to this one. sides: opponents at it."""

    position: Position
    basis: str
    sides: tuple[Side, ...]


def rate_what_changed() -> int:
    """Compute the ratings of changed clubs until `PATIENCE` runs out. Return the number of finished clubs."""
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
        except Exception:  # don't block the other clubs
            logger.exception("The ratings of the club %s failed", club.slug)
            _looked_until[club.pk] = began + PATIENCE
            continue
        took = time.monotonic() - began
        _looked_until[club.pk] = began + REST * took if took > LONG else began
    return done


def recompute_ratings(*, club: Club, tell: Tell = lambda done, of: None, until: float | None = None) -> bool:
    """Update the ratings of a club. until: `time.monotonic` deadline; return False when it is reached.

    Writes nothing if nothing has changed. Raises `Taken`.
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
    """Ratings after the tables read so far. stands: all stored rows up to here are valid."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.points = RatingPoint.objects.filter(club=club)
        self.last: Position | None = None  # last table with a rated player
        self.basis = ""
        self.ratings: dict[int, Rating] = {}
        self.stands = True

    def go_on(self, tables: list[Position], people: People) -> None:
        steps = self._steps(tables, people)
        if self.stands:
            stored = self._read_stored(tables)
            for step in steps:
                known = stored.get(step.position.table)
                if known is None or known.basis != step.basis:
                    self.drop_the_rest()
                    self._write([step, *steps])
                    return
                self._follow(step, known.after)
        else:
            self._write(list(steps))

    def drop_the_rest(self) -> None:
        """Delete the stored rows after the last valid table."""
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

    def _read_stored(self, tables: list[Position]) -> dict[int, _StoredTable]:
        by_table: dict[int, _StoredTable] = {}
        rows = self.points.filter(table__in=[position.table for position in tables]).order_by()
        for table, player, mu, sigma, basis in rows.values_list("table_id", "player_id", "mu", "sigma", "basis"):
            by_table.setdefault(table, _StoredTable(basis, {})).after[player] = Rating(mu, sigma)
        return by_table

    def _follow(self, step: _Step, after: dict[int, Rating]) -> None:
        self.ratings |= after
        self.last, self.basis = step.position, step.basis

    def _write(self, steps: list[_Step]) -> None:
        """Rate these tables and append their rows."""
        if not steps:
            return
        before = self.basis
        points: list[RatingPoint] = []
        for step in steps:
            after = rate(step.sides, self.ratings)
            self._follow(step, after)
            points += [
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
            # Rows of a tournament that belonged to another club.
            RatingPoint.objects.filter(table__in=[step.position.table for step in steps]).delete()
            RatingPoint.objects.bulk_create(points, batch_size=BATCH)
