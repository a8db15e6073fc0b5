"""Background jobs that a user requests: rows that a worker claims, with progress, result and retry.

The row is the request, so answering a page never needs the broker. A claim raises `attempts`, and later writes of that
worker require its number: a worker that was presumed dead can't write when it returns.
"""

import hashlib
import io
import json
import logging
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.sentences import mark
from league.ledger.locks import lock_tournament
from league.lib.errors import Conflict, Refused
from league.log import anchors
from league.log.write import note
from league.models import Job, Tournament, User
from league.pages.downloads import file_name
from league.pages.table_files import Form, Table, table_file, workbook
from league.public import tables as exports
from league.rounds.better_seating import search

logger = logging.getLogger(__name__)

EXPORT_ALL = "export-all"
BETTER_SEATING = "better-seating"
FILE_LIFETIME = timedelta(days=1)  # before a file is deleted
STUCK_AFTER = timedelta(minutes=3)  # longer than a task may run, so its worker is dead
MOST_CLAIMS = 5


class Progress(Protocol):
    """Write the progress of a job, and its interim result. Raises `ClaimLost` if the worker has lost the job."""

    def __call__(self, done: int, of: int, so_far: bytes = b"") -> None: ...


class ClaimLost(Exception):
    """Another worker has this job, or the job was ended."""


@dataclass(frozen=True)
class Kind:
    """make: returns file name and content; without a name there is no file to download."""

    name: str | Promise
    make: Callable[[Tournament, Progress], tuple[str, bytes]]


def export_all(tournament: Tournament, progress: Progress) -> tuple[str, bytes]:
    """Export every table of a tournament as CSV and as one workbook, in a ZIP, including organisers' data.

    The manifest names the end of the log before the first file was written.
    """
    logs, made_at = anchors.ends(tournament), timezone.now()
    files: dict[str, str] = {}
    sheets: dict[str, Table] = {}
    tables = list(exports.EXPORTS.items())
    selection = exports.Wanted(everything=True, at_the_door=True)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, content: bytes) -> None:
            archive.writestr(name, content)
            files[name] = hashlib.sha256(content).hexdigest()

        for done, (table, export) in enumerate(tables):
            progress(done, len(tables))
            sheets[table] = Table(export.columns(selection), list(export.rows(tournament, selection)))
            add(file_name(tournament, table, None), table_file(Form.CSV, sheets[table]))
        add(f"{tournament.slug}.xlsx", workbook(sheets))
        manifest = {"made_at": made_at.isoformat(timespec="seconds"), anchors.LOGS: logs, "files": files}
        archive.writestr(anchors.MANIFESTS[1], json.dumps(manifest, indent=1))
    progress(len(tables), len(tables))
    return f"{tournament.slug}.zip", file.getvalue()


def better_seating(tournament: Tournament, progress: Progress) -> tuple[str, bytes]:
    return "", search(tournament, progress)


KINDS: dict[str, Kind] = {
    EXPORT_ALL: Kind(gettext_lazy("Everything as one ZIP"), export_all),
    BETTER_SEATING: Kind(gettext_lazy("A better seating"), better_seating),
}


@transaction.atomic
def request(*, tournament: Tournament, kind: str, by: User | None) -> Job:
    """Request a job. Returns the unfinished job of that kind if there is one, since a button may be pressed twice."""
    tournament = lock_tournament(tournament.pk)
    unfinished = tournament.jobs.filter(kind=kind, state__in=(Job.State.QUEUED, Job.State.RUNNING))
    if job := unfinished.defer("result").first():
        return job
    note(tournament=tournament, by=by, action=kind)
    return Job.objects.create(kind=kind, tournament=tournament, requested_by=by)


@transaction.atomic
def cancel(*, job: Job, by: User | None) -> None:
    """End an unfinished job; its worker notices when it next writes progress. Does nothing if it is over."""
    lock_tournament(job.tournament_id)
    unfinished = Job.objects.filter(pk=job.pk, state__in=(Job.State.QUEUED, Job.State.RUNNING))
    if unfinished.update(state=Job.State.FAILED, finished_at=timezone.now(), reason=mark("It was cancelled.")):
        note(tournament=job.tournament, by=by, action="cancel-job", new=job.kind)


