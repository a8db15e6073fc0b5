"""Search in the background for a better seating of tables that haven't started (league/background/jobs.py).

The job's row has the best seating so far. It applies only if an organiser takes it, and the tables haven't changed.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from django.utils.translation import gettext as _

from league.formats.seating import golfers
from league.formats.seating.meetings import meetings_before
from league.lib.errors import Conflict
from league.models import Job, Tournament
from league.rounds import reseat

SECONDS = 30  # maximum; a search ends earlier if nothing can be better


@dataclass(frozen=True)
class Result:
    """A seating by table and seat. `was` and `will` count earlier meetings at these tables, now and in `seating`.

    `versions`: {table id: seating version} for `reseat.take_seating`.
    """

    round: int
    tables: list[int]
    versions: dict[str, int]
    seating: list[list[str]]
    was: int
    will: int

    @property
    def is_better(self) -> bool:
        return self.will < self.was


def result_of(job: Job) -> Result | None:
    """Return the best result of a search so far; None before the first."""
    return Result(**json.loads(bytes(job.result))) if job.result else None


def search(
    tournament: Tournament,
    progress: Callable[[int, int, bytes], None],
    clock: Callable[[], float] = time.monotonic,
) -> bytes:
    """Search for SECONDS and report the best seating so far. Raises `Refused` if no table can be re-seated."""
    fresh = reseat.fresh_tables(tournament)
    arguments = reseat.arguments(fresh)
    was = will = meetings_before(reseat.seats_now(fresh), arguments["past"])
    began, reported, best, content = clock(), -1, None, b""
    for seating in golfers.better_rounds(fresh.players, fresh.table_count, seed=reseat.seed_of(fresh), **arguments):
        if seating is not None and seating is not best:
            best = seating
            will = meetings_before(seating, arguments["past"])
            result = Result(fresh.played.number, fresh.numbers, reseat.versions_of(fresh), seating, was, will)
            content = json.dumps(asdict(result)).encode()
        seconds = min(SECONDS, int(clock() - began))
        if seconds != reported:  # each report writes a row, so at most one a second
            progress(reported := seconds, SECONDS, content)
        if seconds == SECONDS or (best is not None and not will):
            break
    if best is None:
        raise Conflict("wishes", _("No seating found: the keep-apart rules can’t be met."))
    return content


def check(tournament: Tournament) -> None:
    """Raise `Refused` if a search makes no sense now."""
    fresh = reseat.fresh_tables(tournament)
    if fresh.table_count < 2:
        raise Conflict("one-table", _("Only one table hasn’t started, so no seats can change."))
