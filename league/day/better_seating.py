"""A better seating for the tables of a round that have not started, searched in the background
(league/background/jobs.py).

The row of the job keeps the best found so far. Nobody moves until somebody takes it, and then only if these tables are
as they were when the search began.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from django.utils.translation import gettext as _

from league.formats.seating import golfers
from league.lib.errors import Conflict
from league.models import Job, Tournament
from league.rounds import reseat

SECONDS = 30  # the most that one search takes; shorter where nothing can be better


@dataclass(frozen=True)
class Found:
    """seating: table by table by seat. was, will: how often people who would meet there have met before.

    versions: those of the tables, by id, for `reseating.take_seating`.
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


def found_by(job: Job) -> Found | None:
    """What a search has so far, or in the end; None before its first result."""
    return Found(**json.loads(bytes(job.result))) if job.result else None


def search(
    tournament: Tournament,
    progress: Callable[[int, int, bytes], None],
    clock: Callable[[], float] = time.monotonic,
) -> bytes:
    """Look for SECONDS, telling the best so far. Raises `Refused` where there is nothing to seat anew."""
    fresh = reseat.fresh_tables(tournament)
    given = reseat.arguments(fresh)
    was = will = golfers.met_before(reseat.seats_now(fresh), given["past"])
    began, told, best, content = clock(), -1, None, b""
    for seating in golfers.better_rounds(fresh.players, fresh.wanted, seed=reseat.seed_of(fresh), **given):
        if seating is not None and seating is not best:
            best = seating
            will = golfers.met_before(seating, given["past"])
            found = Found(fresh.played.number, fresh.numbers, reseat.versions_of(fresh), seating, was, will)
            content = json.dumps(asdict(found)).encode()
        seconds = min(SECONDS, int(clock() - began))
        if seconds != told:  # a row to write, so not more often than anybody looks
            progress(told := seconds, SECONDS, content)
        if seconds == SECONDS or (best is not None and not will):
            break
    if best is None:
        raise Conflict("wishes", _("No seating was found in which everybody who must not meet is apart."))
    return content


def check(tournament: Tournament) -> None:
    """Whether a search makes sense now. Raises `Refused`."""
    fresh = reseat.fresh_tables(tournament)
    if fresh.wanted < 2:
        raise Conflict("one-table", _("Only one table has not started, so nobody could sit anywhere else."))