def take_what_there_is(job: Job) -> Job:
    """End a running search with the best seating so far. A finished job stays unchanged."""
    running = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, kind=BETTER_SEATING).exclude(result=b"")
    running.update(state=Job.State.DONE, finished_at=timezone.now())
    return Job.objects.get(pk=job.pk)


@transaction.atomic
def retry(*, job: Job, by: User | None) -> None:
    """Queue a failed job again. Does nothing if another job of that kind is unfinished."""
    lock_tournament(job.tournament_id)
    jobs = Job.objects.filter(tournament_id=job.tournament_id, kind=job.kind)
    if jobs.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).exists():
        return
    if not Job.objects.filter(pk=job.pk, state=Job.State.FAILED).update(state=Job.State.QUEUED, reason=""):
        raise Conflict("not-failed", _("This job hasn’t failed. Start a new one."))
    note(tournament=job.tournament, by=by, action="retry-job", new=job.kind)


def next_due() -> datetime | None:
    """Return when a job waits for a worker, or has a worker that must be dead by then."""
    queued = Job.objects.filter(state=Job.State.QUEUED).order_by("id").values_list("created_at", flat=True).first()
    if queued is not None:
        return queued
    began = Job.objects.filter(state=Job.State.RUNNING).order_by("started_at").values_list("started_at", flat=True)
    started_at = began.first()
    return started_at + STUCK_AFTER if started_at else None


def work(now: datetime) -> int:
    """Claim and run the first queued job, and return whether there was one.

    One job a call, so that each has the worker's whole time limit.
    """
    _tidy_up(now)
    for pk in Job.objects.filter(state=Job.State.QUEUED).order_by("id").values_list("pk", flat=True):
        if job := _claim(pk):
            _run(job)
            return 1
    return 0


def _tidy_up(now: datetime) -> None:
    """Queue jobs of dead workers again, and delete expired files."""
    stuck = Job.objects.filter(state=Job.State.RUNNING, started_at__lte=now - STUCK_AFTER)
    stuck.filter(attempts__gte=MOST_CLAIMS).update(
        state=Job.State.FAILED, finished_at=now, reason=_("The worker stopped during each attempt.")
    )
    stuck.filter(attempts__lt=MOST_CLAIMS).update(state=Job.State.QUEUED)
    old = Job.objects.filter(state=Job.State.DONE, finished_at__lte=now - FILE_LIFETIME).exclude(file_name="")
    old.update(result=b"", file_name="")


def _claim(pk: int) -> Job | None:
    """Claim a job and return it; None if another worker was first."""
    with transaction.atomic():
        won = Job.objects.filter(pk=pk, state=Job.State.QUEUED).update(
            state=Job.State.RUNNING,
            started_at=timezone.now(),
            attempts=F("attempts") + 1,
            done=0,
            of=0,
            reason="",
            result=b"",
        )
        return Job.objects.select_related("tournament").get(pk=pk) if won else None


def _run(job: Job) -> None:
    def progress(done: int, of: int, so_far: bytes = b"") -> None:
        _write(job, done=done, of=of, **({"result": so_far} if so_far else {}))

    try:
        name, content = KINDS[job.kind].make(job.tournament, progress)
        _write(job, state=Job.State.DONE, finished_at=timezone.now(), file_name=name, result=content)
    except ClaimLost:
        logger.warning("Job %s was taken over by another worker", job.pk)
    except (OperationalError, InterfaceError):
        raise  # without a database no reason can be stored: the job is stuck, and is queued again later
    except Refused as refused:
        _fail(job, str(refused))
    except SoftTimeLimitExceeded:
        _fail(job, _("The job took too long."))
    except Exception:
        logger.exception("Job %s failed", job.pk)
        _fail(job, _("Internal error; see the operator’s log."))


def _fail(job: Job, reason: str) -> None:
    try:
        _write(job, state=Job.State.FAILED, finished_at=timezone.now(), reason=reason[:300])
    except ClaimLost:
        logger.warning("Job %s was taken over by another worker", job.pk)


def _write(job: Job, **fields: object) -> None:
    mine = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)
    if not mine.update(**fields):
        raise ClaimLost
