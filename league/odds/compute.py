"""Compute odds in the background: chunks of simulations that workers share.

A page view requests a forecast for one end of the log. Its rows are the request, and become the answer. A worker
claims a chunk by compare-and-set, and writes it only while it still has the claim; if the log has moved on, the chunk
is dropped. Pages show earlier counts until the first chunk of the newer forecast is ready.
"""

import logging
import time
from datetime import datetime, timedelta
from functools import lru_cache

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from league.lib.wake import call_worker_after_commit
from league.log.anchors import log_hash_of
from league.models import Forecast, LogHead, Round, Tournament
from league.odds.hands import HandPools
from league.odds.position import outlook_at
from league.odds.simulate import Position, Tally, TooMuch, hands_of_an_ending, simulate

logger = logging.getLogger(__name__)

CHUNKS = 20
MOST_IN_A_CHUNK = 1000  # simulations: 20 000 in all
FEWEST_IN_A_CHUNK = 25  # if HANDS doesn't allow even that, give up
HANDS = 6_000_000  # drawn per forecast, about ten seconds; longer tournaments get fewer simulations
TURN = 0.3  # seconds of a worker's turn, or one chunk
SHARE = 1 / 3  # of a worker's time: it rests twice as long as a turn took
PATIENCE = 30.0  # seconds for a chunk, which takes one or two; well below the worker's limit
STUCK_AFTER = timedelta(minutes=3)  # longer than a worker may run before it is killed (config/celery.py)
_rests_until = 0.0


class Outdated(Exception):
    """The log has moved on."""


def request_forecast(*, tournament: Tournament, log_hash: str, current: Round | None) -> None:
    """Request the odds of this end of the log. One query if already requested."""
    if Forecast.objects.filter(tournament=tournament, log_hash=log_hash).count() >= CHUNKS:
        return
    chunks = (
        Forecast(tournament=tournament, round=current, log_hash=log_hash, chunk=number) for number in range(CHUNKS)
    )
    Forecast.objects.bulk_create(chunks, ignore_conflicts=True)
    call_worker_after_commit()


def next_due() -> datetime | None:
    """Return when a chunk waits for a worker, or has a worker that must be dead by then."""
    unfinished = Forecast.objects.filter(finished_at=None)
    waiting = unfinished.filter(started_at=None).order_by("id").values_list("created_at", flat=True).first()
    if waiting is not None:
        return waiting
    started_at = unfinished.order_by("started_at").values_list("started_at", flat=True).first()
    return started_at + STUCK_AFTER if started_at else None


def run_forecasts() -> int:
    """Count chunks for one turn, in the order of each forecast; return their number."""
    global _rests_until
    began = time.monotonic()
    if began < _rests_until or not Forecast.objects.filter(finished_at=None).exists():
        return 0
    _tidy_up()
    done = 0
    while chunk := _claim():
        _count(chunk)
        done += 1
        if time.monotonic() - began > TURN:
            break
    now = time.monotonic()
    _rests_until = now + (now - began) * (1 / SHARE - 1) if done else 0.0
    return done


def _tidy_up() -> None:
    """Drop chunks that are outdated, or of a tournament that ended or shows no odds; free chunks of dead workers."""
    Forecast.objects.exclude(tournament__state=Tournament.State.RUNNING, tournament__shows_odds=True).delete()
    head = LogHead.objects.filter(tournament=OuterRef("tournament"))
    unfinished = Forecast.objects.filter(finished_at=None)
    unfinished.exclude(log_hash=Subquery(head.values("hash")[:1])).delete()
    unfinished.filter(started_at__lte=timezone.now() - STUCK_AFTER).update(started_at=None)


def _claim() -> Forecast | None:
    """Claim a chunk: first chunks of all forecasts come before any second chunk."""
    waiting = Forecast.objects.filter(started_at=None).order_by("chunk", "id")
    for pk in waiting.values_list("pk", flat=True)[:CHUNKS]:
        if Forecast.objects.filter(pk=pk, started_at=None).update(started_at=timezone.now()):
            return Forecast.objects.select_related("tournament").filter(pk=pk).first()
    return None


def _count(chunk: Forecast) -> None:
    try:
        position, pools, simulations = _inputs_of(chunk)
        seed = f"{chunk.log_hash}:{chunk.chunk}"
        tallies = simulate(position, pools, seed=seed, simulations=simulations, patience=PATIENCE)
        _write(chunk, simulations, {entry: as_json(tally) for entry, tally in tallies.items()})
    except Outdated:
        Forecast.objects.filter(tournament=chunk.tournament_id, log_hash=chunk.log_hash, finished_at=None).delete()
    except (OperationalError, InterfaceError):
        raise  # no database: the chunk is stuck, and freed later
    except TooMuch:
        _give_up(chunk)
    except Exception:  # this includes the worker's time limit
        logger.exception("Chunk %s of a forecast failed", chunk.pk)
        _write(chunk, 0, {})


def _inputs_of(chunk: Forecast) -> tuple[Position, HandPools, int]:
    """Return the position, the hands to draw from, and the number of simulations. Raises `Outdated`, `TooMuch`."""
    if log_hash_of(chunk.tournament) != chunk.log_hash:
        raise Outdated
    return _position_at(chunk.tournament_id, chunk.log_hash)


@lru_cache(maxsize=8)
def _position_at(tournament_id: int, log_hash: str) -> tuple[Position, HandPools, int]:
    """Read the position, cached per process, since one end of the log has one position."""
    tournament = Tournament.objects.get(pk=tournament_id)
    outlook = outlook_at(tournament, log_hash)
    if outlook is None or outlook.position is None:
        raise Outdated
    stage = outlook.book.stage
    pools = HandPools(
        stage.edition,
        stage.scoring,
        partners=stage.has_partners,
        teams=stage.has_teams,
        options=stage.options if tournament.online == "all" else (),  # only online tables enforce house rules
    )
    hands = HANDS // CHUNKS
    an_ending = hands_of_an_ending(outlook.position, pools, most=hands // FEWEST_IN_A_CHUNK)
    return outlook.position, pools, min(MOST_IN_A_CHUNK, hands // an_ending)


def _give_up(chunk: Forecast) -> None:
    """Finish all chunks of this forecast empty, so that none is tried again before the next result."""
    _write(chunk, 0, {})
    rest = Forecast.objects.filter(tournament=chunk.tournament_id, log_hash=chunk.log_hash, finished_at=None)
    rest.update(started_at=timezone.now(), finished_at=timezone.now())


@transaction.atomic
def _write(chunk: Forecast, simulations: int, counts: dict[str, object]) -> None:
    """Write a chunk, unless it was dropped or claimed by another worker, and delete counts of older results."""
    mine = Forecast.objects.filter(pk=chunk.pk, started_at=chunk.started_at, finished_at=None)
    if mine.update(simulations=simulations, counts=counts, finished_at=timezone.now()):
        older = Forecast.objects.filter(tournament=chunk.tournament_id, pk__lt=chunk.pk)
        older.exclude(log_hash=chunk.log_hash).delete()


def as_json(tally: Tally) -> dict[str, object]:
    return {"won": tally.won, "best": tally.best, "next": tally.next}
